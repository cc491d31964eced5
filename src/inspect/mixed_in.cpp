// SPDX-License-Identifier: Apache-2.0
// Frames that hold a part of the frame before, as recursive noise reduction leaves it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

using inspect::patch_height;
using inspect::patch_width;

constexpr int mixed_reach = 6;                                // px
constexpr int whole = 32;                                     // in whose parts that which was mixed in is measured
constexpr std::array<int, 5> tried_parts{0, 12, 19, 24, 27};  // 0: nothing

/// Three frames in a row; without the first one, the second one holds nothing else.
struct MixedFrames {
  ImageView<const std::uint8_t> earlier, before, now;
};

/// now - part * before, beside before - part * earlier at `there`, of a patch, in 1/32 grey levels. All of it fits into
/// 16 bits, of which SIMD takes most.
int difference_without(const MixedFrames& frames, inspect::Point at, inspect::Point there, int part) {
  const bool is_first = frames.earlier.empty();
  const auto own = static_cast<std::int16_t>(is_first ? whole - part : whole),
             taken = static_cast<std::int16_t>(is_first ? 0 : part), mixed = static_cast<std::int16_t>(part);
  int sum = 0;
  for (int y = 0; y < patch_height; y += 2) {  // of patches that many tell, every second row
    const std::uint8_t *const now = frames.now.row(at.y + y) + at.x, *const before = frames.before.row(at.y + y) + at.x;
    const std::uint8_t* const moved = frames.before.row(there.y + y) + there.x;
    const std::uint8_t* const earlier = is_first ? moved : frames.earlier.row(there.y + y) + there.x;
    std::array<std::int16_t, patch_width> left;
    for (std::size_t x = 0; x < patch_width; ++x)
      left[x] = static_cast<std::int16_t>(whole * now[x] - mixed * before[x] - own * moved[x] + taken * earlier[x]);
    for (const std::int16_t value : left) sum += std::abs(value);
  }
  return sum;
}

/// The least difference of a patch with nothing taken off, and with that part which leaves least, once what is left is
/// as bright as before.
struct LeastDifferences {
  std::int64_t plain = INT64_MAX, explained = INT64_MAX;
};
LeastDifferences least_differences(const MixedFrames& frames, inspect::Point at) {
  LeastDifferences least;
  int best_part = 0;
  inspect::Point best_place;
  const auto as_bright = [](int sum, int part) { return std::int64_t{sum} * whole / (whole - part); };
  for (int y = at.y - mixed_reach; y <= at.y + mixed_reach; ++y)
    for (int x = at.x - mixed_reach; x <= at.x + mixed_reach; ++x)
      for (const int part : tried_parts) {
        const std::int64_t sum = as_bright(difference_without(frames, at, {x, y}, part), part);
        if (part == 0) {
          least.plain = std::min(least.plain, sum);
        } else if (sum < least.explained) {
          least.explained = sum;
          best_part = part;
          best_place = {x, y};
        }
      }
  constexpr int beside = 4, least_part = 8, most_part = 28;
  for (int part = std::max(best_part - beside, least_part); part <= std::min(best_part + beside, most_part); ++part)
    least.explained = std::min(least.explained, as_bright(difference_without(frames, at, best_place, part), part));
  return least;
}

}  // namespace

int inspect_mixed_in(ImageView<const std::uint8_t> earlier, ImageView<const std::uint8_t> before,
                     ImageView<const std::uint8_t> now) {
  constexpr Size least_size{96, 64};
  constexpr int columns = 5, rows = 4, least_texture = 3 * 16, enough = 6, hardly_explained = 97;
  if (before.size() != now.size() || now.empty() || (!earlier.empty() && earlier.size() != now.size()))
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  const int width = now.width(), height = now.height(), border = mixed_reach;
  if (width < least_size.width || height < least_size.height) return 100;
  std::int64_t plain = 0, explained = 0;
  int moving = 0;
  const std::vector<inspect::Point> points = inspect::choose_points(
      now, {border, border, width - 2 * border, height - 2 * border}, columns, rows, {least_texture, 0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    constexpr std::size_t apart = 7;  // places of the whole frame first
    const inspect::Point at = points[points.size() % apart == 0 ? i : i * apart % points.size()];
    if (inspect::difference(now, at, before, at) < patch_width * patch_height) continue;  // it stands still
    const LeastDifferences own = least_differences({earlier, before, now}, at);
    plain += own.plain;
    explained += own.explained;
    if (++moving == enough && 100 * explained > hardly_explained * plain) return 100;
  }
  // Of frames that fit each other where they stand, nothing is left to be explained.
  if (moving < enough || plain < std::int64_t{moving} * patch_width * patch_height / 2 * whole) return 100;
  return static_cast<int>(100 * explained / plain);
}

FadingPixels inspect_fading(ImageView<const std::uint8_t> first, ImageView<const std::uint8_t> second,
                            ImageView<const std::uint8_t> third, ImageView<const std::uint8_t> fourth) {
  for (const auto& frame : {second, third, fourth})
    if (frame.size() != first.size())
      throw Error(ErrorCode::invalid_argument, "frames differ in size: give frames of one size");
  constexpr int least_step = 8, large = 12, enough_pixels = 16384, piece = 4096;  // px, whose counts fit into 16 bits
  const int row_step = std::max(least_step, first.width() * first.height() / enough_pixels);
  FadingPixels found;
  using Step = std::int16_t;  // of which SIMD takes more than of int
  const auto times = [](Step factor, Step value) { return static_cast<Step>(factor * value); };
  const auto slows = [&times](Step a, Step b, Step c) {
    return static_cast<Step>((a >= large) & (times(5, a) > times(6, b)) & (times(5, b) > times(6, c)) & (c >= 1));
  };
  for (int y = 0; y < first.height(); y += row_step) {
    const std::uint8_t *const one = first.row(y), *const two = second.row(y), *const three = third.row(y),
                              *const four = fourth.row(y);
    for (int x = 0; x < first.width(); x += piece) {
      const int end = std::min(x + piece, first.width());
      Step brighter = 0, darker = 0, quickening = 0;
      for (int i = x; i < end; ++i) {
        const auto a = static_cast<Step>(two[i] - one[i]), b = static_cast<Step>(three[i] - two[i]),
                   c = static_cast<Step>(four[i] - three[i]);
        const auto minus = [](Step value) { return static_cast<Step>(-value); };
        brighter = static_cast<Step>(brighter + slows(a, b, c));
        darker = static_cast<Step>(darker + slows(minus(a), minus(b), minus(c)));
        quickening = static_cast<Step>(quickening + (slows(c, b, a) | slows(minus(c), minus(b), minus(a))));
      }
      found.brighter += brighter;
      found.darker += darker;
      found.quickening += quickening;
    }
    found.all += first.width();
  }
  return found;
}

}  // namespace vergence
