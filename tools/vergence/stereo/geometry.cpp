// SPDX-License-Identifier: Apache-2.0
// From disparity to metres.
#include "stereo/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/program.hpp"

namespace vergence::cli {
namespace {

constexpr double largest_length = 1e9;

// Rigs from endoscopes to pairs of masts lie between; metres taken for millimetres, or the reverse, do not.
constexpr double least_baseline_m = 0.001;
// Pixels of old video cameras were 1.09 times as wide as high; a larger factor is a wrong number.
constexpr double aspect_factor = 1.12;
// Rectification gives both cameras one focal length and one row of the principal point; files round them.
constexpr double focal_factor = 1.001;
constexpr double row_tolerance_px = 1;
constexpr double offset_tolerance_px = 0.5;
// Of the pictures' width and height: what crops and doffs leave at an edge is more, the (0, 0) of a blank form is less.
constexpr double edge_share = 0.2;
// Of them: how alike a principal point's shares are where it is the middle of a picture of another size.
constexpr double alike_share = 0.03;
constexpr double far_from_middle = 0.15;
constexpr double given_share = 0.05;  // below is the (0, 0) of a calibration that was left blank
// Of the pictures' width: a lens of 136 degrees, and one of 3 degrees.
constexpr double least_focal = 0.2;
constexpr double most_focal = 20;
// Of the pictures' width: principal points in the inner halves of both are nearer to each other.
constexpr double most_offset = 0.5;

bool differ(double a, double b, double factor) { return a > 0 && b > 0 && std::max(a, b) > factor * std::min(a, b); }

void judge_lengths(const Calibration& calibration, Size size, std::vector<std::string>& lines) {
  if (calibration.baseline_m < least_baseline_m || calibration.baseline_m > most_baseline_m)
    lines.push_back(
        fmt::format("the baseline is {:.6g} m, and those of stereo rigs are {} .. {} m: check its unit (--baseline and "
                    "YAML files: metres; calib.txt: millimetres)",
                    calibration.baseline_m, least_baseline_m, most_baseline_m));
  const double focal = calibration.focal_px;
  if (focal < least_focal * size.width || focal > most_focal * size.width)
    lines.push_back(
        fmt::format("the focal length is {:.6g} px, {:.2g} times the pictures' width, and cameras have {} .. {} times: "
                    "give it in px, which is mm * {} / the sensor's width in mm",
                    focal, focal / size.width, least_focal, most_focal, size.width));
  if (std::abs(calibration.offset_px) > most_offset * size.width)
    lines.push_back(fmt::format(
        "doffs is {:.6g} px, and the pictures are {} px wide: principal points that lie so far apart are not "
        "both within them: give the right one's x minus the left one's, in px of these pictures",
        calibration.offset_px, size.width));
  if (differ(focal, calibration.focal_y_px, aspect_factor))
    lines.push_back(
        fmt::format("the focal lengths in x and y are {:.6g} and {:.6g} px, which no camera has: check the calibration",
                    focal, calibration.focal_y_px));
  if (differ(focal, calibration.focal_right_px, focal_factor))
    lines.push_back(
        fmt::format("the focal lengths of left and right are {:.6g} and {:.6g} px: give the calibration of a rectified "
                    "pair",
                    focal, calibration.focal_right_px));
}

/// `left_x`: the principal point of the left camera.
void judge_centres(const Calibration& calibration, double left_x, Size size, std::vector<std::string>& lines) {
  const double y = calibration.center_y;
  const auto near_edge = [](double at, int length) {
    return at < edge_share * length || at > (1 - edge_share) * length;
  };
  const double share_x = (left_x + 0.5) / size.width, share_y = (y + 0.5) / size.height;
  if (share_x > given_share && std::abs(share_x - share_y) < alike_share && std::abs(share_x - 0.5) > far_from_middle &&
      std::abs(share_y - 0.5) > far_from_middle)
    lines.push_back(fmt::format(
        "the principal point ({:.6g}, {:.6g}) is the middle of pictures of {:.0f}x{:.0f}, and these have "
        "{}x{}: the calibration is of another size, and depths follow its focal length: scale both, or give "
        "the pictures' own",
        left_x, y, 2 * left_x + 1, 2 * y + 1, size.width, size.height));
  else if (left_x < 0 || left_x > size.width || y < 0 || y > size.height)
    lines.push_back(
        fmt::format("the principal point ({:.6g}, {:.6g}) lies outside the pictures of {}x{}: give the pictures' own "
                    "calibration, in px",
                    left_x, y, size.width, size.height));
  else if (near_edge(left_x, size.width) || near_edge(y, size.height))
    lines.push_back(
        fmt::format("the principal point ({:.6g}, {:.6g}) lies near the edge of the pictures of {}x{}, and all x and y "
                    "of the cloud are counted from it: cameras have it near the middle, ({:.6g}, {:.6g}), correct the "
                    "calibration",
                    left_x, y, size.width, size.height, (size.width - 1) / 2.0, (size.height - 1) / 2.0));
  if (const auto right = calibration.center_right_x) {
    const double apart = *right - left_x;
    if (std::abs(apart - calibration.offset_px) > offset_tolerance_px)
      lines.push_back(
          fmt::format("doffs is {:.6g} px, but the principal points of left and right are {:.6g} and {:.6g} px, which "
                      "makes {:.6g}: all depths follow doffs, so correct what is wrong",
                      calibration.offset_px, left_x, *right, apart));
  }
  if (const auto right = calibration.center_right_y; right && std::abs(*right - y) > row_tolerance_px)
    lines.push_back(
        fmt::format("the principal points of left and right lie in rows {:.6g} and {:.6g}: give the calibration of a "
                    "rectified pair",
                    y, *right));
}

Calibration from_options(const GeometryArguments& arguments, Size size) {
  Calibration calibration;
  calibration.focal_px = parse_positive("--focal", *arguments.focal, largest_length);
  calibration.baseline_m = parse_positive("--baseline", *arguments.baseline, largest_length);
  if (arguments.offset)
    calibration.offset_px = parse_number("--doffs", *arguments.offset, -largest_length, largest_length);
  calibration.size = size;
  calibration.center_x = (size.width - 1) / 2.0;
  calibration.center_y = (size.height - 1) / 2.0;
  return calibration;
}

}  // namespace

void add_geometry_options(Command command, GeometryArguments& arguments) {
  const char* const group = "Geometry (for --depth and --cloud)";
  command.add("--focal", arguments.focal, "Focal length of the rectified cameras [px, above 0]")
      .type("PX")
      .group(group);
  command.add("--baseline", arguments.baseline, "Distance between the cameras [m, above 0]").type("M").group(group);
  command
      .add("--doffs", arguments.offset,
           "Principal point of the right camera minus the left one's, x; depth = focal * baseline / (disparity + "
           "offset) [px; default: 0]")
      .type("PX")
      .group(group);
  command
      .add("--calibration", arguments.calibration,
           "Geometry from a file: Middlebury's calib.txt (and its ndisp), KITTI's calibration, OpenCV's YAML, XML or "
           "JSON; given twice: left and right YAML. Of raw cameras, also Kalibr's and EuRoC's: see --rectify")
      .type("FILE")
      .repeatable()
      .group(group);
}

void check_geometry(const GeometryArguments& arguments, bool needed) {
  const bool by_options = arguments.focal || arguments.baseline || arguments.offset;
  if (by_options && !arguments.calibration.empty())
    throw UsageError("--calibration and --focal, --baseline or --doffs are given: use one or the other");
  if (arguments.calibration.size() > 2)
    throw UsageError(fmt::format("--calibration is given {} times: allowed are one file, or left and right",
                                 arguments.calibration.size()));
  if (needed && !arguments.given())
    throw UsageError("--depth and --cloud need --focal PX and --baseline M, or --calibration FILE");
  const char* const first = arguments.focal ? "--focal" : arguments.baseline ? "--baseline" : "--doffs";
  if (by_options && !needed) throw UsageError(fmt::format("{} needs --depth FILE or --cloud FILE", first));
  if (by_options && !(arguments.focal && arguments.baseline))
    throw UsageError("depth needs both: --focal in px and --baseline in metres");
  if (by_options) from_options(arguments, {1, 1});
}

std::optional<Calibration> read_geometry(const GeometryArguments& arguments, bool needed) {
  const std::vector<std::string>& files = arguments.calibration;
  if (files.empty()) return std::nullopt;
  Calibration calibration = files.size() == 1 ? read_calibration(files[0]) : read_calibration(files[0], files[1]);
  if (!needed && calibration.disparities == 0)
    throw UsageError(
        fmt::format("--calibration needs --depth FILE or --cloud FILE: {} tells no number of disparities", files[0]));
  return calibration;
}

Calibration resolve_geometry(const GeometryArguments& arguments, const std::optional<Calibration>& files, Size size,
                             StereoView reference) {
  Calibration calibration = files ? *files : from_options(arguments, size);
  const Size own = calibration.size;
  if (own != Size{} && own != size)
    throw Error(ErrorCode::bad_data,
                fmt::format("calibration {} is for {}x{}, the pictures are {}x{}: give the "
                            "pictures' own calibration",
                            fmt::join(arguments.calibration, " and "), own.width, own.height, size.width, size.height));
  // Files tell the left camera's principal point; rays start at the reference picture's camera.
  if (reference == StereoView::right) calibration.center_x += calibration.offset_px;
  return calibration;
}

std::vector<std::string> geometry_warnings(const Calibration& calibration, Size size, StereoView reference) {
  std::vector<std::string> lines;
  judge_lengths(calibration, size, lines);
  // resolve_geometry has moved the principal point to the reference picture's.
  const double moved = reference == StereoView::right ? calibration.offset_px : 0;
  judge_centres(calibration, calibration.center_x - moved, size, lines);
  return lines;
}

}  // namespace vergence::cli
