// SPDX-License-Identifier: Apache-2.0
// One block and its candidates: which there are, what each costs straight from its pixels, and which of two is better.
#pragma once

#include <cstdint>
#include <vector>

#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "definitions/motion/satd.h"
#include "definitions/stereo/tap_cost.h"
#include "plan/motion/candidate.hpp"
#include "plan/motion/pictures.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::reference {

/// A block as large as the frame leaves it.
struct Block {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

inline Block make_block(Size size, Size block, int column, int row) {
  return {column * block.width, row * block.height, definitions::block_extent(column, block.width, size.width),
          definitions::block_extent(row, block.height, size.height)};
}

/// The pixel of the current frame, and the one that it is compared with in the reference frame, whose edge pixels are
/// repeated without end.
template <class P>
std::int32_t current_pixel(const MotionPictures<P>& pictures, int x, int y) {
  return pictures.current(x, y);
}
template <class P>
std::int32_t reference_pixel(const MotionPictures<P>& pictures, int x, int y) {
  const ImageView<const P>& reference = pictures.reference;
  return reference(definitions::padded(x, reference.width()), definitions::padded(y, reference.height()));
}

/// Sum of |coefficients| of a tile of differences, coefficient by coefficient. Rows of `side` values.
inline std::uint64_t hadamard_sum(const std::vector<std::int32_t>& differences, int side) {
  std::uint64_t sum = 0;
  for (int v = 0; v < side; ++v)
    for (int u = 0; u < side; ++u) {
      std::int64_t coefficient = 0;
      const std::int32_t* difference = differences.data();
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x, ++difference)
          coefficient += std::int64_t{definitions::hadamard_sign(u, v, x, y)} * *difference;
      sum += static_cast<std::uint64_t>(coefficient < 0 ? -coefficient : coefficient);
    }
  return sum;
}

template <class P>
std::uint64_t satd(const MotionPictures<P>& pictures, const Block& block, int dx, int dy) {
  std::uint64_t cost = 0;
  for (int y = 0; y < block.height; ++y)
    for (int x = 0; x < block.width; ++x) {
      const int tile = definitions::satd_tile(x, y, block.width, block.height);
      if (x % tile != 0 || y % tile != 0) continue;  // each tile once, at its corner
      std::vector<std::int32_t> differences;
      for (int v = block.y + y; v < block.y + y + tile; ++v)
        for (int u = block.x + x; u < block.x + x + tile; ++u)
          differences.push_back(current_pixel(pictures, u, v) - reference_pixel(pictures, u + dx, v + dy));
      cost += definitions::satd_of_tile(hadamard_sum(differences, tile), tile);
    }
  return cost;
}

/// D of a block moved by (dx, dy).
template <class P>
std::uint64_t distortion(MotionCost cost, const MotionPictures<P>& pictures, const Block& block, int dx, int dy) {
  if (cost == MotionCost::satd) return satd(pictures, block, dx, dy);
  std::uint64_t sum = 0;
  for (int y = block.y; y < block.y + block.height; ++y)
    for (int x = block.x; x < block.x + block.width; ++x) {
      const auto a = static_cast<std::uint64_t>(current_pixel(pictures, x, y));
      const auto b = static_cast<std::uint64_t>(reference_pixel(pictures, x + dx, y + dy));
      sum += cost == MotionCost::sad ? definitions::sad_tap(a, b) : definitions::ssd_tap(a, b);
    }
  return sum;
}

/// The rules of one block's search.
template <class P>
struct BlockSearch {
  const MotionPictures<P>& pictures;
  Block block;
  MotionCost cost = MotionCost::sad;
  MotionBorder border = MotionBorder::inside;
  MotionRange range_x, range_y;
  int lambda = 0;
  MotionVector prediction;

  /// In the range, and inside the reference frame where that is asked for.
  bool is_candidate(int dx, int dy) const {
    if (dx < range_x.first || dx > range_x.last || dy < range_y.first || dy > range_y.last) return false;
    const Size size = pictures.reference.size();
    return border == MotionBorder::pad || (definitions::is_inside(block.x, block.width, dx, size.width) &&
                                           definitions::is_inside(block.y, block.height, dy, size.height));
  }
  std::uint64_t rate(int dx, int dy) const {
    return definitions::motion_rate(lambda, definitions::vector_bits(4 * dx, 4 * dy, prediction.dx, prediction.dy));
  }
  /// A candidate whose distortion is known by other means.
  Candidate candidate(int dx, int dy, std::uint64_t distortion) const {
    return {dx, dy, distortion, distortion + rate(dx, dy)};
  }
  Candidate candidate(int dx, int dy) const { return candidate(dx, dy, distortion(cost, pictures, block, dx, dy)); }
  /// Tries (dx, dy) if it is a candidate; true where it is better than `best`, which it then becomes.
  bool improve(Candidate& best, int dx, int dy) const {
    if (!is_candidate(dx, dy)) return false;
    const Candidate tried = candidate(dx, dy);
    if (!is_better(tried, best)) return false;
    best = tried;
    return true;
  }
};

/// The search of a block of that size in the plan's frames.
template <class P>
BlockSearch<P> make_search(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, int column, int row,
                           MotionVector prediction) {
  const MotionOptions& o = plan.options;
  return {pictures,  make_block(plan.size, block, column, row), o.cost, o.border, o.range_x, o.range_y, o.lambda,
          prediction};
}

/// Searches that try few candidates start from the best of the zero vector and the prediction.
template <class P>
Candidate start_of(const BlockSearch<P>& search) {
  Candidate best = search.candidate(0, 0);
  search.improve(best, definitions::whole_pixels(search.prediction.dx),
                 definitions::whole_pixels(search.prediction.dy));
  return best;
}

/// Runs `find(search)`, which returns the best candidate, for every block of plan.blocks.front().
template <class P, class F>
void for_blocks(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps, F&& find) {
  const Size grid = plan.grids.front();
  for (int row = 0; row < grid.height; ++row)
    for (int column = 0; column < grid.width; ++column)
      put_match(maps, column, row,
                find(make_search(plan, pictures, plan.blocks.front(), column, row, prediction_of(maps, column, row))));
}

}  // namespace vergence::reference
