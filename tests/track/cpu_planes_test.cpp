// SPDX-License-Identifier: Apache-2.0
// Levels and gradients on the CPU, pixel by pixel with their margins, on every SIMD target of this machine: widths that
// end anywhere in a vector, odd and even heights, memory that was written before, streamed and not.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "cpu/context.hpp"
#include "cpu/track/stages.hpp"
#include "definitions/track/position.h"
#include "reference/track/stages.hpp"

namespace vergence {
namespace {

/// The first place where a plane differs from what it should hold, margins included; gradients are 0 there.
template <class T>
std::string difference(const cpu::TrackPlane<T>& plane, const Image<T>& expected, bool is_mirrored) {
  const int margin = plane.margin(), width = expected.width(), height = expected.height();
  for (int y = -margin; y < height + margin; ++y)
    for (int x = -margin; x < width + margin; ++x) {
      const bool inside = x >= 0 && y >= 0 && x < width && y < height;
      int value = 0;
      if (inside || is_mirrored) value = expected(definitions::mirrored(x, width), definitions::mirrored(y, height));
      if (*plane.at(x, y) != value)
        return std::to_string(*plane.at(x, y)) + " instead of " + std::to_string(value) + " at " + std::to_string(x) +
               "," + std::to_string(y) + " of " + std::to_string(width) + "x" + std::to_string(height);
    }
  return {};
}

template <class P>
void expect_planes(Size size, const TrackOptions& options, int threads) {
  const TrackPlan plan = make_track_plan(size, options);
  const auto largest = static_cast<unsigned>(options.max_value);
  const Image<P> first = test::noise<P>(size, 1, largest), second = test::noise<P>(size, 2, largest);
  TrackFrame<P> expected(plan);
  reference::pyramid<P>(plan, second, expected);
  reference::gradients<P>(plan, expected);
  for (const std::int64_t target : cpu::simd_targets()) {
    cpu::Context context(threads, target);
    cpu::TrackScratch scratch(plan, context);
    cpu::TrackPlanes<P> planes(plan);
    cpu::prepare<P>(plan, context, scratch, first, planes);
    cpu::prepare<P>(plan, context, scratch, second, planes);
    for (std::size_t i = 0; i < plan.levels.size(); ++i) {
      const std::string where = cpu::simd_name(target) + ", level " + std::to_string(i);
      ASSERT_EQ(difference(planes.pictures[i], expected.pictures[i], true), "") << where;
      ASSERT_EQ(difference(planes.dx[i], expected.dx[i], false), "") << where << ", dx";
      ASSERT_EQ(difference(planes.dy[i], expected.dy[i], false), "") << where << ", dy";
    }
  }
}

TrackOptions with(int window, int levels, int max_value) {
  TrackOptions options;
  options.window = window;
  options.levels = levels;
  if (max_value > 255) options.depth = Depth::u16;
  options.max_value = max_value;
  return options;
}

TEST(CpuPlanes, EveryWidth) {
  for (int width = 8; width < 140 && !HasFatalFailure(); ++width) {
    expect_planes<std::uint8_t>({width, 9 + width % 5}, with(3, 2, 255), 1);
    expect_planes<std::uint16_t>({width, 9 + width % 5}, with(3, 2, 4095), 1);
  }
}

TEST(CpuPlanes, EveryMargin) {
  for (const int window : {3, 8, 15, 16, 17, 31, 32, 47, 48, 63}) {
    expect_planes<std::uint8_t>({window + 1, window + 2}, with(window, 0, 255), 1);
    expect_planes<std::uint8_t>({4 * window + 3, 4 * window + 1}, with(window, 2, 255), 1);
    expect_planes<std::uint16_t>({2 * window + 3, 2 * window + 4}, with(window, 1, 65535), 1);
  }
}

TEST(CpuPlanes, Threads) {
  for (const int threads : {2, 3})
    for (const int height : {200, 333}) {
      expect_planes<std::uint8_t>({97, height}, with(9, 3, 255), threads);
      expect_planes<std::uint16_t>({97, height}, with(9, 3, 1023), threads);
    }
}

TEST(CpuPlanes, Streamed) {
  for (const int threads : {1, 2}) {
    expect_planes<std::uint8_t>({1024, 560}, with(9, 1, 255), threads);
    expect_planes<std::uint8_t>({1037, 555}, with(9, 1, 255), threads);
  }
}

}  // namespace
}  // namespace vergence
