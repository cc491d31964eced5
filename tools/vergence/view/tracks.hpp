// SPDX-License-Identifier: Apache-2.0
// Follows the points that the page asks for, along the left view from the scene's first frame on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
  /// Points of the first frame that are still followed, percent; not where that had none.
  std::optional<double> survival;
  std::optional<double> residual;  ///< Mean of those that were followed into this frame, grey levels.
  std::optional<double> epe;       ///< Mean end-point error of all steps so far, px, where the flow is known.
  double wait_ms = 0, track_ms = 0;
  int frames = 0;  ///< That track_ms is of.
};

/// Any number of threads may ask at once; each device works for one of them at a time.
class ViewTracks {
 public:
  explicit ViewTracks(ViewWork& work) : work_(work) {}
  /// Goes on from the frame that the client asked for before where it lies behind that, else from the first one; of a
  /// live source from the first one that is there. Throws Superseded, and Error naming the field that is refused.
  std::shared_ptr<const ViewTrackList> follow(const ViewTrackRequest& request, const ViewChoice<TrackSettings>& what);

 private:
  /// A tracker and where it is.
  struct Run {
    Run(const Device& device, Size size, const TrackOptions& options, std::int64_t first)
        : tracker(device, size, options), next(first) {}
    void take(const ViewFrame& frame);

    PointTracker tracker;
    std::int64_t next;  ///< The frame that it takes next.
    TrackHash hash;
    std::optional<std::uint64_t> started;       ///< Ids below it are of the first frame.
    std::shared_ptr<const ViewFrame> before{};  ///< The frame that it took last, where its flow is known.
    TrackScorer scorer;
  };
  /// Each client has runs of its own: two that look at different frames do not begin each other's anew.
  struct Key {
    TrackOptions options;
    std::string client;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static constexpr std::size_t most_runs = 8;
  static void add_figures(const Run& run, ViewTrackList& list);

  ViewWork& work_;
  KeptWorkers<Run, Key> runs_{most_runs};
};

/// The settings that the page begins with.
Json track_start_json(const ViewFrame& frame);
/// How two lists differ: bytes of the seven numbers of tracks of the same id, 28 of those that only one has.
struct TrackDifference {
  std::int64_t bytes = 0, tracks = 0;
};
TrackDifference difference_of(const ViewTrackList& a, const ViewTrackList& b);

/// What a list says besides its arrays.
Json track_json(const ViewTrackList& list, const ViewScene& scene);
/// Its arrays, with `prefix`, where they are not empty: "tracks", "positions", "ends".
void add_tracks(Packet& packet, const std::string& prefix, const ViewTrackList& list);

}  // namespace vergence::cli
