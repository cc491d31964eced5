// SPDX-License-Identifier: Apache-2.0
// --map: which device does which stage of `vergence track`.
#include "track/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/command.hpp"

namespace vergence::cli {
namespace {

/// "prepare=cpu,update=cuda:0".
TrackMap parse_map(const std::string& text, const DeviceArguments& arguments) {
  std::optional<std::string> prepare, update;
  for (const std::string& part : parts_of(text)) {
    const std::size_t equals = part.find('=');
    const std::string stage = part.substr(0, equals);
    if (equals == std::string::npos || (stage != "prepare" && stage != "update"))
      throw UsageError(
          fmt::format("--map is '{}': '{}' is no stage and its device: allowed are auto, or both of "
                      "prepare=DEVICE and update=DEVICE, such as prepare=cpu,update=cuda:0",
                      text, part));
    std::optional<std::string>& device = stage == "prepare" ? prepare : update;
    if (device) throw UsageError(fmt::format("--map is '{}': stage {} is named twice", text, stage));
    device = part.substr(equals + 1);
    if (device->empty()) throw UsageError(fmt::format("--map is '{}': stage {} has no device", text, stage));
  }
  if (!prepare || !update)
    throw UsageError(fmt::format("--map is '{}': stage {} has no device", text, prepare ? "update" : "prepare"));
  check_device_options(arguments, {*prepare, *update});
  Device first = open_named(*prepare, arguments);
  Device second = *prepare == *update ? first : open_named(*update, arguments);
  return {std::move(first), std::move(second)};
}

/// What `auto` tries: the devices that --device names; else the processor and every GPU, once each.
std::vector<Device> candidates(const DeviceArguments& arguments) {
  std::vector<Device> devices;
  if (!arguments.name.empty()) {
    check_device_options(arguments, parts_of(arguments.name));
    for (const std::string& name : parts_of(arguments.name)) devices.push_back(open_named(name, arguments));
    return devices;
  }
  devices.push_back(open_named("cpu", arguments));
  std::vector<std::string> boards;
  std::vector<DeviceInfo> infos = Device::list();
  // Of a GPU that both APIs show, CUDA's is taken.
  std::stable_sort(infos.begin(), infos.end(),
                   [](const DeviceInfo& a, const DeviceInfo& b) { return a.kind == "cuda" && b.kind != "cuda"; });
  for (const DeviceInfo& info : infos) {
    if (!info.available || !info.gpu) continue;
    const std::string& board = info.gpu->pci_address;
    if (board.empty() || std::count(boards.begin(), boards.end(), board) > 0) continue;  // no board: a processor
    boards.push_back(board);
    devices.push_back(open_named(info.name, arguments));
  }
  return devices;
}

}  // namespace

std::string TrackMap::text() const { return fmt::format("prepare={},update={}", prepare.name(), update.name()); }

std::vector<TrackMap> track_maps(const std::optional<std::string>& map, const DeviceArguments& device) {
  if (!map) {
    const Device one = open_device(device);
    return {{one, one}};
  }
  if (*map != "auto") {
    if (!device.name.empty())
      throw UsageError(fmt::format("--map is '{}' and --device is '{}': --map names the devices, leave --device out",
                                   *map, device.name));
    return {parse_map(*map, device)};
  }
  std::vector<TrackMap> maps;
  const std::vector<Device> devices = candidates(device);
  for (const Device& prepare : devices)
    for (const Device& update : devices) maps.push_back({prepare, update});
  return maps;
}

TrackLine::TrackLine(const TrackMap& map, Size size, const TrackOptions& options, bool fallback) : map_(map) {
  if (map.is_one()) {
    tracker_.emplace(map.update, size, options);
    return;
  }
  flow_.emplace(fallback ? relieved(map.prepare, map.update, "prepare") : map.prepare, size, options);
  tracker_.emplace(fallback ? relieved(map.update, map.prepare, "update") : map.update, size, options);
}

Device TrackLine::relieved(const Device& device, const Device& fallback, const char* stage) {
  return with_failover(
      device, fallback, [this, stage, name = device.name(), other = fallback.name()](const std::string& why) {
        const std::lock_guard lock(mutex_);
        losses_.push_back(
            fmt::format("device {} was lost in stage {}, which went on on {}: {}", name, stage, other, why));
      });
}

template <class Frame>
void TrackLine::give(const Frame& frame) {
  if (resumed_) {
    tracker_->resume(frame, *resumed_);
    resumed_.reset();
  } else {
    tracker_->next(frame);
  }
}

void TrackLine::update(const GreyPicture& frame) {
  if (frame.depth == Depth::u8)
    give(frame.u8);
  else
    give(frame.u16);
}

std::vector<std::string> TrackLine::losses() {
  const std::lock_guard lock(mutex_);
  return losses_;
}

std::vector<PipelineStage> TrackLine::stages(int slots, std::function<const GreyPicture&(int slot)> picture,
                                             std::function<void(int slot)> updated) {
  std::vector<PipelineStage> stages;
  if (flow_) {
    prepared_.resize(static_cast<std::size_t>(slots));
    stages.push_back({"prepare", {{map_.prepare.name(), [this, picture](int slot) {
                                     const GreyPicture& frame = picture(slot);
                                     if (frame.depth == Depth::u8)
                                       flow_->push(frame.u8);
                                     else
                                       flow_->push(frame.u16);
                                     PreparedFrame& prepared = prepared_[static_cast<std::size_t>(slot)];
                                     flow_->read(prepared);
                                     prepared.pin(map_.update);
                                   }}}});
  }
  stages.push_back(
      {"update", {{map_.update.name(), [this, picture = std::move(picture), updated = std::move(updated)](int slot) {
                     if (flow_)
                       give(prepared_[static_cast<std::size_t>(slot)]);
                     else
                       update(picture(slot));
                     updated(slot);
                   }}}});
  return stages;
}

TrackMap choose_track_map(const std::vector<TrackMap>& maps, const std::deque<GreyPicture>& frames,
                          const TrackOptions& options, std::vector<std::pair<std::string, double>>& measured) {
  constexpr int slots = 4;
  std::size_t best = maps.size();
  double best_rate = 0;
  std::optional<Error> refused;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    try {
      TrackLine line(maps[i], frames.front().size(), options, false);
      std::vector<std::size_t> numbers(slots);
      const auto stages = line.stages(
          slots,
          [&](int slot) -> const GreyPicture& {
            return frames[numbers[static_cast<std::size_t>(slot)] % frames.size()];
          },
          [](int) {});
      double rate = 0;
      for (const std::size_t count : {std::min<std::size_t>(frames.size(), 3), 2 * frames.size()}) {  // the first warms
        std::size_t next = 0;
        const PipelineReport report = run_pipeline(
            slots,
            [&](int slot) {
              if (next == count) return false;
              numbers[static_cast<std::size_t>(slot)] = next++;
              return true;
            },
            stages, [](int) {});
        rate = static_cast<double>(report.frames) / std::max(report.seconds, 1e-9);
      }
      measured.emplace_back(maps[i].text(), rate);
      if (rate <= best_rate) continue;
      best = i;
      best_rate = rate;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      refused = error;
    }
  }
  if (best == maps.size()) throw refused.value();
  return maps[best];
}

}  // namespace vergence::cli
