// SPDX-License-Identifier: Apache-2.0
// How many disparities are searched where nobody says it.
#include "stereo/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "vergence/disparity_range.hpp"

namespace vergence::cli {
namespace {

constexpr const char* field = "disparities";

}  // namespace

std::string StereoRange::adopt(StereoSettings& settings, const std::optional<Calibration>& calibration,
                               const std::string& file) {
  StereoOptions& options = settings.options;
  const bool given = settings.given.contains(field);
  origin_ = given ? "options" : "preset";
  if (!calibration || calibration->disparities == 0) return {};
  const std::int64_t first = options.min_disparity, end = calibration->disparities;
  if (!given && end > first) {
    stereo_set(options, field, std::to_string(end - first));
    origin_ = "calibration";
    return {};
  }
  const std::int64_t last = first + options.disparities - 1;
  if (given && last >= end - 1) return {};
  return fmt::format("the disparities {} .. {} do not reach those of {}, whose ndisp is {} (0 .. {}): {}", first, last,
                     file, end, end - 1, given ? "leave --disparities out, or give more" : "give --disparities");
}

std::string StereoRange::find(StereoSettings& settings, const Device& device, const GreyPicture& left,
                              const GreyPicture& right) {
  if (!settings.finds_disparities || (origin_ == "calibration" && !settings.finds_minimum)) return {};
  StereoOptions& options = settings.options;
  std::optional<DisparityRange> range =
      left.depth == Depth::u8 ? find_disparity_range(device, left.u8.view(), right.u8.view())
                              : find_disparity_range(device, left.u16.view(), right.u16.view(), options.max_value);
  if (range && !settings.finds_minimum) range->first = options.min_disparity;
  if (!range || range->count() < 1)
    return fmt::format(
        "the range of disparities cannot be told from the first frame: {} .. {} are searched: give --disparities, and "
        "check that the pictures are rectified, of one scene and not exchanged",
        options.min_disparity, std::int64_t{options.min_disparity} + options.disparities - 1);
  options.min_disparity = range->first;
  options.disparities = range->count();
  origin_ = "auto";
  return {};
}

void StereoRange::limit(StereoSettings& settings, Size size) {
  StereoOptions& options = settings.options;
  const std::int64_t most = size.width - std::max<std::int64_t>(options.min_disparity, 0);
  if (settings.given.contains(field) || most < 1 || options.disparities <= most) return;
  options.disparities = static_cast<int>(most);
  origin_ = "width";
}

}  // namespace vergence::cli
