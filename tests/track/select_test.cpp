// SPDX-License-Identifier: Apache-2.0
// The order of corners and the pixels near to points, against sorting and against distances one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "track/best_first.hpp"
#include "track/near_pixels.hpp"

namespace vergence {
namespace {

void expect_sorted(std::vector<backend::Corner> corners, std::mt19937& random) {
  std::shuffle(corners.begin(), corners.end(), random);
  BestFirst best;
  best.restart(corners);
  std::sort(corners.begin(), corners.end(), backend::is_better);
  for (const backend::Corner& expected : corners) {
    const backend::Corner* const found = best.next();
    ASSERT_NE(found, nullptr);
    ASSERT_EQ(found->score, expected.score);
    ASSERT_EQ(found->x, expected.x);
    ASSERT_EQ(found->y, expected.y);
  }
  EXPECT_EQ(best.next(), nullptr);
}

TEST(BestFirst, IsTheOrderOfAllCorners) {
  std::mt19937 random(4);
  expect_sorted({}, random);
  expect_sorted({{5.0, 1, 2}}, random);
  for (const int count : {2, 100, 20000}) {
    std::vector<backend::Corner> equal, spread, close;
    for (int i = 0; i < count; ++i) {
      const int x = i % 640, y = i / 640;
      equal.push_back({7.0, x, y});
      spread.push_back({std::exp(static_cast<double>(random() % 4000) / 100.0 - 3), x, y});
      close.push_back({1e9 + static_cast<double>(random() % 50), x, y});
    }
    close.push_back({0.0, 641, 0});  // what no stage gives
    close.push_back({-3.0, 642, 0});
    expect_sorted(equal, random);
    expect_sorted(spread, random);
    expect_sorted(close, random);
  }
}

/// `distance` in position units.
void expect_near(Size size, double pixels, std::mt19937& random) {
  const auto distance = static_cast<std::int64_t>(pixels * 1024 * pixels * 1024);
  NearPixels near;
  near.restart(size, distance);
  std::vector<TrackPosition> points;
  for (int i = 0; i < 6; ++i) {
    const int x = static_cast<int>(random() % static_cast<unsigned>(size.width));
    const int y = static_cast<int>(random() % static_cast<unsigned>(size.height));
    near.add(x, y);
    points.push_back({1024 * x, 1024 * y});
    const TrackPosition anywhere{static_cast<std::int32_t>(random() % 400000) - 100000,
                                 static_cast<std::int32_t>(random() % 400000) - 100000};
    near.add(anywhere);
    points.push_back(anywhere);
  }
  points.push_back({2147483647, -2147483647 - 1});
  near.add(points.back());
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const bool is_near = std::any_of(points.begin(), points.end(), [&](TrackPosition point) {
        const std::int64_t dx = std::int64_t{1024} * x - point.x, dy = std::int64_t{1024} * y - point.y;
        // Beyond the largest distance squares are not taken, which would not fit.
        return std::max(std::abs(dx), std::abs(dy)) < std::int64_t{1} << 27 && dx * dx + dy * dy < distance;
      });
      ASSERT_EQ(near.holds(x, y), is_near)
          << x << ", " << y << " within " << pixels << " of " << size.width << "x" << size.height;
    }
}

TEST(NearPixels, AreThoseWithinTheDistance) {
  std::mt19937 random(6);
  for (const Size size : {Size{1, 1}, Size{63, 7}, Size{64, 64}, Size{130, 91}, Size{257, 40}})
    for (const double pixels : {0.0, 0.5, 1.0, 2.3, 5.0, 31.0, 31.5, 32.0, 33.0, 80.0, 65535.0})
      expect_near(size, pixels, random);
}

}  // namespace
}  // namespace vergence
