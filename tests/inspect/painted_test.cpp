// SPDX-License-Identifier: Apache-2.0
// What is painted over both pictures is found where it lies.
#include <gtest/gtest.h>

#include <algorithm>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::view;

/// A board of dots, each of whose cells has 24 steps.
void paint(Picture& picture, const Rect& part) {
  for (int y = part.y; y < part.y + part.height; ++y)
    for (int x = part.x; x < part.x + part.width; ++x)
      picture(x, y) = (x / 2 + y / 3) % 2 == 0 ? std::uint8_t{20} : std::uint8_t{235};
}

Image<std::uint16_t> deep(const Picture& picture, int factor) {
  Image<std::uint16_t> result(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) result(x, y) = static_cast<std::uint16_t>(factor * picture(x, y));
  return result;
}

TEST(InspectPainted, ALogoIsFound) {
  Picture left = view(false), right = view(true);
  EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0) << "the scene alone";
  const Rect logo{160, 16, 48, 24};
  paint(left, logo);
  EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0) << "in one picture";
  paint(right, logo);
  for (const PaintedFindings& found : {inspect_painted(left.view(), right.view()),
                                       inspect_painted(deep(left, 16).view(), deep(right, 16).view(), 65535)}) {
    EXPECT_EQ(found.part, logo);
    EXPECT_EQ(found.cells, 6 * 3);
  }
  // Another grey level at each second pixel leaves no step as it was.
  for (int y = logo.y; y < logo.y + logo.height; ++y)
    for (int x = logo.x; x < logo.x + logo.width; x += 2) ++right(x, y);
  EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0);
}

/// Of high pictures, fewer rows are looked at first.
TEST(InspectPainted, ALogoOnHighPicturesIsFound) {
  for (const int height : {504, 512, 528}) {
    const auto high = [height](const Picture& scene) {  // the scene above itself
      Picture picture(scene.width(), height);
      for (int y = 0; y < height; ++y) std::copy_n(scene.row(y % scene.height()), scene.width(), picture.row(y));
      return picture;
    };
    Picture left = high(view(false)), right = high(view(true));
    EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0) << "the scene alone";
    const Rect logo{160, 400, 48, 24};
    paint(left, logo);
    paint(right, logo);
    EXPECT_EQ(inspect_painted(left.view(), right.view()).part, logo) << height;
    EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 6 * 3) << height;
  }
}

TEST(InspectPainted, FewOrAllCellsAreNone) {
  Picture left = view(false), right = view(true);
  paint(left, {64, 64, 24, 16});
  paint(right, {64, 64, 24, 16});
  EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0) << "6 cells";
  paint(left, {0, 0, 8, 120});
  paint(right, {0, 0, 8, 120});
  EXPECT_EQ(inspect_painted(left.view(), right.view()).cells, 0) << "columns of a sensor";
  paint(left, {0, 0, 240, 180});
  EXPECT_EQ(inspect_painted(left.view(), left.view()).cells, 0) << "one picture";
  Picture small_left = Picture(Size{56, 48}, std::uint8_t{90}), small_right = small_left.clone();
  EXPECT_EQ(inspect_painted(small_left.view(), small_right.view()).cells, 0);
  EXPECT_THROW(inspect_painted(left.view(), small_right.view()), Error);
}

}  // namespace
}  // namespace vergence
