// SPDX-License-Identifier: Apache-2.0
// Frames that are turned or mirrored beside the one before: then they are far more like it the other way round.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <tuple>

#include "core/reduce.hpp"
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

/// Without what fills no block: at both ends, as little as can be.
Image<std::uint8_t> flip_means(ImageView<const std::uint8_t> frame, int factor) {
  const int width = frame.width() / factor * factor, height = frame.height() / factor * factor;
  return reduced(frame.crop({(frame.width() - width) / 2, (frame.height() - height) / 2, width, height}), factor);
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
