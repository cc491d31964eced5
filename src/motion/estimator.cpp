// SPDX-License-Identifier: Apache-2.0
// MotionEstimator: checks what it is given, then runs the steps of backend/motion.hpp in their order.
#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "backend/device.hpp"
#include "motion/call.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {

bool uses_previous(const MotionOptions& options) {
  const bool begins_at_zero = options.search == MotionSearch::full || options.search == MotionSearch::step;
  return options.lambda != 0 || !begins_at_zero;
}

struct MotionEstimator::Impl {
  Impl(Device chosen_device, Size size, const MotionOptions& options)
      : device(std::move(chosen_device)),
        plan(make_motion_plan(size, options)),
        motion(device.backend().make_motion(plan)) {}

  void require_sizes(bool all) const {
    if (all == plan.options.all_sizes) return;
    throw Error(ErrorCode::invalid_argument,
                all ? "compute_sizes was called, but option all-sizes is off: turn it on, or call compute"
                    : "compute was called, but option all-sizes is on: turn it off, or call compute_sizes");
  }

  template <class P>
  void compute(ImageView<const P> current, ImageView<const P> reference, std::span<const MotionMaps> maps,
               std::int64_t after = 0) {
    check_depth<P>(plan);
    ViewList views;
    views.read("the current frame", current, plan.size);
    views.read("the reference frame", reference, plan.size);
    // What is written may touch nothing that is read, so all that is read comes first.
    for (std::size_t i = 0; i < maps.size(); ++i) check_inputs(plan.grids[i], maps[i], views);
    for (std::size_t i = 0; i < maps.size(); ++i) check_outputs(plan, plan.grids[i], maps[i], views);
    for (const MotionMaps& one : maps) check_vectors("previous", one.previous);
    check_values(plan.options.max_value, "the current frame", current);
    check_values(plan.options.max_value, "the reference frame", reference);
    backend::MotionPair pair = make_pair(current, reference);
    pair.follows = after > 0 && after == calls;
    run_steps(plan, *motion, pair, maps);
    ++calls;
  }

  template <class P>
  void predict(ImageView<const P> reference, ImageView<const MotionVector> vectors, ImageView<P> prediction,
               MotionPlane plane) {
    check_depth<P>(plan);
    if (plan.options.all_sizes)
      throw Error(ErrorCode::invalid_argument,
                  "predict was called, but option all-sizes is on: make an estimator with the block that is wanted");
    backend::MotionPrediction call;
    call.scale = scale_of(plane);
    const Size size = plane_size(plan.size, call.scale);
    ViewList views;
    views.read("the reference plane", reference, size);
    views.read("the vector field", vectors, plan.grids.front());
    if (prediction.data() == nullptr) check_view("the prediction", prediction, size);
    views.write("the prediction", prediction, size);
    check_vectors("the vector field", vectors);
    check_values(plan.options.max_value, "the reference plane", reference);
    call.vectors = vectors;
    if constexpr (std::is_same_v<P, std::uint8_t>) {
      call.reference8 = reference;
      call.prediction8 = prediction;
    } else {
      call.reference16 = reference;
      call.prediction16 = prediction;
    }
    motion->predict(call);
  }

  Device device;
  MotionPlan plan;
  std::unique_ptr<backend::Motion> motion;
  std::int64_t calls = 0;  ///< That ended well.
};

MotionEstimator::MotionEstimator(const Device& device, Size size, const MotionOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
MotionEstimator::MotionEstimator(MotionEstimator&&) noexcept = default;
MotionEstimator& MotionEstimator::operator=(MotionEstimator&&) noexcept = default;
MotionEstimator::~MotionEstimator() = default;

void MotionEstimator::compute(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                              const MotionMaps& maps) {
  impl_->require_sizes(false);
  impl_->compute(current, reference, {&maps, 1});
}
void MotionEstimator::compute(ImageView<const std::uint16_t> current, ImageView<const std::uint16_t> reference,
                              const MotionMaps& maps) {
  impl_->require_sizes(false);
  impl_->compute(current, reference, {&maps, 1});
}
std::int64_t MotionEstimator::calls() const { return impl_->calls; }
void MotionEstimator::compute_after(std::int64_t call, ImageView<const std::uint8_t> current,
                                    ImageView<const std::uint8_t> reference, const MotionMaps& maps) {
  impl_->require_sizes(false);
  impl_->compute(current, reference, {&maps, 1}, call);
}
void MotionEstimator::compute_after(std::int64_t call, ImageView<const std::uint16_t> current,
                                    ImageView<const std::uint16_t> reference, const MotionMaps& maps) {
  impl_->require_sizes(false);
  impl_->compute(current, reference, {&maps, 1}, call);
}
void MotionEstimator::compute_sizes(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                                    const SizeMaps& maps) {
  impl_->require_sizes(true);
  impl_->compute(current, reference, maps);
}
void MotionEstimator::compute_sizes(ImageView<const std::uint16_t> current, ImageView<const std::uint16_t> reference,
                                    const SizeMaps& maps) {
  impl_->require_sizes(true);
  impl_->compute(current, reference, maps);
}

void MotionEstimator::predict(ImageView<const std::uint8_t> reference, ImageView<const MotionVector> vectors,
                              ImageView<std::uint8_t> prediction, MotionPlane plane) {
  impl_->predict(reference, vectors, prediction, plane);
}
void MotionEstimator::predict(ImageView<const std::uint16_t> reference, ImageView<const MotionVector> vectors,
                              ImageView<std::uint16_t> prediction, MotionPlane plane) {
  impl_->predict(reference, vectors, prediction, plane);
}

Size MotionEstimator::size() const { return impl_->plan.size; }
const MotionOptions& MotionEstimator::options() const { return impl_->plan.options; }
Size MotionEstimator::blocks() const { return impl_->plan.grids.front(); }
Size MotionEstimator::blocks_of_size(int index) const {
  if (index < 0 || index >= static_cast<int>(impl_->plan.grids.size()))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("index is {}: this estimator has {} block sizes", index, impl_->plan.grids.size()));
  return impl_->plan.grids[static_cast<std::size_t>(index)];
}
std::size_t MotionEstimator::memory() const { return impl_->motion->memory(); }
void MotionEstimator::measure(bool on) { impl_->motion->measure(on); }
std::optional<DeviceTimes> MotionEstimator::times() { return impl_->motion->times(); }

}  // namespace vergence
