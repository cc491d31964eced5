// SPDX-License-Identifier: Apache-2.0
// Corners: scores against sums worked out another way, peaks, masks, distances and quotas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <vector>

#include "core/pictures.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

TrackOptions small() {
  TrackOptions o;
  o.window = 3;
  o.levels = 0;
  o.min_distance = 0;
  return o;
}

std::vector<TrackPosition> corners(ImageView<const std::uint8_t> picture, const TrackOptions& o,
                                   std::size_t most = 1000, const std::vector<TrackPosition>& occupied = {},
                                   ImageView<const std::uint8_t> mask = {}) {
  PointFlow flow(Device("reference"), picture.size(), o);
  flow.push(picture);
  return flow.corners(most, occupied, mask);
}

Image<std::uint8_t> square() {
  Image<std::uint8_t> picture(32, 32, 0);
  for (int y = 8; y < 24; ++y)
    for (int x = 8; x < 24; ++x) picture(x, y) = 200;
  return picture;
}

TEST(TrackCorners, ASquareHasFour) {
  TrackOptions o = small();
  o.min_distance = 5;
  o.quality = 0.5;
  for (const TrackCorner score : {TrackCorner::shi_tomasi, TrackCorner::harris}) {
    o.corner = score;
    const Image<std::uint8_t> picture = square();
    const auto found = corners(picture, o);
    ASSERT_EQ(found.size(), 4u);
    for (const TrackPosition at : found) {
      const double x = position_to_pixels(at.x), y = position_to_pixels(at.y);
      EXPECT_LE(std::min(std::abs(x - 7.5), std::abs(x - 23.5)), 1.5) << x;
      EXPECT_LE(std::min(std::abs(y - 7.5), std::abs(y - 23.5)), 1.5) << y;
    }
  }
}

TEST(TrackCorners, FlatPicturesAndEdgesHaveNone) {
  const Image<std::uint8_t> flat(20, 20, 90);
  EXPECT_TRUE(corners(flat, small()).empty());
  Image<std::uint8_t> edge(20, 20, 0);
  for (int y = 0; y < 20; ++y)
    for (int x = 10; x < 20; ++x) edge(x, y) = 255;
  EXPECT_TRUE(corners(edge, small()).empty());
}

/// Scores in double from pixels, apart from the code: eigenvalue of the tensor of Scharr gradients that are 0 outside.
double score_of(const Image<std::uint8_t>& p, int x, int y, int block) {
  double xx = 0, xy = 0, yy = 0;
  const auto at = [&](int u, int v) {
    u = std::abs(u);
    v = std::abs(v);
    if (u >= p.width()) u = 2 * p.width() - 2 - u;
    if (v >= p.height()) v = 2 * p.height() - 2 - v;
    return static_cast<double>(p(u, v));
  };
  for (int v = y - block / 2; v <= y + block / 2; ++v)
    for (int u = x - block / 2; u <= x + block / 2; ++u) {
      if (u < 0 || v < 0 || u >= p.width() || v >= p.height()) continue;
      const double dx = 3 * (at(u + 1, v - 1) - at(u - 1, v - 1)) + 10 * (at(u + 1, v) - at(u - 1, v)) +
                        3 * (at(u + 1, v + 1) - at(u - 1, v + 1));
      const double dy = 3 * (at(u - 1, v + 1) - at(u - 1, v - 1)) + 10 * (at(u, v + 1) - at(u, v - 1)) +
                        3 * (at(u + 1, v + 1) - at(u + 1, v - 1));
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
  return xx + yy - std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
}

TEST(TrackCorners, AllPeaksInOrder) {
  for (const int block : {3, 5, 7}) {
    const Image<std::uint8_t> picture = test::noise<std::uint8_t>({37, 29}, 5, 255);
    TrackOptions o = small();
    o.block = block;
    o.quality = 0.1;
    std::vector<std::pair<double, int>> expected;
    double best = 0;
    for (int y = 1; y < 28; ++y)
      for (int x = 1; x < 36; ++x) {
        const double score = score_of(picture, x, y, block);
        best = std::max(best, score);
        bool peak = true;
        for (int v = y - 1; v <= y + 1; ++v)
          for (int u = x - 1; u <= x + 1; ++u) peak = peak && score >= score_of(picture, u, v, block);
        if (peak) expected.push_back({-score, y * 37 + x});
      }
    std::erase_if(expected, [&](const auto& one) { return -one.first <= 0.1 * best; });
    std::sort(expected.begin(), expected.end());
    const auto found = corners(picture, o);
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_GT(found.size(), 10u);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], to_position(expected[i].second % 37, expected[i].second / 37)) << i;
  }
}

TEST(TrackCorners, DistancesFromEachOtherAndFromPointsThatExist) {
  const Image<std::uint8_t> picture = test::noise<std::uint8_t>({80, 60}, 3, 255);
  TrackOptions o = small();
  o.quality = 0;
  o.min_distance = 9;
  const std::vector<TrackPosition> occupied{to_position(40.25, 30.5), to_position(-3, 10)};
  const auto found = corners(picture, o, 1000, occupied);
  ASSERT_GT(found.size(), 15u);
  std::vector<TrackPosition> all = occupied;
  all.insert(all.end(), found.begin(), found.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = std::max<std::size_t>(i + 1, 2); k < all.size(); ++k)
      EXPECT_GE(std::hypot(position_to_pixels(all[i].x - all[k].x), position_to_pixels(all[i].y - all[k].y)), 9);
  // Nothing more would fit: each corner without that rule has one of these nearby.
  o.min_distance = 0;
  for (const TrackPosition at : corners(picture, o))
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](TrackPosition other) {
      return std::hypot(position_to_pixels(at.x - other.x), position_to_pixels(at.y - other.y)) < 9 || at == other;
    }));
}

TEST(TrackCorners, TheBestComeFirst) {
  const Image<std::uint8_t> picture = test::noise<std::uint8_t>({200, 150}, 4, 255);
  TrackOptions o = small();
  o.quality = 0;
  const auto all = corners(picture, o, 100000);
  ASSERT_GT(all.size(), 1500u);
  for (const std::size_t most : {std::size_t{1}, std::size_t{100}, std::size_t{700}}) {
    const auto some = corners(picture, o, most);
    ASSERT_EQ(some.size(), most);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << most;
  }
}

TEST(TrackCorners, MaskAndRegion) {
  const Image<std::uint8_t> picture = test::noise<std::uint8_t>({60, 40}, 8, 255);
  TrackOptions o = small();
  o.quality = 0;
  Image<std::uint8_t> mask(60, 40, 0);
  for (int y = 10; y < 20; ++y)
    for (int x = 30; x < 50; ++x) mask(x, y) = 1;
  const auto masked = corners(picture, o, 1000, {}, mask);
  o.roi = Rect{30, 10, 20, 10};
  const auto within = corners(picture, o);
  ASSERT_GT(masked.size(), 5u);
  EXPECT_EQ(masked, within);
  o.roi = {};
  const auto anywhere = corners(picture, o);
  for (const TrackPosition at : within) {
    EXPECT_NE(std::find(anywhere.begin(), anywhere.end(), at), anywhere.end());
    EXPECT_TRUE(at.x >= 30 * 1024 && at.x < 50 * 1024 && at.y >= 10 * 1024 && at.y < 20 * 1024);
  }
  mask.fill(0);
  EXPECT_TRUE(corners(picture, o, 1000, {}, mask).empty());
}

TEST(TrackCorners, TheGridSpreadsThem) {
  // Strong corners on the left, weak ones on the right.
  Image<std::uint8_t> picture = test::noise<std::uint8_t>({80, 40}, 9, 40);
  const Image<std::uint8_t> strong = test::noise<std::uint8_t>({40, 40}, 10, 255);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) picture(x, y) = strong(x, y);
  TrackOptions o = small();
  o.quality = 0;
  const auto on_the_right = [](const std::vector<TrackPosition>& points) {
    return std::count_if(points.begin(), points.end(), [](TrackPosition at) { return at.x >= 41 * 1024; });
  };
  const auto anywhere = corners(picture, o, 40);
  EXPECT_EQ(anywhere.size(), 40u);
  EXPECT_EQ(on_the_right(anywhere), 0);
  o.grid = {4, 2};
  const auto spread = corners(picture, o, 40);
  EXPECT_EQ(spread.size(), 40u);
  int counts[8] = {};
  for (const TrackPosition at : spread) ++counts[at.y / (20 * 1024) * 4 + at.x / (20 * 1024)];
  for (const int count : counts) EXPECT_EQ(count, 5);
  // Points that exist count: 45 for eight cells are 6 each at most.
  const std::vector<TrackPosition> occupied(5, to_position(5, 5));
  const auto more = corners(picture, o, 40, occupied);
  EXPECT_EQ(std::count_if(more.begin(), more.end(), [](TrackPosition at) { return at.x < 20480 && at.y < 20480; }), 1);
}

TEST(TrackCorners, DeepPixelsHaveTheSameCorners) {
  const Image<std::uint8_t> bytes = test::noise<std::uint8_t>({50, 40}, 12, 255);
  Image<std::uint16_t> words(50, 40);
  TrackOptions o = small();
  const auto expected = corners(bytes, o);
  o.depth = Depth::u16;
  for (const int shift : {0, 2, 8}) {
    o.max_value = (256 << shift) - 1;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 50; ++x) words(x, y) = static_cast<std::uint16_t>(bytes(x, y) << shift);
    PointFlow flow(Device("reference"), {50, 40}, o);
    flow.push(words);
    EXPECT_EQ(flow.corners(1000), expected) << shift;
  }
}

}  // namespace
}  // namespace vergence
