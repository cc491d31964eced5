// SPDX-License-Identifier: Apache-2.0
// Pictures and gradients with a margin, so that no window needs a test of its coordinates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/track/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// T is that of pixels or int16_t. All elements are 0 at first.
template <class T>
class TrackPlane {
 public:
  /// Vectors may read and write this number of elements past the last one of a row that counts.
  static constexpr int slack = 72;

  TrackPlane() = default;
  TrackPlane(Size size, int margin)
      : size_(size),
        left_((margin + 31) / 32 * 32),
        margin_(margin),
        stride_((std::ptrdiff_t{size.width} + left_ + margin + slack + 31) / 32 * 32),
        elements_(static_cast<std::size_t>(stride_ * (std::ptrdiff_t{size.height} + 2 * margin)) + 64) {}

  T* at(int x, int y) { return start() + offset(x, y); }
  const T* at(int x, int y) const { return const_cast<TrackPlane*>(this)->at(x, y); }
  /// Distance of rows, in elements.
  std::ptrdiff_t stride() const { return stride_; }
  Size size() const { return size_; }
  int margin() const { return margin_; }
  std::size_t bytes() const { return elements_.capacity() * sizeof(T); }

  /// Mirrors a row of the picture into its margin.
  void mirror_row(int y) {
    T* const row = at(0, y);
    for (int k = 1; k <= margin_; ++k) {
      row[-k] = row[k];
      row[size_.width - 1 + k] = row[size_.width - 1 - k];
    }
  }
  /// The same for rows, margins included.
  void mirror_rows() {
    for (int k = 1; k <= margin_; ++k) {
      std::copy_n(at(-margin_, k), size_.width + 2 * margin_, at(-margin_, -k));
      std::copy_n(at(-margin_, size_.height - 1 - k), size_.width + 2 * margin_, at(-margin_, size_.height - 1 + k));
    }
  }
  /// Zeros behind a row, where vectors may have written.
  void clear_behind(int y) { std::fill_n(at(size_.width, y), slack, T{0}); }

 private:
  T* start() {
    const auto address = reinterpret_cast<std::uintptr_t>(elements_.data());
    return elements_.data() + (64 - address % 64) % 64 / sizeof(T);
  }
  std::ptrdiff_t offset(int x, int y) const { return (std::ptrdiff_t{y} + margin_) * stride_ + left_ + x; }

  Size size_;
  int left_ = 0;
  int margin_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::vector<T> elements_;
};

/// A frame: all levels, level 0 first.
template <class P>
struct TrackPlanes {
  explicit TrackPlanes(const TrackPlan& plan) {
    // A window may stand one window beside the picture; all levels are larger than that.
    for (const Size level : plan.levels) {
      pictures.emplace_back(level, plan.options.window);
      dx.emplace_back(level, plan.options.window);
      dy.emplace_back(level, plan.options.window);
    }
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) sum += pictures[i].bytes() + dx[i].bytes() + dy[i].bytes();
    return sum;
  }
  std::vector<TrackPlane<P>> pictures;
  std::vector<TrackPlane<std::int16_t>> dx, dy;
};

}  // namespace vergence::cpu
