// SPDX-License-Identifier: Apache-2.0
// Several devices for one stream: options, and what reports say.
#include "cli/stream_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/command.hpp"
#include "cli/program.hpp"

namespace vergence::cli {
namespace {

/// A GPU's copies and kernels overlap those of other frames.
constexpr int gpu_lanes = 4;
constexpr int most_cpu_lanes = 16;

double rate_of(const PipelineReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.frames) / report.seconds : 0;
}

/// Many frames on a thread each are faster than one frame on many threads.
StreamDevice open_shared(const std::string& name, DeviceArguments arguments) {
  if (name != "cpu") return {open_named(name, arguments), name == "reference" ? 1 : gpu_lanes};
  int threads = static_cast<int>(parse_integer("--threads", arguments.threads, 0, 1024));
  if (threads == 0) threads = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  const int lanes = std::min(threads, most_cpu_lanes);
  arguments.threads = std::to_string(threads / lanes);
  return {open_named(name, arguments), lanes};
}

}  // namespace

void add_stream_options(Command command, StreamArguments& arguments) {
  command
      .add("--on-device-loss", arguments.on_loss,
           "With several devices, where one fails in the middle: stop, or continue without it, which loses no "
           "frame [stop, continue; default: stop]")
      .type("WORD")
      .choices({"stop", "continue"})
      .group("Device");
}

OnDeviceLoss on_device_loss(const StreamArguments& arguments) {
  const std::string word = arguments.on_loss.value_or("stop");
  if (word != "stop" && word != "continue")
    throw UsageError(fmt::format("--on-device-loss is '{}': allowed are stop, continue", word));
  return word == "stop" ? OnDeviceLoss::stop : OnDeviceLoss::go_on;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Device open_named(const std::string& name, const DeviceArguments& arguments) {
  DeviceArguments one = arguments;
  one.name = name;
  if (name != "cpu") {
    one.threads = std::string("0");  // an assigned literal draws a false warning of GCC 12
    one.simd.clear();
  }
  if (name == "cpu" || name == "reference") one.no_kernel_cache = false;
  return open_device(one);
}

std::vector<StreamDevice> open_stream_devices(const DeviceArguments& arguments, const StreamArguments& stream) {
  const std::vector<std::string> names = parts_of(arguments.name);
  const OnDeviceLoss on_loss = on_device_loss(stream);
  std::vector<StreamDevice> devices;
  if (names.size() == 1) {
    if (on_loss == OnDeviceLoss::go_on)
      throw UsageError(
          "--on-device-loss is continue, but there is one device: name several, such as --device cpu,cuda:0");
    devices.push_back({open_device(arguments), 1});
    return devices;
  }
  check_device_options(arguments, names);
  for (const std::string& name : names) {
    if (name.empty())
      throw UsageError(fmt::format("--device is '{}': a name is missing between commas", arguments.name));
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError(fmt::format("--device is '{}': {} is named twice", arguments.name, name));
    devices.push_back(open_shared(name, arguments));
    for (std::size_t i = 0; i + 1 < devices.size(); ++i)
      if (devices[i].device.name() == devices.back().device.name())
        throw UsageError(fmt::format("--device is '{}': {} and {} are one device, {}", arguments.name, names[i], name,
                                     devices[i].device.name()));
  }
  return devices;
}

std::string names_of(const std::vector<StreamDevice>& devices) {
  std::string text;
  for (const StreamDevice& one : devices) text.append(text.empty() ? "" : ",").append(one.device.name());
  return text;
}
std::string descriptions_of(const std::vector<StreamDevice>& devices) {
  std::string text;
  for (const StreamDevice& one : devices) text.append(text.empty() ? "" : "; ").append(one.device.description());
  return text;
}
std::vector<std::string> boards_of(const std::vector<StreamDevice>& devices) {
  std::vector<std::string> boards;
  for (const StreamDevice& one : devices) boards.push_back(one.device.pci_address());
  return boards;
}

std::vector<std::string> loss_warnings(const PipelineReport& report) {
  std::vector<std::string> lines;
  for (const PipelineShare& share : report.shares)
    if (share.lost)
      lines.push_back(
          fmt::format("device {} was lost in stage {} after {} frames, and the stream went on without it: {}",
                      share.device, share.stage, share.frames, share.reason));
  return lines;
}

Json pipeline_json(const PipelineReport& report) {
  Json shares = Json::array();
  for (const PipelineShare& share : report.shares)
    shares.push_back(Json{{"stage", share.stage},
                          {"device", share.device},
                          {"frames", share.frames},
                          {"busy_ms", json_number(share.busy_ms, 3)},
                          {"lost", share.lost},
                          {"reason", share.reason},
                          {"held_back", share.held_back}});
  return Json{{"frames_per_s", json_number(rate_of(report), 3)},
              {"most_in_flight", report.most_in_flight},
              {"devices", std::move(shares)}};
}

void print_pipeline(const PipelineReport& report) {
  print("stream     {:.1f} frames per second, reading and writing included\n", rate_of(report));
  for (const PipelineShare& share : report.shares)
    print("  {:<8} {}: {} frames{}{}\n", share.stage, share.device, share.frames, share.lost ? ", then lost" : "",
          share.held_back.empty() ? "" : "; " + share.held_back);
}

}  // namespace vergence::cli
