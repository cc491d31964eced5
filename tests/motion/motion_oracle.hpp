// SPDX-License-Identifier: Apache-2.0
// A second implementation of costs and order of motion vectors, written apart from the library, and runs of the device
// `reference` for the tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <vector>

#include "plan/motion/maps.hpp"
#include "vergence/motion.hpp"

namespace vergence::test {

/// What an estimator finds, all maps.
struct Found {
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost, j, second_j;

  explicit Found(Size blocks) : vectors(blocks), cost(blocks), j(blocks), second_j(blocks) {}
  MotionOutput output(bool second = true) {
    MotionOutput output{.vectors = vectors, .cost = cost, .j = j};
    if (second) output.second_j = second_j;
    return output;
  }
  /// As stages take them.
  MotionMaps maps(ImageView<const MotionVector> previous = {}, bool second = true) {
    return {output(second), previous};
  }
};

template <class P>
Found estimate(const Image<P>& current, const Image<P>& reference, const MotionOptions& options,
               ImageView<const MotionVector> previous = {}, const char* device = "reference") {
  MotionEstimator estimator(Device(device), current.size(), options);
  Found found(estimator.blocks());
  estimator.compute({current, reference, previous}, found.output());
  return found;
}

/// A picture from rows of digits and letters: '0'..'9' are 0..9, 'a'.. are 10...
inline Image<std::uint8_t> picture(const std::vector<std::string>& rows) {
  Image<std::uint8_t> image(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      image(x, y) = static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
  return image;
}

/// Walsh-Hadamard sum of a square of differences by butterflies (the library sums by signs).
inline std::uint64_t butterfly_sum(std::vector<long long> d, int n) {
  const auto pass = [&](int step, int count, int stride) {
    for (int line = 0; line < n; ++line)
      for (int half = 1; half < count; half *= 2)
        for (int i = 0; i < count; ++i)
          if ((i & half) == 0) {
            long long& a = d[static_cast<std::size_t>(line * stride + i * step)];
            long long& b = d[static_cast<std::size_t>(line * stride + (i + half) * step)];
            const long long sum = a + b;
            b = a - b;
            a = sum;
          }
  };
  pass(1, n, n);
  pass(n, n, 1);
  std::uint64_t sum = 0;
  for (const long long c : d) sum += static_cast<std::uint64_t>(std::llabs(c));
  return sum;
}

/// D of the block [x, x + w) x [y, y + h) at (dx, dy), the reference continued by its edges.
template <class P>
std::uint64_t oracle_cost(const Image<P>& current, const Image<P>& reference, MotionCost cost, const Rect& block,
                          int dx, int dy) {
  const auto difference = [&](int x, int y) {
    const int u = std::clamp(x + dx, 0, reference.width() - 1);
    const int v = std::clamp(y + dy, 0, reference.height() - 1);
    return static_cast<long long>(current(x, y)) - static_cast<long long>(reference(u, v));
  };
  std::uint64_t sum = 0;
  if (cost != MotionCost::satd) {
    for (int y = block.y; y < block.y + block.height; ++y)
      for (int x = block.x; x < block.x + block.width; ++x) {
        const long long d = difference(x, y);
        sum += static_cast<std::uint64_t>(cost == MotionCost::sad ? std::llabs(d) : d * d);
      }
    return sum;
  }
  std::vector<char> done(static_cast<std::size_t>(block.width * block.height), 0);
  for (const int n : {8, 4, 1})
    for (int y = 0; y + n <= block.height; y += n)
      for (int x = 0; x + n <= block.width; x += n) {
        char& corner = done[static_cast<std::size_t>(y * block.width + x)];
        if (corner != 0) continue;
        std::vector<long long> d;
        for (int v = y; v < y + n; ++v)
          for (int u = x; u < x + n; ++u) {
            d.push_back(difference(block.x + u, block.y + v));
            done[static_cast<std::size_t>(v * block.width + u)] = 1;
          }
        const std::uint64_t s = n == 1 ? static_cast<std::uint64_t>(std::llabs(d[0])) : butterfly_sum(d, n);
        sum += n == 8 ? (s + 2) / 4 : n == 4 ? (s + 1) / 2 : s;
      }
  return sum;
}

/// Bits of the exponential Golomb word of a component, by counting.
inline int oracle_bits(int v) {
  const long long code = v > 0 ? 2LL * v - 1 : -2LL * v;  // 0, 1, -1, 2, -2, ... are 0, 1, 2, 3, 4, ...
  int prefix = 0;
  while ((code + 1) >> (prefix + 1) != 0) ++prefix;
  return 2 * prefix + 1;
}

inline std::uint64_t oracle_j(std::uint64_t cost, int lambda, int dx, int dy, MotionVector prediction) {
  const auto bits =
      static_cast<std::uint64_t>(oracle_bits(4 * dx - prediction.dx) + oracle_bits(4 * dy - prediction.dy));
  return cost + static_cast<std::uint64_t>(lambda) * bits / 65536;
}

/// Where a block lies.
inline Rect block_at(Size size, Size block, int column, int row) {
  const int x = column * block.width;
  const int y = row * block.height;
  return {x, y, std::min(block.width, size.width - x), std::min(block.height, size.height - y)};
}

/// The best of all candidates of a block, and the second best J.
struct OracleChoice {
  std::tuple<std::uint64_t, int, int, int> key{~std::uint64_t{0}, 0, 0, 0};  ///< J, length, dy, dx
  std::uint64_t cost = 0;
  std::uint64_t second = ~std::uint64_t{0};
};

template <class P>
OracleChoice oracle_choice(const Image<P>& current, const Image<P>& reference, const MotionOptions& o,
                           const Rect& block, MotionVector prediction) {
  struct One {
    int dx, dy;
    std::uint64_t cost, j;
  };
  std::vector<One> all;
  for (int dx = o.range_x.first; dx <= o.range_x.last; ++dx)
    for (int dy = o.range_y.first; dy <= o.range_y.last; ++dy) {
      const bool inside = block.x + dx >= 0 && block.y + dy >= 0 && block.x + dx + block.width <= current.width() &&
                          block.y + dy + block.height <= current.height();
      if (!inside && o.border == MotionBorder::inside) continue;
      const std::uint64_t cost = oracle_cost(current, reference, o.cost, block, dx, dy);
      all.push_back({dx, dy, cost, oracle_j(cost, o.lambda, dx, dy, prediction)});
    }
  OracleChoice choice;
  for (const One& one : all) {
    const std::tuple<std::uint64_t, int, int, int> key{one.j, std::abs(one.dx) + std::abs(one.dy), one.dy, one.dx};
    if (key >= choice.key) continue;
    choice.key = key;
    choice.cost = one.cost;
  }
  for (const One& one : all)
    if (std::abs(one.dx - std::get<3>(choice.key)) > 1 || std::abs(one.dy - std::get<2>(choice.key)) > 1)
      choice.second = std::min(choice.second, one.j);
  return choice;
}

/// Every block's outcome is the oracle's.
template <class P>
void expect_best(const Found& found, const Image<P>& current, const Image<P>& reference, const MotionOptions& options,
                 Size block, ImageView<const MotionVector> previous) {
  for (int row = 0; row < found.vectors.height(); ++row)
    for (int column = 0; column < found.vectors.width(); ++column) {
      const MotionVector prediction = previous.empty() ? MotionVector{} : previous(column, row);
      const OracleChoice best =
          oracle_choice(current, reference, options, block_at(current.size(), block, column, row), prediction);
      const MotionVector v = found.vectors(column, row);
      ASSERT_EQ(v.dx, 4 * std::get<3>(best.key)) << "block " << column << "," << row;
      ASSERT_EQ(v.dy, 4 * std::get<2>(best.key)) << "block " << column << "," << row;
      ASSERT_EQ(found.cost(column, row), best.cost) << "block " << column << "," << row;
      ASSERT_EQ(found.j(column, row), std::get<0>(best.key)) << "block " << column << "," << row;
      ASSERT_EQ(found.second_j(column, row), best.second) << "block " << column << "," << row;
    }
}

}  // namespace vergence::test
