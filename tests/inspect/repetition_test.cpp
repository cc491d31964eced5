// SPDX-License-Identifier: Apache-2.0
// Texture that repeats within the range is told, with its period.
#include <gtest/gtest.h>

#include <vector>

#include "inspect/repetition.hpp"
#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::hash;
using inspect_test::Picture;
using inspect_test::view;

/// The scene, before whose lower rows hangs a curtain, 7 px away, that repeats every `period` px.
Picture with_curtain(bool right, int period, int first_row) {
  Picture picture = view(right);
  for (int y = first_row; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      picture(x, y) = static_cast<std::uint8_t>(60 + hash((x + (right ? 7 : 0)) % period, y / 3) + hash(x, y) % 3);
  return picture;
}

PairFindings look_at_curtain(int period, int first_row, int disparities = 32) {
  StereoOptions options;
  options.disparities = disparities;
  return inspect_pair(with_curtain(false, period, first_row).view(), with_curtain(true, period, first_row).view(),
                      options);
}

TEST(InspectRepetition, TheNearestRivalBehindAWorseCandidate) {
  constexpr int low = 1000, high = 5000;
  // Candidates 4, 12 and 20 are alike.
  std::vector<int> costs(24, high);
  for (const std::size_t at : {4u, 12u, 20u}) costs[at] = low;
  EXPECT_EQ(inspect::nearest_rival(costs), 8);
  costs[12] = low + 1000;
  EXPECT_EQ(inspect::nearest_rival(costs), 16) << "12 is worse than a quarter and a grey level";
  costs[20] = low + 250 + 128;
  EXPECT_EQ(inspect::nearest_rival(costs), 16) << "just as good";
  costs[20] = low + 250 + 129;
  EXPECT_EQ(inspect::nearest_rival(costs), 0);
  EXPECT_EQ(inspect::nearest_rival({high, low, high, low, high}), 0) << "2 px: one match is so wide";
  EXPECT_EQ(inspect::nearest_rival({high, low, low, low, low, low, high}), 0) << "nothing worse between";
  EXPECT_EQ(inspect::nearest_rival({}), 0);
}

TEST(InspectRepetition, ItsShareAndPeriodAreTold) {
  for (const int period : {5, 8, 11}) {
    for (const int first_row : {0, 90}) {
      const PairFindings found = look_at_curtain(period, first_row);
      EXPECT_TRUE(found.problem == PairProblem::repetition) << period << ' ' << first_row;
      EXPECT_EQ(found.period, period) << first_row;
      EXPECT_GE(found.repeated_percent, first_row == 0 ? 90 : 40) << period;
    }
    EXPECT_TRUE(look_at_curtain(period, 150).problem == PairProblem::none) << "a sixth of the picture";
  }
  EXPECT_TRUE(look_at_curtain(40, 0).problem == PairProblem::none) << "beyond the range";
}

}  // namespace
}  // namespace vergence
