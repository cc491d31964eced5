// SPDX-License-Identifier: Apache-2.0
// The run of `vergence track`: arguments in, files and a result out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/device_option.hpp"
#include "cli/energy_option.hpp"
#include "cli/files.hpp"
#include "cli/stream_option.hpp"
#include "cli/video_input.hpp"
#include "track/distribution.hpp"
#include "track/map.hpp"
#include "track/outputs.hpp"
#include "track/settings.hpp"

namespace vergence::cli {

/// The command line of `vergence track`.
struct TrackArguments {
  VideoArguments video;
  std::optional<std::string> points_file, mask, resume;
  std::optional<std::string> save_settings;
  std::optional<std::string> first;
  bool json = false;
  SettingsArguments settings;
  DeviceArguments device;
  std::optional<std::string> map;
  StreamArguments stream;
  EnergyArguments energy;
  TrackOutputArguments outputs;
};

/// Sums over the frames of a run.
struct TrackTotals {
  static constexpr std::size_t statuses = 7;
  std::int64_t started = 0;
  std::int64_t resumed = 0;  ///< Taken over from a file.
  std::int64_t alive = 0;    ///< After the last frame.
  std::int64_t sought = 0;   ///< Points looked for in a next frame.
  std::int64_t found = 0;    ///< And found there.
  std::int64_t ages = 0;     ///< Sum of the ages that tracks reached.
  std::int64_t oldest = 0;
  double residual = 0;                        ///< Sum of residuals of found points, grey levels.
  std::array<std::int64_t, statuses> lost{};  ///< By TrackStatus; [0] is 0.
  /// Of all points whose windows were compared, rejected ones too: grey levels, and px.
  Distribution residuals, ways_back;
  std::int64_t not_back = 0;  ///< Lost on the way back, or 64 px away or more.
};

/// What a run did, for its report.
struct TrackResult {
  std::string device;
  std::string device_description;
  TrackOptions options;
  Size size;
  int input_max = 255;                        ///< What the video says of its pixels; --max-value may say another.
  int levels = 0;                             ///< coarse ones in use
  std::int64_t frames = 0;                    ///< Without those of a resumed file.
  std::int64_t first_frame = 0;               ///< Its number.
  std::optional<std::int64_t> resumed_frame;  ///< The last one of that file.
  TrackTotals totals;
  std::vector<double> ms;                                     ///< Of every frame from the second on.
  std::optional<LiveReport> live;                             ///< Of live input.
  std::optional<PipelineReport> stream;                       ///< With --map.
  std::vector<std::pair<std::string, double>> measured_maps;  ///< With --map auto: frames/s.
  std::optional<EnergyResult> energy;
  std::uint64_t hash = 0;  ///< Over all tracks of all frames.
  std::vector<OutputName> outputs;
  std::vector<std::string> warnings;
};

/// That there was no point to follow, that nearly all were lost at once (not where it is `explained`: another format
/// kills tracks, too), or else what `cuts` tell; that points were found by chance, and that few have room.
std::vector<std::string> doubts_about_points(const TrackResult& result, bool explained, std::vector<std::string> cuts);

TrackResult run_track(const TrackArguments& arguments);

void print_track_report(const TrackResult& result);
void print_track_json(const TrackResult& result);

}  // namespace vergence::cli
