// SPDX-License-Identifier: Apache-2.0
// NUMA nodes, from the files of sysfs.
#include "core/numa.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/switch_words.hpp"

namespace vergence {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// "0-3,8" in numbers; those of what is no list are left out.
std::vector<int> numbers_in(const std::string& list) {
  constexpr int most = CPU_SETSIZE;
  std::vector<int> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    std::istringstream words(part);
    int first = -1, last = -1;
    char dash = 0;
    if (!(words >> first)) continue;
    if (!(words >> dash >> last) || dash != '-') last = first;
    for (int number = std::max(first, 0); number <= std::min(last, most - 1); ++number) numbers.push_back(number);
  }
  return numbers;
}

bool is_off() {
  const char* const value = std::getenv("VERGENCE_NUMA");
  return value != nullptr && means_off(value);
}

}  // namespace

std::string& sysfs_root() {
  static std::string root = "/sys";
  return root;
}

int numa_node_of(const std::string& pci_address) {
  std::string name;
  for (const char given : pci_address) {
    const auto letter = static_cast<unsigned char>(given);
    if (std::isxdigit(letter) == 0 && letter != ':' && letter != '.') return -1;
    name.push_back(static_cast<char>(std::tolower(letter)));
  }
  if (name.empty()) return -1;
  int node = -1;
  std::istringstream text(first_line(sysfs_root() + "/bus/pci/devices/" + name + "/numa_node"));
  return text >> node ? std::max(node, -1) : -1;
}

NumaNodes NumaNodes::of_machine() {
  NumaNodes nodes;
  if (is_off()) return nodes;
  const std::string folder = sysfs_root() + "/devices/system/node/";
  for (const int number : numbers_in(first_line(folder + "online"))) {
    Node node{number, {}};
    for (const int core : numbers_in(first_line(folder + "node" + std::to_string(number) + "/cpulist")))
      CPU_SET(static_cast<std::size_t>(core), &node.cores);
    if (CPU_COUNT(&node.cores) > 0) nodes.nodes_.push_back(node);
  }
  if (nodes.nodes_.size() < 2) nodes.nodes_.clear();
  return nodes;
}

const cpu_set_t* NumaNodes::cores(int node) const {
  for (const Node& one : nodes_)
    if (one.number == node) return &one.cores;
  return nullptr;
}

int NumaNodes::current() const {
  if (nodes_.empty()) return -1;
  const int core = sched_getcpu();
  for (const Node& one : nodes_)
    if (core >= 0 && CPU_ISSET(static_cast<std::size_t>(core), &one.cores)) return one.number;
  return -1;
}

OnNode::OnNode(const NumaNodes& nodes, int node) {
  const cpu_set_t* const cores = nodes.cores(node);
  if (cores == nullptr || sched_getaffinity(0, sizeof(before_), &before_) != 0) return;
  cpu_set_t wanted;
  CPU_AND(&wanted, &before_, cores);
  if (CPU_COUNT(&wanted) == 0 || CPU_EQUAL(&wanted, &before_)) return;
  bound_ = sched_setaffinity(0, sizeof(wanted), &wanted) == 0;
}

OnNode::~OnNode() {
  if (bound_) sched_setaffinity(0, sizeof(before_), &before_);
}

}  // namespace vergence
