// SPDX-License-Identifier: Apache-2.0
// Reference: the current frame as the vectors predict it from the reference frame, luma or chroma, blocks side by side
// or overlapped.
#include <cstdint>

#include "definitions/motion/overlap.h"
#include "reference/motion/samples.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// Predicts pixels of one plane.
template <class P>
class Predictor {
 public:
  Predictor(const MotionPlan& plan, ImageView<const P> reference, ImageView<const MotionVector> vectors,
            const PlaneScale& scale)
      : vectors_(vectors),
        scale_(scale),
        width_(plan.options.block.width >> scale.x),
        height_(plan.options.block.height >> scale.y),
        sampler_(reference, scale.is_luma ? luma_filter : chroma_filter, plan.max_pixel) {}

  int plain(int x, int y) const { return sample(x, y, vectors_(x / width_, y / height_)); }

  int overlapped(int x, int y) const {
    const int column = x / width_;
    const int row = y / height_;
    const int beside = neighbour(column, x % width_, width_, vectors_.width());
    const int above = neighbour(row, y % height_, height_, vectors_.height());
    const int weight_x = definitions::overlap_weight(x % width_, width_);
    const int weight_y = definitions::overlap_weight(y % height_, height_);
    const std::int64_t own_x = 2 * width_ - weight_x;
    const std::int64_t own_y = 2 * height_ - weight_y;
    const std::int64_t sum = own_x * own_y * sample(x, y, vectors_(column, row)) +
                             weight_x * own_y * sample(x, y, vectors_(beside, row)) +
                             own_x * weight_y * sample(x, y, vectors_(column, above)) +
                             std::int64_t{weight_x} * weight_y * sample(x, y, vectors_(beside, above));
    return definitions::overlap_mean(sum, width_, height_);
  }

 private:
  /// Index of the block whose vector the pixel takes; at the frame's edge its own.
  static int neighbour(int index, int pixel, int side, int count) {
    const int other = index + definitions::overlap_neighbour(pixel, side);
    return other < 0 || other >= count ? index : other;
  }
  int sample(int x, int y, MotionVector v) const {
    if (scale_.is_luma) return sampler_.at(x + (v.dx >> 2), y + (v.dy >> 2), v.dx & 3, v.dy & 3);
    // A quarter of a luma pixel is an eighth of a chroma pixel that is twice as wide, two eighths of one that is not.
    const int dx = v.dx * (scale_.x == 1 ? 1 : 2);
    const int dy = v.dy * (scale_.y == 1 ? 1 : 2);
    return sampler_.at(x + (dx >> 3), y + (dy >> 3), dx & 7, dy & 7);
  }

  ImageView<const MotionVector> vectors_;
  PlaneScale scale_;
  int width_, height_;  ///< of a block in this plane
  Sampler<P> sampler_;
};

}  // namespace

template <class P>
void predict(const MotionPlan& plan, ImageView<const P> reference, ImageView<const MotionVector> vectors,
             const PlaneScale& scale, ImageView<P> prediction) {
  const Predictor<P> predictor(plan, reference, vectors, scale);
  for (int y = 0; y < prediction.height(); ++y)
    for (int x = 0; x < prediction.width(); ++x)
      prediction(x, y) = static_cast<P>(plan.options.overlap ? predictor.overlapped(x, y) : predictor.plain(x, y));
}

template void predict(const MotionPlan&, ImageView<const std::uint8_t>, ImageView<const MotionVector>,
                      const PlaneScale&, ImageView<std::uint8_t>);
template void predict(const MotionPlan&, ImageView<const std::uint16_t>, ImageView<const MotionVector>,
                      const PlaneScale&, ImageView<std::uint16_t>);

}  // namespace vergence::reference
