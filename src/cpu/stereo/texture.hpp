// SPDX-License-Identifier: Apache-2.0
// The texture sum of every pixel of a row: |x-Sobel - cap| over the window inside the reference picture, by running
// sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/stereo/rows.hpp"

namespace vergence::cpu {

/// One row of windows that move down: the row that enters them and the one that leaves, after x-Sobel.
struct TextureRow {
  const std::uint8_t* entering;
  const std::uint8_t* leaving;
  int width;
  int rx;
  int cap;
  int threshold;
};

/// Moves the sums of columns down by one row, and sets weak[x] to 1 where the window's sum is below the threshold, else
/// to 0. `sums` is memory of width + 2 rx + 1 numbers. All is modulo the numbers' range, whose
/// largest one no window's sum reaches.
void texture_row(const Context& context, const TextureRow& row, std::uint16_t* columns, std::uint16_t* sums,
                 std::uint8_t* weak);
void texture_row(const Context& context, const TextureRow& row, std::uint64_t* columns, std::uint64_t* sums,
                 std::uint8_t* weak);

/// The windows of a band, row after row.
class Texture {
 public:
  explicit Texture(const StereoPlan& plan)
      : plan_(&plan),
        narrow_(std::int64_t{2 * plan.rx + 1} * (2 * plan.ry + 1) * plan.options.prefilter_cap < UINT16_MAX) {}

  void begin() {
    narrow_ ? narrow_sums_.begin(*plan_) : wide_sums_.begin(*plan_);
    // What no row adds: pixels without a derivative.
    level_.assign(static_cast<std::size_t>(plan_->size.width), static_cast<std::uint8_t>(plan_->options.prefilter_cap));
    first_ = true;
  }
  /// Sets weak[x] where the sum of row y is too small. Rows ascend by one; entering(v) and leaving(v) give row v of the
  /// picture after x-Sobel.
  template <class Entering, class Leaving>
  void row(const Context& context, int y, Entering entering, Leaving leaving, std::uint8_t* weak) {
    const int ry = plan_->ry, height = plan_->size.height;
    if (first_)
      for (int v = std::max(0, y - ry); v < std::min(height, y + ry); ++v)
        move(context, entering(v), level_.data(), weak);
    const bool leaves = !first_ && y - ry - 1 >= 0;
    move(context, y + ry < height ? entering(y + ry) : level_.data(), leaves ? leaving(y - ry - 1) : level_.data(),
         weak);
    first_ = false;
  }
  std::size_t bytes() const { return narrow_sums_.bytes() + wide_sums_.bytes() + level_.capacity(); }

 private:
  template <class T>
  struct Sums {
    std::vector<T> columns, windows;

    void begin(const StereoPlan& plan) {
      const auto width = static_cast<std::size_t>(plan.size.width);
      columns.assign(width, 0);
      windows.resize(width + 2 * static_cast<std::size_t>(plan.rx) + 1);
    }
    std::size_t bytes() const { return (columns.capacity() + windows.capacity()) * sizeof(T); }
  };

  void move(const Context& context, const std::uint8_t* entering, const std::uint8_t* leaving, std::uint8_t* weak) {
    const StereoOptions& o = plan_->options;
    const TextureRow row{entering, leaving, plan_->size.width, plan_->rx, o.prefilter_cap, o.texture_threshold};
    if (narrow_)
      texture_row(context, row, narrow_sums_.columns.data(), narrow_sums_.windows.data(), weak);
    else
      texture_row(context, row, wide_sums_.columns.data(), wide_sums_.windows.data(), weak);
  }

  const StereoPlan* plan_;
  const bool narrow_;
  Sums<std::uint16_t> narrow_sums_;
  Sums<std::uint64_t> wide_sums_;
  std::vector<std::uint8_t> level_;
  bool first_ = true;
};

/// Pixels without enough texture, row by row, in the working orientation; nothing where texture does not count.
template <class P>
class TextureRows {
 public:
  explicit TextureRows(const StereoPlan& plan)
      : plan_(&plan), texture_(plan), entering_(plan, filter(plan)), leaving_(plan, filter(plan)) {}

  void begin(const Context& context, ImageView<const P> reference) {
    if (!counts()) return;
    context_ = &context;
    reference_ = reference;
    weak_.resize(static_cast<std::size_t>(plan_->size.width));
    next_ = -1;
  }
  /// Not 0 at pixels of row y without enough texture; null where texture does not count. Rows that follow each other
  /// are the fastest.
  const std::uint8_t* without(int y) {
    if (!counts()) return nullptr;
    if (y != next_) {
      entering_.begin(*context_, reference_);
      leaving_.begin(*context_, reference_);
    }
    find(
        y, [&](int v) { return entering_.row(v); }, [&](int v) { return leaving_.row(v); });
    if (!plan_->matches_left()) std::reverse(weak_.begin(), weak_.end());
    return weak_.data();
  }
  /// The same from rows that are matched after x-Sobel: filtered(v) is row v in the working orientation.
  template <class Filtered>
  const std::uint8_t* without(int y, Filtered filtered) {
    if (!counts()) return nullptr;
    find(y, filtered, filtered);
    return weak_.data();
  }
  std::size_t bytes() const { return texture_.bytes() + entering_.bytes() + leaving_.bytes() + weak_.capacity(); }

 private:
  static StereoPrefilter filter(const StereoPlan& plan) {
    return plan.options.prefilter == StereoPrefilter::none ? StereoPrefilter::xsobel : plan.options.prefilter;
  }
  bool counts() const { return plan_->options.texture_threshold > 0; }
  template <class Entering, class Leaving>
  void find(int y, Entering entering, Leaving leaving) {
    if (y != next_) texture_.begin();
    next_ = y + 1;
    texture_.row(*context_, y, entering, leaving, weak_.data());
  }

  const StereoPlan* plan_;
  Texture texture_;
  FilteredRows<P, std::uint8_t> entering_, leaving_;
  const Context* context_ = nullptr;
  ImageView<const P> reference_;
  std::vector<std::uint8_t> weak_;
  int next_ = -1;
};

}  // namespace vergence::cpu
