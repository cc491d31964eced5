// SPDX-License-Identifier: Apache-2.0
// What the stand-in for NVML answers; tests change it through fake_nvml(), which the library exports.
#pragma once

#include <string>
#include <vector>

namespace vergence::fake_nvml {

constexpr int not_supported = 3;
constexpr int no_permission = 4;
constexpr int driver_not_loaded = 9;
constexpr int gpu_is_lost = 15;

struct Board {
  std::string name = "Fake H200";
  std::string uuid = "GPU-fake-0";
  unsigned domain = 0, bus = 0x17, device = 0;
  unsigned long long millijoules = 1'000'000;
  double watts = 0;  ///< Added by the clock, in steps of 100 ms.
  int name_result = 0, pci_result = 0, uuid_result = 0, energy_result = 0;
};

struct Machine {
  int init_result = 0, count_result = 0, board_result = 0;
  int started = 0;  ///< Calls of nvmlInit without nvmlShutdown.
  int energy_calls = 0;
  std::vector<Board> boards{1};
};

}  // namespace vergence::fake_nvml
