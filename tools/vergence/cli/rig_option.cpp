// SPDX-License-Identifier: Apache-2.0
// Calibrations of raw cameras on the command line.
#include "cli/rig_option.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "cli/rig_doubts.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

double metres_of_unit(const std::string& unit) {
  if (unit == "m") return 1;
  if (unit == "cm") return 0.01;
  if (unit == "mm") return 0.001;
  throw UsageError(fmt::format("--unit is '{}': allowed are m, cm, mm", unit));
}

}  // namespace

void add_rig_options(Command command, RigArguments& arguments, const std::string& group) {
  Option unit = command.add(
      "--unit", arguments.unit,
      "Length that the calibration's translations count in; Middlebury's are mm always [m, cm, mm; default: m]");
  unit.type("UNIT").choices({"m", "cm", "mm"});
  Option cameras = command.add(
      "--cameras", arguments.cameras,
      "Left and right camera of calibrations with more than two [0:1 .. 98:99; default: kitti-raw 2:3, else 0:1]");
  cameras.type("L:R");
  Option fisheye =
      command.flag("--fisheye", arguments.fisheye,
                   "The lenses of OpenCV's files are fisheyes (k1 k2 k3 k4), although the file does not say so");
  if (group.empty()) return;
  for (Option* const option : {&unit, &cameras, &fisheye}) option->group(group);
}

std::string idle_unit_warning(const RigArguments& arguments, const RigFile& file) {
  if (file.format != RigFormat::middlebury || !arguments.unit || *arguments.unit == "mm") return "";
  return fmt::format(
      "--unit {} does nothing: Middlebury's files are in mm, and the baseline is {:.6g} m: leave it out, or correct "
      "the number of `baseline` in the file",
      *arguments.unit, file.rig.baseline_m());
}

RigReadOptions rig_read_options(const RigArguments& arguments) {
  RigReadOptions options;
  if (arguments.unit) options.metres_per_unit = metres_of_unit(*arguments.unit);
  options.fisheye = arguments.fisheye;
  if (!arguments.cameras) return options;
  constexpr long long most = 99;
  const auto [left, right] = parse_range("--cameras", *arguments.cameras, 0, most);
  if (left == right)
    throw UsageError(fmt::format("--cameras is '{}': give two cameras, left:right", *arguments.cameras));
  options.left_camera = static_cast<int>(left);
  options.right_camera = static_cast<int>(right);
  return options;
}

std::optional<RigFormat> opencv_format(std::string_view path) {
  const std::string end = ending(path);
  if (end == ".yml" || end == ".yaml") return RigFormat::opencv_yaml;
  if (end == ".xml") return RigFormat::opencv_xml;
  if (end == ".json") return RigFormat::opencv_json;
  return std::nullopt;
}

double parse_alpha(const std::string& text) { return text == "-1" ? -1 : parse_number("--alpha", text, 0, 1); }

StereoRig fitted_rig(StereoRig rig, Size size) {
  rig = with_size(rig, size);
  return rig.left.size == size && rig.right.size == size ? rig : scaled_rig(rig, size);
}

Calibration rectified_geometry(const RectifiedRig& rectified) {
  const Matrix3x4 &p1 = rectified.projections.p1, &p2 = rectified.projections.p2;
  Calibration geometry;
  geometry.size = rectified.projections.size;
  geometry.focal_px = p1[0];
  geometry.focal_y_px = p1[5];
  geometry.focal_right_px = p2[0];
  geometry.baseline_m = (p1[3] - p2[3]) / p2[0];
  geometry.center_x = p1[2];
  geometry.center_y = p1[6];
  geometry.center_right_x = p2[2];
  geometry.center_right_y = p2[6];
  geometry.offset_px = p2[2] - p1[2];
  if (geometry.baseline_m == 0)
    throw Error(ErrorCode::bad_data,
                "calibration: the rectified cameras do not stand side by side: rectify raw pictures (--rectify), which "
                "turns those of cameras above each other");
  if (!(geometry.baseline_m > 0))
    throw Error(
        ErrorCode::bad_data,
        fmt::format("calibration: the second camera lies {:.4g} m to the left of the first one: exchange LEFT and "
                    "RIGHT, and the cameras of the calibration (--cameras, or the order of its files), or turn the "
                    "pose round where it was taken the wrong way (that of the right camera in the left one's place)",
                    -geometry.baseline_m));
  return geometry;
}

Image<Rgb> rectified_colours(StereoRectifier& rectifier, ImageView<const Rgb> picture, StereoView view) {
  constexpr std::array<std::uint8_t Rgb::*, 3> channels{&Rgb::r, &Rgb::g, &Rgb::b};
  Image<std::uint8_t> in(picture.size()), out(rectifier.size());
  Image<Rgb> colours(rectifier.size());
  for (const auto channel : channels) {
    for (int y = 0; y < in.height(); ++y)
      for (int x = 0; x < in.width(); ++x) in(x, y) = picture(x, y).*channel;
    if (view == StereoView::left)
      rectifier.rectify_left(in, out);
    else
      rectifier.rectify_right(in, out);
    for (int y = 0; y < out.height(); ++y)
      for (int x = 0; x < out.width(); ++x) colours(x, y).*channel = out(x, y);
  }
  return colours;
}

}  // namespace vergence::cli
