// SPDX-License-Identifier: Apache-2.0
// Processors whose memory is in several parts (NUMA nodes): which part a device is attached to, and threads on its
// cores.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace vergence {

/// Where Linux tells of its hardware, "/sys". Tests set another folder.
std::string& sysfs_root();

/// The node that a PCI device, "0000:17:00.0", is attached to; -1 where the system does not say.
int numa_node_of(const std::string& pci_address);

/// The cores of each node.
class NumaNodes {
 public:
  /// None.
  NumaNodes() = default;
  /// Those that have cores; none where there are not several of them, or the environment has VERGENCE_NUMA=off.
  static NumaNodes of_machine();

  /// Null for an unknown one.
  const cpu_set_t* cores(int node) const;
  /// Of the core that the calling thread runs on now; -1 where there are none.
  int current() const;

 private:
  struct Node {
    int number = 0;
    cpu_set_t cores{};
  };
  std::vector<Node> nodes_;
};

/// While it lives, the calling thread runs on those cores of a node that it may use, where there are any. A system that
/// forbids it changes nothing.
class OnNode {
 public:
  OnNode(const NumaNodes& nodes, int node);
  ~OnNode();
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;

 private:
  cpu_set_t before_{};
  bool bound_ = false;
};

}  // namespace vergence
