// SPDX-License-Identifier: Apache-2.0
// Frames that hold a part of the frame before, as recursive noise reduction leaves it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "inspect/for_avx2.hpp"
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

constexpr int patch_lines = patch_height / 2;  // of patches that many tell, every second row

/// now - part * before of a patch, beside before - part * earlier elsewhere, in 1/32 grey levels. All fits into 16
/// bits, of which SIMD takes most.
class WithoutPart {
 public:
  WithoutPart(const MixedFrames& frames, inspect::Point at, int part)
      : frames_(frames),
        own_(static_cast<std::int16_t>(frames.earlier.empty() ? whole - part : whole)),
        taken_(static_cast<std::int16_t>(frames.earlier.empty() ? 0 : part)) {
    for (int line = 0; line < patch_lines; ++line) {
      const std::uint8_t* const now = frames.now.row(at.y + 2 * line) + at.x;
      const std::uint8_t* const before = frames.before.row(at.y + 2 * line) + at.x;
      for (int x = 0; x < patch_width; ++x)
        left_[static_cast<std::size_t>(line * patch_width + x)] =
            static_cast<std::int16_t>(whole * now[x] - part * before[x]);
    }
  }
  int difference(inspect::Point there) const {
    std::array<std::uint16_t, patch_width> sums{};
    for (int line = 0; line < patch_lines; ++line) {
      const std::uint8_t* const moved = frames_.before.row(there.y + 2 * line) + there.x;
      const std::uint8_t* const earlier =
          frames_.earlier.empty() ? moved : frames_.earlier.row(there.y + 2 * line) + there.x;
      const std::int16_t* const left = left_.data() + line * patch_width;
      for (std::size_t x = 0; x < patch_width; ++x) {
        const auto value = static_cast<std::int16_t>(left[x] - own_ * moved[x] + taken_ * earlier[x]);
        const auto size = std::max(value, static_cast<std::int16_t>(-value));
        sums[x] = static_cast<std::uint16_t>(sums[x] + size);
      }
    }
    return std::accumulate(sums.begin(), sums.end(), 0);
  }

 private:
  const MixedFrames& frames_;
  std::int16_t own_, taken_;
  std::array<std::int16_t, patch_lines * patch_width> left_;
};

/// The least difference of a patch with nothing taken off, and with that part which leaves least, once what is left is
/// as bright as before.
struct LeastDifferences {
  std::int64_t plain = INT64_MAX, explained = INT64_MAX;
};
VERGENCE_FOR_AVX2 LeastDifferences least_differences(const MixedFrames& frames, inspect::Point at) {
  LeastDifferences least;
  int best_part = 0;
  inspect::Point best_place;
  const auto as_bright = [](int sum, int part) { return std::int64_t{sum} * whole / (whole - part); };
  for (const int part : tried_parts) {
    const WithoutPart without(frames, at, part);
    for (int y = at.y - mixed_reach; y <= at.y + mixed_reach; ++y)
      for (int x = at.x - mixed_reach; x <= at.x + mixed_reach; ++x) {
        const std::int64_t sum = as_bright(without.difference({x, y}), part);
        if (part == 0) {
          least.plain = std::min(least.plain, sum);
        } else if (sum < least.explained) {
          least.explained = sum;
          best_part = part;
          best_place = {x, y};
        }
      }
  }
  constexpr int beside = 4, least_part = 8, most_part = 28;
  for (int part = std::max(best_part - beside, least_part); part <= std::min(best_part + beside, most_part); ++part)
    least.explained = std::min(least.explained, as_bright(WithoutPart(frames, at, part).difference(best_place), part));
  return least;
}

/// Details that a patch has in both frames at the same place, beside all: what is mixed in leaves a third at least.
class CommonDetails {
 public:
  void add(const MixedFrames& frames, inspect::Point at) {
    for (int y = at.y; y < at.y + patch_height; y += 2) {
      const std::uint8_t *const now = frames.now.row(y), *const before = frames.before.row(y);
      int common = 0, here = 0, then = 0;
      for (int x = at.x; x < at.x + patch_width; ++x) {
        const int a = 2 * now[x] - now[x - 1] - now[x + 1], b = 2 * before[x] - before[x - 1] - before[x + 1];
        common += a * b;
        here += a * a;
        then += b * b;
      }
      common_ += common;
      here_ += here;
      then_ += then;
    }
  }
  bool are_few() const {
    constexpr double few = 0.12;
    return static_cast<double>(common_) <= few * std::sqrt(static_cast<double>(here_) * static_cast<double>(then_));
  }

 private:
  std::int64_t common_ = 0, here_ = 0, then_ = 0;
};

}  // namespace

int inspect_mixed_in(ImageView<const std::uint8_t> earlier, ImageView<const std::uint8_t> before,
                     ImageView<const std::uint8_t> now) {
  constexpr Size least_size{96, 64};
  constexpr int columns = 5, rows = 4, least_texture = 3 * 16, hardly_explained = 97;
  constexpr std::size_t few = 3, enough = 6;
  if (before.size() != now.size() || now.empty() || (!earlier.empty() && earlier.size() != now.size()))
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  const int width = now.width(), height = now.height(), border = mixed_reach;
  if (width < least_size.width || height < least_size.height) return 100;
  std::vector<inspect::Point> points = inspect::choose_points(
      now, {border, border, width - 2 * border, height - 2 * border}, columns, rows, {least_texture, 0});
  std::erase_if(points, [&](inspect::Point at) {  // what stands still
    return inspect::difference(now, at, before, at) < patch_width * patch_height;
  });
  CommonDetails details;
  for (const inspect::Point at : points) details.add({earlier, before, now}, at);
  if (points.size() < enough || details.are_few()) return 100;
  std::int64_t plain = 0, explained = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    constexpr std::size_t apart = 7;  // places of the whole frame first
    const inspect::Point at = points[points.size() % apart == 0 ? i : i * apart % points.size()];
    const LeastDifferences own = least_differences({earlier, before, now}, at);
    plain += own.plain;
    explained += own.explained;
    if (i + 1 == few && explained > plain) return 100;
    if (i + 1 == enough && 100 * explained > hardly_explained * plain) return 100;
  }
  // Of frames that fit each other where they stand, nothing is left to be explained.
  if (plain < std::ssize(points) * patch_width * patch_height / 2 * whole) return 100;
  return static_cast<int>(100 * explained / plain);
}

VERGENCE_FOR_AVX2 FadingPixels inspect_fading(ImageView<const std::uint8_t> first, ImageView<const std::uint8_t> second,
                                              ImageView<const std::uint8_t> third,
                                              ImageView<const std::uint8_t> fourth) {
  for (const auto& frame : {second, third, fourth})
    if (frame.size() != first.size())
      throw Error(ErrorCode::invalid_argument, "frames differ in size: give frames of one size");
  constexpr int least_step = 8, large = 12, enough_pixels = 16384, piece = 4096;  // px, whose counts fit into 16 bits
  const int row_step = std::max(least_step, first.width() * first.height() / enough_pixels);
  FadingPixels found;
  using Step = std::int16_t;  // of which SIMD takes more than of int
  const auto times = [](Step factor, Step value) { return static_cast<Step>(factor * value); };
  const auto slows = [&times](Step a, Step b, Step c) {
    const int all = int{a >= large} & int{times(5, a) > times(6, b)} & int{times(5, b) > times(6, c)} & int{c >= 1};
    return static_cast<Step>(all);
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
