// SPDX-License-Identifier: Apache-2.0
// Lucas-Kanade beside a plain program in Python, in double precision and without roundings: golden/lk.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

class TrackGolden : public testing::TestWithParam<int> {
 protected:
  static std::vector<Image<std::uint8_t>> frames() { return test::scene_frames({160, 120}, 3, 2); }
  static std::string golden_text() {
    return test::text_of(std::filesystem::path(VERGENCE_GOLDEN) / ("lk_" + std::to_string(GetParam()) + ".txt"));
  }
};

TEST_P(TrackGolden, PointsOfThePlainProgram) {
  const auto golden = test::rows_of(golden_text());  // x, y, and where they are in the next frame
  ASSERT_GE(golden.size(), 20u);
  std::vector<TrackPosition> points;
  for (const auto& row : golden) points.push_back(to_position(row[0], row[1]));
  TrackOptions options = test::unchecked();
  options.window = GetParam();
  options.levels = 3;
  options.iterations = 20;
  options.epsilon = 0.03;
  const std::vector<Image<std::uint8_t>> pictures = frames();
  const std::vector<TrackedPoint> found = test::follow(pictures[0], pictures[1], points, options);
  std::vector<double> distances;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    EXPECT_EQ(found[i].status, TrackStatus::tracked) << i;
    distances.push_back(std::hypot(position_to_pixels(found[i].position.x) - golden[i][2],
                                   position_to_pixels(found[i].position.y) - golden[i][3]));
  }
  std::sort(distances.begin(), distances.end());
  // A point whose last step is about as long as epsilon may make one step more or less.
  EXPECT_LE(distances[distances.size() / 2], 0.004);
  EXPECT_LE(distances[distances.size() * 9 / 10], 0.03);
}

TEST_P(TrackGolden, TheGoldenIsThePlainPrograms) {
  if (!test::has_python()) GTEST_SKIP() << "no python3";
  EXPECT_EQ(test::said_of(std::filesystem::path(VERGENCE_GOLDEN) / "lk.py", std::to_string(GetParam()), frames()),
            golden_text());
}
INSTANTIATE_TEST_SUITE_P(Windows, TrackGolden, testing::Values(5, 9));

}  // namespace
}  // namespace vergence
