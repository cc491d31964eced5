// SPDX-License-Identifier: Apache-2.0
// A picture with a margin in which its edge pixels are repeated, as wide as searches read, so that coordinates of
// candidates need no checks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/parallel.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

template <class P>
class Plane {
 public:
  /// Vectors may read this number of pixels past the last one of a row that counts; what they read there is not used.
  static constexpr int slack = 192;

  /// Allocates a picture of this size with a margin of this number of pixels.
  void reserve(Size size, int margin_x, int margin_y) {
    size_ = size;
    margin_x_ = margin_x;
    margin_y_ = margin_y;
    stride_ = (std::ptrdiff_t{size.width} + 2 * margin_x + slack + 63) / 64 * 64;
    pixels_.resize(static_cast<std::size_t>(stride_ * (std::ptrdiff_t{size.height} + 2 * margin_y)) + slack);
  }

  /// Takes a picture over, with `rows_around` (at most the margin) rows above and below it.
  void fill(Threads& threads, ImageView<const P> picture, int rows_around) {
    constexpr int worth_a_thread = 64;  // rows
    const int rows = size_.height + 2 * rows_around;
    threads.rows(rows, worth_a_thread, [&](int first, int last, int) {
      for (int y = first - rows_around; y < last - rows_around; ++y) {
        const P* from = picture.row(std::clamp(y, 0, size_.height - 1));
        P* to = at(0, y);
        std::copy_n(from, size_.width, to);
        std::fill(to - margin_x_, to, from[0]);
        std::fill_n(to + size_.width, margin_x_, from[size_.width - 1]);
      }
    });
  }

  const P* at(int x, int y) const { return pixels_.data() + offset(x, y); }
  P* at(int x, int y) { return pixels_.data() + offset(x, y); }
  /// Distance of rows, in pixels.
  std::ptrdiff_t stride() const { return stride_; }
  Size size() const { return size_; }
  int margin_x() const { return margin_x_; }
  int margin_y() const { return margin_y_; }
  std::size_t bytes() const { return pixels_.capacity() * sizeof(P); }

 private:
  std::ptrdiff_t offset(int x, int y) const {
    return (std::ptrdiff_t{y} + margin_y_) * stride_ + std::ptrdiff_t{x} + margin_x_;
  }

  Size size_;
  int margin_x_ = 0;
  int margin_y_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::vector<P> pixels_;
};

}  // namespace vergence::cpu
