// SPDX-License-Identifier: Apache-2.0
// One block and its candidates, as reference/motion/block_search.hpp has them, on padded planes and packed pixels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/motion/costs.hpp"
#include "cpu/motion/plane.hpp"
#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "motion/candidate.hpp"
#include "motion/plan.hpp"

namespace vergence::cpu {

/// What the searches of one frame, or of one level of it, have in common.
template <class P>
struct SearchFrame {
  ImageView<const P> current;
  const Plane<P>* reference = nullptr;
  CostFunctions<P> costs;
  MotionBorder border = MotionBorder::inside;
  MotionRange range_x, range_y;
  int lambda = 0;
};

template <class P>
class BlockWalk {
 public:
  /// Packs the block and finds out which displacements are its candidates: a rectangle of them.
  void begin(const SearchFrame<P>& frame, const Rect& block, MotionVector prediction) {
    frame_ = &frame;
    block_ = block;
    prediction_ = prediction;
    pixels_.pack(frame.current, block);
    x_ = candidates(frame, frame.range_x, block.x, block.width, frame.reference->size().width);
    y_ = candidates(frame, frame.range_y, block.y, block.height, frame.reference->size().height);
  }

  /// The displacements along one axis.
  static MotionRange candidates(const SearchFrame<P>& frame, MotionRange range, int start, int extent, int side) {
    if (frame.border == MotionBorder::pad) return range;
    return {std::max(range.first, -start), std::min(range.last, side - start - extent)};
  }
  bool is_candidate(int dx, int dy) const { return dx >= x_.first && dx <= x_.last && dy >= y_.first && dy <= y_.last; }
  std::uint64_t rate(int dx, int dy) const {
    if (frame_->lambda == 0) return 0;
    return definitions::motion_rate(frame_->lambda,
                                    definitions::vector_bits(4 * dx, 4 * dy, prediction_.dx, prediction_.dy));
  }
  const P* there(int dx, int dy) const { return frame_->reference->at(block_.x + dx, block_.y + dy); }
  std::uint64_t distortion(int dx, int dy) const {
    return frame_->costs.one(pixels_, there(dx, dy), frame_->reference->stride());
  }
  Candidate candidate(int dx, int dy, std::uint64_t cost) const { return {dx, dy, cost, cost + rate(dx, dy)}; }
  Candidate candidate(int dx, int dy) const { return candidate(dx, dy, distortion(dx, dy)); }

  /// Tries (dx, dy) if it is a candidate; true where it is better than `best`, which it then becomes.
  bool improve(Candidate& best, int dx, int dy) const {
    if (!is_candidate(dx, dy)) return false;
    const Candidate tried = candidate(dx, dy);
    if (!is_better(tried, best)) return false;
    best = tried;
    return true;
  }
  /// The best of the zero vector and the prediction.
  Candidate start() const {
    Candidate best = candidate(0, 0);
    improve(best, definitions::whole_pixels(prediction_.dx), definitions::whole_pixels(prediction_.dy));
    return best;
  }

  const SearchFrame<P>& frame() const { return *frame_; }
  const Rect& block() const { return block_; }
  const PackedBlock<P>& pixels() const { return pixels_; }
  MotionVector prediction() const { return prediction_; }
  MotionRange x() const { return x_; }
  MotionRange y() const { return y_; }

 private:
  const SearchFrame<P>* frame_ = nullptr;
  PackedBlock<P> pixels_;
  Rect block_;
  MotionVector prediction_;
  MotionRange x_, y_;
};

inline Rect block_rect(Size size, Size block, int column, int row) {
  return {column * block.width, row * block.height, definitions::block_extent(column, block.width, size.width),
          definitions::block_extent(row, block.height, size.height)};
}

}  // namespace vergence::cpu
