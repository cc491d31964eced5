// SPDX-License-Identifier: Apache-2.0
// Details that come again at one distance in all of the picture, by the autocorrelation of steps.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int first_lag = 4, last_lag = 48;                    // px
constexpr int lags = 2 * last_lag + 1;                         // texture comes again at twice the distance, too
constexpr int repeated_lines = 8, bands = 4;                   // in each of so many parts,
constexpr int glance_lines = 2;                                // and at first
constexpr int least_correlation = 36, least_at_a_glance = 22;  // percent

/// Percent, of each distance: in the whole picture, and the least of its parts.
struct Correlation {
  std::array<int, lags> all{}, least{};
};

/// at(line, place) of `lines` lines, of which so many of each part are looked at, at distances of 0 and some more.
template <class At>
Correlation correlation_of(int line_count, int length, const At& at, int lines_of_band, int first, int last) {
  std::array<std::array<std::int64_t, lags>, bands> sums{};
  std::vector<std::int16_t> steps(static_cast<std::size_t>(length - 1));
  const auto count = static_cast<int>(steps.size());
  for (int i = 0; i < bands * lines_of_band; ++i) {
    const int line = (2 * i + 1) * line_count / (2 * bands * lines_of_band);
    for (int x = 0; x < count; ++x)
      steps[static_cast<std::size_t>(x)] = static_cast<std::int16_t>(at(line, x + 1) - at(line, x));
    for (int lag = 0; lag <= last; lag = std::max(lag + 1, first)) {
      const std::int16_t *const here = steps.data(), *const there = here + lag;
      std::int32_t sum = 0;  // of 8192 steps at most 2^29
      for (int x = 0; x < std::min(count - lag, 8192); ++x) sum += here[x] * there[x];
      sums[static_cast<std::size_t>(i / lines_of_band)][static_cast<std::size_t>(lag)] += sum;
    }
  }
  Correlation found;
  for (std::size_t lag = 0; lag < found.all.size(); ++lag) {
    const auto percent = [](std::int64_t sum, std::int64_t of) {
      return static_cast<int>(100 * sum / std::max<std::int64_t>(of, 1));
    };
    std::int64_t sum = 0, of = 0;
    found.least[lag] = 100;
    for (const auto& band : sums) {
      sum += band[lag];
      of += band[0];
      found.least[lag] = std::min(found.least[lag], percent(band[lag], band[0]));
    }
    found.all[lag] = percent(sum, of);
  }
  return found;
}

/// The distance, or 0.
int repeats_at(const Correlation& found) {
  constexpr int least = least_correlation, least_of_part = 24, above = 15, near = 3, of_texture = 60;  // percent
  const auto& all = found.all;
  const auto best = std::max_element(all.begin() + first_lag, all.begin() + last_lag + 1);
  const auto beside = std::max(*(best - near), *(best + near));
  const auto lag = static_cast<std::size_t>(best - all.begin());
  const bool stands_out = *best >= least && *best >= beside + above && found.least[lag] >= least_of_part;
  return stands_out && 100 * all[2 * lag] <= of_texture * *best ? static_cast<int>(lag) : 0;
}

/// Most pictures have no such distance in a few lines.
template <class At>
Correlation correlation_of(int line_count, int length, const At& at) {
  const Correlation some = correlation_of(line_count, length, at, glance_lines, first_lag, last_lag);
  const int most = *std::max_element(some.all.begin() + first_lag, some.all.begin() + last_lag + 1);
  return most < least_at_a_glance ? some : correlation_of(line_count, length, at, repeated_lines, 1, lags - 1);
}

}  // namespace

VERGENCE_FOR_AVX2 RepeatedDetails inspect_repeated_details(ImageView<const std::uint8_t> picture) {
  constexpr Size least{128, 96};
  if (picture.width() < least.width || picture.height() < least.height) return {};
  const Correlation along =
      correlation_of(picture.height(), picture.width(), [picture](int y, int x) { return int{picture(x, y)}; });
  if (const int right = repeats_at(along); right > 0)
    return {.right = right, .percent = along.all[static_cast<std::size_t>(right)]};
  if (picture.height() <= lags) return {};
  const Correlation across =
      correlation_of(picture.width(), picture.height(), [picture](int x, int y) { return int{picture(x, y)}; });
  const int down = repeats_at(across);
  return {.down = down, .percent = down > 0 ? across.all[static_cast<std::size_t>(down)] : 0};
}

VERGENCE_FOR_AVX2 EchoFindings inspect_echo(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right) {
  constexpr Size least{128, 96};
  // Percent: above the other picture's, and above that beside. Good pairs have 4 at most.
  constexpr int told = 10, near = 3;
  if (left.size() != right.size() || left.width() < least.width || left.height() < least.height) return {};
  const auto correlation = [](ImageView<const std::uint8_t> picture, int lines, int first, int last) {
    return correlation_of(
        picture.height(), picture.width(), [picture](int y, int x) { return int{picture(x, y)}; }, lines, first, last);
  };
  Correlation a = correlation(left, glance_lines, first_lag, last_lag),
              b = correlation(right, glance_lines, first_lag, last_lag);
  int most = 0;
  for (std::size_t lag = first_lag; lag <= last_lag; ++lag) most = std::max(most, std::abs(b.all[lag] - a.all[lag]));
  if (most < told) return {};
  a = correlation(left, repeated_lines, 1, last_lag + near);
  b = correlation(right, repeated_lines, 1, last_lag + near);
  EchoFindings found;
  for (int lag = first_lag; lag <= last_lag; ++lag) {
    const auto at = static_cast<std::size_t>(lag);
    const auto more = [&](std::size_t i) { return b.all[i] - a.all[i]; };
    const int sign = more(at) > 0 ? 1 : -1, percent = sign * more(at);
    if (percent < told || percent <= found.percent) continue;
    if (2 * std::max(sign * more(at - near), sign * more(at + near)) > percent) continue;
    if ((sign > 0 ? b : a).least[at] < told / 2) continue;
    found = {.distance = lag, .in_right = sign > 0, .percent = percent};
  }
  return found;
}

}  // namespace vergence
