// SPDX-License-Identifier: Apache-2.0
// Whether the tracks of --resume are those of the video at hand.
#pragma once

#include <string>
#include <vector>

#include "track/resume.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

struct TrackArguments;
/// UsageError where other options say otherwise than --resume.
void check_beside_resume(const TrackArguments& arguments);

/// The last frame of the tracks, and the one before it, in the video at hand.
struct LastStep {
  const GreyPicture& before;
  const GreyPicture& last;
  const std::string& video;
  bool explained = false;  ///< The file's settings or rounded positions explain small differences.
};
/// Follows the tracks of the last frame but one into the last one, as the run that wrote them did, which gives the very
/// same positions. Adds a line where it does not: where most differ by more than 1 px, they are of another video; else
/// other settings or another coding may be the cause, unless that is explained already.
/// `tracker` has the run's settings and mask; it holds these frames afterwards, until it is told to resume().
void add_step_warning(const ResumedTracks& tracks, const LastStep& step, PointTracker& tracker,
                      std::vector<std::string>& warnings);

}  // namespace vergence::cli
