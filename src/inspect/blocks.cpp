// SPDX-License-Identifier: Apache-2.0
// Blocks of 8x8 px. Steps from pixel to pixel are summed apart for each of the eight places of their column, and of
// their row.
#include "inspect/blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "inspect/for_avx2.hpp"

namespace vergence::inspect {
namespace {

constexpr int side = 8;         // px of a block
constexpr int most_bands = 6;   // of 8 rows, all over the picture,
constexpr int first_bands = 2;  // and those that tell whether that is worth it
constexpr int band_rows = side;
// Steps between blocks beside the mean of the others, in percent. JPEG of quality 5 gives 248 and more, of 10 176 to
// 295, of 20 141 to 210, of 50 112 to 151, photographs 108 at most.
constexpr std::int64_t told = 220;
constexpr std::int64_t doubtful = 125;  // of the first bands
// The same in one picture alone: that has 140 and more in both directions (JPEG of quality 20 in 29 of 34 pictures, of
// 50 in 4, of 75 in none), and the other one 118 at most at the same place.
constexpr std::int64_t told_in_one = 140, most_in_other = 118;
// Bars and borders have larger steps. They count as steps of this many grey levels, which those of blocks hardly
// exceed.
constexpr int most_step = 24;
constexpr std::int64_t least_others = 4;  // of the others, as 1 in so many grey levels: drawn squares have none

struct Steps {
  std::array<std::int64_t, side> along{};   ///< By the column of the left pixel.
  std::array<std::int64_t, side> across{};  ///< By the row of the upper pixel.
  std::int64_t pixels = 0;
};

/// Of bytes, so that compilers make SIMD of bytes.
std::uint8_t step_of(std::uint8_t a, std::uint8_t b) {
  return std::min<std::uint8_t>(static_cast<std::uint8_t>(a > b ? a - b : b - a), most_step);
}

VERGENCE_FOR_AVX2 Steps steps_of(Picture picture, int most) {
  Steps steps;
  const auto width = static_cast<std::size_t>(picture.width());
  const int bands = std::clamp((picture.height() - 1) / band_rows, 0, most);
  std::vector<std::uint16_t> columns(width, 0);  // 48 rows of 255 at most
  for (int band = 0; band < bands; ++band) {
    const int top = (picture.height() - 1 - band_rows) * band / std::max(bands - 1, 1);
    for (int y = top; y < top + band_rows; ++y) {
      const std::uint8_t *const row = picture.row(y), *const next = picture.row(y + 1);
      for (std::size_t x = 0; x + 1 < width; ++x)
        columns[x] = static_cast<std::uint16_t>(columns[x] + step_of(row[x], row[x + 1]));
      int sum = 0;
      for (std::size_t x = 0; x < width; ++x) sum += step_of(row[x], next[x]);
      steps.across[static_cast<std::size_t>(y % side)] += sum;
    }
  }
  for (std::size_t x = 0; x + 1 < width; ++x) steps.along[x % side] += columns[x];
  steps.pixels = std::int64_t{bands} * band_rows * picture.width();
  return steps;
}

/// The place with the largest steps, and these beside the mean of the others in percent; 0 where the others are none.
struct Peak {
  std::ptrdiff_t place = 0;
  std::int64_t percent = 0;
};
Peak peak(const std::array<std::int64_t, side>& sums, std::int64_t pixels) {
  const auto most = std::max_element(sums.begin(), sums.end());
  const std::int64_t others = std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) - *most;
  if (least_others * others < pixels) return {};
  return {most - sums.begin(), 100 * (side - 1) * *most / std::max<std::int64_t>(others, 1)};
}

/// The least peak of both directions and pictures in percent; 0 where their places differ.
std::int64_t least_peak(Picture left, Picture right, int bands) {
  const Steps a = steps_of(left, bands), b = steps_of(right, bands);
  const Peak along = peak(a.along, a.pixels), along_right = peak(b.along, b.pixels);
  const Peak across = peak(a.across, a.pixels), across_right = peak(b.across, b.pixels);
  if (along.place != along_right.place || across.place != across_right.place) return 0;
  return std::min({along.percent, along_right.percent, across.percent, across_right.percent});
}

/// At the place of the larger one's peaks, what the other one has there, in percent.
std::int64_t percent_at(const std::array<std::int64_t, side>& sums, std::ptrdiff_t place) {
  const std::int64_t here = sums[static_cast<std::size_t>(place)];
  const std::int64_t others = std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) - here;
  return 100 * (side - 1) * here / std::max<std::int64_t>(others, 1);
}

/// The least peak in percent, if this picture alone shows blocks; else 0.
std::int64_t peak_alone(const Steps& picture, const Steps& other) {
  const Peak along = peak(picture.along, picture.pixels), across = peak(picture.across, picture.pixels);
  const std::int64_t least = std::min(along.percent, across.percent);
  const std::int64_t there = std::max(percent_at(other.along, along.place), percent_at(other.across, across.place));
  return least >= told_in_one && there <= most_in_other ? least : 0;
}

/// Do the first bands of one picture show steps between blocks, or too few steps to tell?
bool is_doubtful(Picture picture) {
  const Steps steps = steps_of(picture, first_bands);
  const Peak found = peak(steps.along, steps.pixels);
  return found.percent == 0 || found.percent >= doubtful;
}

}  // namespace

void compare_blocks(Picture left, Picture right, PairFindings& findings) {
  if (!is_doubtful(left)) return;
  const std::int64_t least = least_peak(left, right, most_bands);
  if (least < told) return;
  findings.problem = PairProblem::blocks;
  findings.block_percent = static_cast<int>(least);
}

BlockSteps block_steps(Picture picture) {
  if (!is_doubtful(picture)) return {};
  const Steps steps = steps_of(picture, most_bands);
  const auto excess = [&steps](const std::array<std::int64_t, side>& sums) {  // all places have as many pixels
    const std::int64_t most = *std::max_element(sums.begin(), sums.end());
    const std::int64_t others = std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) - most;
    return 16 * side * (most - others / (side - 1)) / std::max<std::int64_t>(steps.pixels, 1);
  };
  return {static_cast<int>(std::min(peak(steps.along, steps.pixels).percent, peak(steps.across, steps.pixels).percent)),
          static_cast<int>(std::min(excess(steps.along), excess(steps.across)))};
}

void find_blocks_of_one(Picture left, Picture right, PairFindings& findings) {
  if (!is_doubtful(left) && !is_doubtful(right)) return;
  const Steps a = steps_of(left, most_bands), b = steps_of(right, most_bands);
  const std::int64_t of_left = peak_alone(a, b), of_right = peak_alone(b, a);
  if (of_left == 0 && of_right == 0) return;
  findings.problem = PairProblem::blocks;
  findings.blocks_in_one = true;
  findings.in_right = of_right > 0;
  findings.block_percent = static_cast<int>(std::max(of_left, of_right));
}

}  // namespace vergence::inspect

namespace vergence {

BlockSteps inspect_blocks(ImageView<const std::uint8_t> picture) { return inspect::block_steps(picture); }

}  // namespace vergence
