// SPDX-License-Identifier: Apache-2.0
// The current frame as the vectors predict it from the reference frame, luma or chroma, blocks side by side or
// overlapped.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "cpu/motion/interpolate.hpp"
#include "cpu/motion/scratch.hpp"
#include "definitions/motion/overlap.h"

namespace vergence::cpu {
namespace {

template <class P>
using Samples = std::array<P, 64 * 64 + 64>;

/// Predicts the blocks of one plane, with the scratch memory of one worker.
template <class P>
class Predictor {
 public:
  Predictor(const MotionPlan& plan, Interpolate<P> interpolate, ImageView<const P> reference, const PlaneScale& scale)
      : interpolate_(interpolate), reference_(reference), scale_(scale), max_pixel_(plan.max_pixel) {}

  /// The same as sample(), right where it belongs.
  void place(const Rect& rect, MotionVector v, ImageView<P> prediction) {
    const int bits_x = scale_.is_luma ? 2 : 2 + scale_.x, bits_y = scale_.is_luma ? 2 : 2 + scale_.y;
    const Rect from{rect.x + (v.dx >> bits_x), rect.y + (v.dy >> bits_y), rect.width, rect.height};
    const bool is_whole = (v.dx & ((1 << bits_x) - 1)) == 0 && (v.dy & ((1 << bits_y) - 1)) == 0;
    if (is_whole && from.x >= 0 && from.y >= 0 && from.x + from.width <= reference_.width() &&
        from.y + from.height <= reference_.height())
      return rect.width == 16 ? copy<16>(from, rect, prediction) : copy<0>(from, rect, prediction);
    sample(rect, v, placed_.data());
    for (int y = 0; y < rect.height; ++y)
      std::copy_n(placed_.data() + 64 * y, rect.width, prediction.row(rect.y + y) + rect.x);
  }

  /// Pixels of a rectangle of at most 64x64, each where the vector points; rows of `out` lie 64 apart.
  void sample(const Rect& rect, MotionVector v, P* out) {
    // A quarter of a luma pixel is an eighth of a chroma pixel that is twice as wide, two eighths of one that is not.
    const int bits = scale_.is_luma ? 2 : 3;
    const int dx = v.dx * (scale_.is_luma || scale_.x == 1 ? 1 : 2);
    const int dy = v.dy * (scale_.is_luma || scale_.y == 1 ? 1 : 2);
    const int mask = (1 << bits) - 1;
    const Interpolation filters = scale_.is_luma ? Interpolation::luma(dx & mask, dy & mask, max_pixel_)
                                                 : Interpolation::chroma(dx & mask, dy & mask, max_pixel_);
    const int margin = -filters.first;
    take(rect.x + (dx >> bits) + filters.first, rect.y + (dy >> bits) + filters.first, rect.width + filters.taps - 1,
         rect.height + filters.taps - 1);
    interpolate_(filters, patch_.data() + margin * pitch + margin, pitch, rect.width, rect.height, filtered_.data(),
                 out);
  }

 private:
  /// Rows of a width that the compiler knows are copied without a call.
  template <int kWidth>
  void copy(const Rect& from, const Rect& to, ImageView<P> prediction) const {
    for (int y = 0; y < to.height; ++y)
      std::copy_n(reference_.row(from.y + y) + from.x, kWidth > 0 ? kWidth : to.width, prediction.row(to.y + y) + to.x);
  }

  static constexpr int pitch = 96;  ///< 64 and the taps, and what vectors read behind them

  /// A rectangle of the reference, whose edge pixels are repeated without end.
  void take(int x, int y, int width, int height) {
    const int right = reference_.width() - 1, below = reference_.height() - 1;
    for (int v = 0; v < height; ++v) {
      const P* const row = reference_.row(std::clamp(y + v, 0, below));
      P* const out = patch_.data() + v * pitch;
      if (x >= 0 && x + width - 1 <= right) {
        std::copy_n(row + x, width, out);
      } else {
        for (int u = 0; u < width; ++u) out[u] = row[std::clamp(x + u, 0, right)];
      }
    }
  }

  Interpolate<P> interpolate_;
  ImageView<const P> reference_;
  PlaneScale scale_;
  int max_pixel_;
  std::array<P, pitch * 80> patch_{};
  std::array<std::int32_t, Interpolation::scratch> filtered_{};
  Samples<P> placed_{};
};

/// A quarter of a block: its pixels are blended with the predictions of the same neighbours.
template <class P>
class Blend {
 public:
  Blend(Predictor<P>& predictor, ImageView<const MotionVector> vectors, Size block)
      : predictor_(predictor), vectors_(vectors), block_(block) {}

  void run(int column, int row, const Rect& rect, ImageView<P> prediction) {
    const int in_x = rect.x - column * block_.width, in_y = rect.y - row * block_.height;
    const int beside = neighbour(column, in_x, block_.width, vectors_.width());
    const int above = neighbour(row, in_y, block_.height, vectors_.height());
    predictor_.sample(rect, vectors_(column, row), own_.data());
    predictor_.sample(rect, vectors_(beside, row), beside_.data());
    predictor_.sample(rect, vectors_(column, above), above_.data());
    predictor_.sample(rect, vectors_(beside, above), corner_.data());
    for (int y = 0; y < rect.height; ++y) {
      const std::int64_t weight_y = definitions::overlap_weight(in_y + y, block_.height);
      const std::int64_t own_y = 2 * block_.height - weight_y;
      P* const out = prediction.row(rect.y + y) + rect.x;
      for (int x = 0; x < rect.width; ++x) {
        const std::int64_t weight_x = definitions::overlap_weight(in_x + x, block_.width);
        const std::int64_t own_x = 2 * block_.width - weight_x;
        const auto at = static_cast<std::size_t>(64 * y + x);
        const std::int64_t sum = own_y * (own_x * own_[at] + weight_x * beside_[at]) +
                                 weight_y * (own_x * above_[at] + weight_x * corner_[at]);
        out[x] = static_cast<P>(definitions::overlap_mean(sum, block_.width, block_.height));
      }
    }
  }

 private:
  /// Index of the block whose prediction the pixel is blended with; at the frame's edge its own.
  static int neighbour(int index, int pixel, int side, int count) {
    const int other = index + definitions::overlap_neighbour(pixel, side);
    return other < 0 || other >= count ? index : other;
  }

  Predictor<P>& predictor_;
  ImageView<const MotionVector> vectors_;
  Size block_;
  Samples<P> own_{}, beside_{}, above_{}, corner_{};
};

Rect clip(const Rect& rect, Size size) {
  return {rect.x, rect.y, std::min(rect.width, size.width - rect.x), std::min(rect.height, size.height - rect.y)};
}

}  // namespace

template <class P>
void predict(const MotionPlan& plan, Context& context, MotionScratch<P>&, ImageView<const P> reference,
             ImageView<const MotionVector> vectors, const PlaneScale& scale, ImageView<P> prediction) {
  const Size block{plan.options.block.width >> scale.x, plan.options.block.height >> scale.y};
  const Interpolate<P> function = interpolate<P>(context.target);
  context.threads.rows(vectors.height(), 1, [&](int first, int last, int) {
    Predictor<P> predictor(plan, function, reference, scale);
    std::optional<Blend<P>> blend;
    if (plan.options.overlap) blend.emplace(predictor, vectors, block);
    for (int row = first; row < last; ++row)
      for (int column = 0; column < vectors.width(); ++column) {
        const Rect whole{column * block.width, row * block.height, block.width, block.height};
        const Rect rect = clip(whole, prediction.size());
        if (rect.empty()) continue;
        if (!blend) {
          predictor.place(rect, vectors(column, row), prediction);
          continue;
        }
        const int half_x = block.width / 2, half_y = block.height / 2;
        for (const int y : {0, half_y})
          for (const int x : {0, half_x}) {
            const Rect quarter = clip({whole.x + x, whole.y + y, half_x, half_y}, prediction.size());
            if (!quarter.empty()) blend->run(column, row, quarter, prediction);
          }
      }
  });
}

template void predict(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, ImageView<const std::uint8_t>,
                      ImageView<const MotionVector>, const PlaneScale&, ImageView<std::uint8_t>);
template void predict(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, ImageView<const std::uint16_t>,
                      ImageView<const MotionVector>, const PlaneScale&, ImageView<std::uint16_t>);

}  // namespace vergence::cpu
