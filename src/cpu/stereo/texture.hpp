// SPDX-License-Identifier: Apache-2.0
// The texture sum of every pixel of a row: |x-Sobel - cap| over the window inside the reference picture, by running
// sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cpu/stereo/rows.hpp"

namespace vergence::cpu {

template <class P>
class Texture {
 public:
  explicit Texture(const StereoPlan& plan)
      : plan_(&plan), entering_(plan, filter(plan)), leaving_(plan, filter(plan)) {}

  void begin(const Context& context, ImageView<const P> reference) {
    entering_.begin(context, reference);
    leaving_.begin(context, reference);
    columns_.assign(static_cast<std::size_t>(plan_->size.width), 0);
    next_ = -1;
  }

  /// Sets reject[x] (reference orientation) where the sum of row y is too small. Rows ascend by one.
  void row(int y, std::uint8_t* reject) {
    const int ry = plan_->ry, width = plan_->size.width;
    if (next_ < 0)
      for (int v = std::max(0, y - ry); v < std::min(plan_->size.height, y + ry); ++v) add(entering_.row(v), 1);
    if (y + ry < plan_->size.height) add(entering_.row(y + ry), 1);
    if (next_ >= 0 && y - ry - 1 >= 0) add(leaving_.row(y - ry - 1), -1);
    next_ = y + 1;
    std::int64_t sum = 0;
    const auto column = [&](int x) { return columns_[static_cast<std::size_t>(x)]; };
    for (int x = 0; x < std::min(plan_->rx, width); ++x) sum += column(x);
    for (int x = 0; x < width; ++x) {
      if (x + plan_->rx < width) sum += column(x + plan_->rx);
      if (x - plan_->rx - 1 >= 0) sum -= column(x - plan_->rx - 1);
      reject[x] = static_cast<std::uint8_t>(reject[x] | (sum < plan_->options.texture_threshold ? 1 : 0));
    }
  }
  std::size_t bytes() const {
    return entering_.bytes() + leaving_.bytes() + columns_.capacity() * sizeof(std::int64_t);
  }

 private:
  static StereoPrefilter filter(const StereoPlan& plan) {
    return plan.options.prefilter == StereoPrefilter::none ? StereoPrefilter::xsobel : plan.options.prefilter;
  }
  void add(const std::uint8_t* row, int sign) {
    const int cap = plan_->options.prefilter_cap;
    for (int x = 0; x < plan_->size.width; ++x) {
      const int change = sign * std::abs(row[x] - cap);
      columns_[static_cast<std::size_t>(x)] += change;
    }
  }

  const StereoPlan* plan_;
  FilteredRows<P, std::uint8_t> entering_, leaving_;
  std::vector<std::int64_t> columns_;
  int next_ = -1;
};

/// Pixels without enough texture, row by row, in the working orientation; nothing where texture does not count.
template <class P>
class TextureRows {
 public:
  explicit TextureRows(const StereoPlan& plan) : plan_(&plan), texture_(plan) {}

  void begin(const Context& context, ImageView<const P> reference) {
    if (plan_->options.texture_threshold <= 0) return;
    context_ = &context;
    reference_ = reference;
    weak_.resize(static_cast<std::size_t>(plan_->size.width));
    next_ = -1;
  }
  /// Not 0 at pixels of row y without enough texture; null where texture does not count. Rows that follow each other
  /// are the fastest.
  const std::uint8_t* without(int y) {
    if (plan_->options.texture_threshold <= 0) return nullptr;
    if (y != next_) texture_.begin(*context_, reference_);
    next_ = y + 1;
    std::fill(weak_.begin(), weak_.end(), std::uint8_t{0});
    texture_.row(y, weak_.data());
    if (!plan_->matches_left()) std::reverse(weak_.begin(), weak_.end());
    return weak_.data();
  }
  std::size_t bytes() const { return texture_.bytes() + weak_.capacity(); }

 private:
  const StereoPlan* plan_;
  Texture<P> texture_;
  const Context* context_ = nullptr;
  ImageView<const P> reference_;
  std::vector<std::uint8_t> weak_;
  int next_ = -1;
};

}  // namespace vergence::cpu
