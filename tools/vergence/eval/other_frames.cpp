// SPDX-License-Identifier: Apache-2.0
// Maps are compared with the truths of other frames.
#include "eval/other_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

#include "eval/file_pairs.hpp"
#include "vergence/error.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

constexpr double least_doubtful = 5;            // percent of the pixels
constexpr double told_of_other = 0.6;           // of these with another truth, and
constexpr double fewer_of_other = 5;            // percent fewer
constexpr std::int64_t reach = 8;               // frames
constexpr std::int64_t most_frames = 100000;    // frames that are counted
constexpr int compared_side = 160;              // pixels that are compared along each side, at most
constexpr std::int64_t enough_compared = 1000;  // pixels

/// Percent that are more than 1 px off; 100 where few are known, or sizes differ.
double wrong_percent(ImageView<const float> map, ImageView<const float> truth) {
  if (map.size() != truth.size()) return 100;
  const int step_x = std::max(1, map.width() / compared_side), step_y = std::max(1, map.height() / compared_side);
  std::int64_t known = 0, wrong = 0;
  for (int y = step_y / 2; y < map.height(); y += step_y)
    for (int x = step_x / 2; x < map.width(); x += step_x) {
      const float away = std::abs(map(x, y) - truth(x, y));
      if (!std::isfinite(away)) continue;
      ++known;
      wrong += away > 1 ? 1 : 0;
    }
  return known < enough_compared ? 100 : 100.0 * static_cast<double>(wrong) / static_cast<double>(known);
}

/// The last number, in steps of one, that has a file.
std::int64_t end_from(const std::string& names, std::int64_t frame, std::int64_t step) {
  std::error_code problem;
  std::int64_t end = frame;
  while (std::abs(end - frame) < most_frames && end + step >= 0 &&
         std::filesystem::exists(file_of(names, end + step), problem))
    end += step;
  return end;
}

double wrong_of_file(const std::string& path, double scale, ImageView<const float> map) {
  try {
    FloatMapOptions options;
    options.scale = scale;
    const Image<float> truth = read_float_map(path, options);
    return wrong_percent(map, truth.view());
  } catch (const Error&) {
    return 100;  // told of when its frame is scored
  }
}

}  // namespace

std::string other_frame_warning(const std::string& names, std::int64_t frame, double scale, ImageView<const float> map,
                                ImageView<const float> truth, bool doubtful) {
  if (!is_numbered(names)) return {};
  const double own = wrong_percent(map, truth);
  if (own < least_doubtful || own == 100) return {};
  const std::int64_t first = end_from(names, frame, -1), last = end_from(names, frame, 1);
  std::set<std::int64_t> others{first, last};
  const std::int64_t away = doubtful ? reach : 1;
  for (std::int64_t other = std::max(first, frame - away); other <= std::min(last, frame + away); ++other)
    others.insert(other);
  others.erase(frame);
  double best = std::min(told_of_other * own, own - fewer_of_other);
  std::int64_t found = -1;
  for (const std::int64_t other : others)
    if (const double wrong = wrong_of_file(file_of(names, other), scale, map); wrong < best)
      best = wrong, found = other;
  if (found < 0) return {};
  return fmt::format(
      "truth {} seems to be another frame's: {:.1f} % of the map are more than 1 px off, and {:.1f} % with {}: check "
      "the order and the numbers of the truths{}",
      file_of(names, frame), own, best, file_of(names, found),
      found == first + last - frame ? ", which may be in reverse order" : "");
}

}  // namespace vergence::cli
