// SPDX-License-Identifier: Apache-2.0
// The range of disparities, by a coarse match of reduced pictures.
#include "vergence/disparity_range.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/reduce.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr int reduced_width = 320;
constexpr Size least_size{32, 16};
constexpr std::int64_t least_share = 20;  // one in so many pixels is measured, else nothing can be told
constexpr std::int64_t outliers = 750;    // one in so many disparities, within 3 px, is more than chance
constexpr std::int64_t negatives = 50;    // the same of negative ones, which rectified pictures hardly have

template <class T>
StereoOptions coarse_options(int width, int max_value) {
  StereoOptions options;
  options.cost = StereoCost::census_symmetric_9x7;
  options.aggregate = StereoAggregate::sgm;
  options.paths = 4;
  options.min_disparity = -(width / 8);
  options.disparities = width / 8 + width / 2;
  options.subpixel = false;
  options.left_right = 1;
  options.uniqueness_ratio = 5;
  options.speckle_size = 30;
  options.speckle_range = 16;
  options.depth = std::is_same_v<T, std::uint8_t> ? Depth::u8 : Depth::u16;
  options.max_value = max_value;
  return options;
}

/// How often each disparity of the reduced pictures was measured, from options.min_disparity on.
template <class T>
std::vector<std::int64_t> measured(const Device& device, ImageView<const T> left, ImageView<const T> right,
                                   const StereoOptions& options) {
  StereoMatcher matcher(device, left.size(), options);
  Image<std::int16_t> map(left.size());
  Image<std::uint8_t> mask(left.size());
  matcher.compute({left, right}, {.disparity = map, .mask = mask});
  std::vector<std::int64_t> counts(static_cast<std::size_t>(options.disparities));
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (mask(x, y) == static_cast<std::uint8_t>(StereoValidity::measured))
        ++counts[static_cast<std::size_t>(map(x, y) / 16 - options.min_disparity)];
  return counts;
}

/// The first candidate from `begin` on that is no outlier: it and its two next ones hold enough of all.
template <class Iterator>
int end_of(Iterator begin, Iterator end, std::int64_t all) {
  for (Iterator at = begin; at != end; ++at) {
    const std::int64_t here = std::accumulate(at, at + std::min<std::ptrdiff_t>(3, end - at), std::int64_t{0});
    if (*at > 0 && here * outliers >= all) return static_cast<int>(at - begin);
  }
  return static_cast<int>(end - begin);
}

template <class T>
std::optional<DisparityRange> find(const Device& device, ImageView<const T> left, ImageView<const T> right,
                                   int max_value) {
  if (left.size() != right.size())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size: give pictures of one size", "right");
  if (left.width() < least_size.width || left.height() < least_size.height) return std::nullopt;
  const int factor =
      std::max(1, std::min((left.width() + reduced_width - 1) / reduced_width, left.height() / least_size.height));
  const Image<T> small_left = reduced(left, factor), small_right = reduced(right, factor);
  const StereoOptions options = coarse_options<T>(small_left.width(), max_value);
  const std::vector<std::int64_t> counts = measured<T>(device, small_left, small_right, options);
  const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (all * least_share < std::int64_t{small_left.width()} * small_left.height()) return std::nullopt;
  const auto zero = counts.begin() - options.min_disparity;
  const bool negative = std::accumulate(counts.begin(), zero, std::int64_t{0}) * negatives >= all;
  const auto least = negative ? counts.begin() : zero;
  const int low = static_cast<int>(least - counts.begin()) + end_of(least, counts.end(), all);
  const int high = options.disparities - 1 - end_of(counts.rbegin(), counts.rend(), all);
  if (low == 0 || high == options.disparities - 1 || low > high) return std::nullopt;
  const int lowest = (low + options.min_disparity) * factor - factor / 2;
  const int highest = (high + options.min_disparity) * factor + factor / 2;
  const int margin = factor + (highest - lowest) / 16;
  const int first = negative ? lowest - margin : std::max(0, lowest - margin);
  return DisparityRange{first, std::min(highest + margin, first + left.width() - 1)};
}

}  // namespace

std::optional<DisparityRange> find_disparity_range(const Device& device, ImageView<const std::uint8_t> left,
                                                   ImageView<const std::uint8_t> right) {
  constexpr int most = 255;
  return find(device, left, right, most);
}

std::optional<DisparityRange> find_disparity_range(const Device& device, ImageView<const std::uint16_t> left,
                                                   ImageView<const std::uint16_t> right, int max_value) {
  return find(device, left, right, max_value);
}

}  // namespace vergence
