// SPDX-License-Identifier: Apache-2.0
// Frames that show another scene than the one before: its blocks are found nowhere near, once both frames are reduced
// and freed of their brightness.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/samples.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using CutView = ImageView<const std::uint8_t>;

constexpr int reduced_width = 160, cut_block = 16, cut_reach = 12;  // px; of the reduced frames
constexpr Size least_cut{64, 48};
constexpr int surround = 4;        // px to each side that make up the brightness of a place
constexpr int detail_level = 16;   // to which details are scaled
constexpr int least_details = 16;  // in the mean, in 1/16 grey levels

/// Means of squares, in 1/16 grey levels, less those of their surroundings.
class SceneDetails {
 public:
  explicit SceneDetails(CutView picture) {
    const int side = std::max(1, picture.width() / reduced_width), row_step = side > 4 ? 2 : 1;
    size_ = {picture.width() / side, picture.height() / side};
    Image<int> means(size_);
    const int rows = (side + row_step - 1) / row_step, count = rows * side;
    std::vector<std::uint16_t> columns(static_cast<std::size_t>(size_.width * side));  // of 257 rows at most
    for (int y = 0; y < size_.height; ++y) {
      std::fill(columns.begin(), columns.end(), std::uint16_t{0});
      for (int row = 0; row < side; row += row_step) {  // SIMD
        const std::uint8_t* from = picture.row(y * side + row);
        for (std::uint16_t& column : columns) column = static_cast<std::uint16_t>(column + *from++);
      }
      auto column = columns.cbegin();
      for (int x = 0; x < size_.width; ++x, column += side) {
        const int sum = std::accumulate(column, column + side, 0);
        means(x, y) = sum * 16 / count;
        level_ += sum / count;
      }
    }
    take_off_surround(means);
  }
  Size size() const { return size_; }
  int mean() const { return static_cast<int>(sum_ / std::max<std::int64_t>(std::ssize(values_), 1)); }
  /// The sum of all means, in grey levels.
  std::int64_t level() const { return level_; }
  void scale() {
    const int own = std::max(mean(), 1);
    for (std::int16_t& value : values_) value = static_cast<std::int16_t>(value * detail_level / own);
  }
  const std::int16_t* at(int x, int y) const { return values_.data() + std::ptrdiff_t{y} * size_.width + x; }

 private:
  void take_off_surround(const Image<int>& means) {
    Image<std::uint32_t> sums(size_.width + 1, size_.height + 1, 0);  // of all above and to the left, modulo 2^32
    for (int y = 0; y < size_.height; ++y) {
      std::uint32_t row = 0;
      for (int x = 0; x < size_.width; ++x)
        sums(x + 1, y + 1) = (row += static_cast<std::uint32_t>(means(x, y))) + sums(x + 1, y);
    }
    values_.resize(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height));
    for (int y = 0; y < size_.height; ++y) {
      take_off_of_row(means, sums, y);
      const std::int16_t* const row = at(0, y);
      std::int32_t sum = 0;
      for (int x = 0; x < size_.width; ++x) sum += std::abs(row[x]);  // SIMD
      sum_ += sum;
    }
  }
  void take_off_of_row(const Image<int>& means, const Image<std::uint32_t>& sums, int y) {
    constexpr int whole = 2 * surround + 1;
    const int top = std::max(y - surround, 0), bottom = std::min(y + surround + 1, size_.height), rows = bottom - top;
    const std::uint32_t *const above = sums.row(top), *const below = sums.row(bottom);
    const int* const mean = means.row(y);
    std::int16_t* const to = values_.data() + std::ptrdiff_t{y} * size_.width;
    const auto with_borders = [&](int x) {
      const int left = std::max(x - surround, 0), right = std::min(x + surround + 1, size_.width);
      const auto sum = static_cast<int>(below[right] - below[left] - above[right] + above[left]);
      to[x] = static_cast<std::int16_t>(mean[x] - sum / ((right - left) * rows));
    };
    const int inner = rows == whole ? std::max(size_.width - surround, 0) : 0;
    for (int x = 0; x < std::min(surround, size_.width); ++x) with_borders(x);
    for (int x = surround; x < inner; ++x) {  // SIMD: the number of pixels is known
      const auto sum = static_cast<int>(below[x + surround + 1] - below[x - surround] - above[x + surround + 1] +
                                        above[x - surround]);
      to[x] = static_cast<std::int16_t>(mean[x] - sum / (whole * whole));
    }
    for (int x = std::max(inner, std::min(surround, size_.width)); x < size_.width; ++x) with_borders(x);
  }
  Size size_;
  std::vector<std::int16_t> values_;
  std::int64_t sum_ = 0, level_ = 0;
};

/// As far as it is less than `most`.
int block_difference(const SceneDetails& a, inspect::Point at, const SceneDetails& b, inspect::Point other, int most) {
  int sum = 0;
  for (int y = 0; y < cut_block && sum < most; ++y) {
    const std::int16_t *const p = a.at(at.x, at.y + y), *const q = b.at(other.x, other.y + y);
    for (int x = 0; x < cut_block; ++x) sum += std::abs(p[x] - q[x]);
  }
  return sum;
}

/// The least that a block differs from any of every `step`th place within reach, and of those beside the best one.
int least_difference(const SceneDetails& now, inspect::Point at, const SceneDetails& before, int step) {
  const Size size = before.size();
  int least = block_difference(now, at, before, at, INT_MAX);
  inspect::Point best = at;
  const auto look_around = [&](inspect::Point middle, int reach, int apart) {
    for (int y = std::max(middle.y - reach, 0); y <= std::min(middle.y + reach, size.height - cut_block); y += apart)
      for (int x = std::max(middle.x - reach, 0); x <= std::min(middle.x + reach, size.width - cut_block); x += apart)
        if (const int sum = block_difference(now, at, before, {x, y}, least); sum < least) least = sum, best = {x, y};
  };
  look_around(at, cut_reach, step);
  if (step > 1) look_around(best, step - 1, 1);
  return least;
}

/// What is left of what `count` blocks show, from all of the frame, in percent.
int unlike_percent(const SceneDetails& now, const SceneDetails& before, int count, int step) {
  constexpr int apart = 7;
  const int columns = now.size().width / cut_block, blocks = columns * (now.size().height / cut_block);
  std::int64_t left = 0, all = 0;
  for (int i = 0; i < std::min(count, blocks); ++i) {
    const int block = blocks % apart == 0 ? i : i * apart % blocks;
    const inspect::Point at{block % columns * cut_block, block / columns * cut_block};
    left += least_difference(now, at, before, step);
    for (int y = at.y; y < at.y + cut_block; ++y)
      for (int x = 0; x < cut_block; ++x) all += std::abs(now.at(at.x, y)[x]);
  }
  return static_cast<int>(100 * left / std::max<std::int64_t>(all, 1));
}

}  // namespace

VERGENCE_FOR_AVX2 CutFindings inspect_cut(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  if (before.size() != now.size() || now.width() < 1 || now.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  if (now.width() < least_cut.width || now.height() < least_cut.height) return {};
  CutFindings found;
  SceneDetails here(now), then(before);
  const std::int64_t dark = 4 * std::int64_t{here.size().width} * here.size().height;  // black frames have no factor
  found.gain_percent = static_cast<int>(100 * (here.level() + dark) / (then.level() + dark));
  if (std::min(here.mean(), then.mean()) < least_details) return found;
  here.scale();
  then.scale();
  // A dozen places tell most frames that go on.
  constexpr int few = 12, goes_on_percent = 60;
  found.unlike_percent = unlike_percent(here, then, few, 2);
  if (found.unlike_percent >= goes_on_percent) found.unlike_percent = unlike_percent(here, then, INT_MAX, 1);
  return found;
}

}  // namespace vergence
