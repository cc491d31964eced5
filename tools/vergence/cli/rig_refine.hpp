// SPDX-License-Identifier: Apache-2.0
// --refine-calibration: the calibration of a run, with the rotation that its pictures tell undone.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json_value.hpp"
#include "cli/rig_watch.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {

/// `group`: the heading in the help; none, where it is empty.
void add_refine_option(Command command, std::vector<std::string>& files, const std::string& group);

/// The files that are written: none, one, or two (left, right). UsageError for others, and for endings that no
/// calibration has.
std::vector<OutputName> refined_outputs(const std::vector<std::string>& files);

/// The format that they get: Kalibr's, ROS's and EuRoC's are kept, all others become OpenCV's by their ending.
/// UsageError where there are two, and it has one. refined_outputs() has taken `files`.
RigFormat refined_format(const std::vector<std::string>& files, RigFormat read);

/// Writes the rig, mended by what the points of the watch's looks tell together, and returns that. `rectified`: how the
/// pictures were rectified in which they were found. Under a WriteGuard. Error(bad_data) where they tell nothing.
RigFindings refine_calibration(const std::vector<std::string>& files, const RigFile& read,
                               const RectifiedRig& rectified, const RigWatch& watch, Size pictures);

/// A line about a yaw that moves all disparities, and so all depths, by px: wrong lenses look like it; else "".
std::string yaw_warning(const RigFindings& found, const RigCheckCamera& camera);

/// What was changed, for people and for programs.
std::string refined_text(const RigFindings& found);
Json refined_json(const RigFindings& found);

}  // namespace vergence::cli
