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
constexpr std::int64_t frames_between_ranges = 25;  // a second of video; a look takes as long as a frame of 320 px
constexpr int range_step = 16;                      // px: ranges that differ by less are alike
constexpr int farthest_narrow = 2047;               // px that 16 bits hold

/// From min_disparity on, unless that is looked for, too.
std::optional<DisparityRange> range_of(const StereoOptions& options, bool with_minimum, const Device& device,
                                       const GreyPicture& left, const GreyPicture& right) {
  std::optional<DisparityRange> range =
      left.depth == Depth::u8 ? find_disparity_range(device, left.u8.view(), right.u8.view())
                              : find_disparity_range(device, left.u16.view(), right.u16.view(), options.max_value);
  if (range && !with_minimum) range->first = options.min_disparity;
  if (range && range->count() < 1) range.reset();
  return range;
}

/// In whole steps, so that a matcher is not made anew for a px.
DisparityRange in_steps(DisparityRange range, bool with_minimum) {
  if (with_minimum) range.first -= ((range.first % range_step) + range_step) % range_step;
  const int count = (range.count() + range_step - 1) / range_step * range_step;
  range.last = range.first + count - 1;
  return range;
}

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

std::string StereoRange::find(StereoSettings& settings, const GreyPicture& left, const GreyPicture& right) {
  if (!settings.finds_disparities || (origin_ == "calibration" && !settings.finds_minimum)) return {};
  StereoOptions& options = settings.options;
  // All devices find the same range, and this one has no programs to compile for it.
  const std::optional<DisparityRange> range = range_of(options, settings.finds_minimum, Device("cpu"), left, right);
  if (!range) origin_ = "unknown";
  if (!range && !settings.asked_to_find) return {};
  if (!range)
    return fmt::format(
        "the range of disparities cannot be told from the first frame: {} .. {} are searched: give --disparities, and "
        "check that the pictures are rectified, of one scene and not exchanged",
        options.min_disparity, std::int64_t{options.min_disparity} + options.disparities - 1);
  options.min_disparity = range->first;
  options.disparities = range->count();
  origin_ = settings.follows ? "follow" : "auto";
  return {};
}

bool StereoRange::follow(const StereoSettings& settings, StereoOptions& options, const Device& device,
                         const StereoFrame& frame, bool narrow) {
  if (!settings.follows || origin_ == "calibration" || ++frames_ % frames_between_ranges != 0) return false;
  const std::optional<DisparityRange> seen = range_of(options, settings.finds_minimum, device, frame.left, frame.right);
  if (!seen) return false;
  DisparityRange range = in_steps(*seen, settings.finds_minimum);
  if (narrow) range = {std::max(range.first, -farthest_narrow), std::min(range.last, farthest_narrow)};
  range.last = std::min(range.last, range.first + frame.left.width() - 1);
  const int last = options.min_disparity + options.disparities - 1;
  const bool leaves = seen->first < options.min_disparity || std::min(seen->last, range.last) > last;
  const bool fills = 2 * range.count() > options.disparities;
  if (!leaves && fills) return false;
  const bool same = range.first == options.min_disparity && range.last == last;
  options.min_disparity = range.first;
  options.disparities = range.count();
  return !same;
}

void StereoRange::limit(StereoSettings& settings, Size size) {
  StereoOptions& options = settings.options;
  const std::int64_t most = size.width - std::max<std::int64_t>(options.min_disparity, 0);
  if (settings.given.contains(field) || most < 1 || options.disparities <= most) return;
  options.disparities = static_cast<int>(most);
  origin_ = "width";
}

}  // namespace vergence::cli
