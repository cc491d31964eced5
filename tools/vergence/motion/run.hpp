// SPDX-License-Identifier: Apache-2.0
// The run of `vergence motion`: arguments in, files and a result out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/device_option.hpp"
#include "cli/energy_option.hpp"
#include "cli/files.hpp"
#include "cli/stream_option.hpp"
#include "cli/video_input.hpp"
#include "motion/lane.hpp"
#include "motion/outputs.hpp"
#include "motion/settings.hpp"

namespace vergence::cli {

/// The command line of `vergence motion`.
struct MotionArguments {
  VideoArguments video;
  std::string reference = "1";
  std::string reference_source = "original";
  std::optional<std::string> check;
  std::optional<std::string> compare;
  std::optional<std::string> repeat;
  std::optional<std::string> save_settings;
  std::optional<std::string> first;
  bool independent = false;
  bool ssim = false;
  std::string all_sizes = "off";
  bool json = false;
  SettingsArguments settings;
  DeviceArguments device;
  StreamArguments stream;
  EnergyArguments energy;
  MotionOutputArguments outputs;
};

/// Sums over the fields of a run.
struct MotionTotals {
  std::uint64_t cost = 0;
  std::uint64_t residue = 0;
  double mse = 0, ssim = 0, entropy = 0;  ///< Sums of the fields' figures.
  std::int64_t cuts = 0;
  std::int64_t consistent = 0;
  void add(const FieldReport& report);
};

/// What --compare found.
struct MotionComparison {
  std::string search;
  MotionTotals totals;
  std::vector<double> ms;
};

/// What a run did, for its report.
struct MotionResult {
  std::string device;
  std::string device_description;
  MotionOptions options;
  Size size;
  int input_max = 255;  ///< What the video says of its pixels; --max-value may say another.
  int max_value = 255;
  std::int64_t blocks = 0;  ///< Of a field, of all sizes.
  int reference = 1;
  std::string reference_source;
  bool independent = false;
  bool all_sizes = false;
  bool ssim = false;
  std::int64_t frames = 0;
  std::int64_t first_frame = 0;  ///< Its number.
  std::vector<FieldReport> fields;
  MotionTotals totals;
  bool warmed_up = false;  ///< The times follow a run that was not timed.
  std::vector<double> ms;  ///< Of every timed search; empty where frames were in flight and no times were asked for.
  std::optional<DeviceTimes> device_times;
  std::optional<LiveReport> live;        ///< Of live input.
  std::optional<PipelineReport> stream;  ///< Where several frames were under way at a time.
  std::optional<EnergyResult> energy;
  std::optional<double> check;  ///< px
  std::vector<MotionComparison> comparisons;
  std::uint64_t hash = 0;  ///< Over the vectors and costs of all fields.
  std::vector<OutputName> outputs;
  std::vector<std::string> warnings;
};

MotionResult run_motion(const MotionArguments& arguments);

void print_motion_report(const MotionResult& result);
/// Where nothing else was told and nearly all fields are scene cuts: one line, else "".
std::string cuts_warning(const MotionResult& result);
void print_motion_json(const MotionResult& result);

}  // namespace vergence::cli
