// SPDX-License-Identifier: Apache-2.0
// Areas without texture in both pictures, and bars of one grey level at their edges.
#include <gtest/gtest.h>

#include <functional>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::view;

/// The scene, in which some pixels are others.
Picture with(bool right, const std::function<int(int x, int y, int value)>& pixel) {
  Picture picture = view(right);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) picture(x, y) = static_cast<std::uint8_t>(pixel(x, y, picture(x, y)));
  return picture;
}
BareArea area(const std::function<int(int x, int y, int value)>& pixel) {
  const Picture left = with(false, pixel), right = with(true, pixel);
  return inspect_bare_area(left.view(), right.view());
}
BareArea bars(const std::function<int(int x, int y, int value)>& pixel) {
  const Picture left = with(false, pixel), right = with(true, pixel);
  return inspect_bars(left.view(), right.view());
}

TEST(InspectBareArea, SkiesAreTold) {
  // Of the rows 0 .. 63, those of cells whose neighbours are flat, too.
  const BareArea sky = area([](int x, int y, int value) { return y < 64 ? 252 + (x * 7 + y * 3) % 3 : value; });
  EXPECT_EQ(sky.bounds, (Rect{0, 0, 240, 56}));
  EXPECT_EQ(sky.parts.size(), 30u * 7u);
  const BareArea wall =
      area([](int x, int y, int value) { return x >= 80 && x < 160 && y >= 40 && y < 120 ? 9 : value; });
  EXPECT_EQ(wall.bounds, (Rect{88, 48, 64, 64}));
}

TEST(InspectBareArea, OthersAreNot) {
  EXPECT_TRUE(area([](int, int, int value) { return value; }).parts.empty());
  EXPECT_TRUE(area([](int x, int y, int value) { return y < 64 ? 252 + (x * 7 + y * 3) % 4 : value; }).parts.empty())
      << "a little texture";
  EXPECT_TRUE(area([](int, int y, int value) { return y < 16 ? 200 : value; }).parts.empty()) << "small";
  const auto sky = [](int, int y, int value) { return y < 64 ? 200 : value; };
  const Picture left = with(false, sky), right = view(true);
  EXPECT_TRUE(inspect_bare_area(left.view(), right.view()).parts.empty()) << "in one picture alone";
  EXPECT_TRUE(inspect_bare_area(right.view(), left.view()).parts.empty());
}

TEST(InspectBars, LetterboxesAreTold) {
  const BareArea found = bars([](int x, int y, int value) { return y < 20 || y >= 170 || x >= 236 ? 16 : value; });
  EXPECT_EQ(found.parts, (std::vector<Rect>{{0, 0, 240, 20}, {0, 170, 240, 10}, {236, 20, 4, 150}}));
  EXPECT_EQ(found.bounds, (Rect{0, 20, 236, 150}));
}

TEST(InspectBars, OthersAreNot) {
  EXPECT_TRUE(bars([](int, int, int value) { return value; }).parts.empty());
  EXPECT_TRUE(bars([](int, int y, int value) { return y < 3 ? 0 : value; }).parts.empty()) << "3 rows";
  EXPECT_TRUE(bars([](int x, int y, int value) { return y < 20 ? x % 2 : value; }).parts.empty()) << "two levels";
  EXPECT_TRUE(bars([](int, int, int) { return 7; }).parts.empty()) << "flat";
  const Picture left = with(false, [](int, int y, int value) { return y < 20 ? 0 : value; });
  EXPECT_TRUE(inspect_bars(left.view(), view(true).view()).parts.empty()) << "in one picture alone";
}

}  // namespace
}  // namespace vergence
