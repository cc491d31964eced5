// SPDX-License-Identifier: Apache-2.0
// What a device offers for filters of pictures: src/reference/imgproc and docs/algorithms/imgproc say what each call
// computes. Views have been checked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/times.hpp"
#include "vergence/filter.hpp"
#include "vergence/image.hpp"

namespace vergence::backend {

/// Weights along an edge.
struct GradientWeights {
  int outer = 1;
  int inner = 2;
};

/// Filters on one device for pictures of one size. What is written is whole when a call returns.
class Filters : public Timed {
 public:
  virtual void blur(ImageView<const float> in, ImageView<float> out, FilterBorder border) = 0;
  virtual void blur(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) = 0;
  /// An empty view is not wanted.
  virtual void gradients(ImageView<const float> in, const GradientWeights& slope, ImageView<float> dx,
                         ImageView<float> dy, FilterBorder border) = 0;
  virtual void gradients(ImageView<const std::uint8_t> in, const GradientWeights& slope, ImageView<std::int16_t> dx,
                         ImageView<std::int16_t> dy, FilterBorder border) = 0;
  virtual void half(ImageView<const float> in, ImageView<float> out, FilterBorder border) = 0;
  virtual void half(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) = 0;
  /// Bytes of host memory held.
  virtual std::size_t memory() const = 0;
};

}  // namespace vergence::backend
