// SPDX-License-Identifier: Apache-2.0
// The step search: rounds worked out by hand, and seeded cases against plain rounds and their closures.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "definitions/motion/step.h"
#include "motion/search_oracle.hpp"

namespace vergence {
namespace {

using test::Point;
using Offsets = std::vector<std::array<int, 2>>;

TEST(MotionStep, RoundsByHand) {
  using namespace definitions;
  EXPECT_EQ(step_plain_rounds(64), 6);  // 32 16 8 4 2 1
  EXPECT_EQ(step_plain_rounds(63), 5);
  EXPECT_EQ(step_plain_rounds(512), 9);
  EXPECT_EQ(step_plain_rounds(3), 1);
  EXPECT_EQ(step_plain_rounds(2), 1);
  EXPECT_EQ(step_plain_rounds(1), 1);
  struct Row {
    int plain, merged;
    std::vector<std::array<int, 2>> rounds;  // spacing, reach
  };
  const std::vector<Row> table{{6, 1, {{32, 1}, {16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}}},
                               {6, 2, {{16, 3}, {4, 3}, {1, 3}}},
                               {6, 3, {{8, 7}, {1, 7}}},
                               {5, 2, {{16, 1}, {4, 3}, {1, 3}}},
                               {5, 3, {{8, 3}, {1, 7}}},
                               {4, 3, {{8, 1}, {1, 7}}},
                               {1, 3, {{1, 1}}},
                               {2, 3, {{1, 3}}}};
  for (const Row& row : table) {
    ASSERT_EQ(step_rounds(row.plain, row.merged), static_cast<int>(row.rounds.size()));
    for (int i = 0; i < static_cast<int>(row.rounds.size()); ++i) {
      EXPECT_EQ(step_spacing(row.plain, row.merged, i), row.rounds[static_cast<std::size_t>(i)][0]);
      EXPECT_EQ(step_reach(row.plain, row.merged, i), row.rounds[static_cast<std::size_t>(i)][1]);
    }
  }
}

TEST(MotionStep, ClimbsAHill) {
  for (const MotionStepGrid grid :
       {MotionStepGrid::g3x3, MotionStepGrid::g7x7, MotionStepGrid::g13x13, MotionStepGrid::g15x15}) {
    MotionOptions o{.search = MotionSearch::step, .step_grid = grid, .range_x = {-16, 16}, .range_y = {-16, 16}};
    EXPECT_EQ(test::middle_vector(o, 5, -11), (MotionVector{20, -44}));
    // As far as 8 + 4 + 2 + 1 reaches; the grid of 13x13 misses the last of it.
    const bool misses = grid == MotionStepGrid::g13x13;
    EXPECT_EQ(test::middle_vector(o, -15, 15), (misses ? MotionVector{-56, 56} : MotionVector{-60, 60}));
    EXPECT_EQ(test::middle_vector(o, 0, 0), (MotionVector{0, 0}));
  }
}

/// Plain rounds of distances `all`, grouped: each group at once, as the closure of its rounds.
std::vector<Offsets> closures(const std::vector<int>& all, std::size_t merged) {
  std::vector<Offsets> result;
  for (std::size_t end = all.size(); end > 0; end -= std::min(merged, end)) {
    std::set<std::array<int, 2>> points{{0, 0}};
    for (std::size_t i = end - std::min(merged, end); i < end; ++i) {
      std::set<std::array<int, 2>> more;
      for (const auto& [x, y] : points)
        for (const int u : {-all[i], 0, all[i]})
          for (const int v : {-all[i], 0, all[i]}) more.insert({x + u, y + v});
      points = more;
    }
    result.insert(result.begin(), Offsets(points.begin(), points.end()));
  }
  return result;
}

class MotionStepSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionStepSeeds, EqualClosuresOfPlainRounds) {
  MotionCase motion_case = test::case_of(GetParam(), MotionSearch::step);
  MotionOptions& o = motion_case.options;
  o.step_grid = static_cast<MotionStepGrid>(GetParam() % 4);
  const int farthest = std::max({-o.range_x.first, o.range_x.last, -o.range_y.first, o.range_y.last});
  std::vector<int> distances;
  for (int d = 256; d > 0; d /= 2)
    if (2 * d <= farthest || d == 1) distances.push_back(d);
  const std::size_t merged = o.step_grid == MotionStepGrid::g3x3 ? 1 : o.step_grid == MotionStepGrid::g7x7 ? 2 : 3;
  std::vector<Offsets> rounds = closures(distances, merged);
  if (o.step_grid == MotionStepGrid::g13x13)
    for (Offsets& round : rounds)
      if (round.size() == 225) {
        const int ring = round.back()[0];
        std::erase_if(round, [&](const auto& p) { return std::abs(p[0]) == ring || std::abs(p[1]) == ring; });
        EXPECT_EQ(round.size(), 169u);
      }
  test::compare_case(motion_case, [&](const auto& candidates) {
    Point best = *candidates.at(0, 0);
    for (const Offsets& round : rounds) best = candidates.smallest(best, round, Point(best));
    return best;
  });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionStepSeeds, testing::Range(0, 32));

}  // namespace
}  // namespace vergence
