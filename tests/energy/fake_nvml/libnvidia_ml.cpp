// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVML: boards whose energy is what a test sets, or what FAKE_NVML_WATTS (environment) makes of the
// clock. Every call but the first wants NVML started and a board that exists.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "energy/fake_nvml/machine.hpp"

namespace {

using vergence::fake_nvml::Board;
using vergence::fake_nvml::Machine;

constexpr int success = 0, uninitialised = 1, invalid_argument = 2;

Machine& machine() {
  static Machine one = [] {
    Machine made;
    if (const char* const watts = std::getenv("FAKE_NVML_WATTS"); watts != nullptr)
      made.boards[0].watts = std::atof(watts);
    return made;
  }();
  return one;
}

/// Handles are indices plus 1.
Board* board_of(const void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return machine().started > 0 && number >= 1 && number <= machine().boards.size() ? &machine().boards[number - 1]
                                                                                   : nullptr;
}

struct PciInfo {
  char old_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

}  // namespace

extern "C" {

__attribute__((visibility("default"))) Machine* fake_nvml() { return &machine(); }

int nvmlInit_v2() {
  if (machine().init_result == success) ++machine().started;
  return machine().init_result;
}
int nvmlShutdown() {
  if (machine().started == 0) return uninitialised;
  --machine().started;
  return success;
}
const char* nvmlErrorString(int code) {
  switch (code) {
    case vergence::fake_nvml::not_supported:
      return "Not Supported";
    case vergence::fake_nvml::no_permission:
      return "Insufficient Permissions";
    case vergence::fake_nvml::driver_not_loaded:
      return "Driver Not Loaded";
    case vergence::fake_nvml::gpu_is_lost:
      return "GPU is lost";
    default:
      return "Unknown Error";
  }
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  if (machine().started == 0) return uninitialised;
  *count = static_cast<unsigned>(machine().boards.size());
  return machine().count_result;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** board) {
  if (index >= machine().boards.size()) return invalid_argument;
  *board = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);  // NOLINT: a handle
  return machine().board_result;
}
int nvmlDeviceGetName(void* handle, char* name, unsigned size) {
  const Board* const board = board_of(handle);
  if (board == nullptr) return invalid_argument;
  std::snprintf(name, size, "%s", board->name.c_str());
  return board->name_result;
}
int nvmlDeviceGetUUID(void* handle, char* uuid, unsigned size) {
  const Board* const board = board_of(handle);
  if (board == nullptr) return invalid_argument;
  std::snprintf(uuid, size, "%s", board->uuid.c_str());
  return board->uuid_result;
}
int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info) {
  const Board* const board = board_of(handle);
  if (board == nullptr) return invalid_argument;
  std::memset(info, 0xEE, sizeof(*info));
  info->domain = board->domain;
  info->bus = board->bus;
  info->device = board->device;
  return board->pci_result;
}
int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* millijoules) {
  const Board* const board = board_of(handle);
  if (board == nullptr) return invalid_argument;
  ++machine().energy_calls;
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(100);
  *millijoules = board->millijoules + static_cast<unsigned long long>(static_cast<double>(ticks) * 100 * board->watts);
  return board->energy_result;
}
}
