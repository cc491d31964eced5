// SPDX-License-Identifier: Apache-2.0
// Rows that were lost, and lines of two pictures in turn.
#include <gtest/gtest.h>

#include <algorithm>

#include "inspect/scene.hpp"
#include "vergence/inspect_lines.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::view;

Image<std::uint16_t> widened(const Picture& picture) {
  Image<std::uint16_t> wide(picture.size());
  for (int y = 0; y < wide.height(); ++y)
    for (int x = 0; x < wide.width(); ++x) wide(x, y) = static_cast<std::uint16_t>(picture(x, y) * 16);
  return wide;
}

TEST(InspectLines, RowsThatWereLostAreTold) {
  for (const int step : {5, 12, 40})
    for (const int level : {0, 128, 255}) {
      Picture picture = view(false);
      int rows = 0;
      for (int y = 7; y < picture.height(); y += step, ++rows)
        std::fill_n(picture.row(y), picture.width(), static_cast<std::uint8_t>(level));
      EXPECT_EQ(inspect_lost_rows(picture.view()).rows, rows) << step << ' ' << level;
      EXPECT_EQ(inspect_lost_rows(picture.view()).first, 7);
      EXPECT_EQ(inspect_lost_rows(widened(picture).view(), 4095).rows, rows);
    }
}

TEST(InspectLines, BarsAndDrawingsAreNoLostRows) {
  EXPECT_EQ(inspect_lost_rows(view(false).view()).rows, 0);
  Picture bars = view(false), two = view(false), drawn = view(false);
  for (const int y : {0, 1, 60, 61, 62, bars.height() - 2, bars.height() - 1})
    std::fill_n(bars.row(y), bars.width(), 9);
  EXPECT_EQ(inspect_lost_rows(bars.view()).rows, 0) << "at the edges, and three together";
  for (const int y : {50, 90}) std::fill_n(two.row(y), two.width(), 9);
  EXPECT_EQ(inspect_lost_rows(two.view()).rows, 0) << "two";
  for (int y = 1; y < drawn.height(); y += 3) std::fill_n(drawn.row(y), drawn.width(), 9);
  EXPECT_EQ(inspect_lost_rows(drawn.view()).rows, 0) << "a third";
  EXPECT_EQ(inspect_lost_rows(Picture(240, 180, 7).view()).rows, 0) << "all";
  Picture street = view(false);  // over-exposed, with a few darker pixels in every third row
  for (int y = 100; y < 130; ++y)
    for (int x = 0; x < street.width(); ++x) street(x, y) = y % 3 == 0 && x % 20 == 0 ? 200 : 255;
  EXPECT_EQ(inspect_lost_rows(street.view()).rows, 0) << "a street";
}

/// Two views in every second column or row.
Picture in_turn(const Picture& a, const Picture& b, bool columns) {
  Picture result = a.clone();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if ((columns ? x : y) % 2 == 1) result(x, y) = b(x, y);
  return result;
}

TEST(InspectLines, TwoViewsInTurnAreTold) {
  const Picture left = view(false), right = view(true);
  const LinesInTurn columns = inspect_lines_in_turn(in_turn(left, right, true).view());
  EXPECT_TRUE(columns.columns && !columns.rows);
  const LinesInTurn rows = inspect_lines_in_turn(in_turn(left, right, false).view());
  EXPECT_TRUE(rows.rows && !rows.columns);
  EXPECT_TRUE(inspect_lines_in_turn(widened(in_turn(left, right, true)).view()).columns);
}

TEST(InspectLines, OneViewIsNotInTurn) {
  Picture noise(inspect_test::scene_size);
  for (int y = 0; y < noise.height(); ++y)
    for (int x = 0; x < noise.width(); ++x) noise(x, y) = static_cast<std::uint8_t>(inspect_test::hash(x, y));
  for (const Picture& picture : {view(false), std::move(noise), Picture(240, 180, 7), Picture(40, 40, 7)}) {
    const LinesInTurn found = inspect_lines_in_turn(picture.view());
    EXPECT_FALSE(found.columns || found.rows);
  }
}

}  // namespace
}  // namespace vergence
