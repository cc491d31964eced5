// SPDX-License-Identifier: Apache-2.0
// The test-zone search: its points by hand, known shifts, and seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "definitions/motion/tz.h"
#include "motion/pyramid_oracle.hpp"

namespace vergence {
namespace {

using test::Point;
using Offsets = std::vector<std::array<int, 2>>;

/// The diamond of a distance, with the number that HM gives its points: 1 NW, 2 N, 3 NE, 4 W, 5 E, 6 SW, 7 S, 8 SE.
struct Numbered {
  std::array<int, 2> at;
  int number, distance;
};
std::vector<Numbered> diamond(int d) {
  if (d == 1) return {{{0, -1}, 2, 1}, {{-1, 0}, 4, 1}, {{1, 0}, 5, 1}, {{0, 1}, 7, 1}};
  const int h = d / 2;
  if (d <= 8)
    return {{{-h, -h}, 1, h}, {{0, -d}, 2, d}, {{h, -h}, 3, h}, {{-d, 0}, 4, d},
            {{d, 0}, 5, d},   {{-h, h}, 6, h}, {{0, d}, 7, d},  {{h, h}, 8, h}};
  std::vector<Numbered> all{{{0, -d}, 0, d}, {{-d, 0}, 0, d}, {{d, 0}, 0, d}, {{0, d}, 0, d}};
  for (int i = 1; i <= 3; ++i) {
    const int q = i * d / 4;
    for (const int sx : {-1, 1})
      for (const int sy : {-1, 1}) all.push_back({{sx * q, sy * (d - q)}, 0, d});
  }
  return all;
}

TEST(MotionTz, DiamondsByHand) {
  for (const int d : {1, 2, 4, 8, 16, 32, 512}) {
    std::set<std::array<int, 3>> expected;
    for (const Numbered& one : diamond(d)) expected.insert({one.at[0], one.at[1], one.distance});
    std::set<std::array<int, 3>> points;
    for (int k = 0; k < definitions::tz_count(d); ++k)
      points.insert({definitions::tz_x(d, k), definitions::tz_y(d, k), definitions::tz_distance(d, k)});
    EXPECT_EQ(points, expected) << d;
  }
}

/// The two points of HM's table for each number.
Offsets missing(int number) {
  switch (number) {
    case 1:
      return {{-1, 0}, {0, -1}};
    case 2:
      return {{-1, -1}, {1, -1}};
    case 3:
      return {{0, -1}, {1, 0}};
    case 4:
      return {{-1, 1}, {-1, -1}};
    case 5:
      return {{1, -1}, {1, 1}};
    case 6:
      return {{-1, 0}, {0, 1}};
    case 7:
      return {{-1, 1}, {1, 1}};
    default:
      return {{1, 0}, {0, 1}};
  }
}

TEST(MotionTz, MissingPointsByHand) {
  for (const int d : {1, 2})
    for (const Numbered& one : diamond(d)) {
      if (one.distance != 1) continue;
      const Offsets expected = missing(one.number);
      std::set<std::array<int, 2>> points;
      for (int i = 0; i < 2; ++i)
        points.insert(
            {definitions::tz_missing_x(one.at[0], one.at[1], i), definitions::tz_missing_y(one.at[0], one.at[1], i)});
      EXPECT_EQ(points, (std::set<std::array<int, 2>>(expected.begin(), expected.end()))) << one.number;
    }
}

TEST(MotionTz, CellsByHand) {
  using namespace definitions;
  EXPECT_EQ(tz_cell(64, 1), 32);
  EXPECT_EQ(tz_cell(36, 2), 9);
  EXPECT_EQ(tz_cell(32, 4), 4);  // 2 px could not tell where they belong
  EXPECT_EQ(tz_cell(4, 5), 4);
  // Pixels 16 .. 31 have their middle at 24, which is 12 on the next level: its second cell of 8.
  EXPECT_EQ(tz_parent(16, 16, 8), 1);
  EXPECT_EQ(tz_parent(0, 16, 8), 0);
  EXPECT_EQ(tz_parent(8, 8, 8), 0);  // two cells of 8 have a parent in common
  EXPECT_EQ(tz_parent(480, 1, 16), 15);
  EXPECT_EQ(tz_farthest(0, 64), 64);
  EXPECT_EQ(tz_farthest(2, 64), 2);
  EXPECT_EQ(tz_farthest(2, 1), 1);
}

TEST(MotionTz, ClimbsAHill) {
  for (const int levels : {0, 3}) {
    MotionOptions o{.search = MotionSearch::tz, .levels = levels, .range_x = {-24, 24}, .range_y = {-24, 24}};
    EXPECT_EQ(test::middle_vector(o, 7, -12), (MotionVector{28, -48}));
    EXPECT_EQ(test::middle_vector(o, -23, 3), (MotionVector{-92, 12}));
    EXPECT_EQ(test::middle_vector(o, 1, 1), (MotionVector{4, 4}));
    EXPECT_EQ(test::middle_vector(o, 0, 0), (MotionVector{0, 0}));
  }
}

int farthest_of(const MotionOptions& o) {
  return std::max({-o.range_x.first, o.range_x.last, -o.range_y.first, o.range_y.last});
}

/// From diamonds about the start to the end.
template <class P>
Point zones(const test::Candidates<P>& c, int farthest, Point best) {
  int distance = 0;
  int number = 0;
  const auto diamonds = [&](int patience) {
    const Point centre = best;
    int idle = 0;
    for (int d = 1; d <= farthest && idle < patience; d *= 2, ++idle)
      for (const Numbered& one : diamond(d)) {
        const Point next = c.smallest(best, {one.at}, centre);
        if (next == best) continue;
        best = next;
        distance = one.distance;
        number = one.number;
        idle = -1;
      }
  };
  const auto two_points = [&] {
    if (distance != 1) return;
    const Point next = c.smallest(best, missing(number), best);
    distance = next == best ? 0 : 2;
    best = next;
  };
  diamonds(3);
  two_points();
  if (distance > 5) {
    for (int y = c.range_y.first; y <= c.range_y.last; y += 5)
      for (int x = c.range_x.first; x <= c.range_x.last; x += 5) best = c.smallest(best, {{x, y}}, Point{});
    distance = 5;
  }
  while (distance > 0) {
    distance = 0;
    diamonds(1000);
    two_points();
  }
  return best;
}

/// The search from coarse to fine: what is asked about a cell of a coarse level asks the cells above it first.
template <class P>
class CoarseToFine {
 public:
  using Found = std::map<std::array<int, 3>, Point>;
  CoarseToFine(const test::Candidates<P>& fine, const MotionOptions& o, Found& found)
      : fine_(fine), options_(o), levels_(test::levels_of(fine, o.levels)), found_(found) {}

  Point block() {
    const auto whole = [](int quarters) { return static_cast<int>(std::floor((quarters + 2) / 4.0)); };
    const int dx = whole(fine_.prediction.dx), dy = whole(fine_.prediction.dy);
    Point best = *fine_.at(0, 0);
    if (dx != 0 || dy != 0) best = about(fine_, best, dx, dy);
    return zones(fine_, farthest(), from_above(fine_, 0, best));
  }

 private:
  static Point about(const test::Candidates<P>& c, const Point& best, int dx, int dy) {
    return c.smallest(best, {{dx, dy}, {dx - 1, dy}, {dx + 1, dy}, {dx, dy - 1}, {dx, dy + 1}}, Point{});
  }
  /// Of the finest step, where the range allows it.
  int farthest() const { return std::min(2, farthest_of(options_)); }
  int cell(int block, int level) const { return std::max(4, block / (1 << level)); }
  int cells(int block, int level, int side) const {
    int count = 0;
    for (int x = 0; x < side; x += cell(block, level)) ++count;
    return count;
  }
  /// The cell of level + 1 above the middle of pixels start .. start + extent - 1.
  int parent(int start, int extent, int level, int block) const {
    return (start + extent / 2) / (2 * cell(block, level + 1));
  }
  Point from_above(const test::Candidates<P>& c, int level, Point best) {
    const Image<P>& picture = levels_.current[static_cast<std::size_t>(level + 1)];
    const int middle_row = parent(c.block.y, c.block.height, level, options_.block.height);
    const int middle_column = parent(c.block.x, c.block.width, level, options_.block.width);
    const int down = cells(options_.block.height, level + 1, picture.height());
    const int across = cells(options_.block.width, level + 1, picture.width());
    for (int row = 0; row < down; ++row)
      for (int column = 0; column < across; ++column) {
        if (std::abs(row - middle_row) + std::abs(column - middle_column) > 1) continue;
        const Point coarse = of_cell(level + 1, column, row);
        best = about(c, best, 2 * coarse.dx, 2 * coarse.dy);
      }
    return best;
  }
  Point of_cell(int level, int column, int row) {
    const std::array<int, 3> key{level, column, row};
    if (const auto known = found_.find(key); known != found_.end()) return known->second;
    test::Candidates<P> c = test::on_level(fine_, levels_, level);
    const int width = cell(options_.block.width, level), height = cell(options_.block.height, level);
    c.block = {column * width, row * height, std::min(width, c.current->width() - column * width),
               std::min(height, c.current->height() - row * height)};
    const Point point =
        level == options_.levels ? test::best_of_all(c) : zones(c, farthest(), from_above(c, level, *c.at(0, 0)));
    found_[key] = point;
    return point;
  }

  const test::Candidates<P>& fine_;
  const MotionOptions& options_;
  test::Levels<P> levels_;
  Found& found_;
};

class MotionTzSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionTzSeeds, EqualASecondImplementation) {
  const MotionCase motion_case = test::case_of(GetParam(), MotionSearch::tz);
  std::map<std::array<int, 3>, Point> found;
  test::compare_case(motion_case, [&]<class P>(const test::Candidates<P>& candidates) {
    const MotionOptions& o = motion_case.options;
    if (o.levels > 0) return CoarseToFine<P>(candidates, o, found).block();
    return zones(candidates, farthest_of(o), candidates.start());
  });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionTzSeeds, testing::Range(400, 440));

}  // namespace
}  // namespace vergence
