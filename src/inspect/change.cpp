// SPDX-License-Identifier: Apache-2.0
// How far a frame is from the one before.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

#include "inspect/for_avx2.hpp"
#include "inspect/sums.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

/// Sums over a row. Compilers make SIMD of each loop.
struct RowSums {
  std::int64_t change = 0, lift = 0;
};
template <class Pixel>
RowSums sums_of(const Pixel* before, const Pixel* now, int width, bool lifts) {
  constexpr int piece = 4096;  // whose sums fit into 32 bits
  RowSums sums;
  for (int first = 0; first < width; first += piece) {
    const int end = std::min(first + piece, width);
    int change = 0, lift = 0;
    for (int x = first; x < end; ++x) change += std::abs(before[x] - now[x]);
    for (int x = first; lifts && x < end; ++x) lift += now[x] - before[x];
    sums.change += change;
    sums.lift += lift;
  }
  return sums;
}

/// The same of bytes.
RowSums sums_of(const std::uint8_t* before, const std::uint8_t* now, int width, bool lifts) {
  constexpr int piece = 1 << 22;  // px
  RowSums sums;
  for (int first = 0; first < width; first += piece) {
    const int count = std::min(piece, width - first);
    const std::uint8_t *const a = before + first, *const b = now + first;
    int change = 0;
    for (int x = 0; x < count; ++x) change += std::abs(a[x] - b[x]);
    sums.change += change;
    if (lifts) sums.lift += inspect::sum_of(b, count) - inspect::sum_of(a, count);
  }
  return sums;
}

template <class Pixel>
VERGENCE_FOR_AVX2 ChangeFindings change_of(ImageView<const Pixel> before, ImageView<const Pixel> now, int max_value,
                                           bool lifts) {
  if (before.size() != now.size() || before.empty())
    throw Error(ErrorCode::invalid_argument, "the frames differ in size or are empty: give frames of one size");
  if (max_value < 1)
    throw Error(ErrorCode::invalid_argument, "max_value is " + std::to_string(max_value) + ": give at least 1");
  RowSums all;
  for (int y = 0; y < before.height(); ++y) {
    const RowSums row = sums_of(before.row(y), now.row(y), before.width(), lifts);
    all.change += row.change;
    all.lift += row.lift;
  }
  const std::int64_t scale = std::int64_t{before.width()} * before.height() * max_value;
  const auto mean = [scale](std::int64_t sum) { return static_cast<int>(sum * 255 * 256 / scale); };
  return {all.change == 0 ? 0 : std::max(mean(all.change), 1), mean(all.lift)};
}

/// sum(row, first column, count) of each part of each row.
template <class Sum>
std::vector<std::int64_t> each_part(Size size, std::span<const int> columns, const Sum& sum) {
  if (columns.empty() || columns.front() < 0 || columns.back() > size.width || !std::ranges::is_sorted(columns))
    throw Error(ErrorCode::invalid_argument,
                "parts of rows leave the picture or are out of order: give columns within it, from left to right");
  std::vector<std::int64_t> sums(static_cast<std::size_t>(size.height) * (columns.size() - 1));
  std::int64_t* to = sums.data();
  for (int y = 0; y < size.height; ++y)
    for (std::size_t i = 1; i < columns.size(); ++i) *to++ = sum(y, columns[i - 1], columns[i] - columns[i - 1]);
  return sums;
}

std::int64_t row_sum(const std::uint8_t* row, int count) {
  if (count != 16) return inspect::sum_of(row, count);
  // Of a block: pairs of bytes in words of 16 bits, which a product sums.
  constexpr std::uint64_t bytes = 0x00FF00FF00FF00FF, ones = 0x0001000100010001;
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), row, sizeof(words));
  std::uint64_t sums = 0;
  for (const std::uint64_t word : words) sums += (word & bytes) + (word >> 8 & bytes);
  return static_cast<std::int64_t>(sums * ones >> 48);
}
std::int64_t row_sum(const std::uint16_t* row, int count) { return std::accumulate(row, row + count, std::int64_t{0}); }

template <class Pixel>
VERGENCE_FOR_AVX2 std::vector<std::int64_t> sums_of_parts(ImageView<const Pixel> picture,
                                                          std::span<const int> columns) {
  return each_part(picture.size(), columns,
                   [&](int y, int x, int count) { return row_sum(picture.row(y) + x, count); });
}
template <class Pixel>
VERGENCE_FOR_AVX2 std::vector<std::int64_t> differences_of_parts(ImageView<const Pixel> before,
                                                                 ImageView<const Pixel> now,
                                                                 std::span<const int> columns) {
  if (before.size() != now.size())
    throw Error(ErrorCode::invalid_argument, "the frames differ in size: give frames of one size");
  return each_part(now.size(), columns, [&](int y, int x, int count) {
    return sums_of(before.row(y) + x, now.row(y) + x, count, false).change;
  });
}

}  // namespace

std::vector<std::int64_t> inspect_sums(ImageView<const std::uint8_t> picture, std::span<const int> columns) {
  return sums_of_parts(picture, columns);
}
std::vector<std::int64_t> inspect_sums(ImageView<const std::uint16_t> picture, std::span<const int> columns) {
  return sums_of_parts(picture, columns);
}
std::vector<std::int64_t> inspect_differences(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now,
                                              std::span<const int> columns) {
  return differences_of_parts(before, now, columns);
}
std::vector<std::int64_t> inspect_differences(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                                              std::span<const int> columns) {
  return differences_of_parts(before, now, columns);
}

ChangeFindings inspect_change(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now, int max_value,
                              bool lifts) {
  return change_of(before, now, max_value, lifts);
}
ChangeFindings inspect_change(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now, int max_value,
                              bool lifts) {
  return change_of(before, now, max_value, lifts);
}

}  // namespace vergence
