// SPDX-License-Identifier: Apache-2.0
// StereoMatcher refuses what it must, by name, before it writes anything.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr Size size{24, 10};
const StereoOptions small{.window = {3, 3}, .disparities = 8};

/// Views of one call; a row of the table makes one of them invalid.
struct Call {
  Image<std::uint8_t> pictures{size.width, 2 * size.height, 7};
  Image<std::int16_t> map{size, 123};
  Image<std::uint32_t> costs{size, 9u};
  ImageView<const std::uint8_t> left = pictures.view().crop({0, 0, size.width, size.height});
  ImageView<const std::uint8_t> right = pictures.view().crop({0, size.height, size.width, size.height});
  ImageView<std::int16_t> disparity = map;
  StereoOutput others{};
  StereoOutput output() const {
    StereoOutput all = others;
    all.disparity = disparity;
    return all;
  }
};

struct Mistake {
  std::string part;  // of the message
  std::function<void(Call&)> make;
};

const std::vector<Mistake>& mistakes() {
  using V8 = ImageView<std::uint8_t>;
  using VC8 = ImageView<const std::uint8_t>;
  static const std::vector<Mistake> table{
      {"the left picture has no pixels", [](Call& c) { c.left = {}; }},
      {"16 bits have u16 pixels and need the option pixel-depth u16", [](Call& c) { c.left = {}; }},
      {"the right picture has no pixels", [](Call& c) { c.right = VC8(nullptr, size.width, size.height); }},
      {"the disparity map has no pixels", [](Call& c) { c.disparity = {}; }},
      {"the left picture is 23x10",
       [](Call& c) {
         c.left = c.left.crop({0, 0, 23, 10});
       }},
      {"the right picture is 24x9",
       [](Call& c) {
         c.right = c.right.crop({0, 0, 24, 9});
       }},
      {"the disparity map is 12x10",
       [](Call& c) {
         c.disparity = c.disparity.crop({0, 0, 12, 10});
       }},
      {"mask is 3x10", [](Call& c) { c.others.mask = V8(c.pictures.data(), 3, 10, 64); }},
      {"the left picture has a stride of 23 bytes", [](Call& c) { c.left = VC8(c.left.data(), 24, 10, 23); }},
      {"the left picture has a stride of -64 bytes", [](Call& c) { c.left = VC8(c.left.row(9), 24, 10, -64); }},
      {"the disparity map has a stride of 63 bytes",
       [](Call& c) { c.disparity = ImageView<std::int16_t>(c.map.data(), 24, 10, 63); }},
      {"cost has a stride of 98 bytes",
       [](Call& c) { c.others.cost = ImageView<std::uint32_t>(c.costs.data(), 24, 10, 98); }},
      {"the disparity map does not start at a multiple of 2",
       [](Call& c) {
         c.disparity = ImageView<std::int16_t>(
             reinterpret_cast<std::int16_t*>(reinterpret_cast<std::uintptr_t>(c.map.data()) + 1), 24, 10, 64);
       }},
      {"mask overlaps the left picture",
       [](Call& c) {
         c.others.mask = c.pictures.view().crop({0, 0, 24, 10});
       }},
      {"confidence overlaps the right picture",
       [](Call& c) {
         c.others.confidence = c.pictures.view().crop({0, 10, 24, 10});
       }},
      {"second_cost overlaps cost", [](Call& c) { c.others.cost = c.others.second_cost = c.costs; }},
      {"other_disparity overlaps the disparity map", [](Call& c) { c.others.other_disparity = c.map; }},
  };
  return table;
}

TEST(MatcherErrors, WrongViewsAreRefusedAndNothingIsWritten) {
  StereoMatcher matcher(Device("reference"), size, small);
  for (const Mistake& mistake : mistakes()) {
    Call call;
    mistake.make(call);
    EXPECT_ERROR(matcher.compute({call.left, call.right}, call.output()), ErrorCode::invalid_argument, mistake.part);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) ASSERT_EQ(call.map(x, y), 123) << mistake.part;
  }
  Call call;
  EXPECT_NO_THROW(matcher.compute({call.left, call.right}, call.output())) << "usable after all errors";
}

TEST(MatcherErrors, InterleavedViewsDoNotOverlap) {
  // Four maps side by side in one block, as a caller may want them for display.
  Image<std::uint8_t> block(4 * size.width, size.height, 0);
  const auto part = [&](int i) { return block.view().crop({i * size.width, 0, size.width, size.height}); };
  Image<std::int16_t> map(size);
  StereoMatcher matcher(Device("reference"), size, small);
  EXPECT_NO_THROW(matcher.compute({ImageView<const std::uint8_t>(part(0)), part(1)},
                                  {.disparity = map, .mask = part(2), .confidence = part(3)}));
  EXPECT_ERROR(
      matcher.compute({ImageView<const std::uint8_t>(part(0)), part(1)},
                      {.disparity = map, .mask = block.view().crop({2 * size.width - 1, 0, size.width, size.height})}),
      ErrorCode::invalid_argument, "mask overlaps the right picture");
}

TEST(MatcherErrors, TheSamePictureTwiceIsAllowed) {
  const Image<std::uint8_t> picture = test::noise<std::uint8_t>(size, 1, 255);
  Image<std::int16_t> map(size);
  StereoMatcher matcher(
      Device("reference"), size,
      {.window = {3, 3}, .disparities = 8, .reject_ties = false, .left_right = -1, .speckle_size = 0});
  matcher.compute({picture, picture}, {.disparity = map});
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) EXPECT_EQ(map(x, y), 0);
}

TEST(MatcherErrors, NameTheArgumentOrTheField) {
  const Image<std::uint8_t> picture(size, 1), narrow(Size{23, 10}, 1);
  const Image<std::uint16_t> deep(size, 1);
  Image<std::int16_t> map(size);
  Image<std::uint8_t> mask(Size{3, 10});
  StereoMatcher matcher(Device("reference"), size, small);
  const auto field = [&](const StereoInput& input, const StereoOutput& output) {
    return test::field_of([&] { matcher.compute(input, output); });
  };
  EXPECT_EQ(field({narrow, picture}, {.disparity = map}), "left picture");
  EXPECT_EQ(field({picture, narrow}, {.disparity = map}), "right picture");
  EXPECT_EQ(field({picture, picture}, {}), "disparity map");
  EXPECT_EQ(field({picture, picture}, {.disparity = map, .mask = mask}), "mask");
  EXPECT_EQ(field({deep, deep}, {.disparity = map}), "pixel-depth");
}

TEST(MatcherErrors, PixelTypesMustFitTheDepth) {
  const Image<std::uint8_t> eight(size, 1);
  const Image<std::uint16_t> sixteen(size, 1);
  Image<std::int16_t> map(size);
  StereoMatcher for_eight(Device("reference"), size, small);
  EXPECT_ERROR(for_eight.compute({sixteen, sixteen}, {.disparity = map}), ErrorCode::invalid_argument,
               "16-bit pixels, but option pixel-depth is u8");
  StereoOptions deep = small;
  deep.depth = Depth::u16;
  StereoMatcher for_sixteen(Device("reference"), size, deep);
  EXPECT_ERROR(for_sixteen.compute({eight, eight}, {.disparity = map}), ErrorCode::invalid_argument,
               "8-bit pixels, but option pixel-depth is u16");
  EXPECT_NO_THROW(for_sixteen.compute({sixteen, sixteen}, {.disparity = map}));
}

TEST(MatcherErrors, PixelsAboveTheMaximumAreNamed) {
  StereoOptions options = small;
  options.depth = Depth::u16;
  options.max_value = 1023;
  Image<std::uint16_t> left(size, 1023);
  Image<std::uint16_t> right(size, 0);
  Image<std::int16_t> map(size, 123);
  StereoMatcher matcher(Device("reference"), size, options);
  EXPECT_NO_THROW(matcher.compute({left, right}, {.disparity = map}));
  map.fill(123);
  right(23, 4) = 1024;
  right(5, 7) = 65535;
  EXPECT_ERROR(matcher.compute({left, right}, {.disparity = map}), ErrorCode::invalid_argument,
               "the right picture has the value 1024 at x 23, y 4, above max-value 1023");
  EXPECT_EQ(map(0, 0), 123);
}

TEST(MatcherErrors, WideRangesNeedWideMaps) {
  const Image<std::uint8_t> picture(Size{2100, 1}, 1);
  Image<std::int16_t> narrow(Size{2100, 1});
  Image<std::int16_t> narrow_other(Size{2100, 1});
  Image<std::int32_t> wide(Size{2100, 1});
  StereoMatcher matcher(Device("reference"), {2100, 1}, {.window = {1, 1}, .disparities = 2, .min_disparity = 2047});
  EXPECT_TRUE(matcher.needs_wide_output());
  EXPECT_ERROR(matcher.compute({picture, picture}, {.disparity = narrow}), ErrorCode::invalid_argument,
               "-2047 .. 2047 px, but the range is 2047 .. 2048");
  EXPECT_ERROR(matcher.compute({picture, picture}, {.disparity = wide, .other_disparity = narrow_other}),
               ErrorCode::invalid_argument, "other_disparity has 16 bits");
  EXPECT_NO_THROW(matcher.compute({picture, picture}, {.disparity = wide}));
}

TEST(MatcherErrors, CostMapsOf32BitsMustHoldTheCosts) {
  const StereoOptions options{.cost = StereoCost::ssd, .window = {3, 3}, .disparities = 8, .depth = Depth::u16};
  const Image<std::uint16_t> picture(size, 65535);
  Image<std::int16_t> map(size);
  Image<std::uint32_t> cost(size);
  StereoMatcher matcher(Device("reference"), size, options);
  EXPECT_NO_THROW(matcher.compute({picture, picture}, {.disparity = map}));
  EXPECT_ERROR(matcher.compute({picture, picture}, {.disparity = map, .cost_after = cost}), ErrorCode::unsupported,
               "cost_after has 32 bits");
}

TEST(MatcherErrors, OptionsAreCheckedWhenTheMatcherIsMade) {
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available) continue;
    const Device device(info.name);
    EXPECT_ERROR(StereoMatcher(device, size, {.window = {4, 4}}), ErrorCode::invalid_argument, "window is 4x4");
    EXPECT_ERROR(StereoMatcher(device, size, {.disparities = 25}), ErrorCode::invalid_argument, "disparities is 25");
    EXPECT_ERROR(StereoMatcher(device, {0, 0}), ErrorCode::invalid_argument, "picture size is 0x0");
  }
}

}  // namespace
}  // namespace vergence
