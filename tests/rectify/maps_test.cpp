// SPDX-License-Identifier: Apache-2.0
// Fixed-point maps of rectification: places by hand, what has no source, the largest whole rectangle.
#include "plan/rectify/maps.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/random.hpp"
#include "plan/rectify/plan.hpp"

namespace vergence {
namespace {

using namespace rectify;

const Camera camera{{64, 48}, 50, 50, 31.5, 23.5, LensModel::pinhole, {}};
const Matrix3x3 identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// Twice the focal length: half the way from the centre. x = 31.5 + (u - 31.5) / 2.
TEST(SourceMap, HoldsPlacesIn1024ths) {
  const SourceMap map = make_source_map(camera, identity, {100, 0, 31.5, 0, 100, 23.5, 0, 0, 1}, {64, 48});
  EXPECT_EQ(map.source, (Size{64, 48}));
  for (int v = 0; v < 48; ++v)
    for (int u = 0; u < 64; ++u) {
      ASSERT_EQ(map.x(u, v), 1024 * 31.5 + 512 * (u - 31.5)) << u;
      ASSERT_EQ(map.y(u, v), 1024 * 23.5 + 512 * (v - 23.5)) << v;
    }
}

/// Half the focal length: what lies outside takes the nearest place and is marked, along each axis.
TEST(SourceMap, MarksWhatHasNoSource) {
  const SourceMap map = make_source_map(camera, identity, {25, 0, 32, 0, 25, 24, 0, 0, 1}, {65, 49});
  const auto place = [](int at, double to, int from, int side) {
    const double wanted = 1024 * (from - 0.5) + 2048 * (at - to);
    return static_cast<std::int32_t>(std::clamp(wanted, 0.0, 1024.0 * (side - 1)));
  };
  for (int v = 0; v < 49; ++v)
    for (int u = 0; u < 65; ++u) {
      const bool inside = u >= 17 && u <= 47 && v >= 13 && v <= 35;
      const std::int32_t x = place(u, 32, 32, 64), y = place(v, 24, 24, 48);
      ASSERT_EQ(map.x(u, v), inside ? x : ~x) << u << " " << v;
      ASSERT_EQ(map.y(u, v), y) << u << " " << v;
    }
}

/// A camera turned by 90 degrees about y sees half of the picture behind it.
TEST(SourceMap, HasNoSourceBehindTheCamera) {
  const SourceMap map =
      make_source_map(camera, {0, 0, 1, 0, 1, 0, -1, 0, 0}, {50, 0, 31.5, 0, 50, 23.5, 0, 0, 1}, {64, 48});
  for (int v = 0; v < 48; ++v)
    for (int u = 0; u <= 31; ++u) ASSERT_TRUE(map.x(u, v) < 0 && ~map.x(u, v) <= 1024 * 63) << u << " " << v;
}

/// Beyond the fold of a barrel lens no second picture appears.
TEST(SourceMap, ShowsNothingTwice) {
  Camera barrel = camera;
  barrel.distortion[0] = -0.5;  // r (1 - r^2 / 2) turns back at r^2 = 2 / 3
  const SourceMap map = make_source_map(barrel, identity, {10, 0, 31.5, 0, 10, 23.5, 0, 0, 1}, {64, 48});
  int with_source = 0;
  for (int v = 0; v < 48; ++v)
    for (int u = 0; u < 64; ++u) {
      const double x = (u - 31.5) / 10, y = (v - 23.5) / 10;
      if (map.x(u, v) < 0) continue;
      ++with_source;
      ASSERT_LE(x * x + y * y, 2.0 / 3) << u << " " << v;
    }
  EXPECT_GT(with_source, 100);
}

SourceMap drawn(Size size, Random& random, int one_of) {
  SourceMap map{Image<std::int32_t>(size), Image<std::int32_t>(size), size};
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      map.x(x, y) = random.once_in(one_of) ? -1 : 0;
      map.y(x, y) = 0;
    }
  return map;
}

Rect slow_rectangle(const SourceMap& a, const SourceMap& b) {
  Rect best;
  for (int y = 0; y < a.x.height(); ++y)
    for (int x = 0; x < a.x.width(); ++x) {
      int widest = a.x.width() - x;
      for (int bottom = y; bottom < a.x.height(); ++bottom) {
        int w = 0;
        while (w < widest && a.x(x + w, bottom) >= 0 && b.x(x + w, bottom) >= 0) ++w;
        widest = w;
        if (widest * (bottom + 1 - y) > best.width * best.height) best = {x, y, widest, bottom + 1 - y};
      }
    }
  return best;
}

TEST(ValidRectangle, IsTheLargestOfAll) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Size size{random.within(1, 12), random.within(1, 12)};
    const int one_of = random.within(1, 16);
    const SourceMap a = drawn(size, random, one_of), b = drawn(size, random, one_of);
    ASSERT_EQ(valid_rectangle(a, b), slow_rectangle(a, b)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace vergence
