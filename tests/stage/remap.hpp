// SPDX-License-Identifier: Apache-2.0
// Rectification of a backend against the reference: the same bytes for maps drawn at random, 8 and 16 bits, small and
// odd sizes, any stride. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/pictures.hpp"
#include "core/random.hpp"
#include "reference/rectify/stages.hpp"
#include "support/filter_maps.hpp"

namespace vergence::test {
namespace {

/// Skips, with the reasons, where the backend has no device.
class SUITE : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    if (devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  }
};

constexpr Size remap_sources[] = {{1, 1}, {2, 2}, {1, 9}, {9, 1}, {2, 7}, {33, 31}, {129, 67}};
constexpr Size remap_sizes[] = {{1, 1}, {40, 1}, {1, 40}, {7, 5}, {33, 9}, {64, 16}, {131, 35}};

/// Places all over the picture, its last column and row and whole pixels more often; every fifth without source.
rectify::SourceMap drawn_map(Size source, Size size, Random& random) {
  rectify::SourceMap map{Image<std::int32_t>(size), Image<std::int32_t>(size), source};
  const auto place = [&](int side) {
    const int last = 1024 * (side - 1), drawn = random.within(0, last);
    return random.once_in(6) ? last : random.once_in(6) ? drawn / 1024 * 1024 : drawn;
  };
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int across = place(source.width);
      map.x(x, y) = random.once_in(5) ? ~across : across;
      map.y(x, y) = place(source.height);
    }
  return map;
}

/// As of a lens: turned, scaled and bent, so that neighbours come from neighbours. Beyond the picture, without source.
rectify::SourceMap smooth_map(Size source, Size size, Random& random) {
  rectify::SourceMap map{Image<std::int32_t>(size), Image<std::int32_t>(size), source};
  const int scale = random.within(300, 2500), slope = random.within(-200, 200), bend = random.within(-20, 20);
  const int left = random.within(-20 * 1024, 1024 * source.width),
            top = random.within(-20 * 1024, 1024 * source.height);
  const auto clamped = [](std::int64_t place, int side) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(place, 0, std::int64_t{1024} * (side - 1)));
  };
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const std::int64_t across = left + scale * x + slope * y + bend * x * x / 16;
      const std::int64_t down = top + scale * y - slope * x + bend * x * y / 16;
      const std::int32_t column = clamped(across, source.width), row = clamped(down, source.height);
      map.x(x, y) = column == across && row == down ? column : ~column;
      map.y(x, y) = row;
    }
  return map;
}

/// Noise, or nothing but the smallest and the largest value.
template <class P>
Image<P> drawn_picture(Size size, Random& random, int largest) {
  Image<P> picture(size);
  const bool extreme = random.once_in(2);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = static_cast<P>(extreme ? largest * random.within(0, 1) : random.within(0, largest));
  return picture;
}

using MapMaker = rectify::SourceMap (*)(Size source, Size size, Random& random);

/// Both cameras by every device.
template <class P>
void expect_equal(MapMaker make_map, Size source, Size size, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", from " + std::to_string(source.width) + "x" +
               std::to_string(source.height) + " to " + std::to_string(size.width) + "x" + std::to_string(size.height));
  Random random(seed);
  auto plan = std::make_shared<RectifyPlan>();
  plan->rig.projections.size = size;
  plan->left = make_map(source, size, random);
  plan->right = make_map(source, size, random);
  plan->max_value = random.once_in(2) ? 65535 : 40000;
  const int largest = sizeof(P) == 1 ? 255 : plan->max_value;
  FilteredMap<P> in(source, static_cast<int>(seed % 4));
  const Image<P> picture = drawn_picture<P>(source, random, largest);
  copy_map<P>(picture, in.view());
  std::string reasons;
  for (const Device& device : devices_under_test(seed, reasons)) {
    const auto rectifier = backend::of(device).make_rectifier(plan);
    for (const auto camera : {backend::RigCamera::left, backend::RigCamera::right}) {
      FilteredMap<P> expected(size, 1), got(size, 3);
      reference::remap<P>(camera == backend::RigCamera::left ? plan->left : plan->right, in.readable(), expected.view(),
                          largest);
      rectifier->remap(camera, in.readable(), got.view(), {});
      ASSERT_EQ(first_difference(expected.readable(), got.readable()), "") << device.description();
      ASSERT_TRUE(got.guards_hold()) << device.description();
      ASSERT_TRUE(in.guards_hold()) << device.description();
    }
  }
}

TEST_F(SUITE, EqualsTheReference) {
  std::uint64_t seed = 1;
  for (const Size source : remap_sources)
    for (const Size size : remap_sizes) {
      expect_equal<std::uint8_t>(drawn_map, source, size, ++seed);
      expect_equal<std::uint16_t>(drawn_map, source, size, ++seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST_F(SUITE, EqualsTheReferenceWhereNeighboursComeFromNeighbours) {
  std::uint64_t seed = 1000;
  for (const Size source : {Size{2, 2}, Size{8, 3}, Size{9, 9}, Size{16, 3}, Size{17, 4}, Size{33, 31}, Size{129, 67}})
    for (const Size size : {Size{1, 1}, Size{15, 3}, Size{16, 9}, Size{33, 31}, Size{131, 35}}) {
      expect_equal<std::uint8_t>(smooth_map, source, size, ++seed);
      expect_equal<std::uint16_t>(smooth_map, source, size, ++seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// At the fractions (4, 8) the last weight is -1: three taps of the largest value and one of 0, or the reverse.
template <class P>
void expect_in_range(P largest, std::uint64_t seed) {
  const Size source{40, 20}, size{20, 2};
  auto plan = std::make_shared<RectifyPlan>();
  plan->rig.projections.size = size;
  plan->max_value = largest;
  const auto make_map = [&] {
    return rectify::SourceMap{Image<std::int32_t>(size, 10 * 1024 + 4), Image<std::int32_t>(size, 6 * 1024 + 8),
                              source};
  };
  plan->left = make_map();
  plan->right = make_map();
  std::string reasons;
  for (const Device& device : devices_under_test(seed, reasons))
    for (const bool all_but_one : {true, false}) {
      Image<P> in(source, all_but_one ? largest : P{0}), out(size);
      in(11, 7) = all_but_one ? P{0} : largest;
      backend::of(device).make_rectifier(plan)->remap(backend::RigCamera::left, in, out, {});
      for (int x = 0; x < size.width; ++x)
        ASSERT_EQ(out(x, 1), all_but_one ? largest : P{0}) << device.description() << ", x " << x;
    }
}
TEST_F(SUITE, LeavesNoRange) {
  expect_in_range<std::uint8_t>(255, 1);
  expect_in_range<std::uint16_t>(65535, 2);
  expect_in_range<std::uint16_t>(40000, 3);
}

}  // namespace
}  // namespace vergence::test
