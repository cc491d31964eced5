// SPDX-License-Identifier: Apache-2.0
// MotionEstimator: checks what it is given, then runs the steps of backend/motion.hpp in their order.
#include <fmt/format.h>

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
  Impl(const Device& device, Size size, const MotionOptions& options) : call(device, make_motion_plan(size, options)) {}

  void compute(const MotionInput& input, const MotionOutput& output, std::int64_t after = 0) {
    const MotionMaps maps{output, input.previous};
    call.compute(input.current, input.reference, {&maps, 1}, after);
  }

  void predict(const PictureRef& reference, ImageView<const MotionVector> vectors, const WritablePictureRef& prediction,
               MotionPlane plane) const {
    const MotionPlan& plan = call.plan();
    backend::MotionPrediction step;
    step.scale = scale_of(plane);
    const Size size = plane_size(plan.size, step.scale);
    ViewList views;
    check_picture(plan, "the reference plane", reference, size, views);
    views.read("the vector field", vectors, plan.grids.front());
    if (prediction.on_device())
      throw Error(ErrorCode::unsupported,
                  "the prediction lies in a device's memory: motion writes to host memory, give an ImageView");
    step.prediction8 = prediction.view<std::uint8_t>();
    step.prediction16 = prediction.view<std::uint16_t>();
    if (prediction.empty()) check_view("the prediction", step.prediction8, size);
    check_depth(plan, "the prediction", prediction.holds<std::uint16_t>());
    views.write("the prediction", step.prediction8, size);
    views.write("the prediction", step.prediction16, size);
    check_vectors("the vector field", vectors);
    check_pixels(plan, "the reference plane", reference);
    step.vectors = vectors;
    step.reference8 = reference.view<const std::uint8_t>();
    step.reference16 = reference.view<const std::uint16_t>();
    call.motion().predict(step);
  }

  MotionCall call;
};

MotionEstimator::MotionEstimator(const Device& device, Size size, const MotionOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
MotionEstimator::MotionEstimator(MotionEstimator&&) noexcept = default;
MotionEstimator& MotionEstimator::operator=(MotionEstimator&&) noexcept = default;
MotionEstimator::~MotionEstimator() = default;

void MotionEstimator::compute(const MotionInput& input, const MotionOutput& output) { impl_->compute(input, output); }
std::int64_t MotionEstimator::calls() const { return impl_->call.calls(); }
void MotionEstimator::compute_after(std::int64_t call, const MotionInput& input, const MotionOutput& output) {
  impl_->compute(input, output, call);
}
void MotionEstimator::predict(const PictureRef& reference, ImageView<const MotionVector> vectors,
                              const WritablePictureRef& prediction, MotionPlane plane) {
  impl_->predict(reference, vectors, prediction, plane);
}

Size MotionEstimator::size() const { return impl_->call.plan().size; }
const MotionOptions& MotionEstimator::options() const { return impl_->call.plan().options; }
Size MotionEstimator::blocks() const { return impl_->call.plan().grids.front(); }
std::size_t MotionEstimator::memory() const { return impl_->call.motion().memory(); }
void MotionEstimator::measure(bool on) { impl_->call.motion().measure(on); }
std::optional<DeviceTimes> MotionEstimator::times() { return impl_->call.motion().times(); }

}  // namespace vergence
