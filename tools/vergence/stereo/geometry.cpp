// SPDX-License-Identifier: Apache-2.0
// From disparity to metres.
#include "stereo/geometry.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/program.hpp"

namespace vergence::cli {
namespace {

constexpr double largest_length = 1e9;

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
           "Geometry from a file: Middlebury's calib.txt (and its ndisp), KITTI's calibration, OpenCV's YAML; given "
           "twice: "
           "left and right YAML")
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
                            arguments.calibration[0], own.width, own.height, size.width, size.height));
  // Files tell the left camera's principal point; rays start at the reference picture's camera.
  if (reference == StereoView::right) calibration.center_x += calibration.offset_px;
  return calibration;
}

}  // namespace vergence::cli
