// SPDX-License-Identifier: Apache-2.0
// Follows the points that the page asks for, along the left view from the scene's first frame on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/hash.hpp"
#include "track/outputs.hpp"
#include "view/answers.hpp"
#include "view/work.hpp"

namespace vergence::cli {

/// All tracks of a frame. Not changed any more once it is made.
struct ViewTrackList {
  std::string device, preset;
  TrackOptions asked;  ///< As the request says, with the frames' depth.
  std::int64_t frame = 0;
  TrackSnapshot now;
  std::uint64_t hash = 0;  ///< As `vergence track` prints it for the frames up to this one.
  double wait_ms = 0, track_ms = 0;
  int frames = 0;  ///< That track_ms is of.
};

/// Any number of threads may ask at once; each device works for one of them at a time.
class ViewTracks {
 public:
  explicit ViewTracks(ViewWork& work) : work_(work) {}
  /// Goes on from the frame that was asked for before where it lies behind that, else from the first one. Throws
  /// Superseded, and Error naming the field that is refused.
  std::shared_ptr<const ViewTrackList> follow(const ViewTrackRequest& request);

 private:
  /// A tracker and where it is.
  struct Run {
    Run(const Device& device, Size size, const TrackOptions& options, std::int64_t first)
        : tracker(device, size, options), next(first) {}
    PointTracker tracker;
    std::int64_t next;  ///< The frame that it takes next.
    TrackHash hash;
  };
  ViewWork& work_;
  KeptWorkers<Run, TrackOptions> runs_;
};

/// The settings that the page begins with.
Json track_start_json(const ViewFrame& frame);
/// POST /api/track.
HttpResponse track_response(const ViewTrackList& list, const ViewScene& scene);

}  // namespace vergence::cli
