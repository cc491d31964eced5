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
  std::int64_t frame = 0;  ///< The file's last.
  TrackerState state;
  TracksHead head;  ///< What else the file tells.
  /// Of tracks that were found once: those that lie farthest to each side. Empty where there are none.
  std::vector<TrackRow> outermost;
};

/// Reads the whole file. Throws Error naming the file, the row and what is wrong.
ResumedTracks read_resumed(const std::string& path);
/// Throws Error where the tracks are those of frames of another size.
void check_fits(const ResumedTracks& tracks, Size size);
/// One line where the file was written under other settings, and tells them; else "".
std::string other_settings_warning(const ResumedTracks& tracks, const Json& settings);
/// --frames of a run that goes on after the file's last frame, which it reads as well: "5:10". UsageError for frames
/// that do not follow.
std::string resumed_frames(const ResumedTracks& tracks, const std::optional<std::string>& frames);
/// Throws Error(bad_data): the video has no frame beyond those of the tracks.
[[noreturn]] void refuse_whole(const ResumedTracks& tracks, const std::string& video);
/// For an error behind frame `frame`: how to go on with what the closed output `output` holds; "" where it holds
/// nothing.
std::string resume_cure(const std::string& output, std::int64_t frame);
/// Gives the rows of each frame of the file, in its order.
void copy_tracks(const std::string& path, const std::function<void(std::int64_t, std::span<const Track>)>& take);

}  // namespace vergence::cli
