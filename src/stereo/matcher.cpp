// SPDX-License-Identifier: Apache-2.0
// StereoMatcher: checks what it is given, in host memory or in a device's, then runs the steps of a backend in their
// order.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/check_image.hpp"
#include "backend/device.hpp"
#include "backend/event.hpp"
#include "backend/stereo.hpp"
#include "core/check_views.hpp"
#include "core/flight.hpp"
#include "plan/stereo/plan.hpp"
#include "stereo/bands.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

/// What a caller hands over for one frame, once it has been checked: size, type, place, overlap, values.
struct CheckedFrame {
  backend::StereoPair pair;
  backend::StereoTargets targets;
  bool wants_other = false;
  backend::StereoTargets other;  ///< The other view's map.
};

/// What decides whether pictures and maps are right.
struct FrameRules {
  const StereoPlan& plan;
  const void* space;        ///< See backend::Device::space.
  std::string_view device;  ///< Its name.
};

void check_depth(const StereoPlan& plan, const char* what, bool wide_pixels) {
  if (wide_pixels != (plan.options.depth == Depth::u16))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} has {}-bit pixels, but option pixel-depth is {}: make the matcher with pixel-depth {}",
                            what, wide_pixels ? 16 : 8, wide_pixels ? "u8" : "u16", wide_pixels ? "u16" : "u8"),
                "pixel-depth");
}

/// Pictures lie in one kind of memory, and so do maps.
void check_alike(const char* what, bool on_device, const char* first, bool first_on_device) {
  if (on_device != first_on_device)
    refuse_argument(
        what, fmt::format("{} lies in {} memory, but {} in {}: give both in the same", what,
                          on_device ? "a device's" : "host", first, first_on_device ? "a device's" : "the host's"));
}

void check_narrow(const StereoPlan& plan, const char* what) {
  if (plan.wide)
    refuse_argument(
        what,
        fmt::format("{} has 16 bits, which hold -2047 .. 2047 px, but the range is {} .. {} px: give a 32-bit map",
                    what, plan.options.min_disparity, plan.last_disparity()));
}

void check_costs(const StereoPlan& plan, const char* what) {
  if (plan.max_cost >= no_cost)
    throw Error(ErrorCode::unsupported,
                fmt::format("the map {} has 32 bits, but window costs may reach {}: use a smaller window or max-value, "
                            "or do not ask for it",
                            what, plan.max_cost),
                what);
}

/// The views and images of one call: the pictures first, then what is written.
class Places {
 public:
  explicit Places(const FrameRules& rules) : rules_(rules) {}

  template <class P>
  void read(const char* what, ImageView<const P> view) {
    views_.read(what, view, rules_.plan.size);
  }
  void read(const char* what, const DeviceImage& image) {
    const PixelType type = rules_.plan.options.depth == Depth::u8 ? PixelType::u8 : PixelType::u16;
    backend::check_image(what, image, rules_.plan.size, {type}, taker());
    views_.add_read(backend::extent_of(what, image));
  }
  /// What is written may touch nothing else; a null pointer and an empty image mean "not wanted".
  template <class T>
  void write(const char* what, ImageView<T> view) {
    views_.write(what, view, rules_.plan.size);
  }
  void write(const char* what, const DeviceImage& image, std::initializer_list<PixelType> types) {
    if (image.empty()) return;
    backend::check_image(what, image, rules_.plan.size, types, taker());
    backend::check_image_writable(what, image);
    views_.add_written(backend::extent_of(what, image));
  }

 private:
  backend::ImageTaker taker() const { return {"matcher", rules_.space, rules_.device}; }
  const FrameRules& rules_;
  ViewList views_;
};

template <class P>
void take(const FrameRules& rules, Places& places, const char* what, ImageView<const P> picture) {
  if (picture.data() != nullptr) check_depth(rules.plan, what, std::is_same_v<P, std::uint16_t>);
  places.read(what, picture);
}
void take(const FrameRules& /*rules*/, Places& places, const char* what, const DeviceImage& picture) {
  places.read(what, picture);
}

backend::StereoPair take_pictures(const FrameRules& rules, Places& places, const StereoInput& input) {
  const char* const left = "the left picture";
  const char* const right = "the right picture";
  input.left.visit([&](const auto& picture) { take(rules, places, left, picture); });
  check_alike(right, input.right.on_device(), left, input.left.on_device());
  input.right.visit([&](const auto& picture) { take(rules, places, right, picture); });
  backend::StereoPair pair;
  pair.left8 = input.left.view<const std::uint8_t>();
  pair.right8 = input.right.view<const std::uint8_t>();
  pair.left16 = input.left.view<const std::uint16_t>();
  pair.right16 = input.right.view<const std::uint16_t>();
  pair.left = input.left.image();
  pair.right = input.right.image();
  return pair;
}

bool is_narrow(const DisparityRef& map) {
  return map.on_device() ? map.image().type() == PixelType::i16 : map.holds<std::int16_t>();
}

/// A map that is not given is passed over.
void take_disparities(const FrameRules& rules, Places& places, const char* what, const DisparityRef& map) {
  if (map.empty()) return;
  if (is_narrow(map)) check_narrow(rules.plan, what);
  if (map.on_device())
    places.write(what, map.image(), {PixelType::i16, PixelType::i32});
  else if (map.holds<std::int16_t>())
    places.write(what, map.view<std::int16_t>());
  else
    places.write(what, map.view<std::int32_t>());
}
template <class T>
void take_map(Places& places, const char* what, const ImageRef<T>& map, bool on_device, PixelType type) {
  if (map.empty()) return;
  check_alike(what, map.on_device(), "the disparity map", on_device);
  if (on_device)
    places.write(what, map.image(), {type});
  else
    places.write(what, map.template view<T>());
}

backend::StereoTargets target_of(const DisparityRef& map) {
  backend::StereoTargets targets;
  targets.disparity16 = map.view<std::int16_t>();
  targets.disparity32 = map.view<std::int32_t>();
  targets.disparity = map.image();
  return targets;
}

backend::StereoTargets take_maps(const FrameRules& rules, Places& places, const StereoOutput& output) {
  const bool on_device = output.disparity.on_device();
  if (output.disparity.empty() && on_device)
    refuse_argument("the disparity map", "the disparity map is an empty image: give one with memory");
  if (output.disparity.empty()) check_view("the disparity map", ImageView<std::int16_t>(), rules.plan.size);
  take_disparities(rules, places, "the disparity map", output.disparity);
  take_map(places, "mask", output.mask, on_device, PixelType::u8);
  take_map(places, "confidence", output.confidence, on_device, PixelType::u8);
  if (!output.other_disparity.empty())
    check_alike("other_disparity", output.other_disparity.on_device(), "the disparity map", on_device);
  take_disparities(rules, places, "other_disparity", output.other_disparity);
  const std::pair<const char*, const ImageRef<std::uint32_t>&> costs[] = {{"cost", output.cost},
                                                                          {"second_cost", output.second_cost},
                                                                          {"cost_before", output.cost_before},
                                                                          {"cost_after", output.cost_after}};
  for (const auto& [what, map] : costs) {
    if (!map.empty()) check_costs(rules.plan, what);
    take_map(places, what, map, on_device, PixelType::u32);
  }
  backend::StereoTargets targets = target_of(output.disparity);
  targets.mask = output.mask.view<std::uint8_t>();
  targets.confidence = output.confidence.view<std::uint8_t>();
  targets.cost = output.cost.view<std::uint32_t>();
  targets.second_cost = output.second_cost.view<std::uint32_t>();
  targets.cost_before = output.cost_before.view<std::uint32_t>();
  targets.cost_after = output.cost_after.view<std::uint32_t>();
  targets.images = {output.mask.image(),        output.confidence.image(),  output.cost.image(),
                    output.second_cost.image(), output.cost_before.image(), output.cost_after.image()};
  return targets;
}

/// Throws Error(invalid_argument), or Error(unsupported) for cost maps of too large costs, naming what is wrong.
CheckedFrame check_frame(const FrameRules& rules, const StereoInput& input, const StereoOutput& output) {
  CheckedFrame frame;
  Places places(rules);
  frame.pair = take_pictures(rules, places, input);
  frame.targets = take_maps(rules, places, output);
  frame.wants_other = !output.other_disparity.empty();
  if (frame.wants_other) frame.other = target_of(output.other_disparity);
  check_values(rules.plan.options.max_value, "the left picture", frame.pair.left16);
  check_values(rules.plan.options.max_value, "the right picture", frame.pair.right16);
  return frame;
}

/// The order of the stages; a stage that is off is not called. With `later`, the targets are complete only after
/// wait().
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

struct PendingStereo::State {
  std::shared_ptr<Flight<backend::Stereo>::Frame> frame;
};

struct StereoMatcher::Impl {
  Impl(Device chosen_device, Size size, const StereoOptions& options, const SourceMasks& masks)
      : device(std::move(chosen_device)),
        plan(make_stereo_plan(size, options, masks)),
        flight(make_fitting_stereo(device, plan), most_in_flight) {}

  CheckedFrame check(const StereoInput& input, const StereoOutput& output, std::span<const DeviceEvent> after) const {
    const FrameRules rules{plan, backend::of(device).space(), device.name()};
    CheckedFrame frame = check_frame(rules, input, output);
    backend::check_events(after, {"matcher", rules.space, rules.device});
    frame.targets.order.after = frame.other.order.after = after;
    return frame;
  }

  void compute(const CheckedFrame& frame) {
    const backend::Entered here(backend::of(device));
    flight.end_first();
    run_steps(plan, flight.first(), frame.pair, frame.targets);
    if (frame.wants_other) compute_other(frame);
  }
  std::shared_ptr<PendingStereo::State> enqueue(const CheckedFrame& frame) {
    const backend::Entered here(backend::of(device));
    auto state = std::make_shared<PendingStereo::State>();
    state->frame =
        flight.start([&](backend::Stereo& stereo) { run_steps(plan, stereo, frame.pair, frame.targets, true); });
    if (frame.wants_other) compute_other(frame);
    return state;
  }

  /// As compute(); the event tells when the device is done.
  DeviceEvent submit(CheckedFrame& frame) {
    backend::Device& on = backend::of(device);
    const backend::Entered here(on);
    backend::Order& order = frame.targets.order;
    std::vector<DeviceEvent> after;
    flight.end_first();
    if (frame.wants_other) {
      frame.other.order.done = backend::handle(on.new_event());
      compute_other(frame);
      after.assign(order.after.begin(), order.after.end());
      after.push_back(frame.other.order.done);
      order.after = after;
    }
    order.done = backend::handle(on.new_event());
    run_steps(plan, flight.first(), frame.pair, frame.targets, true);
    return order.done;
  }

  /// The other view is the same work with the roles of the pictures exchanged; most callers never ask, so what it needs
  /// is made at the first request.
  void compute_other(const CheckedFrame& frame) {
    if (other_stereo == nullptr) {
      other_plan = make_other_plan(plan);
      other_stereo = make_fitting_stereo(device, other_plan);
      other_stereo->measure(measures);
    }
    run_steps(other_plan, *other_stereo, frame.pair, frame.other, !frame.other.order.done.empty());
  }

  Device device;
  StereoPlan plan;
  Flight<backend::Stereo> flight;
  StereoPlan other_plan;
  std::unique_ptr<backend::Stereo> other_stereo;
  bool measures = false;
};

PendingStereo::PendingStereo(std::shared_ptr<State> state) : state_(std::move(state)) {}
void PendingStereo::wait() {
  if (const std::shared_ptr<State> state = std::exchange(state_, nullptr); state != nullptr)
    Flight<backend::Stereo>::finish(state->frame);
}

StereoMatcher::StereoMatcher(const Device& device, Size size, const StereoOptions& options, const SourceMasks& masks)
    : impl_(std::make_unique<Impl>(device, size, options, masks)) {}
StereoMatcher::StereoMatcher(StereoMatcher&&) noexcept = default;
StereoMatcher& StereoMatcher::operator=(StereoMatcher&&) noexcept = default;
StereoMatcher::~StereoMatcher() = default;

void StereoMatcher::compute(const StereoInput& input, const StereoOutput& output, std::span<const DeviceEvent> after) {
  impl_->compute(impl_->check(input, output, after));
}
PendingStereo StereoMatcher::enqueue(const StereoInput& input, const StereoOutput& output,
                                     std::span<const DeviceEvent> after) {
  return PendingStereo(impl_->enqueue(impl_->check(input, output, after)));
}

DeviceEvent StereoMatcher::submit(const StereoInput& input, const StereoOutput& output,
                                  std::span<const DeviceEvent> after) {
  CheckedFrame frame = impl_->check(input, output, after);
  if (!output.disparity.on_device()) backend::refuse_host_memory("the disparity map", "enqueue()");
  return impl_->submit(frame);
}

Size StereoMatcher::size() const { return impl_->plan.size; }
const StereoOptions& StereoMatcher::options() const { return impl_->plan.options; }
int StereoMatcher::invalid() const { return impl_->plan.invalid; }
bool StereoMatcher::needs_wide_output() const { return impl_->plan.wide; }
int StereoMatcher::band_rows() const { return impl_->flight.first().band_rows(); }
std::size_t StereoMatcher::memory() const {
  return impl_->flight.memory() + (impl_->other_stereo != nullptr ? impl_->other_stereo->memory() : 0);
}

void StereoMatcher::measure(bool on) {
  impl_->measures = on;
  impl_->flight.measure(on);
  if (impl_->other_stereo != nullptr) impl_->other_stereo->measure(on);
}
std::optional<DeviceTimes> StereoMatcher::times() {
  std::optional<DeviceTimes> sum;
  impl_->flight.add_times_to(sum);
  if (impl_->other_stereo != nullptr) add_times(sum, impl_->other_stereo->times());
  return sum;
}

}  // namespace vergence
