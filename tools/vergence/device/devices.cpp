// SPDX-License-Identifier: Apache-2.0
// `vergence devices`: what there is to run on, and why something is missing.
#include "cli/program.hpp"
#include "vergence/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "vergence/energy.hpp"

namespace vergence::cli {
namespace {

/// Members as in GpuInfo; sizes in bytes.
Json gpu_json(const GpuInfo& gpu) {
  return Json{{"device", gpu.device},
              {"pci_address", gpu.pci_address},
              {"api", gpu.api},
              {"driver", gpu.driver},
              {"compute_units", gpu.compute_units},
              {"clock_mhz", gpu.clock_mhz},
              {"memory", gpu.memory},
              {"largest_buffer", gpu.largest_buffer},
              {"local_memory", gpu.local_memory},
              {"largest_group", gpu.largest_group}};
}

/// "RAPL package-0", "NVML NVIDIA H200 0000:17:00.0".
std::string counter_text(const EnergyCounter& counter) {
  return fmt::format("{} {}{}", counter.source, counter.name, counter.source == "NVML" ? " " + counter.place : "");
}

Json energy_counters_json() {
  const EnergyMeter meter;
  Json energy{{"counters", Json::array()}, {"missing", Json::array()}};
  for (const EnergyCounter& one : meter.counters())
    energy["counters"].push_back(
        Json{{"name", one.name}, {"source", one.source}, {"place", one.place}, {"id", one.id}, {"within", one.within}});
  for (const MissingEnergy& one : meter.missing())
    energy["missing"].push_back(Json{{"what", one.what}, {"reason", one.reason}});
  return energy;
}

void print_energy_counters() {
  const EnergyMeter meter;
  std::string counters;
  for (const EnergyCounter& one : meter.counters())
    counters.append(counters.empty() ? "" : ", ").append(counter_text(one));
  print("\nenergy counters: {}\n", counters.empty() ? "none" : counters);
  if (!meter.missing().empty()) print("not available: {}\n", missing_energy_text(meter.missing()));
}

void print_devices_json(const std::vector<DeviceInfo>& devices) {
  Json list = Json::array();
  for (const DeviceInfo& device : devices) {
    Json one{{"name", device.name},
             {"kind", device.kind},
             {"description", device.description},
             {"available", device.available},
             {"reason", device.reason}};
    if (device.gpu) one["gpu"] = gpu_json(*device.gpu);
    list.push_back(std::move(one));
  }
  Json report = json_report();
  report["devices"] = std::move(list);
  report["simd_targets"] = Device::simd_targets();
  report["energy"] = energy_counters_json();
  print_json(report);
}

void print_devices_table(const std::vector<DeviceInfo>& devices) {
  std::size_t name_width = 4;
  std::size_t kind_width = 4;
  for (const DeviceInfo& device : devices) {
    name_width = std::max(name_width, device.name.size());
    kind_width = std::max(kind_width, device.kind.size());
  }
  print("{:<{}}  {:<{}}  {:<9}  {}\n", "name", name_width, "kind", kind_width, "available", "description");
  for (const DeviceInfo& device : devices)
    print("{:<{}}  {:<{}}  {:<9}  {}{}\n", device.name, name_width, device.kind, kind_width,
          device.available ? "yes" : "no", device.description,
          device.reason.empty() ? "" : fmt::format(" ({})", device.reason));
}

}  // namespace

void add_devices(Program& program) {
  Command command = program.add("devices", "List the devices, with the reason where one is missing");
  const auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "Print one JSON object");
  command.run([json]() -> int {
    const std::vector<DeviceInfo> devices = Device::list();
    if (*json)
      print_devices_json(devices);
    else
      print_devices_table(devices);
    if (!*json) print_energy_counters();
    return success;
  });
}

}  // namespace vergence::cli
