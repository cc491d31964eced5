// SPDX-License-Identifier: Apache-2.0
// Rows that are scattered, seen from inside: the program tells most such pairs by another look before.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "cli/rig_watch.hpp"
#include "inspect/scene.hpp"

namespace vergence::cli {
namespace {

StereoFrame frame_of(Image<std::uint8_t> right) {
  StereoFrame frame;
  frame.left.u8 = inspect_test::view(false);
  frame.right.u8 = std::move(right);
  return frame;
}

/// Of five columns of 24 px, one lies some rows higher and one as many lower.
Image<std::uint8_t> with_outliers(int rows) {
  Image<std::uint8_t> picture = inspect_test::view(true);
  const Image<std::uint8_t> higher = inspect_test::view(true, 0, -rows), lower = inspect_test::view(true, 0, rows);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (const int column = x / 24 % 5; column == 1 || column == 3)
        picture(x, y) = column == 1 ? higher(x, y) : lower(x, y);
  return picture;
}

/// Of rows that a turned camera explains, outliers are no scatter, though two of five points are some.
TEST(RigScatter, IsNotSaidWhereTheGeometryIsKnown) {
  RigWatch watch;
  const RigFindings found = watch.look(frame_of(with_outliers(6)));
  EXPECT_TRUE(found.known);
  EXPECT_FALSE(found.off);
  EXPECT_GE(found.points, 100);
  EXPECT_GE(found.spread, 2.5) << "or else it is no scatter anyway";
  EXPECT_EQ(watch.scatter("wrong", "cure"), "");
}

TEST(RigScatter, IsSaidWhereRowsAreMatchedByChance) {
  RigWatch watch;
  const RigFindings found = watch.look(frame_of(inspect_test::view(true, 0, 24)));
  EXPECT_FALSE(found.known);
  EXPECT_TRUE(watch.scatter("it is wrong", "mend it").starts_with("it is wrong: "))
      << found.points << " points, median " << found.median << ", spread " << found.spread;
}

/// Too few points for a geometry, and two of five are outliers: the others lie in their row.
TEST(RigScatter, IsNotSaidWhereMostPointsLieInTheirRow) {
  StereoFrame frame = frame_of(with_outliers(8));
  for (Image<std::uint8_t>* const picture : {&frame.left.u8, &frame.right.u8})
    for (int y = 0; y < picture->height(); ++y)
      std::fill(picture->row(y) + 120, picture->row(y) + picture->width(), std::uint8_t{90});
  RigWatch watch;
  const RigFindings found = watch.look(frame);
  EXPECT_FALSE(found.known);
  EXPECT_GE(found.points, 12);
  EXPECT_GE(found.spread, 2.5) << "of " << found.points;
  EXPECT_EQ(watch.scatter("wrong", "cure"), "");
}

TEST(RigScatter, IsNotSaidOfAGoodPair) {
  RigWatch watch;
  watch.look(frame_of(inspect_test::view(true)));
  EXPECT_EQ(watch.scatter("wrong", "cure"), "");
}

}  // namespace
}  // namespace vergence::cli
