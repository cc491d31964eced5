// SPDX-License-Identifier: Apache-2.0
// Several devices for one stream: --device with several names, --on-device-loss, and what reports say of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/device_option.hpp"
#include "cli/json.hpp"
#include "vergence/pipeline.hpp"

namespace vergence::cli {

class Command;

struct StreamArguments {
  std::optional<std::string> on_loss;
};
void add_stream_options(Command command, StreamArguments& arguments);
/// UsageError for another word.
OnDeviceLoss on_device_loss(const StreamArguments& arguments);

/// A device of a stream, and how many frames it takes at a time.
struct StreamDevice {
  Device device;
  int lanes = 1;
};
/// The devices that --device names, opened: one, or several that share a stream. UsageError for a name that is there
/// twice, and for --on-device-loss without another device.
std::vector<StreamDevice> open_stream_devices(const DeviceArguments& arguments, const StreamArguments& stream);
/// "cpu,cuda:0", and what they are, one after the other.
std::string names_of(const std::vector<StreamDevice>& devices);
std::string descriptions_of(const std::vector<StreamDevice>& devices);
std::vector<std::string> boards_of(const std::vector<StreamDevice>& devices);

/// The same of a name that stands in another option.
Device open_named(const std::string& name, const DeviceArguments& arguments);
/// Parts of a text between commas.
std::vector<std::string> parts_of(const std::string& text);

/// A line for each device that was lost.
std::vector<std::string> loss_warnings(const PipelineReport& report);
Json pipeline_json(const PipelineReport& report);
void print_pipeline(const PipelineReport& report);

}  // namespace vergence::cli
