// SPDX-License-Identifier: Apache-2.0
// Reading of points files.
#include "track/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "cli/masks.hpp"
#include "cli/text_file.hpp"
#include "cli/track_files.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

/// A line's two numbers; blanks, tabs and one comma may stand between them.
bool parse_point(std::string_view line, double& x, double& y) {
  const auto skip = [&line] {
    const std::size_t first = line.find_first_not_of(" \t\r");
    line.remove_prefix(std::min(first, line.size()));
  };
  for (double* number : {&x, &y}) {
    skip();
    if (number == &y && line.starts_with(',')) {
      line.remove_prefix(1);
      skip();
    }
    if (line.starts_with('+') && !line.starts_with("+-")) line.remove_prefix(1);  // from_chars takes no plus
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), *number);
    if (error != std::errc{}) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  skip();
  return line.empty();
}

/// Whether the file begins as `vergence track -o` begins its .csv. A pipe can be read once: it holds points.
bool holds_tracks(const std::string& path) {
  constexpr std::string_view head = "frame,id,x,y,status";
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return false;
  std::string begin(utf8_mark.size() + head.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  const std::string_view text = begin;
  return text.starts_with(head) || (text.starts_with(utf8_mark) && text.substr(utf8_mark.size()) == head);
}

/// The points of the last frame.
std::vector<TrackPosition> read_last_points(const std::string& path) {
  std::vector<TrackPosition> points;
  read_tracks(path, [&](std::int64_t frame, const std::vector<TrackRow>& rows) {
    points.clear();
    for (const TrackRow& row : rows) {
      if (row.status != TrackStatus::tracked) continue;
      try {
        points.push_back(to_position(row.x, row.y));
      } catch (const Error& error) {
        throw Error(ErrorCode::bad_data,
                    fmt::format("points file {}, frame {}, track {}: {}", path, frame, row.id, error.what()));
      }
    }
  });
  if (points.empty())
    throw Error(ErrorCode::bad_data, fmt::format("points file {} holds no point: its last frame has no track", path));
  return points;
}

}  // namespace

std::vector<TrackPosition> read_points(const std::string& path) {
  if (holds_tracks(path)) return read_last_points(path);
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
  TextFile file("points file", path, most_bytes);
  std::vector<TrackPosition> points;
  for (std::string line; file.next_line(line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    double x = 0, y = 0;
    if (points.empty() && line.rfind("\x93NUMPY", 0) == 0)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("points file {} is an .npy file, and no tracks: write text, x and y of a point to a line, as "
                      "numpy.savetxt does",
                      path));
    if (!parse_point(line, x, y))
      file.fail_line(fmt::format("'{}' is not two numbers{}, such as 12.5,40", line.substr(0, 60),
                                 line.find(';') == std::string::npos
                                     ? ""
                                     : " with a comma or a blank between them, and a point as the decimal sign"));
    try {
      points.push_back(to_position(x, y));
    } catch (const Error& error) {
      file.fail_line(error.what());
    }
  }
  if (points.empty()) file.fail("holds no point");
  return points;
}

std::string outside_warning(const std::string& path, const std::vector<TrackPosition>& points, Size size) {
  const auto is_outside = [&size](const TrackPosition& at) {
    return at.x < 0 || at.y < 0 || position_to_pixels(at.x) > size.width - 1 ||
           position_to_pixels(at.y) > size.height - 1;
  };
  const auto is_outside_exchanged = [&](const TrackPosition& at) { return is_outside({at.y, at.x}); };
  const auto is_share = [](const TrackPosition& at) {
    return at.x >= 0 && at.y >= 0 && position_to_pixels(at.x) <= 1 && position_to_pixels(at.y) <= 1;
  };
  if (points.size() > 1 && std::all_of(points.begin(), points.end(), is_share))
    return fmt::format(
        "all {} points of {} lie within 0 .. 1, in the frames' first pixel: they look like shares of width and height, "
        "and px are wanted, x 0 .. {} and y 0 .. {}",
        points.size(), path, size.width - 1, size.height - 1);
  const auto is_beside_middle = [](const TrackPosition& at) {
    return std::max(std::abs(position_to_pixels(at.x)), std::abs(position_to_pixels(at.y))) <= 1;
  };
  if (points.size() > 1 && std::all_of(points.begin(), points.end(), is_beside_middle))
    return fmt::format(
        "all {} points of {} lie within -1 .. 1: they look like shares of half the width and height from the middle "
        "on, and px are wanted, x 0 .. {} and y 0 .. {}: x = (share + 1) * {}",
        points.size(), path, size.width - 1, size.height - 1, size.width / 2);
  const auto first = std::find_if(points.begin(), points.end(), is_outside);
  if (first == points.end()) return "";
  const bool exchanged = std::none_of(points.begin(), points.end(), is_outside_exchanged);
  return fmt::format(
      "{} of the {} points of {} lie outside the frames, where x is 0 .. {} and y 0 .. {}, and are lost at once (the "
      "first: {}, {}){}",
      std::count_if(first, points.end(), is_outside), points.size(), path, size.width - 1, size.height - 1,
      position_to_pixels(first->x), position_to_pixels(first->y),
      exchanged ? ": with x and y exchanged, all lie inside: x stands first in a line, as the column" : "");
}

Image<std::uint8_t> read_points_mask(const std::string& path, Size size, std::vector<std::string>& warnings) {
  constexpr const char* meaning = "0 where no point is looked for, else another number, such as 255";
  Image<std::uint8_t> mask = read_mask(path, meaning);
  if (mask.size() != size)
    throw Error(ErrorCode::bad_data, fmt::format("mask {} is {}x{}, the frames are {}x{}: both must be of one size",
                                                 path, mask.width(), mask.height(), size.width, size.height));
  if (std::string line = mask_warning(path, mask.view(), meaning); !line.empty()) warnings.push_back(std::move(line));
  return mask;
}

}  // namespace vergence::cli
