// SPDX-License-Identifier: Apache-2.0
// StereoMatcher: checks what it is given, then runs the steps of backend.hpp in their order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend.hpp"
#include "stereo/check_views.hpp"
#include "stereo/plan.hpp"
#include "vergence/error.hpp"
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
  if (plan.options.fill != Fill::none) stereo.fill();
  if (later)
    stereo.submit();
  else
    stereo.finish();
}

backend::StereoPair make_pair(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right) {
  return {left, right, {}, {}};
}
backend::StereoPair make_pair(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right) {
  return {{}, {}, left, right};
}

backend::StereoTargets make_targets(ImageView<std::int16_t> disparity) {
  backend::StereoTargets targets;
  targets.disparity16 = disparity;
  return targets;
}
backend::StereoTargets make_targets(ImageView<std::int32_t> disparity) {
  backend::StereoTargets targets;
  targets.disparity32 = disparity;
  return targets;
}

template <class P>
void check_depth(const StereoPlan& plan) {
  constexpr bool wide_pixels = std::is_same_v<P, std::uint16_t>;
  if (wide_pixels != (plan.options.depth == Depth::u16))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the pictures have {}-bit pixels, but option depth is {}: make the "
                            "matcher with depth {}",
                            wide_pixels ? 16 : 8, wide_pixels ? "u8" : "u16", wide_pixels ? "u16" : "u8"));
}

void check_narrow(const StereoPlan& plan, const char* what) {
  if (plan.wide)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{} has 16 bits, which hold -2047 .. 2047 px, but the range is {} .. {} px: give a 32-bit map",
                    what, plan.options.min_disparity, plan.last_disparity()));
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
        stereo(device.backend().make_stereo(plan)) {}

  ~Impl() {
    for (Lane& lane : lanes) end(lane);
  }

  static backend::StereoTargets make_all_targets(backend::StereoTargets targets, const StereoExtras& extras) {
    targets.mask = extras.mask;
    targets.confidence = extras.confidence;
    targets.cost = extras.cost;
    targets.second_cost = extras.second_cost;
    targets.cost_before = extras.cost_before;
    targets.cost_after = extras.cost_after;
    return targets;
  }

  template <class P, class T>
  void compute(ImageView<const P> left, ImageView<const P> right, ImageView<T> disparity, const StereoExtras& extras) {
    check<P, T>(left, right, disparity, extras);
    if (!lanes.empty()) end(lanes.front());
    const backend::StereoPair pair = make_pair(left, right);
    run_steps(plan, *stereo, pair, make_all_targets(make_targets(disparity), extras));
    if (!extras.other_disparity.empty()) compute_other(pair, make_targets(extras.other_disparity));
    if (!extras.other_disparity_wide.empty()) compute_other(pair, make_targets(extras.other_disparity_wide));
  }

  /// A place for one frame under way. The first uses `stereo`, the others have one of their own.
  struct Lane {
    std::unique_ptr<backend::Stereo> own;
    std::shared_ptr<PendingStereo::State> frame;  ///< Null where none is under way.
    std::uint64_t number = 0;                     ///< Of the frame, in the order of their coming.
  };
  backend::Stereo& stereo_of(Lane& lane) { return lane.own != nullptr ? *lane.own : *stereo; }

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
    Lane* oldest = nullptr;
    for (Lane& lane : lanes) {
      if (lane.frame == nullptr) return lane;
      if (oldest == nullptr || lane.number < oldest->number) oldest = &lane;
    }
    if (lanes.empty()) return lanes.emplace_back();
    if (static_cast<int>(lanes.size()) < most_in_flight)
      if (std::unique_ptr<backend::Stereo> more = stereo->another(); more != nullptr) {
        more->measure(measures);
        lanes.push_back({std::move(more), nullptr, 0});
        return lanes.back();
      }
    end(*oldest);
    return *oldest;
  }

  template <class P, class T>
  std::shared_ptr<PendingStereo::State> enqueue(ImageView<const P> left, ImageView<const P> right,
                                                ImageView<T> disparity, const StereoExtras& extras) {
    check<P, T>(left, right, disparity, extras);
    const backend::StereoPair pair = make_pair(left, right);
    Lane& lane = free_lane();
    run_steps(plan, stereo_of(lane), pair, make_all_targets(make_targets(disparity), extras), true);
    auto state = std::make_shared<PendingStereo::State>();
    state->matcher = this;
    lane.frame = state;
    lane.number = ++frames;
    if (!extras.other_disparity.empty()) compute_other(pair, make_targets(extras.other_disparity));
    if (!extras.other_disparity_wide.empty()) compute_other(pair, make_targets(extras.other_disparity_wide));
    return state;
  }

  template <class P, class T>
  void check(ImageView<const P> left, ImageView<const P> right, ImageView<T> disparity,
             const StereoExtras& extras) const {
    check_depth<P>(plan);
    if constexpr (std::is_same_v<T, std::int16_t>) check_narrow(plan, "the disparity map");
    if (extras.other_disparity.data() != nullptr) check_narrow(plan, "other_disparity");
    if (disparity.data() == nullptr) check_view("the disparity map", disparity, plan.size);
    ViewList views;
    views.read("the left picture", left, plan.size);
    views.read("the right picture", right, plan.size);
    views.write("the disparity map", disparity, plan.size);
    views.write("mask", extras.mask, plan.size);
    views.write("confidence", extras.confidence, plan.size);
    views.write("other_disparity", extras.other_disparity, plan.size);
    views.write("other_disparity_wide", extras.other_disparity_wide, plan.size);
    const std::pair<const char*, ImageView<std::uint32_t>> cost_maps[] = {{"cost", extras.cost},
                                                                          {"second_cost", extras.second_cost},
                                                                          {"cost_before", extras.cost_before},
                                                                          {"cost_after", extras.cost_after}};
    for (const auto& [what, view] : cost_maps) {
      if (view.data() != nullptr && plan.max_cost >= no_cost)
        throw Error(
            ErrorCode::unsupported,
            fmt::format(
                "the map {} has 32 bits, but window costs may reach {}: use a smaller window or max-value, or do "
                "not ask for it",
                what, plan.max_cost));
      views.write(what, view, plan.size);
    }
    check_values(plan.options.max_value, "the left picture", left);
    check_values(plan.options.max_value, "the right picture", right);
  }

  /// The other view is the same work with the roles of the pictures exchanged; most callers never ask, so what it needs
  /// is made at the first request.
  void compute_other(const backend::StereoPair& pair, const backend::StereoTargets& targets) {
    if (other_stereo == nullptr) {
      StereoOptions options = plan.options;
      options.reference = plan.matches_left() ? View::right : View::left;
      other_plan = make_stereo_plan(plan.size, options);
      other_stereo = device.backend().make_stereo(other_plan);
      other_stereo->measure(measures);
    }
    run_steps(other_plan, *other_stereo, pair, targets);
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

void StereoMatcher::compute(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                            ImageView<std::int16_t> disparity, const StereoExtras& extras) {
  impl_->compute(left, right, disparity, extras);
}
void StereoMatcher::compute(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                            ImageView<std::int32_t> disparity, const StereoExtras& extras) {
  impl_->compute(left, right, disparity, extras);
}
void StereoMatcher::compute(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                            ImageView<std::int16_t> disparity, const StereoExtras& extras) {
  impl_->compute(left, right, disparity, extras);
}
void StereoMatcher::compute(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                            ImageView<std::int32_t> disparity, const StereoExtras& extras) {
  impl_->compute(left, right, disparity, extras);
}
PendingStereo StereoMatcher::enqueue(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                                     ImageView<std::int16_t> disparity, const StereoExtras& extras) {
  return PendingStereo(impl_->enqueue(left, right, disparity, extras));
}
PendingStereo StereoMatcher::enqueue(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                                     ImageView<std::int32_t> disparity, const StereoExtras& extras) {
  return PendingStereo(impl_->enqueue(left, right, disparity, extras));
}
PendingStereo StereoMatcher::enqueue(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                     ImageView<std::int16_t> disparity, const StereoExtras& extras) {
  return PendingStereo(impl_->enqueue(left, right, disparity, extras));
}
PendingStereo StereoMatcher::enqueue(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                     ImageView<std::int32_t> disparity, const StereoExtras& extras) {
  return PendingStereo(impl_->enqueue(left, right, disparity, extras));
}

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
std::size_t StereoMatcher::memory() const {
  std::size_t sum = 0;
  for (const backend::Stereo* one : impl_->all()) sum += one->memory();
  return sum;
}

}  // namespace vergence
