// SPDX-License-Identifier: Apache-2.0
// What a map by itself is doubted for.
#include "stereo/map_doubts.hpp"

#include <fmt/format.h>

namespace vergence::cli {
namespace {

/// One line with the settings that may be the cause.
std::string measured_warning(const StereoSettings& settings, const MapShares& shares) {
  constexpr double few = 0.2;                   // good pairs have 0.47 and more with every preset
  constexpr std::int64_t enough_pixels = 1000;  // thumbnails lose most of theirs at the edges
  // Of a region that somebody chose, nothing at all is told of, too.
  const bool none = shares.measured == 0 && settings.options.roi.has_value();
  if (shares.measured >= few || (shares.pixels < enough_pixels && !none)) return {};
  std::string causes;
  for (const char* const field :
       {"min-disparity", "disparities", "window", "cost", "prefilter-cap", "uniqueness", "texture", "left-right",
        "reject-ties", "speckle-size", "speckle-range", "roi", "border", "outside", "max-value"})
    if (settings.given.contains(field))
      causes += fmt::format("{}--{} {}", causes.empty() ? "" : ", ", field, stereo_get(settings.options, field));
  return fmt::format(
      "only {:.2g} % of the pixels were measured{}: check {}that both pictures are sharp, rectified, of one scene and "
      "of the same colours; of a scene with large areas without texture, such as bare walls, nothing is wrong",
      100 * shares.measured, shares.filled > 0 ? fmt::format(", {:.2f} % are filled", 100 * shares.filled) : "",
      causes.empty() ? "" : causes + ", and ");
}

/// Nearly all disparities are 0, which two views of one camera give.
std::string zero_warning(const StereoOptions& options, const MapShares& shares) {
  constexpr double nearly_all = 0.95, enough = 0.2;
  const bool searched = options.min_disparity <= 0 && options.min_disparity + options.disparities > 3;
  if (!searched || shares.pixels < 1000 || shares.measured < enough || shares.zero < nearly_all) return {};
  return fmt::format(
      "{:.1f} % of the disparities are 0 px: all that is seen is infinitely far, or both pictures are of one camera: "
      "check that left and right are of two cameras at one time",
      100 * shares.zero);
}

}  // namespace

std::string map_warning(const StereoSettings& settings, const MapShares& shares) {
  std::string line = measured_warning(settings, shares);
  return line.empty() ? zero_warning(settings.options, shares) : line;
}

}  // namespace vergence::cli
