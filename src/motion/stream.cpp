// SPDX-License-Identifier: Apache-2.0
// MotionStream: each frame is searched in the one before it, several frames at the same time.
#include <fmt/format.h>

#include <utility>

#include "backend/access.hpp"
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
        flight(backend::of(device).make_motion(plan), most_in_flight) {
    field = Image<MotionVector>(plan.grids.front(), MotionVector{});
  }

  /// The state of the frame in flight; null for the first frame, which has no reference.
  std::shared_ptr<PendingMotion::State> enqueue(const PictureRef& frame, const MotionOutput& output) {
    ViewList views;
    check_picture(plan, "the frame", frame, plan.size, views);
    if (has_last) {
      check_picture(plan, "the frame before", last, plan.size, views);
      check_outputs(plan, plan.grids.front(), output, views);
    }
    check_pixels(plan, "the frame", frame);
    if (!has_last) {
      last = frame;
      has_last = true;
      return nullptr;
    }
    const bool keeps = flight.first().keeps_frames();
    backend::MotionPair pair = make_pair(frame, last);
    pair.follows = std::exchange(is_known, false);
    // Where the last field does not matter, a frame waits for the last one's pixels alone.
    pair.continues = pair.follows && keeps && uses_previous(plan.options);
    MotionMaps maps{output, {}};
    if (!keeps) maps.previous = field;
    const backend::Entered here(backend::of(device));
    auto state = std::make_shared<PendingMotion::State>();
    state->frame = flight.start([&](backend::Motion& motion) { run_steps(plan, motion, pair, {&maps, 1}, true); });
    if (!keeps)  // such a device has already finished
      for (int y = 0; y < field.height(); ++y)
        for (int x = 0; x < field.width(); ++x) field(x, y) = maps.vectors(x, y);
    last = frame;
    is_known = true;
    return state;
  }

  Device device;
  MotionPlan plan;
  Flight<backend::Motion> flight;
  Image<MotionVector> field;  ///< Of the last frame, for devices that do not keep it.
  PictureRef last;
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

PendingMotion MotionStream::enqueue(const PictureRef& frame, const MotionOutput& output) {
  return PendingMotion(impl_->enqueue(frame, output));
}
void MotionStream::restart() {
  impl_->flight.end_all();
  impl_->has_last = impl_->is_known = false;
  impl_->field.fill({});
}
Size MotionStream::size() const { return impl_->plan.size; }
Size MotionStream::blocks() const { return impl_->plan.grids.front(); }

}  // namespace vergence
