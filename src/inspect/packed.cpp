// SPDX-License-Identifier: Apache-2.0
// Rows of packed pixels that were read as grey rows of as many bytes. Each byte then lies beside one of its own pixel,
// or of the next one, as its column says. In grey pictures columns are alike; stripes change their brightness and
// contrast, but texture crosses them.
#include "inspect/packed.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace vergence::inspect {
namespace {

class Rows {
 public:
  Rows(std::span<const std::uint8_t> frame, Size size) : frame_(frame), size_(size) {}

  /// Whether every third byte begins a pixel of three colours, as far as that does not contradict: see are_of_three.
  bool may_be_of_three() const {
    const Changes found = changes();
    return 85 * found.of[2] > 100 * std::max(found.of[0], found.of[1]);
  }

  /// Three colours: steps within a pixel hardly change from pixel to pixel, those to the next pixel do. Of stripes of
  /// three columns, whatever they add or multiply by, no step is more than the two others together, and so the greatest
  /// change is at most twice the next one.
  bool are_of_three() const {
    if (size_.width % 3 != 0) return false;
    const auto [of, greatest, along, pixels, steps] = changes();
    const bool clear = of[2] >= 2 * pixels && 58 * of[2] > 100 * std::max(of[0], of[1]);
    // Single edges, as of drawn pictures, may all lie between pixels, but not everywhere.
    const bool everywhere =
        20 * steps >= 11 * pixels && 10 * greatest[2] >= 4 * pixels && greatest[2] >= greatest[0] + greatest[1];
    return clear && everywhere && rows_differ(along);
  }

  /// Colours and a byte that is not used, or opacity: all of them are 0, or 255.
  bool are_of_four() const {
    std::array<int, 4> lowest{255, 255, 255, 255}, highest{};
    for (int y = 0; y < size_.height; ++y)
      for (int x = 0; x < size_.width; ++x) {
        const int value = row(y)[x];
        lowest[index4(x)] = std::min(lowest[index4(x)], value);
        highest[index4(x)] = std::max(highest[index4(x)], value);
      }
    constexpr int contrast = 16;
    const auto is_used = [&](int i) { return highest[index4(i)] - lowest[index4(i)] >= contrast; };
    const auto is_unused = [&](int i) {
      return lowest[index4(i)] == highest[index4(i)] && (lowest[index4(i)] == 0 || lowest[index4(i)] == 255);
    };
    return is_used(1) && is_used(2) && ((is_used(0) && is_unused(3)) || (is_unused(0) && is_used(3)));
  }

  /// Luma in every second byte, and Cb and Cr in turn between: these are smoother, and near the middle.
  bool are_of_luma_and_chroma() const {
    if (size_.width % 4 != 0) return false;
    for (const int chroma : {0, 1}) {
      const Half luma = half(1 - chroma), colour = half(chroma);
      const auto is_near_middle = [&colour](std::int64_t sum) {
        return sum >= 88 * colour.samples && sum <= 168 * colour.samples;
      };
      const bool in_turn = colour.next >= colour.samples && 2 * colour.second < colour.next;
      const bool neutral = colour.lowest >= 120 && colour.highest <= 136;
      if (luma.next >= 2 * luma.samples && luma.second >= luma.next && 2 * colour.second < luma.second &&
          (neutral || (in_turn && is_near_middle(colour.first_sum) && is_near_middle(colour.other_sum))))
        return true;
    }
    return false;
  }

 private:
  /// From each pixel of three bytes to the next one.
  struct Changes {
    std::array<std::int64_t, 3> of{}, greatest{};  ///< Of each step: their sum, and how often it is the greatest.
    std::int64_t along = 0, pixels = 0;            ///< Sum of differences of all bytes to those of the next pixel.
    std::int64_t steps = 0;                        ///< Pixels whose last byte is not the next one's first.
  };
  /// Every second byte of the rows.
  struct Half {
    std::int64_t samples = 0, next = 0, second = 0;  ///< Sums of differences to the next one, and to the one behind it.
    std::int64_t first_sum = 0, other_sum = 0;       ///< Of those that take turns, twice.
    int lowest = 255, highest = 0;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i % 3); }
  static std::size_t index4(int i) { return static_cast<std::size_t>(i % 4); }
  const std::uint8_t* row(int y) const { return frame_.data() + std::int64_t{y} * size_.width; }

  /// Rows differ from the next ones about as much as pixels do along rows, and all alike: the rows of enlarged pictures
  /// do so in turn, those of bars not at all.
  bool rows_differ(std::int64_t along) const {
    std::array<std::int64_t, 3> down{};
    const int height = (size_.height - 1) / 3 * 3;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < size_.width; ++x) down[index(y)] += std::abs(row(y)[x] - row(y + 1)[x]);
    const auto [least, most] = std::minmax_element(down.begin(), down.end());
    return 2 * (down[0] + down[1] + down[2]) >= along && *most <= 2 * *least;
  }

  Changes changes() const {
    Changes found;
    for (int y = 0; y < size_.height; ++y) {
      const std::uint8_t* const at = row(y);
      for (int x = 0; x + 6 < size_.width; x += 3, ++found.pixels) {
        found.steps += at[x + 3] != at[x + 2] ? 1 : 0;
        std::array<int, 3> change{};
        for (int i = 0; i < 3; ++i) {
          const std::uint8_t* const one = at + x + i;
          change[index(i)] = std::abs((one[1] - one[0]) - (one[4] - one[3]));
          found.of[index(i)] += change[index(i)];
          found.along += std::abs(one[3] - one[0]);
        }
        for (int i = 0; i < 3; ++i)
          if (change[index(i)] > std::max(change[index(i + 1)], change[index(i + 2)])) ++found.greatest[index(i)];
      }
    }
    return found;
  }

  Half half(int first) const {
    Half sums;
    for (int y = 0; y < size_.height; ++y) {
      const std::uint8_t* const at = row(y);
      for (int x = first; x + 4 < size_.width; x += 2) {
        sums.next += std::abs(at[x + 2] - at[x]);
        sums.second += std::abs(at[x + 4] - at[x]);
        (x % 4 < 2 ? sums.first_sum : sums.other_sum) += 2 * at[x];
        sums.lowest = std::min<int>(sums.lowest, at[x]);
        sums.highest = std::max<int>(sums.highest, at[x]);
        ++sums.samples;
      }
    }
    return sums;
  }

  std::span<const std::uint8_t> frame_;
  Size size_;
};

}  // namespace

int packed_step(std::span<const std::uint8_t> frame, Size size) {
  const Rows rows(frame, size);
  if (rows.are_of_three()) return 3;
  if (size.width % 4 == 0 && rows.are_of_four()) return 4;
  return rows.are_of_luma_and_chroma() ? 2 : 0;
}

bool may_have_pixels_of(int bytes, std::span<const std::uint8_t> samples) {
  constexpr std::size_t most = 1 << 24;
  const Rows row(samples, {static_cast<int>(std::min(samples.size(), most)), 1});
  return bytes == 3 ? row.may_be_of_three() : row.are_of_four();
}

}  // namespace vergence::inspect
