// SPDX-License-Identifier: Apache-2.0
// --map: which device does which stage of `vergence track`.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/stream_option.hpp"
#include "vergence/io.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// Which device prepares frames (pyramid and gradients), and which one finds and follows points in them.
struct TrackMap {
  Device prepare, update;
  /// One device does both, and no frame is copied.
  bool is_one() const { return prepare.name() == update.name(); }
  std::string text() const;
};

/// The maps that a command line allows: one, or with `auto` all that are to be measured. UsageError for words that are
/// no stage and no device.
std::vector<TrackMap> track_maps(const std::optional<std::string>& map, const DeviceArguments& device);

/// A tracker whose stages lie on the devices of a map.
class TrackLine {
 public:
  /// Throws as PointTracker. With `fallback`, the devices stand in for each other.
  TrackLine(const TrackMap& map, Size size, const TrackOptions& options, bool fallback);

  PointTracker& tracker() { return *tracker_; }
  /// The first frame is the one that this was taken after.
  void resume(const TrackerState& state) { resumed_ = state; }
  /// Gives the tracker a frame.
  void update(const GreyPicture& frame);
  /// picture(slot) is the frame in a slot; updated(slot) is called when the tracker has taken it.
  std::vector<PipelineStage> stages(int slots, std::function<const GreyPicture&(int slot)> picture,
                                    std::function<void(int slot)> updated);
  /// One line for each device that was lost.
  std::vector<std::string> losses();

 private:
  Device relieved(const Device& device, const Device& fallback, const char* stage);
  template <class Frame>
  void give(const Frame& frame);

  TrackMap map_;
  std::mutex mutex_;
  std::vector<std::string> losses_;
  std::optional<PointFlow> flow_;  ///< Prepares; none where one device does both.
  std::optional<PointTracker> tracker_;
  std::vector<PreparedFrame> prepared_;
  std::optional<TrackerState> resumed_;  ///< Until the first frame.
};

/// The fastest of the maps on these frames, by frames per second; what was measured goes to `measured`. Maps whose
/// devices compute no tracks are left out.
TrackMap choose_track_map(const std::vector<TrackMap>& maps, const std::deque<GreyPicture>& frames,
                          const TrackOptions& options, std::vector<std::pair<std::string, double>>& measured);

}  // namespace vergence::cli
