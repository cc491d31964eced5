// SPDX-License-Identifier: Apache-2.0
// Regular patterns all over a picture: waves of interference, meshes and fences, screens of print. Their steps come
// again after a period, and after two, in all parts of the picture; of scenes, that holds in some parts alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int most_lag = 64, least_period = 6, least_down = 4;  // px; packed pixels and words have fewer along rows
constexpr int bands = 4, lines_of_band = 12, lines = bands * lines_of_band;
constexpr int few = 4;  // one line in so many, of every second band, tells whether the others are worth it
constexpr std::size_t lags = most_lag + 1;

/// Lines all over a picture, one behind the other: their levels, or steps from one to the next.
struct Lines {
  int length = 0;
  std::vector<std::int16_t> values;
};

/// Rows, or columns.
Lines lines_of(ImageView<const std::uint8_t> picture, bool down) {
  const int across = down ? picture.width() : picture.height();
  Lines levels{.length = down ? picture.height() : picture.width(), .values = {}};
  levels.values.reserve(static_cast<std::size_t>(lines) * static_cast<std::size_t>(levels.length));
  for (int line = 0; line < lines; ++line) {
    const int at = (2 * line + 1) * across / (2 * lines);
    if (!down)
      levels.values.insert(levels.values.end(), picture.row(at), picture.row(at) + levels.length);
    else
      for (int i = 0; i < levels.length; ++i) levels.values.push_back(picture(at, i));
  }
  return levels;
}

/// Sums of two levels each.
VERGENCE_FOR_AVX2 Lines halves_of(const Lines& levels) {
  Lines sums{.length = levels.length / 2, .values = {}};
  sums.values.resize(static_cast<std::size_t>(lines) * static_cast<std::size_t>(sums.length));
  std::int16_t* to = sums.values.data();
  for (int line = 0; line < lines; ++line, to += sums.length) {
    const std::int16_t* const from = levels.values.data() + std::int64_t{line} * levels.length;
    for (int i = 0; i < sums.length; ++i) to[i] = static_cast<std::int16_t>(from[2 * i] + from[2 * i + 1]);
  }
  return sums;
}

/// `scale`: of how many levels each is the sum.
VERGENCE_FOR_AVX2 Lines steps_of(const Lines& levels, int scale) {
  const auto most = static_cast<std::int16_t>(32 * scale);  // 32 grey levels
  Lines steps{.length = levels.length - 1, .values = {}};
  steps.values.resize(static_cast<std::size_t>(lines) * static_cast<std::size_t>(steps.length));
  std::int16_t* to = steps.values.data();
  for (int line = 0; line < lines; ++line, to += steps.length) {
    const std::int16_t* const from = levels.values.data() + std::int64_t{line} * levels.length;
    for (int i = 0; i < steps.length; ++i) {
      const auto step = static_cast<std::int16_t>(from[i + 1] - from[i]);
      to[i] = std::clamp<std::int16_t>(step, static_cast<std::int16_t>(-most), most);
    }
  }
  return steps;
}

/// How alike the steps of a part are to those so many px further on, in percent.
using Likeness = std::array<int, lags>;

/// Of every `apart`-th line. `scale` as above.
VERGENCE_FOR_AVX2 Likeness likeness_of(const Lines& steps, int scale, int band, int first, int count, int apart) {
  std::array<std::int64_t, lags> products{}, gains{};  // gains: of squares, from a lag to the next one
  for (int line = 0; line < lines_of_band; line += apart) {
    const std::int16_t* const at =
        steps.values.data() + std::int64_t{band * lines_of_band + line} * steps.length + first;
    for (int lag = 0; lag <= most_lag; ++lag) {
      std::int32_t sum = 0;
      for (int i = 0; i < count; ++i) sum += std::int32_t{at[i]} * at[i + lag];
      products[static_cast<std::size_t>(lag)] += sum;
      if (lag > 0)
        gains[static_cast<std::size_t>(lag)] += at[count + lag - 1] * at[count + lag - 1] - at[lag - 1] * at[lag - 1];
    }
  }
  Likeness like{};
  const double least = lines_of_band / apart * count * scale * scale;  // a grey level
  std::int64_t own = products[0];
  for (std::size_t lag = 0; lag < lags; ++lag) {
    own += gains[lag];
    const double of_both = std::sqrt(static_cast<double>(products[0]) * static_cast<double>(own));
    like[lag] = static_cast<int>(100 * static_cast<double>(products[lag]) / std::max(of_both, least));
  }
  return like;
}

std::vector<Likeness> parts_of(const Lines& steps, int scale, int apart) {
  constexpr int least_part = most_lag + 28, most_columns = 3;  // px
  const int columns = std::min(most_columns, steps.length / least_part);
  std::vector<Likeness> parts;
  for (int band = 0; band < bands && columns >= 2; band += apart > 1 ? 2 : 1)
    for (int column = 0; column < columns; ++column)
      parts.push_back(
          likeness_of(steps, scale, band, steps.length * column / columns, steps.length / columns - most_lag, apart));
  return parts;
}

/// Lags at which all parts together are more alike than beside them, behind a trough; none where shorter ones than
/// `least` are.
std::vector<int> periods_of(const std::vector<Likeness>& parts, int least) {
  std::array<int, lags> sums{};
  for (const Likeness& part : parts)
    for (std::size_t lag = 0; lag < lags; ++lag) sums[lag] += part[lag];
  const auto at = [&sums](int lag) { return sums[static_cast<std::size_t>(lag)]; };
  int lag = 1;
  while (lag < most_lag && at(lag + 1) <= at(lag)) ++lag;
  const int most = *std::max_element(sums.begin() + lag, sums.end());
  std::vector<int> periods;
  for (; 2 * lag <= most_lag; ++lag) {
    if (at(lag) < at(lag - 1) || at(lag) < at(lag + 1)) continue;
    if (lag >= least)
      periods.push_back(lag);
    else if (10 * at(lag) >= 9 * most)
      return {};
  }
  return periods;
}

/// What a quarter of the parts fall short of: how alike they are a period and two on, and less alike half of one on.
int share_of(const std::vector<Likeness>& parts, int period) {
  constexpr int alone = 99;  // nothing else is seen: texture that repeats
  std::vector<int> shares;
  for (const Likeness& part : parts) {
    const auto at = [&part](int lag) { return part[static_cast<std::size_t>(lag)]; };
    shares.push_back(at(period) >= alone ? 0
                                         : std::min({at(period), at(2 * period), at(period) - at((period + 1) / 2)}));
  }
  const auto quarter = shares.begin() + std::ssize(shares) / 4;
  std::nth_element(shares.begin(), quarter, shares.end());
  return *quarter;
}

/// Whether most of what steps come to lies at one place of each period, as of pixels that were enlarged to blocks. What
/// has two edges, as bars have, has at most a half there.
bool are_of_blocks(const Lines& steps, int period) {
  constexpr int most_percent = 60;
  std::vector<std::int64_t> sums(static_cast<std::size_t>(period));
  for (std::size_t i = 0; i < steps.values.size(); ++i)
    sums[i % static_cast<std::size_t>(steps.length) % sums.size()] += std::abs(int{steps.values[i]});
  const std::int64_t all = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  return 100 * *std::max_element(sums.begin(), sums.end()) >= most_percent * all;
}

}  // namespace

RegularPattern inspect_regular_pattern(ImageView<const std::uint8_t> picture) {
  constexpr int perhaps = 4;  // percent
  RegularPattern best;
  if (picture.width() < lines || picture.height() < lines) return best;
  for (const bool down : {false, true}) {
    const int least = down ? least_down : least_period;
    Lines levels = lines_of(picture, down);
    for (const int scale : {1, 2, 4}) {
      if (scale > 1) levels = halves_of(levels);
      const Lines steps = steps_of(levels, scale);
      const auto percent_of = [&](const std::vector<Likeness>& parts) {
        std::pair<int, int> found;  // percent, period
        for (const int period : periods_of(parts, least)) found = std::max(found, {share_of(parts, period), period});
        return found;
      };
      if (percent_of(parts_of(steps, scale, few)).first < perhaps) continue;
      const auto [percent, period] = percent_of(parts_of(steps, scale, 1));
      if (percent > best.percent && !are_of_blocks(steps, period))
        best = {.period = period * scale, .down = down, .percent = percent};
    }
  }
  return best;
}

}  // namespace vergence
