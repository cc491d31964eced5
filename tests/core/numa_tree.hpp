// SPDX-License-Identifier: Apache-2.0
// A folder that looks like Linux' /sys of a machine with NUMA nodes.
#pragma once

#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/numa.hpp"

namespace vergence::test {

inline cpu_set_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  return set;
}

inline std::vector<int> numbers_of(const cpu_set_t& set) {
  std::vector<int> numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) numbers.push_back(core);
  return numbers;
}

/// Read instead of /sys while it lives.
class NumaTree {
 public:
  NumaTree() : before_(sysfs_root()) {
    std::string name = (std::filesystem::temp_directory_path() / "numa-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    sysfs_root() = name;
  }
  ~NumaTree() {
    std::filesystem::remove_all(sysfs_root());
    sysfs_root() = before_;
  }
  NumaTree(const NumaTree&) = delete;
  NumaTree& operator=(const NumaTree&) = delete;

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(sysfs_root()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  void node(int number, const std::string& cores) const {
    write("devices/system/node/node" + std::to_string(number) + "/cpulist", cores);
  }
  void nodes(const std::string& online) const { write("devices/system/node/online", online); }
  void device(const std::string& address, const std::string& node) const {
    write("bus/pci/devices/" + address + "/numa_node", node);
  }

 private:
  std::string before_;
};

}  // namespace vergence::test
