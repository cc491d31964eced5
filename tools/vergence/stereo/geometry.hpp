// SPDX-License-Identifier: Apache-2.0
// From disparity to metres: focal length and baseline, or a calibration file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Beyond it there is a warning.
inline constexpr double most_baseline_m = 10;

class Command;

struct GeometryArguments {
  std::optional<std::string> focal;
  std::optional<std::string> baseline;
  std::optional<std::string> offset;
  std::vector<std::string> calibration;
  bool given() const { return focal || baseline || offset || !calibration.empty(); }
};

void add_geometry_options(Command command, GeometryArguments& arguments);
/// UsageError where the options contradict each other or, with `needed`, are missing.
void check_geometry(const GeometryArguments& arguments, bool needed);
/// What the files of --calibration say, if there are any. Error where one cannot be read; UsageError where it is not
/// `needed` and tells no number of disparities either.
std::optional<Calibration> read_geometry(const GeometryArguments& arguments, bool needed);
/// The geometry of pictures of `size`, seen from `reference`. Error where the files are for another size.
Calibration resolve_geometry(const GeometryArguments& arguments, const std::optional<Calibration>& files, Size size,
                             StereoView reference);

/// One line for each number that no rectified rig has, or that contradicts another: mistakes of units or of files.
std::vector<std::string> geometry_warnings(const Calibration& calibration, Size size, StereoView reference);

}  // namespace vergence::cli
