// SPDX-License-Identifier: Apache-2.0
// Checks of what a caller hands over for one frame, in host memory and in a device's.
#include "stereo/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "core/check_views.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

void check_depth(const StereoPlan& plan, bool wide_pixels) {
  if (wide_pixels != (plan.options.depth == Depth::u16))
    refuse(fmt::format("the pictures have {}-bit pixels, but option depth is {}: make the matcher with depth {}",
                       wide_pixels ? 16 : 8, wide_pixels ? "u8" : "u16", wide_pixels ? "u16" : "u8"));
}

void check_narrow(const StereoPlan& plan, const char* what) {
  if (plan.wide)
    refuse(fmt::format("{} has 16 bits, which hold -2047 .. 2047 px, but the range is {} .. {} px: give a 32-bit map",
                       what, plan.options.min_disparity, plan.last_disparity()));
}

void check_costs(const StereoPlan& plan, const char* what) {
  if (plan.max_cost >= no_cost)
    throw Error(ErrorCode::unsupported,
                fmt::format("the map {} has 32 bits, but window costs may reach {}: use a smaller window or max-value, "
                            "or do not ask for it",
                            what, plan.max_cost));
}

const char* name_of(PixelType type) {
  constexpr std::array names{"u8", "u16", "u32", "i16", "i32"};
  return names[static_cast<std::size_t>(type)];
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
    check_image(what, image, {rules_.plan.options.depth == Depth::u8 ? PixelType::u8 : PixelType::u16});
    views_.add_read(extent_of(what, image));
  }
  /// What is written may touch nothing else; a null pointer and an empty image mean "not wanted".
  template <class T>
  void write(const char* what, ImageView<T> view) {
    views_.write(what, view, rules_.plan.size);
  }
  void write(const char* what, const DeviceImage& image, std::initializer_list<PixelType> types) {
    if (image.empty()) return;
    check_image(what, image, types);
    if (!image.memory().backend()->place().writable)
      refuse(fmt::format("{} lies in memory that is CL_MEM_READ_ONLY: make it CL_MEM_READ_WRITE", what));
    views_.add_written(extent_of(what, image));
  }

 private:
  void check_image(const char* what, const DeviceImage& image, std::initializer_list<PixelType> types) const {
    if (image.empty()) refuse(fmt::format("{} is an empty image: give one with memory", what));
    const backend::Memory& memory = *image.memory().backend();
    if (memory.space() != rules_.space)
      refuse(fmt::format("{} lies in memory of device {}, but the matcher works on device {}{}", what, memory.device(),
                         rules_.device,
                         rules_.space == nullptr ? ", in host memory: give ImageViews"
                                                 : ": make both with the same vergence::Device"));
    if (image.size() != rules_.plan.size)
      refuse(fmt::format("{} is {}x{}: it must have the matcher's size, {}x{}", what, image.size().width,
                         image.size().height, rules_.plan.size.width, rules_.plan.size.height));
    if (std::find(types.begin(), types.end(), image.type()) != types.end()) return;
    std::string allowed;
    for (const PixelType type : types) allowed.append(allowed.empty() ? "" : " or ").append(name_of(type));
    refuse(fmt::format("{} has pixels of type {}: {} is needed", what, name_of(image.type()), allowed));
  }
  Extent extent_of(const char* what, const DeviceImage& image) const {
    const backend::Memory::Place place = image.memory().backend()->place();
    return {what,
            rules_.space,
            place.block,
            static_cast<std::uintptr_t>(place.start + image.offset()),
            bytes_of(image.type()) * static_cast<std::size_t>(image.size().width),
            image.pitch(),
            image.size().height};
  }
  const FrameRules& rules_;
  ViewList views_;
};

void set_disparity(backend::StereoTargets& targets, ImageView<std::int16_t> map) { targets.disparity16 = map; }
void set_disparity(backend::StereoTargets& targets, ImageView<std::int32_t> map) { targets.disparity32 = map; }
void set_disparity(backend::StereoTargets& targets, const DeviceImage& map) { targets.disparity = map; }

template <class Map>
void add_other(CheckedFrame& frame, const Map& map) {
  if (!map.empty()) set_disparity(frame.others[frame.other_count++], map);
}

void take_extras(const FrameRules& rules, Places& places, CheckedFrame& frame, const StereoExtras& extras) {
  if (extras.other_disparity.data() != nullptr) check_narrow(rules.plan, "other_disparity");
  places.write("mask", extras.mask);
  places.write("confidence", extras.confidence);
  places.write("other_disparity", extras.other_disparity);
  places.write("other_disparity_wide", extras.other_disparity_wide);
  const std::pair<const char*, ImageView<std::uint32_t>> costs[] = {{"cost", extras.cost},
                                                                    {"second_cost", extras.second_cost},
                                                                    {"cost_before", extras.cost_before},
                                                                    {"cost_after", extras.cost_after}};
  for (const auto& [what, view] : costs) {
    if (view.data() != nullptr) check_costs(rules.plan, what);
    places.write(what, view);
  }
  backend::StereoTargets& targets = frame.targets;
  targets.mask = extras.mask;
  targets.confidence = extras.confidence;
  targets.cost = extras.cost;
  targets.second_cost = extras.second_cost;
  targets.cost_before = extras.cost_before;
  targets.cost_after = extras.cost_after;
  add_other(frame, extras.other_disparity);
  add_other(frame, extras.other_disparity_wide);
}

void check_width(const FrameRules& rules, const char* what, const DeviceImage& map) {
  if (!map.empty() && map.type() == PixelType::i16) check_narrow(rules.plan, what);
}

void take_extras(const FrameRules& rules, Places& places, CheckedFrame& frame, const DeviceStereoExtras& extras) {
  places.write("mask", extras.mask, {PixelType::u8});
  places.write("confidence", extras.confidence, {PixelType::u8});
  places.write("other_disparity", extras.other_disparity, {PixelType::i16, PixelType::i32});
  check_width(rules, "other_disparity", extras.other_disparity);
  const std::pair<const char*, const DeviceImage*> costs[] = {{"cost", &extras.cost},
                                                              {"second_cost", &extras.second_cost},
                                                              {"cost_before", &extras.cost_before},
                                                              {"cost_after", &extras.cost_after}};
  for (const auto& [what, image] : costs) {
    if (!image->empty()) check_costs(rules.plan, what);
    places.write(what, *image, {PixelType::u32});
  }
  frame.targets.images = extras;
  frame.targets.images.other_disparity = {};
  add_other(frame, extras.other_disparity);
}

template <class P>
void take_pictures(const FrameRules& rules, Places& places, backend::StereoPair& pair, ImageView<const P> left,
                   ImageView<const P> right) {
  check_depth(rules.plan, std::is_same_v<P, std::uint16_t>);
  places.read("the left picture", left);
  places.read("the right picture", right);
  if constexpr (std::is_same_v<P, std::uint16_t>)
    pair.left16 = left, pair.right16 = right;
  else
    pair.left8 = left, pair.right8 = right;
}
void take_pictures(const FrameRules&, Places& places, backend::StereoPair& pair, const DeviceImage& left,
                   const DeviceImage& right) {
  places.read("the left picture", left);
  places.read("the right picture", right);
  pair.left = left;
  pair.right = right;
}

template <class T>
void take_disparity(const FrameRules& rules, Places& places, ImageView<T> map) {
  if constexpr (std::is_same_v<T, std::int16_t>) check_narrow(rules.plan, "the disparity map");
  if (map.data() == nullptr) check_view("the disparity map", map, rules.plan.size);
  places.write("the disparity map", map);
}
void take_disparity(const FrameRules& rules, Places& places, const DeviceImage& map) {
  if (map.empty()) refuse("the disparity map is an empty image: give one with memory");
  check_width(rules, "the disparity map", map);
  places.write("the disparity map", map, {PixelType::i16, PixelType::i32});
}

}  // namespace

template <class Picture, class Map, class Extras>
CheckedFrame check_frame(const FrameRules& rules, const Picture& left, const Picture& right, const Map& disparity,
                         const Extras& extras) {
  CheckedFrame frame;
  Places places(rules);
  take_pictures(rules, places, frame.pair, left, right);
  take_disparity(rules, places, disparity);
  set_disparity(frame.targets, disparity);
  take_extras(rules, places, frame, extras);
  if constexpr (!std::is_same_v<Picture, DeviceImage>) {
    check_values(rules.plan.options.max_value, "the left picture", left);
    check_values(rules.plan.options.max_value, "the right picture", right);
  }
  return frame;
}

#define VERGENCE_FRAME(Picture, Map, Extras) \
  template CheckedFrame check_frame(const FrameRules&, const Picture&, const Picture&, const Map&, const Extras&);
VERGENCE_FRAME(ImageView<const std::uint8_t>, ImageView<std::int16_t>, StereoExtras)
VERGENCE_FRAME(ImageView<const std::uint8_t>, ImageView<std::int32_t>, StereoExtras)
VERGENCE_FRAME(ImageView<const std::uint8_t>, DeviceImage, DeviceStereoExtras)
VERGENCE_FRAME(ImageView<const std::uint16_t>, ImageView<std::int16_t>, StereoExtras)
VERGENCE_FRAME(ImageView<const std::uint16_t>, ImageView<std::int32_t>, StereoExtras)
VERGENCE_FRAME(ImageView<const std::uint16_t>, DeviceImage, DeviceStereoExtras)
VERGENCE_FRAME(DeviceImage, ImageView<std::int16_t>, StereoExtras)
VERGENCE_FRAME(DeviceImage, ImageView<std::int32_t>, StereoExtras)
VERGENCE_FRAME(DeviceImage, DeviceImage, DeviceStereoExtras)
#undef VERGENCE_FRAME

}  // namespace vergence
