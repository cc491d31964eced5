// SPDX-License-Identifier: Apache-2.0
// One block and its candidates, as reference/motion/block_search.hpp has them, on padded planes and packed pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/motion/costs.hpp"
#include "cpu/motion/plane.hpp"
#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "plan/motion/candidate.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::cpu {

/// A displacement in whole pixels of its level.
struct PixelVector {
  int dx = 0;
  int dy = 0;
  friend bool operator==(const PixelVector&, const PixelVector&) = default;
};

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
  /// Tries (dx, dy) + each of `points`, at most 8, none of which is farther than `reach` in x or y. Calls gained(k)
  /// after each that is better than `best`, which it then becomes.
  template <class F>
  void improve_all(Candidate& best, int dx, int dy, std::span<const PixelVector> points, int reach, F&& gained) const {
    if (frame_->costs.several == nullptr || !is_candidate(dx - reach, dy - reach) ||
        !is_candidate(dx + reach, dy + reach)) {
      for (std::size_t k = 0; k < points.size(); ++k)
        if (improve(best, dx + points[k].dx, dy + points[k].dy)) gained(k);
      return;
    }
    std::array<std::ptrdiff_t, 8> offsets;
    std::array<std::uint32_t, 8> costs;
    const std::ptrdiff_t stride = frame_->reference->stride();
    for (std::size_t k = 0; k < points.size(); ++k) offsets[k] = points[k].dy * stride + points[k].dx;
    frame_->costs.several(pixels_, there(dx, dy), stride, offsets.data(), static_cast<int>(points.size()),
                          costs.data());
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (costs[k] > best.j) continue;
      const Candidate tried = candidate(dx + points[k].dx, dy + points[k].dy, costs[k]);
      if (!is_better(tried, best)) continue;
      best = tried;
      gained(k);
    }
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
