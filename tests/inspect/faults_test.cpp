// SPDX-License-Identifier: Apache-2.0
// Faults of cameras and files that spoil all of a picture: blocks of compression, patterns of columns, rows that
// jitter.
#include <gtest/gtest.h>

#include <algorithm>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::hash;
using inspect_test::look;
using inspect_test::Picture;
using inspect_test::view;

/// Each block of 8x8 px loses so many percent of what its pixels differ from its mean. Blocks begin at (x, y).
Picture in_blocks(const Picture& picture, int percent, int first_x = 0, int first_y = 0) {
  Picture result = picture.clone();
  for (int top = first_y - 8; top < picture.height(); top += 8)
    for (int left = first_x - 8; left < picture.width(); left += 8) {
      int sum = 0, pixels = 0;
      const auto each = [&](auto what) {
        for (int y = std::max(0, top); y < std::min(picture.height(), top + 8); ++y)
          for (int x = std::max(0, left); x < std::min(picture.width(), left + 8); ++x) what(x, y);
      };
      each([&](int x, int y) { sum += picture(x, y), ++pixels; });
      each([&](int x, int y) {
        result(x, y) = static_cast<std::uint8_t>(sum / pixels + (picture(x, y) - sum / pixels) * (100 - percent) / 100);
      });
    }
  return result;
}

TEST(InspectFaults, BlocksOfCompressionAreTold) {
  const Picture left = view(false), right = view(true);
  for (const int first : {0, 3}) {
    const PairFindings found = look(in_blocks(left, 80, first, 5), in_blocks(right, 80, first, 5));
    EXPECT_TRUE(found.problem == PairProblem::blocks) << first;
    EXPECT_GE(found.block_percent, 220) << first;
  }
  EXPECT_FALSE(look(in_blocks(left, 20), in_blocks(right, 20)).problem == PairProblem::blocks) << "light";
  EXPECT_FALSE(look(in_blocks(left, 80), in_blocks(right, 80, 3, 0)).problem == PairProblem::blocks)
      << "at other places";
}

TEST(InspectFaults, BlocksInOnePictureAreTold) {
  const Picture left = view(false), right = view(true);
  const PairFindings in_left = look(in_blocks(left, 45, 3, 5), right), in_right = look(left, in_blocks(right, 45));
  EXPECT_TRUE(in_left.problem == PairProblem::blocks && in_left.blocks_in_one && !in_left.in_right);
  EXPECT_TRUE(in_right.problem == PairProblem::blocks && in_right.blocks_in_one && in_right.in_right);
  EXPECT_GE(in_right.block_percent, 140);
  EXPECT_FALSE(look(left, in_blocks(right, 10)).problem == PairProblem::blocks) << "light";
  EXPECT_FALSE(look(in_blocks(left, 45), in_blocks(right, 45)).blocks_in_one) << "in both";
}

/// A border of 8 px lies where blocks do, and its steps are larger than all others.
TEST(InspectFaults, ABorderIsNoBlock) {
  const auto framed = [](Picture picture) {
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        if (std::min({x, y, picture.width() - 1 - x, picture.height() - 1 - y}) < 8)
          picture(x, y) = 255;
        else
          picture(x, y) = static_cast<std::uint8_t>(picture(x, y) / 4);
    return picture;
  };
  EXPECT_FALSE(look(framed(view(false)), framed(view(true))).problem == PairProblem::blocks);
}

/// Columns brighter or darker by up to so many grey levels, in rows below `first`.
Picture with_columns(const Picture& picture, int levels, int first = 0) {
  Picture result = picture.clone();
  for (int y = first; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      result(x, y) = static_cast<std::uint8_t>(std::clamp(picture(x, y) + (hash(x, 77) - 64) * levels / 64, 0, 255));
  return result;
}

TEST(InspectFaults, APatternOfColumnsIsTold) {
  const Picture left = view(false), right = view(true);
  for (const int levels : {8, 16, 24}) {
    const PairFindings in_left = look(with_columns(left, levels), right),
                       in_right = look(left, with_columns(right, levels), StereoView::right);
    EXPECT_TRUE(in_left.problem == PairProblem::columns && !in_left.in_right) << levels;
    EXPECT_TRUE(in_right.problem == PairProblem::columns && in_right.in_right) << levels;
    // Deviations are even between -levels and levels; their median from the mean of both neighbours is some 0.55 times
    // that.
    EXPECT_NEAR(in_left.column_deviation, 16 * levels * 55 / 100, 16 * levels * 15 / 100) << levels;
  }
  EXPECT_FALSE(look(with_columns(left, 16), with_columns(right, 16)).problem == PairProblem::columns)
      << "both: a wall may look so";
  EXPECT_FALSE(look(with_columns(left, 16, 90), right).problem == PairProblem::columns) << "lower half alone";
}

/// Rows displaced along themselves by up to so many px, each by another number.
Picture with_jitter(const Picture& picture, int most) {
  Picture result = picture.clone();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      result(x, y) = picture(std::clamp(x + hash(y, 5) % (2 * most + 1) - most, 0, picture.width() - 1), y);
  return result;
}

TEST(InspectFaults, RowsThatJitterAreTold) {
  const Picture left = view(false), right = view(true);
  for (const int most : {2, 3})
    for (const StereoView reference : {StereoView::left, StereoView::right}) {
      EXPECT_TRUE(look(with_jitter(left, most), right, reference).problem == PairProblem::jitter) << most;
      const PairFindings found = look(left, with_jitter(right, most), reference);
      EXPECT_TRUE(found.problem == PairProblem::jitter) << most;
      EXPECT_GE(found.jitter_percent, 15) << most;
      EXPECT_GE(found.jitter, 16) << "1 px and more";
      EXPECT_LE(found.jitter, 16 * 4) << "within reach";
    }
  EXPECT_FALSE(look(left, right).problem == PairProblem::jitter);
}

}  // namespace
}  // namespace vergence
