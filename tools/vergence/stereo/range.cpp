// SPDX-License-Identifier: Apache-2.0
// How many disparities are searched where nobody says it.
#include "stereo/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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

void StereoRange::limit(StereoSettings& settings, Size size) {
  StereoOptions& options = settings.options;
  const std::int64_t most = size.width - std::max<std::int64_t>(options.min_disparity, 0);
  if (settings.given.contains(field) || most < 1 || options.disparities <= most) return;
  options.disparities = static_cast<int>(most);
  origin_ = "width";
}

}  // namespace vergence::cli
