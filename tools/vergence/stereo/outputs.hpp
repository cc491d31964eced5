// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` writes for a frame, and the maps that hold it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/beside.hpp"
#include "cli/files.hpp"
#include "stereo/coloured.hpp"
#include "stereo/metric_arguments.hpp"
#include "stereo/output_kinds.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

class Command;
class HeldFiles;
class RgbdFolder;

struct OutputArguments {
  std::map<Output, std::string> paths;
  MetricArguments metric;
  ColourArguments colours;
};

void add_output_options(Command command, OutputArguments& outputs);
/// The outputs that were asked for, in their order.
std::vector<OutputName> output_names(const OutputArguments& outputs);
/// Whether an output is made of depths.
bool wants_depth(const OutputArguments& outputs);
/// UsageError for endings that a map cannot have, and for outputs that the settings do not give.
void check_outputs(const OutputArguments& outputs, const StereoOptions& options);
/// UsageError where a format cannot hold the disparities.
void check_range_fits(const OutputArguments& outputs, const StereoOptions& options);

/// Values of StereoOutput::mask.
constexpr std::uint8_t measured_pixel = 1;
constexpr std::uint8_t filled_pixel = 2;

/// All maps of one frame, allocated once. Exactly one of narrow and wide is used for disparities.
struct StereoMaps {
  /// `fills`: filled pixels must be told from measured ones, so there is a mask whether it is an output or not.
  StereoMaps(Size size, bool wide_range, bool fills, const OutputArguments& outputs);

  bool wide;
  Image<std::int16_t> narrow, other_narrow;
  Image<std::int32_t> wide_map, other_wide;
  Image<std::uint8_t> mask, confidence;
  Image<std::uint32_t> cost;
  Image<float> pixels;  ///< In px; empty until it is needed.

  StereoOutput output();
};

/// Matches a frame into all maps that there are.
void compute_maps(StereoMatcher& matcher, const StereoFrame& frame, StereoMaps& maps);

/// What else the outputs of a frame are made of.
struct FrameContext {
  std::optional<std::int64_t> number;  ///< In names; a single pair has none.
  const StereoOptions& options;
  int invalid = 0;
  const std::optional<Calibration>& geometry;
  ColouredMaps& coloured;
  RgbdFolder* rgbd = nullptr;  ///< Where one is written.
  /// Colours of the reference picture, for cloud and RGB-D folder.
  ImageView<const Rgb> colours;
  /// This frame is one of those that are looked at for what is odd.
  bool looks = true;
};

/// Whether several frames may be written at a time: no file holds them all, and no warning comes of what is written.
bool can_overtake(const OutputArguments& outputs);
/// Writes all outputs of a frame, which get their names at its `turn`. Returns the warnings: one line each.
std::vector<std::string> write_outputs(const OutputArguments& outputs, StereoMaps& maps, const FrameContext& frame,
                                       HeldFiles& held, const Turn& turn);

}  // namespace vergence::cli
