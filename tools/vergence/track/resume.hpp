// SPDX-License-Identifier: Apache-2.0
// --resume: the tracks that an earlier run of `vergence track` wrote, to go on with.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/track_files.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// What a file of tracks ends with.
struct ResumedTracks {
  std::string path;
  std::int64_t first = 0;  ///< The file's first frame,
  std::int64_t frame = 0;  ///< and its last one.
  TrackerState state;
  TrackerState before;         ///< Of the frame before; empty where the file does not hold it.
  std::vector<TrackRow> rows;  ///< Of the last frame.
  TracksHead head;             ///< What else the file tells.
  /// Of tracks that were found once: those that lie farthest to each side. Empty where there are none.
  std::vector<TrackRow> outermost;
  std::optional<TrackRow> rounded;  ///< The first one whose position is no whole 1/1024 px.
  std::int64_t moved = 0;           ///< Rows of tracks that were found again.
  std::int64_t whole = 0;           ///< Those of `moved` that lie at whole pixels.
};

/// Reads the whole file. Throws Error naming the file, the row and what is wrong.
ResumedTracks read_resumed(const std::string& path);
/// Throws Error where the tracks are those of frames of another size.
void check_fits(const ResumedTracks& tracks, Size size);
/// Adds a line where another program rounded the positions, and one where the file was written under other settings,
/// and tells them. Whether there was any.
bool add_resume_warnings(const ResumedTracks& tracks, const Json& settings, std::vector<std::string>& warnings);
/// --frames of a run that goes on after the file's last frame, which it reads as well, and the one before where the
/// file and `video` have that: "4:10". UsageError for frames that do not follow.
std::string resumed_frames(const ResumedTracks& tracks, const std::string& video,
                           const std::optional<std::string>& frames);
/// Throws Error(bad_data): the video has no frame beyond those of the tracks.
[[noreturn]] void refuse_whole(const ResumedTracks& tracks, const std::string& video);
/// Throws Error(bad_data): the video ends before the tracks do.
[[noreturn]] void refuse_short(const ResumedTracks& tracks, const std::string& video);
/// "; ..." where the file's frames seem to be counted in another way than those of `video`: numbered pictures have the
/// numbers of their names, often from 1 on, and those of a video begin with 0. Else "".
std::string numbering_hint(const ResumedTracks& tracks, const std::string& video);
/// For an error behind frame `frame`: how to go on with what the closed output `output` holds; "" where it holds
/// nothing.
std::string resume_cure(const std::string& output, std::int64_t frame);
/// Gives the rows of each frame of the file, in its order.
void copy_tracks(const std::string& path, const std::function<void(std::int64_t, std::span<const Track>)>& take);

}  // namespace vergence::cli
