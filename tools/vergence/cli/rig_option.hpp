// SPDX-License-Identifier: Apache-2.0
// Calibrations of raw cameras on the command line: how files are read, and what a rig becomes for pictures at hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/io.hpp"
#include "vergence/rectify.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {

class Command;

/// How the files of --calibration are read, beyond their names.
struct RigArguments {
  std::optional<std::string> unit, cameras;
  bool fisheye = false;
  bool given() const { return unit || cameras || fisheye; }
};

/// `group`: their heading in the help; the others' own, where it is empty.
void add_rig_options(Command command, RigArguments& arguments, const std::string& group = {});
/// UsageError for values that are not allowed.
RigReadOptions rig_read_options(const RigArguments& arguments);
/// A unit that the file does not heed: one line, else "".
std::string idle_unit_warning(const RigArguments& arguments, const RigFile& file);
/// OpenCV's format that a name's ending tells: .yml and .yaml, .xml or .json.
std::optional<RigFormat> opencv_format(std::string_view path);
/// --alpha: -1, or 0 .. 1. UsageError for others.
double parse_alpha(const std::string& text);

/// The rig with the pictures' size: taken over where the file tells none, scaled where it tells another of exactly one
/// ratio, else Error.
StereoRig fitted_rig(StereoRig rig, Size size);

/// The geometry of the rectified pictures, whose principal point is the left camera's. Error(bad_data) where
/// disparities would be negative: left and right are exchanged.
Calibration rectified_geometry(const RectifiedRig& rectified);

/// A coloured picture, rectified channel by channel: by the left camera's map or by the right one's.
Image<Rgb> rectified_colours(StereoRectifier& rectifier, ImageView<const Rgb> picture, StereoView view);

}  // namespace vergence::cli
