// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` warns of.
#include "stereo/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

namespace vergence::cli {

std::string no_candidate_warning(Size size, const StereoOptions& options) {
  if (options.outside != StereoOutside::skip) return {};
  const bool inner = options.border == StereoBorder::invalid;
  const int rx = inner ? options.window.width / 2 : 0;
  const int ry = inner ? options.window.height / 2 : 0;
  const Rect roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
  // First and last columns of pixels that are matched, and of their partners.
  const int first = std::max(roi.x, rx);
  const int last = std::min(roi.x + roi.width, size.width - rx) - 1;
  const int margin = options.aggregate == StereoAggregate::sgm ? 0 : rx;  // paths know no margins
  const int end = size.width - margin - 1;
  if (first > last || std::max(roi.y, ry) >= std::min(roi.y + roi.height, size.height - ry))
    return "no pixel can get a disparity: roi lies within the border that border invalid leaves out";
  const bool left = options.reference == StereoView::left;
  const std::int64_t low = left ? first - end : margin - last;
  const std::int64_t high = left ? last - margin : end - first;
  const std::int64_t least = options.min_disparity;
  const std::int64_t most = least + options.disparities - 1;
  const std::string range =
      fmt::format("no pixel can get a disparity: min-disparity {} and disparities {} mean {} .. {}", least,
                  options.disparities, least, most);
  if (least > high || most < low) return fmt::format("{}, and candidates exist for {} .. {}", range, low, high);
  // Candidates of the pixel that has the most.
  std::int64_t candidates = 0;
  for (int x = first; x <= last; ++x) {
    const std::int64_t nearest = left ? x - end : margin - x;
    candidates = std::max(candidates, std::min(most, nearest + end - margin) - std::max(least, nearest) + 1);
  }
  if (!options.reject_ties || candidates > 2 || candidates == options.disparities) return {};
  return fmt::format(
      "{}, candidates exist for {} .. {}, and so each pixel has at most {}, too few for --reject-ties on: mend the "
      "range",
      range, low, high, candidates);
}

std::string penalties_warning(const StereoOptions& given, const StereoOptions& used) {
  if (given.aggregate != StereoAggregate::sgm || given.p1 == 0 || given.p2 != 0 || used.p2 > given.p1 + 1) return {};
  // Of the penalties that follow from the largest cost.
  const bool census = given.cost != StereoCost::sad && given.cost != StereoCost::ssd;
  const std::int64_t usual =
      given.cost == StereoCost::sad ? std::int64_t{25} * given.p1 / 6 : std::int64_t{4} * given.p1;
  return fmt::format(
      "p1 is {}, not below the p2 that {} costs have by default, and so p2 is {}: steps of all sizes cost the same: "
      "give "
      "--p2 as well, such as {}, or a smaller p1",
      given.p1, census ? "census" : stereo_get(given, "cost"), used.p2,
      std::min<std::int64_t>(usual, std::numeric_limits<std::int32_t>::max()));
}

StereoResult naming_size(const Size& size, const std::function<StereoResult()>& run) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory || size.width == 0) throw;
    if (!std::string_view(error.what()).starts_with("no memory for an image")) throw;
    throw Error(error.code(), fmt::format("no memory to match pictures of {}x{}: use smaller ones or free memory",
                                          size.width, size.height));
  }
}

std::string bands_warning(const std::string& device, const StereoMatcher& matcher) {
  if (matcher.band_rows() == 0) return {};
  return fmt::format(
      "device {} has too little memory for whole pictures of {}x{}: it matched them in bands of {} rows, and device "
      "cpu filtered "
      "and filled the maps",
      device, matcher.size().width, matcher.size().height, matcher.band_rows());
}

}  // namespace vergence::cli
