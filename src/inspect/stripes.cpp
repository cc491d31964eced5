// SPDX-License-Identifier: Apache-2.0
// Columns that are brighter or darker than their neighbours, in the mean of the upper and of the lower half.
#include "inspect/stripes.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace vergence::inspect {
namespace {

constexpr int rows_of_half = 24;  // that are looked at
constexpr int most_columns = 258;
// By how much columns differ from the mean of their neighbours, in the median, in 1/16 grey levels.
constexpr int least = 20;  // photographs have up to 30, both of a pair alike within 40 %
constexpr int factor = 2;  // beside the other picture
// The same of the upper halves, in percent. The scene's share of a half is larger than that of both: 158 make a factor
// of 2.
constexpr int doubtful_percent = 125;
constexpr std::int64_t alike = 50;   // correlation of both halves in percent; photographs have up to 23
constexpr int most_deviation = 320;  // edges of the scene count no more than that

/// Not inlined: GCC 12 makes no SIMD of it in a loop over rows.
[[gnu::noinline]] void add_row(std::uint16_t* sums, const std::uint8_t* row, std::size_t width) {
  for (std::size_t x = 0; x < width; ++x) sums[x] = static_cast<std::uint16_t>(sums[x] + row[x]);
}

/// Twice what each column differs from its neighbours, in 1/16 grey levels, in some rows of a part; of wide pictures,
/// that of columns in the middle.
std::vector<int> deviations(Picture whole, int top, int height) {
  const int wide = std::min(whole.width(), most_columns);
  const Picture picture = whole.crop({(whole.width() - wide) / 2, 0, wide, whole.height()});
  const auto width = static_cast<std::size_t>(wide);
  const int rows = std::min(height, rows_of_half);
  std::vector<std::uint16_t> columns(width, 0);
  const std::uint16_t* const sums = columns.data();
  for (int i = 0; i < rows; ++i) add_row(columns.data(), picture.row(top + height * i / rows), width);
  std::vector<int> result(width - 2);
  for (std::size_t x = 0; x + 2 < width; ++x)
    result[x] =
        std::clamp(16 * (2 * sums[x + 1] - sums[x] - sums[x + 2]) / rows, -2 * most_deviation, 2 * most_deviation);
  return result;
}

int strength_of(const std::vector<int>& twice_deviations) {
  std::vector<int> strengths;
  strengths.reserve(twice_deviations.size());
  for (const int twice : twice_deviations) strengths.push_back(std::abs(twice) / 2);
  return median(strengths);
}

struct Pattern {
  int strength = 0;              ///< In 1/16 grey levels.
  std::int64_t correlation = 0;  ///< Of the upper and the lower half, in percent.
};
Pattern pattern_of(std::vector<int> upper, const std::vector<int>& lower) {
  std::int64_t both = 0, own = 1;
  for (std::size_t x = 0; x < upper.size(); ++x) {
    both += std::int64_t{upper[x]} * lower[x];
    own += std::int64_t{upper[x]} * upper[x] + std::int64_t{lower[x]} * lower[x];
    upper[x] = (upper[x] + lower[x]) / 2;
  }
  return {strength_of(upper), 200 * both / own};
}

}  // namespace

void compare_columns(Picture left, Picture right, PairFindings& findings) {
  const int half = left.height() / 2;
  std::vector<int> left_upper = deviations(left, 0, half), right_upper = deviations(right, 0, half);
  const int x = strength_of(left_upper), y = strength_of(right_upper);
  if (100 * std::max(x, y) < doubtful_percent * std::min(x, y)) return;
  const Pattern a = pattern_of(std::move(left_upper), deviations(left, half, half));
  const Pattern b = pattern_of(std::move(right_upper), deviations(right, half, half));
  const Pattern& more = a.strength > b.strength ? a : b;
  if (more.strength < least || more.strength < factor * std::min(a.strength, b.strength) || more.correlation < alike)
    return;
  findings.problem = PairProblem::columns;
  findings.in_right = b.strength > a.strength;
  findings.column_deviation = more.strength;
}

}  // namespace vergence::inspect
