// SPDX-License-Identifier: Apache-2.0
// The outputs of `vergence track`: files of tracks and the overlay, frame by frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/canvas.hpp"
#include "cli/files.hpp"
#include "vergence/io.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

class Command;

/// As the command line gives them.
struct TrackOutputArguments {
  std::optional<std::string> tracks, overlay, overlay_zoom, overlay_tail, overlay_scale;
};
void add_track_output_options(Command command, TrackOutputArguments& outputs);
/// What there will be.
std::vector<OutputName> track_output_names(const TrackOutputArguments& outputs);
/// Positions of a track that the overlay shows; 0 where there is none. UsageError for a bad number.
int overlay_tail(const TrackOutputArguments& outputs);
/// Everything about them that no frame decides; throws UsageError.
void check_track_outputs(const TrackOutputArguments& outputs);

/// What a tracker knows after a frame, for a writer that is behind it.
struct TrackSnapshot {
  std::vector<Track> tracks;
  /// All positions of track i, oldest first, end at ends[i]. Empty where no history was wanted.
  std::vector<TrackPosition> positions;
  std::vector<std::size_t> ends;

  void take(const PointTracker& tracker, bool with_history);
  std::span<const TrackPosition> history(std::size_t i) const;
};

/// A file of tracks, which ends in .csv, .json or .npy. It is NAME.partial until commit().
class TrackFile {
 public:
  TrackFile() = default;
  TrackFile(const TrackFile&) = delete;
  TrackFile& operator=(const TrackFile&) = delete;
  virtual ~TrackFile() = default;
  virtual void write(std::int64_t frame, std::span<const Track> tracks) = 0;
  virtual void commit() = 0;
};

/// The frames of a run.
struct TrackFrames {
  Size size;
  double rate = 25;
  std::optional<std::int64_t> greatest_age;  ///< That a track can have, where it is known.
};

/// Opens everything at the first frame, and writes frame by frame.
class TrackOutputs {
 public:
  TrackOutputs(const TrackOutputArguments& arguments, const TrackOptions& options, const TrackFrames& frames);
  void write(std::int64_t frame, const TrackSnapshot& tracks, const GreyPicture& picture);
  /// Lines of a frame before the first one that is written.
  void copy(std::int64_t frame, std::span<const Track> tracks);
  void commit();

 private:
  Image<Rgb> draw(const TrackSnapshot& tracks, const GreyPicture& picture) const;
  TrackOutputArguments arguments_;
  double rate_;
  int zoom_ = 1;
  int tail_ = 0;
  FrameScale scale_;
  std::unique_ptr<TrackFile> file_;
  std::optional<VideoWriter> overlay_;
};

}  // namespace vergence::cli
