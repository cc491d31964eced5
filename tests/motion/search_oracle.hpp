// SPDX-License-Identifier: Apache-2.0
// What tests of the quick searches share: a second view of one block's candidates, and the comparison of every block of
// a seeded case with a search written anew in the test.
#pragma once

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "motion/motion_oracle.hpp"
#include "verify/motion_cases.hpp"

namespace vergence::test {

/// A displacement with its J; ordered as the rule of ties says.
struct Point {
  std::uint64_t j = 0;
  int length = 0;
  int dy = 0;
  int dx = 0;
  auto operator<=>(const Point&) const = default;
};

/// One block in a pair of frames, of any level.
template <class P>
struct Candidates {
  const Image<P>* current = nullptr;
  const Image<P>* reference = nullptr;
  Rect block;
  MotionCost cost = MotionCost::sad;
  MotionBorder border = MotionBorder::inside;
  MotionRange range_x, range_y;
  int lambda = 0;
  MotionVector prediction;

  std::optional<Point> at(int dx, int dy) const {
    if (dx < range_x.first || dx > range_x.last || dy < range_y.first || dy > range_y.last) return std::nullopt;
    const bool inside = block.x + dx >= 0 && block.y + dy >= 0 && block.x + dx + block.width <= reference->width() &&
                        block.y + dy + block.height <= reference->height();
    if (!inside && border == MotionBorder::inside) return std::nullopt;
    const std::uint64_t d = oracle_cost(*current, *reference, cost, block, dx, dy);
    return Point{lambda == 0 ? d : oracle_j(d, lambda, dx, dy, prediction), std::abs(dx) + std::abs(dy), dy, dx};
  }
  /// The smallest of a list of displacements and `best`.
  Point smallest(Point best, const std::vector<std::array<int, 2>>& list, const Point& centre) const {
    for (const auto& [x, y] : list)
      if (const std::optional<Point> p = at(centre.dx + x, centre.dy + y); p && *p < best) best = *p;
    return best;
  }
  /// The better of zero and the rounded prediction.
  Point start() const {
    const auto round = [](int quarters) {
      return (quarters + 2 - (((quarters + 2) % 4) + 4) % 4) / 4;  // floor((quarters + 2) / 4)
    };
    Point best = *at(0, 0);
    if (const std::optional<Point> p = at(round(prediction.dx), round(prediction.dy)); p && *p < best) best = *p;
    return best;
  }
  /// The large pattern moves to its best point until it stays; the small one is tried there once.
  Point wander(const std::vector<std::array<int, 2>>& large, const std::vector<std::array<int, 2>>& small) const {
    Point best = start();
    for (Point next = smallest(best, large, best); next != best; next = smallest(best, large, best)) best = next;
    return smallest(best, small, best);
  }
};

template <class P>
void compare_blocks(const MotionCase& motion_case, const std::function<Point(const Candidates<P>&)>& find) {
  const MotionOptions& o = motion_case.options;
  const MotionFrames<P> frames = make_motion_frames<P>(motion_case);
  MotionEstimator estimator(Device("reference"), motion_case.size, o);
  const Image<MotionVector> previous = make_previous_field(motion_case, estimator.blocks());
  Found found(estimator.blocks());
  estimator.compute({frames.current, frames.reference, previous}, found.output(false));
  for (int row = 0; row < found.vectors.height(); ++row)
    for (int column = 0; column < found.vectors.width(); ++column) {
      const Rect block = block_at(motion_case.size, o.block, column, row);
      const Candidates<P> candidates{&frames.current, &frames.reference, block,
                                     o.cost,          o.border,          o.range_x,
                                     o.range_y,       o.lambda,          previous(column, row)};
      const Point best = find(candidates);
      const MotionVector v = found.vectors(column, row);
      ASSERT_EQ(v, (MotionVector{static_cast<std::int16_t>(4 * best.dx), static_cast<std::int16_t>(4 * best.dy)}))
          << "block " << column << "," << row;
      ASSERT_EQ(found.j(column, row), best.j) << "block " << column << "," << row;
      ASSERT_EQ(found.cost(column, row),
                oracle_cost(frames.current, frames.reference, o.cost, block, best.dx, best.dy));
      ASSERT_LE(found.j(column, row), candidates.at(0, 0)->j);
    }
}

/// A seeded case of that search. `find` is given as a generic lambda for both pixel types.
inline MotionCase case_of(int seed, MotionSearch search) {
  MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(seed));
  motion_case.options.search = search;
  motion_case.all_sizes = false;
  motion_case.options.subpel = MotionSubpel::none;
  if (search == MotionSearch::hierarchical && motion_case.options.levels == 0) motion_case.options.levels = 1;
  return motion_case;
}
template <class F>
void compare_case(const MotionCase& motion_case, F&& find) {
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    compare_blocks<std::uint8_t>(motion_case, find);
  else
    compare_blocks<std::uint16_t>(motion_case, find);
}

/// Two frames of a smooth hill whose top moved by (dx, dy): costs fall steadily towards that vector.
struct Hill {
  Image<std::uint8_t> current, reference;
};
inline Hill hill(Size size, int dx, int dy) {
  Hill frames{Image<std::uint8_t>(size), Image<std::uint8_t>(size)};
  const auto height = [&](int x, int y) {
    const int u = x - size.width / 2;
    const int v = y - size.height / 2;
    return static_cast<std::uint8_t>(250 - (u * u + v * v) / 24);
  };
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      frames.reference(x, y) = height(x, y);
      frames.current(x, y) = height(x + dx, y + dy);
    }
  return frames;
}

/// The vector of the middle block of a hill's frame of 72x72 in blocks of 24x24.
inline MotionVector middle_vector(MotionOptions options, int dx, int dy) {
  const Hill frames = hill({72, 72}, dx, dy);
  options.block = {24, 24};
  MotionEstimator estimator(Device("reference"), {72, 72}, options);
  Found found(estimator.blocks());
  estimator.compute({frames.current, frames.reference}, found.output(false));
  return found.vectors(1, 1);
}

}  // namespace vergence::test
