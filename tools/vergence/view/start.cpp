// SPDX-License-Identifier: Apache-2.0
// Pictures, settings and device of `view` and `report`, as their command lines give them.
#include "view/start.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "stereo/range.hpp"
#include "stereo/settings.hpp"

namespace vergence::cli {

void add_view_inputs(Command command, StereoArguments& arguments) {
  command.add("LEFT", arguments.left,
              "Left picture, numbered sequence or video; with --layout, both in one; alone, a video to follow");
  command.add("RIGHT", arguments.right, "Right picture, sequence or video");
  command
      .add(
          "--layout", arguments.layout,
          "How the pictures come [pair, side-by-side, top-bottom (the left one at the left or the top); default: pair]")
      .type("WORD")
      .choices({"pair", "side-by-side", "top-bottom"});
  command.add("--frames", arguments.frames, "Frames A to B, both included [A:B, A:, :B, A; default: all]").type("A:B");
}

void add_view_settings(Command command, StereoArguments& arguments) {
  add_stereo_settings_options(command, arguments.settings);
  add_device_options(command, arguments.device);
  command.add("--truth", arguments.truth.file, "Score against this: a picture (0 = unknown), .pfm or .npy")
      .type("FILE")
      .group("Ground truth");
  add_truth_options(command, arguments.truth);
  add_geometry_options(command, arguments.geometry);
}

ViewStart view_start(const StereoArguments& told, ViewScene& scene, ViewDevices& devices, std::string_view command) {
  if (!scene.is_pair()) return {devices.given().device.name(), "default", {}, scene.warnings()};
  StereoSettings settings = resolve_stereo_settings(told.settings);
  if (settings.follows)
    throw UsageError(
        fmt::format("--disparities is 'follow': `{}` has one range for all frames: give auto, or a number", command),
        "disparities");
  const std::shared_ptr<const ViewFrame> frame = scene.begin();
  const StereoFrame& pair = frame->pair;
  adopt_stereo_depth(settings, pair.left.depth, pair.left.max_value, scene.name());
  const auto& files = told.geometry.calibration;
  StereoRange range;
  std::vector<std::string> warnings = scene.warnings();
  warnings.push_back(range.adopt(settings, scene.geometry(), files.empty() ? "" : files[0]));
  warnings.push_back(range.find(settings, pair.left, pair.right));
  std::erase(warnings, "");
  range.limit(settings, pair.left.size());
  ViewDevice& device = devices.given();
  const std::lock_guard lock(device.mutex);
  as_usage([&] { StereoMatcher(device.device, pair.left.size(), settings.options); });  // what it refuses is told now
  return {device.device.name(), told.settings.preset, settings.options, std::move(warnings)};
}

}  // namespace vergence::cli
