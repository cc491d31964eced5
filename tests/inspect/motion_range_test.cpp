// SPDX-License-Identifier: Apache-2.0
// Motion beyond the range in which it is looked for, and interlaced frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;

Picture moved(Size size, int right, int down) {
  Picture picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - right, y - down));
  return picture;
}

MotionOptions options_of(MotionRange x, MotionRange y) { return {.range_x = x, .range_y = y}; }

TEST(InspectMotionRange, IsTooSmallWhereItEndsBeforeTheMotion) {
  constexpr Size size{320, 200};
  const Picture reference = moved(size, 0, 0);
  for (const auto& [right, down] : {std::pair{9, 0}, {-20, 0}, {0, 12}, {30, -25}}) {
    const Picture current = moved(size, right, down);
    const auto find = [&](MotionRange x, MotionRange y) {
      return inspect_motion_range(current.view(), reference.view(), options_of(x, y));
    };
    const MotionRangeFindings small = find({-4, 4}, {-4, 4});
    EXPECT_TRUE(small.too_small) << right << " " << down << ": " << small.beyond << " of " << small.points;
    EXPECT_NEAR(small.reach_x, std::abs(right), 2);
    EXPECT_NEAR(small.reach_y, std::abs(down), 2);
    EXPECT_FALSE(find({-64, 64}, {-64, 64}).too_small);
    // The vector is (-right, -down), and may lie at the very end.
    EXPECT_FALSE(find({std::min(-right, 0), std::max(-right, 0)}, {std::min(-down, 0), std::max(-down, 0)}).too_small);
    EXPECT_TRUE(find({std::min(right, 0), std::max(right, 0)}, {std::min(down, 0), std::max(down, 0)}).too_small);
  }
}

/// What moves just beyond the range lies at its end, and matches there nearly as well where all is noisy.
TEST(InspectMotionRange, IsTooSmallWhereNoiseHidesHalfOfIt) {
  constexpr Size size{320, 200};
  constexpr int amplitude = 50;
  std::mt19937 random(5);
  const auto noisy = [&](int right, int down) {
    Picture picture = moved(size, right, down);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        picture(x, y) = static_cast<std::uint8_t>(picture(x, y) + static_cast<int>(random() % amplitude));
    return picture;
  };
  const Picture reference = noisy(0, 0), current = noisy(5, 0);
  EXPECT_TRUE(inspect_motion_range(current.view(), reference.view(), options_of({-1, 1}, {-1, 1})).too_small);
  EXPECT_FALSE(inspect_motion_range(current.view(), reference.view(), options_of({-5, 5}, {-1, 1})).too_small);
  EXPECT_FALSE(inspect_motion_range(current.view(), reference.view(), options_of({-16, 16}, {-16, 16})).too_small);
  // Where one move alone is allowed across, what is somewhat better beside it is no sign of an end.
  const Picture down_two = noisy(0, 2);
  EXPECT_FALSE(inspect_motion_range(down_two.view(), reference.view(), options_of({-4, 4}, {0, 0})).too_small);
}

TEST(InspectMotionRange, LargeFramesAndWordsToo) {
  constexpr Size size{1000, 600};
  const auto words = [&](int right) {
    const Picture bytes = moved(size, right, 0);
    Image<std::uint16_t> picture(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint16_t>(bytes(x / 2, y / 2) * 4);
    return picture;
  };
  const Image<std::uint16_t> reference = words(0);
  MotionOptions options = options_of({-6, 6}, {-6, 6});
  options.depth = Depth::u16;
  options.max_value = 1023;
  EXPECT_TRUE(inspect_motion_range(words(8).view(), reference.view(), options).too_small);   // 16 px: close to it
  EXPECT_TRUE(inspect_motion_range(words(60).view(), reference.view(), options).too_small);  // far from it
  EXPECT_FALSE(inspect_motion_range(words(3).view(), reference.view(), options).too_small);
}

TEST(InspectMotionRange, NothingIsFoundInOtherScenesAndSmallFrames) {
  constexpr Size size{320, 200};
  const MotionOptions options = options_of({-4, 4}, {-4, 4});
  for (int i = 1; i < 8; ++i)
    EXPECT_FALSE(
        inspect_motion_range(moved(size, 0, 0).view(), moved(size, 1000 * i, 700 * i).view(), options).too_small)
        << i;
  EXPECT_EQ(inspect_motion_range(moved({60, 60}, 0, 0).view(), moved({60, 60}, 9, 0).view(), options).points, 0);
  EXPECT_EQ(inspect_motion_range(Picture(size, 7).view(), Picture(size, 7).view(), options).points, 0);
  EXPECT_THROW(inspect_motion_range(Picture(size, 7).view(), Picture({64, 64}, 7).view(), options), Error);
}

/// A thing before a still scene, and vectors of 16x16 px that end at (-4, 0) where it is.
TEST(InspectMotionEnds, CutTheMotionOfAFewThings) {
  constexpr Size size{320, 192};
  constexpr Rect thing{96, 64, 80, 48};
  const auto frame = [&](int right) {
    Picture picture = moved(size, 0, 0);
    const Picture other = moved(size, right + 500, 300);
    for (int y = thing.y; y < thing.y + thing.height; ++y)
      std::copy_n(other.row(y) + thing.x + right, thing.width, picture.row(y) + thing.x + right);
    return picture;
  };
  const Picture reference = frame(0);
  Image<MotionVector> vectors({20, 12}, MotionVector{});
  for (int y = 4; y < 7; ++y)
    for (int x = 7; x < 11; ++x) vectors(x, y) = {-16, 0};
  const auto find = [&](int right, MotionRange x, MotionRange y) {
    return inspect_motion_ends(frame(right).view(), reference.view(), vectors.view(), options_of(x, y));
  };
  const MotionEndFindings cut = find(9, {-4, 4}, {-4, 4});
  EXPECT_TRUE(cut.cut) << cut.beyond << " of " << cut.looked;
  EXPECT_EQ(cut.looked, 12);  // blocks, of which the last column has moved in part
  EXPECT_GE(cut.beyond, 9);
  EXPECT_EQ(cut.reach_x, 9);
  EXPECT_EQ(cut.reach_y, 0);
  EXPECT_FALSE(find(4, {-4, 4}, {-4, 4}).cut) << "the very end";
  EXPECT_EQ(find(9, {-16, 16}, {-4, 4}).looked, 0) << "no vector lies at its end";
  // One move alone has no end.
  const Image<MotionVector> still({20, 12}, MotionVector{}), others({19, 12}, MotionVector{});
  const Picture current = frame(9);
  EXPECT_EQ(inspect_motion_ends(current.view(), reference.view(), still.view(), options_of({-4, 4}, {0, 0})).looked, 0);
  EXPECT_THROW(inspect_motion_ends(current.view(), reference.view(), others.view(), options_of({-4, 4}, {-4, 4})),
               Error);
}

/// Vectors of 16x16 px that are right, or nothing, in some columns.
TEST(InspectMissedMotion, TellsWhatLiesElsewhereInTheRange) {
  constexpr Size size{320, 192};
  const Picture reference = moved(size, 0, 0), current = moved(size, 9, -4);
  const auto find = [&](int right_columns, MotionRange x) {
    Image<MotionVector> vectors({20, 12}, MotionVector{});
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < right_columns; ++column) vectors(column, row) = {-36, 16};
    return inspect_missed_motion(current.view(), reference.view(), vectors.view(), options_of(x, {-16, 16}));
  };
  const MissedMotionFindings found = find(12, {-16, 16});
  EXPECT_TRUE(found.missed);
  EXPECT_GE(found.elsewhere, 8);
  EXPECT_LE(found.looked, 32);
  EXPECT_FALSE(find(20, {-16, 16}).missed);
  EXPECT_FALSE(find(12, {-4, 4}).missed) << "beyond the range";
}

/// Things on a bare wall, each faster than the one farther away, in which one block is looked for.
TEST(InspectMissedMotion, NearThingsMoveFaster) {
  constexpr Size size{320, 192};
  constexpr std::array moves{8, 11, 14, 18};
  const auto frame = [&](bool later) {
    Picture picture(size, 90);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const int right = later ? moves[i] : 0, left = 64, top = 16 * (1 + 3 * static_cast<int>(i));
      const Picture thing = moved(size, right, 0);
      for (int y = top; y < top + 16; ++y) std::copy_n(thing.row(y) + left + right, 96, picture.row(y) + left + right);
    }
    return picture;
  };
  const Image<MotionVector> still({20, 12}, MotionVector{});
  const MissedMotionFindings found =
      inspect_missed_motion(frame(true).view(), frame(false).view(), still.view(), options_of({-24, 24}, {-8, 8}));
  EXPECT_TRUE(found.missed) << found.elsewhere << " of " << found.looked;
}

TEST(InspectFields, RowsOfTwoTimes) {
  constexpr Size size{320, 200};
  const Picture now = moved(size, 0, 0);
  EXPECT_FALSE(inspect_fields(now.view()).interlaced);
  EXPECT_EQ(inspect_fields(now.view()).combed, 0);
  for (const int step : {4, 8, 20}) {
    Picture mixed = moved(size, 0, 0);
    const Picture later = moved(size, step, 0);
    for (int y = 1; y < size.height; y += 2) std::copy_n(later.row(y), size.width, mixed.row(y));
    EXPECT_TRUE(inspect_fields(mixed.view()).interlaced) << step;
  }
  const Picture slow = moved(size, 2, 0);  // at the left
  Picture mixed = moved(size, 0, 0);
  for (int y = 1; y < size.height; y += 2) std::copy_n(slow.row(y), 200, mixed.row(y));
  EXPECT_TRUE(inspect_fields(mixed.view()).interlaced);
  // Nothing moves.
  EXPECT_FALSE(inspect_fields(Picture(size, 9).view()).interlaced);
}

}  // namespace
}  // namespace vergence
