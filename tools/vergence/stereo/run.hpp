// SPDX-License-Identifier: Apache-2.0
// The run of `vergence stereo`: arguments in, files and a result out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/device_option.hpp"
#include "cli/energy_option.hpp"
#include "cli/live_option.hpp"
#include "cli/rig_watch.hpp"
#include "cli/stream_option.hpp"
#include "eval/scores.hpp"
#include "stereo/geometry.hpp"
#include "stereo/outputs.hpp"
#include "stereo/range.hpp"
#include "stereo/rectification.hpp"
#include "stereo/settings.hpp"

namespace vergence::cli {

/// The command line of `vergence stereo`.
struct StereoArguments {
  std::string left;
  std::optional<std::string> right;
  std::string layout = "pair";
  std::optional<std::string> frames, first;
  std::optional<std::string> repeat;
  std::optional<std::string> save_settings;
  bool json = false;
  bool strict = false;
  SettingsArguments settings;
  DeviceArguments device;
  StreamArguments stream;
  LiveArguments live;
  EnergyArguments energy;
  TruthArguments truth;
  OutputArguments outputs;
  GeometryArguments geometry;
  RectificationArguments rectification;
  std::optional<std::string> left_mask, right_mask;
};

/// What a run did, for its report.
struct StereoResult {
  std::string device;
  std::string device_description;
  StereoOptions options;
  Size size;
  std::optional<RectificationResult> rectified = std::nullopt;  ///< Where raw pictures were rectified.
  int input_max = 255;  ///< What the pictures say of their pixels; --max-value may say another.
  RigReport rows = {};  ///< Whether the pairs are rectified.
  std::optional<RigFindings> refined = std::nullopt;  ///< What the refined calibration was turned by.
  std::string disparities_from = {};                  ///< See StereoRange.
  std::vector<SearchedRange> ranges = {};  ///< Of --disparities follow: the first one, and those it was changed to.
  std::int64_t candidates = 0;             ///< Sum of all frames' numbers of disparities.
  std::int64_t frames = 0;
  std::int64_t first_frame = 0;  ///< Its number.
  bool stream = false;
  bool warmed_up = false;                   ///< The times follow a run that was not timed.
  std::vector<double> ms;                   ///< Of every timed match, without compiling.
  std::optional<DeviceTimes> device_times;  ///< Of a GPU: compiling in all, the rest of one frame where measured.
  bool measured = false;                    ///< A frame was timed by the device's own clock.
  std::optional<PipelineReport> shares;     ///< With several devices.
  std::optional<LiveReport> live;           ///< Of live input.
  std::optional<EnergyResult> energy;       ///< Of all timed matches; of a stream with reading and writing.
  bool read_ahead = false;                  ///< Pairs were read while others were matched.
  double baseline_m = 0;                    ///< Of a calibration's file; 0: there is none.
  std::uint64_t hash = 0;                   ///< Over the disparities of all frames.
  std::int64_t matched = 0;                 ///< Pixels that were to get a disparity, over all frames.
  std::int64_t with_disparity = 0;          ///< Those that have one,
  std::int64_t filled = 0;                  ///< and those of them that were not measured.
  std::optional<StereoScores> scores;
  std::vector<OutputName> outputs;
  std::vector<std::string> warnings;
};

StereoResult run_stereo(const StereoArguments& arguments);

void print_stereo_report(const StereoResult& result);
Json stereo_report_json(const StereoResult& result);

}  // namespace vergence::cli
