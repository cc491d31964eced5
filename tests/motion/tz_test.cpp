// SPDX-License-Identifier: Apache-2.0
// The test-zone search: its points by hand, known shifts, and seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
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

TEST(MotionTz, ClimbsAHill) {
  for (const int levels : {0, 3}) {
    MotionOptions o{.search = MotionSearch::tz, .levels = levels, .range_x = {-24, 24}, .range_y = {-24, 24}};
    EXPECT_EQ(test::middle_vector(o, 7, -12), (MotionVector{28, -48}));
    EXPECT_EQ(test::middle_vector(o, -23, 3), (MotionVector{-92, 12}));
    EXPECT_EQ(test::middle_vector(o, 1, 1), (MotionVector{4, 4}));
    EXPECT_EQ(test::middle_vector(o, 0, 0), (MotionVector{0, 0}));
  }
}

template <class P>
Point oracle(const test::Candidates<P>& c, int levels, const MotionOptions& o) {
  const int farthest = std::max({-o.range_x.first, o.range_x.last, -o.range_y.first, o.range_y.last});
  Point best = c.start();
  if (levels > 0) {
    const auto all = test::levels_of(c, levels);
    const Point coarse = test::best_of_all(test::on_level(c, all, levels));
    best = c.smallest(best, {{coarse.dx << levels, coarse.dy << levels}}, Point{});
  }
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
    for (int y = o.range_y.first; y <= o.range_y.last; y += 5)
      for (int x = o.range_x.first; x <= o.range_x.last; x += 5) best = c.smallest(best, {{x, y}}, Point{});
    distance = 5;
  }
  while (distance > 0) {
    distance = 0;
    diamonds(1000);
    two_points();
  }
  return best;
}

class MotionTzSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionTzSeeds, EqualASecondImplementation) {
  const MotionCase motion_case = test::case_of(GetParam(), MotionSearch::tz);
  test::compare_case(motion_case, [&](const auto& candidates) {
    return oracle(candidates, motion_case.options.levels, motion_case.options);
  });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionTzSeeds, testing::Range(400, 440));

}  // namespace
}  // namespace vergence
