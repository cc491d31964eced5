// SPDX-License-Identifier: Apache-2.0
// Frames that are turned or mirrored beside the one before: then they are far more like it the other way round.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

constexpr Size flip_cells{40, 30};  // about: enough of a scene, and few px of motion in each

/// How far the means are from those of the other frame, read from the other end of each axis or not.
std::int64_t flip_difference(const Image<std::uint8_t>& before, const Image<std::uint8_t>& now, bool rows,
                             bool columns) {
  std::int64_t sum = 0;
  for (int y = 0; y < now.height(); ++y) {
    const std::uint8_t *const a = before.row(y), *const b = now.row(rows ? now.height() - 1 - y : y);
    for (int x = 0; x < now.width(); ++x) sum += std::abs(a[x] - b[columns ? now.width() - 1 - x : x]);
  }
  return sum;
}

/// Of square blocks, of some rows of each: thousands of pixels, whose mean the others hardly change. Without what fills
/// no block: at both ends, as little as can be.
VERGENCE_FOR_AVX2 Image<std::uint8_t> flip_means(ImageView<const std::uint8_t> frame, int factor) {
  constexpr int many = 16, few = 4;  // rows of a block: of so many, every fourth one
  const int apart = factor >= many ? few : 1;
  Image<std::uint8_t> means(frame.width() / factor, frame.height() / factor);
  const int left = frame.width() % factor / 2, top = frame.height() % factor / 2, width = means.width() * factor;
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(width));
  for (int y = 0; y < means.height(); ++y) {
    std::ranges::fill(columns, 0);
    std::uint32_t rows = 0;
    for (int dy = apart / 2; dy < factor; dy += apart, ++rows) {
      const std::uint8_t* const row = frame.row(top + y * factor + dy) + left;
      for (int x = 0; x < width; ++x) columns[static_cast<std::size_t>(x)] += row[x];
    }
    const std::uint32_t pixels = rows * static_cast<std::uint32_t>(factor);
    for (int x = 0; x < means.width(); ++x) {
      const auto first = columns.begin() + std::ptrdiff_t{x} * factor;
      means(x, y) = static_cast<std::uint8_t>((std::accumulate(first, first + factor, pixels / 2)) / pixels);
    }
  }
  return means;
}

}  // namespace

FrameFlip inspect_flipped(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  constexpr int least_levels = 5, percent = 50;
  if (before.empty() || before.size() != now.size())
    throw Error(ErrorCode::invalid_argument, "frames differ in size, or are empty: give frames of one size");
  if (now.width() < flip_cells.width || now.height() < flip_cells.height) return FrameFlip::none;
  const int factor = std::clamp(std::min(now.width() / flip_cells.width, now.height() / flip_cells.height), 1, 256);
  const Image<std::uint8_t> a = flip_means(before, factor), b = flip_means(now, factor);
  const std::int64_t as_it_is = flip_difference(a, b, false, false);
  if (as_it_is < std::int64_t{least_levels} * a.width() * a.height()) return FrameFlip::none;
  std::int64_t least = as_it_is * percent / 100;
  FrameFlip found = FrameFlip::none;
  using enum FrameFlip;
  for (const auto& [flip, rows, columns] : std::array{
           std::tuple(upside_down, true, false), std::tuple(mirrored, false, true), std::tuple(turned, true, true)})
    if (const std::int64_t left = flip_difference(a, b, rows, columns); left < least) least = left, found = flip;
  return found;
}

}  // namespace vergence
