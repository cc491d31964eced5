// SPDX-License-Identifier: Apache-2.0
// Reference: half- and quarter-pixel refinement about the whole-pixel vectors that a search found.
#include <cstdint>
#include <utility>

#include "definitions/motion/pattern.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/samples.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// The block's pixels in the reference frame under a vector in quarters, as a picture of its own.
template <class P>
Image<P> moved(const Sampler<P>& sampler, const Block& block, int dx, int dy) {
  Image<P> result(block.width, block.height);
  for (int y = 0; y < block.height; ++y)
    for (int x = 0; x < block.width; ++x)
      result(x, y) = static_cast<P>(sampler.at(block.x + x + (dx >> 2), block.y + y + (dy >> 2), dx & 3, dy & 3));
  return result;
}

/// Vectors are in quarter pixels here.
template <class P>
class Refinement {
 public:
  Refinement(const MotionPlan& plan, const BlockSearch<P>& search)
      : search_(search), sampler_(search.pictures.reference, luma_filter, plan.max_pixel) {}

  Candidate candidate(int dx, int dy) const {
    const Block& block = search_.block;
    const Image<P> there = moved(sampler_, block, dx, dy);
    const MotionPictures<P> pictures{search_.pictures.current.crop({block.x, block.y, block.width, block.height}),
                                     there};
    const std::uint64_t cost = distortion(search_.cost, pictures, {0, 0, block.width, block.height}, 0, 0);
    const int bits = definitions::vector_bits(dx, dy, search_.prediction.dx, search_.prediction.dy);
    return {dx, dy, cost, cost + definitions::motion_rate(search_.lambda, bits)};
  }

  /// The best of it and its eight neighbours at that distance.
  Candidate best_around(const Candidate& centre, int distance) const {
    Candidate best = centre;
    for (int k = 0; k < 8; ++k) {
      const int dx = centre.dx + distance * definitions::neighbour_x(k);
      const int dy = centre.dy + distance * definitions::neighbour_y(k);
      if (!is_candidate(dx, dy)) continue;
      const Candidate tried = candidate(dx, dy);
      if (is_better(tried, best)) best = tried;
    }
    return best;
  }

 private:
  bool is_candidate(int dx, int dy) const {
    const MotionRange& x = search_.range_x;
    const MotionRange& y = search_.range_y;
    if (dx < 4 * x.first || dx > 4 * x.last || dy < 4 * y.first || dy > 4 * y.last) return false;
    const Block& block = search_.block;
    const Size size = search_.pictures.reference.size();
    return search_.border == MotionBorder::pad ||
           (definitions::is_inside_quarters(block.x, block.width, dx, size.width) &&
            definitions::is_inside_quarters(block.y, block.height, dy, size.height));
  }

  const BlockSearch<P>& search_;
  Sampler<P> sampler_;
};

}  // namespace

template <class P>
void refine(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, const MotionMaps& maps) {
  for (int row = 0; row < maps.vectors.height(); ++row)
    for (int column = 0; column < maps.vectors.width(); ++column) {
      const BlockSearch<P> search = make_search(plan, pictures, block, column, row, prediction_of(maps, column, row));
      const Refinement<P> refinement(plan, search);
      MotionVector& vector = maps.vectors(column, row);
      Candidate best = refinement.best_around(refinement.candidate(vector.dx, vector.dy), 2);
      if (plan.options.subpel == MotionSubpel::quarter) best = refinement.best_around(best, 1);
      vector = {static_cast<std::int16_t>(best.dx), static_cast<std::int16_t>(best.dy)};
      put_costs(maps, column, row, best);
    }
}

template void refine(const MotionPlan&, const MotionPictures<std::uint8_t>&, Size, const MotionMaps&);
template void refine(const MotionPlan&, const MotionPictures<std::uint16_t>&, Size, const MotionMaps&);

}  // namespace vergence::reference
