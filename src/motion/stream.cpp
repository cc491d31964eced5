// SPDX-License-Identifier: Apache-2.0
// MotionStream: each frame against the one before it, several under way.
#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "backend/device.hpp"
#include "core/flight.hpp"
#include "motion/call.hpp"
#include "vergence/motion_stream.hpp"

namespace vergence {

struct PendingMotion::State {
  std::shared_ptr<Flight<backend::Motion>::Frame> frame;
};

struct MotionStream::Impl {
  Impl(Device chosen_device, Size size, const MotionOptions& options)
      : device(std::move(chosen_device)),
        plan(make_motion_plan(size, options)),
        flight(device.backend().make_motion(plan), most_in_flight) {
    if (options.all_sizes)
      throw Error(ErrorCode::invalid_argument,
                  "all-sizes is on: a stream follows one field, turn it off or use MotionEstimator");
    field = Image<MotionVector>(plan.grids.front(), MotionVector{});
  }

  template <class P>
  ImageView<const P>& last() {
    if constexpr (std::is_same_v<P, std::uint8_t>)
      return last8;
    else
      return last16;
  }

  /// The frame's place in the flight; null where it is the first one.
  template <class P>
  std::shared_ptr<PendingMotion::State> enqueue(ImageView<const P> frame, const MotionMaps& maps) {
    if (maps.previous.data() != nullptr)
      throw Error(ErrorCode::invalid_argument, "previous was given: a stream hands on its own fields, leave it empty");
    check_depth<P>(plan);
    ViewList views;
    views.read("the frame", frame, plan.size);
    if (has_last) {
      views.read("the frame before", last<P>(), plan.size);
      check_outputs(plan, plan.grids.front(), maps, views);
    }
    check_values(plan.options.max_value, "the frame", frame);
    if (!has_last) {
      last<P>() = frame;
      has_last = true;
      return nullptr;
    }
    const bool keeps = flight.first().keeps_frames();
    backend::MotionPair pair = make_pair(frame, last<P>());
    pair.follows = std::exchange(is_known, false);
    pair.continues = pair.follows && keeps;
    MotionMaps with_previous = maps;
    if (!keeps) with_previous.previous = field;
    auto state = std::make_shared<PendingMotion::State>();
    state->frame = flight.start([&](backend::Motion& motion) {
      run_steps(plan, motion, pair, {&with_previous, 1}, true);
    });
    if (!keeps)  // and finishes at once
      for (int y = 0; y < field.height(); ++y)
        for (int x = 0; x < field.width(); ++x) field(x, y) = maps.vectors(x, y);
    last<P>() = frame;
    is_known = true;
    return state;
  }

  Device device;
  MotionPlan plan;
  Flight<backend::Motion> flight;
  Image<MotionVector> field;  ///< Of the last frame, for devices that do not keep it.
  ImageView<const std::uint8_t> last8;
  ImageView<const std::uint16_t> last16;
  bool has_last = false;
  bool is_known = false;  ///< The device was given the last frame as a current one.
};

PendingMotion::PendingMotion(std::shared_ptr<State> state) : state_(std::move(state)), measured_(state_ != nullptr) {}
bool PendingMotion::wait() {
  if (const std::shared_ptr<State> state = std::exchange(state_, nullptr); state != nullptr)
    Flight<backend::Motion>::finish(state->frame);
  return measured_;
}

MotionStream::MotionStream(const Device& device, Size size, const MotionOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
MotionStream::MotionStream(MotionStream&&) noexcept = default;
MotionStream& MotionStream::operator=(MotionStream&&) noexcept = default;
MotionStream::~MotionStream() = default;

PendingMotion MotionStream::enqueue(ImageView<const std::uint8_t> frame, const MotionMaps& maps) {
  return PendingMotion(impl_->enqueue(frame, maps));
}
PendingMotion MotionStream::enqueue(ImageView<const std::uint16_t> frame, const MotionMaps& maps) {
  return PendingMotion(impl_->enqueue(frame, maps));
}
void MotionStream::restart() {
  impl_->flight.end_all();
  impl_->has_last = impl_->is_known = false;
  impl_->field.fill({});
}
Size MotionStream::size() const { return impl_->plan.size; }
Size MotionStream::blocks() const { return impl_->plan.grids.front(); }

}  // namespace vergence
