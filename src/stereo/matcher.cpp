// SPDX-License-Identifier: Apache-2.0
// StereoMatcher: has what it is given checked, then runs the steps of backend.hpp in their order.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backend/device.hpp"
#include "plan/stereo/plan.hpp"
#include "stereo/bands.hpp"
#include "stereo/frame.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

/// The order of the stages; a stage that is off is not called. With `later`, the targets are whole after wait().
void run_steps(const StereoPlan& plan, backend::Stereo& stereo, const backend::StereoPair& pair,
               const backend::StereoTargets& targets, bool later = false) {
  stereo.begin(pair, targets);
  stereo.match();
  if (plan.options.speckle_size > 0) stereo.speckle();
  if (plan.options.median > 0) stereo.median();
  if (plan.options.fill != StereoFill::none) stereo.fill();
  if (later)
    stereo.submit();
  else
    stereo.finish();
}

}  // namespace

/// What a PendingStereo and its matcher know of a frame.
struct PendingStereo::State {
  StereoMatcher::Impl* matcher = nullptr;  ///< Null once the frame has ended.
  std::exception_ptr error;
};

struct StereoMatcher::Impl {
  Impl(Device chosen_device, Size size, const StereoOptions& options)
      : device(std::move(chosen_device)),
        plan(make_stereo_plan(size, options)),
        stereo(make_fitting_stereo(device, plan)) {}

  ~Impl() {
    for (Lane& lane : lanes) end(lane);
  }

  void compute(const CheckedFrame& frame) {
    if (!lanes.empty()) end(lanes.front());
    run_steps(plan, *stereo, frame.pair, frame.targets);
    compute_others(frame);
  }

  /// A place for one frame under way. The first uses `stereo`, the others have one of their own.
  struct Lane {
    std::unique_ptr<backend::Stereo> own;
    std::shared_ptr<PendingStereo::State> frame;  ///< Null where none is under way.
    std::uint64_t number = 0;                     ///< Of the frame, in the order of their coming.
  };
  backend::Stereo& stereo_of(const Lane& lane) const { return lane.own != nullptr ? *lane.own : *stereo; }

  /// Waits for a lane's frame; what went wrong is kept for the frame's own wait().
  void end(Lane& lane) noexcept {
    if (lane.frame == nullptr) return;
    try {
      stereo_of(lane).wait();
    } catch (...) {
      lane.frame->error = std::current_exception();
    }
    lane.frame->matcher = nullptr;
    lane.frame = nullptr;
  }
  void end(const PendingStereo::State* frame) {
    for (Lane& lane : lanes)
      if (lane.frame.get() == frame) end(lane);
  }

  /// Everything that works for this matcher.
  std::vector<backend::Stereo*> all() const {
    std::vector<backend::Stereo*> all{stereo.get()};
    if (other_stereo != nullptr) all.push_back(other_stereo.get());
    for (const Lane& lane : lanes)
      if (lane.own != nullptr) all.push_back(lane.own.get());
    return all;
  }

  /// A lane that is free, a new one, or the one that has been busy for longest.
  Lane& free_lane() {
    if (lanes.empty()) return lanes.emplace_back();
    Lane* oldest = &lanes.front();
    for (Lane& lane : lanes) {
      if (lane.frame == nullptr) return lane;
      if (lane.number < oldest->number) oldest = &lane;
    }
    if (static_cast<int>(lanes.size()) < most_in_flight)
      if (std::unique_ptr<backend::Stereo> more = stereo->another(); more != nullptr) {
        more->measure(measures);
        lanes.push_back({std::move(more), nullptr, 0});
        return lanes.back();
      }
    end(*oldest);
    return *oldest;
  }

  PendingStereo enqueue(const CheckedFrame& frame) {
    Lane& lane = free_lane();
    run_steps(plan, stereo_of(lane), frame.pair, frame.targets, true);
    auto state = std::make_shared<PendingStereo::State>();
    state->matcher = this;
    lane.frame = state;
    lane.number = ++frames;
    compute_others(frame);
    return PendingStereo(state);
  }

  /// What the frame's checks depend on.
  FrameRules rules() const { return {plan, device.backend().space(), device.name()}; }

  /// The other view is the same work with the roles of the pictures exchanged; most callers never ask, so what it needs
  /// is made at the first request.
  void compute_others(const CheckedFrame& frame) {
    if (frame.other_count == 0) return;
    if (other_stereo == nullptr) {
      StereoOptions options = plan.options;
      options.reference = plan.matches_left() ? StereoView::right : StereoView::left;
      other_plan = make_stereo_plan(plan.size, options);
      other_stereo = make_fitting_stereo(device, other_plan);
      other_stereo->measure(measures);
    }
    for (std::size_t i = 0; i < frame.other_count; ++i)
      run_steps(other_plan, *other_stereo, frame.pair, frame.others[i]);
  }

  Device device;
  StereoPlan plan;
  std::unique_ptr<backend::Stereo> stereo;
  StereoPlan other_plan;
  std::unique_ptr<backend::Stereo> other_stereo;
  bool measures = false;
  std::vector<Lane> lanes;  ///< Made as frames are enqueued.
  std::uint64_t frames = 0;
};

PendingStereo::PendingStereo(std::shared_ptr<State> state) : state_(std::move(state)) {}
void PendingStereo::wait() {
  const std::shared_ptr<State> state = std::exchange(state_, nullptr);
  if (state == nullptr) return;
  if (state->matcher != nullptr) state->matcher->end(state.get());
  if (state->error != nullptr) std::rethrow_exception(state->error);
}

StereoMatcher::StereoMatcher(const Device& device, Size size, const StereoOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
StereoMatcher::StereoMatcher(StereoMatcher&&) noexcept = default;
StereoMatcher& StereoMatcher::operator=(StereoMatcher&&) noexcept = default;
StereoMatcher::~StereoMatcher() = default;

// Every overload: what was given is checked, and becomes a frame.
#define VERGENCE_OVERLOADS(Picture, Map, Extras)                                                           \
  void StereoMatcher::compute(Picture left, Picture right, Map disparity, const Extras& extras) {          \
    impl_->compute(check_frame(impl_->rules(), left, right, disparity, extras));                           \
  }                                                                                                        \
  PendingStereo StereoMatcher::enqueue(Picture left, Picture right, Map disparity, const Extras& extras) { \
    return impl_->enqueue(check_frame(impl_->rules(), left, right, disparity, extras));                    \
  }
VERGENCE_OVERLOADS(ImageView<const std::uint8_t>, ImageView<std::int16_t>, StereoExtras)
VERGENCE_OVERLOADS(ImageView<const std::uint8_t>, ImageView<std::int32_t>, StereoExtras)
VERGENCE_OVERLOADS(ImageView<const std::uint8_t>, const DeviceImage&, DeviceStereoExtras)
VERGENCE_OVERLOADS(ImageView<const std::uint16_t>, ImageView<std::int16_t>, StereoExtras)
VERGENCE_OVERLOADS(ImageView<const std::uint16_t>, ImageView<std::int32_t>, StereoExtras)
VERGENCE_OVERLOADS(ImageView<const std::uint16_t>, const DeviceImage&, DeviceStereoExtras)
VERGENCE_OVERLOADS(const DeviceImage&, ImageView<std::int16_t>, StereoExtras)
VERGENCE_OVERLOADS(const DeviceImage&, ImageView<std::int32_t>, StereoExtras)
VERGENCE_OVERLOADS(const DeviceImage&, const DeviceImage&, DeviceStereoExtras)
#undef VERGENCE_OVERLOADS

Size StereoMatcher::size() const { return impl_->plan.size; }
const StereoOptions& StereoMatcher::options() const { return impl_->plan.options; }
int StereoMatcher::invalid() const { return impl_->plan.invalid; }
bool StereoMatcher::needs_wide_output() const { return impl_->plan.wide; }
void StereoMatcher::measure(bool on) {
  impl_->measures = on;
  for (backend::Stereo* one : impl_->all()) one->measure(on);
}
std::optional<DeviceTimes> StereoMatcher::times() {
  std::optional<DeviceTimes> sum;
  for (backend::Stereo* one : impl_->all()) {
    const std::optional<DeviceTimes> times = one->times();
    if (!times) return times;
    if (!sum) sum.emplace();
    sum->compile_ms += times->compile_ms;
    sum->compiled += times->compiled;
    sum->cached += times->cached;
    sum->upload_ms += times->upload_ms;
    sum->kernel_ms += times->kernel_ms;
    sum->download_ms += times->download_ms;
  }
  return sum;
}
int StereoMatcher::band_rows() const { return impl_->stereo->band_rows(); }
std::size_t StereoMatcher::memory() const {
  std::size_t sum = 0;
  for (const backend::Stereo* one : impl_->all()) sum += one->memory();
  return sum;
}

}  // namespace vergence
