// SPDX-License-Identifier: Apache-2.0
// NUMA nodes of made-up machines: where devices are, which cores a node has, threads that are bound to them.
#include "core/numa.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/numa_tree.hpp"
#include "vergence/device.hpp"

namespace vergence {
namespace {

std::vector<int> cores_of(const NumaNodes& nodes, int node) {
  const cpu_set_t* const cores = nodes.cores(node);
  return cores == nullptr ? std::vector<int>{} : test::numbers_of(*cores);
}

TEST(Numa, TellsTheNodeOfADevice) {
  const test::NumaTree tree;
  tree.device("0000:17:00.0", "1");
  tree.device("0000:c3:00.0", "0");
  tree.device("0000:01:00.0", "-1");
  tree.device("0000:02:00.0", "what");
  EXPECT_EQ(numa_node_of("0000:17:00.0"), 1);
  EXPECT_EQ(numa_node_of("0000:C3:00.0"), 0) << "drivers write letters in either case";
  for (const char* const unknown : {"0000:01:00.0", "0000:02:00.0", "0000:99:00.0", "", "../devices/0000:17:00.0"})
    EXPECT_EQ(numa_node_of(unknown), -1) << unknown;
  EXPECT_EQ(Device("cpu").numa_node(), -1);
}

TEST(Numa, ReadsTheCoresOfEachNode) {
  const test::NumaTree tree;
  EXPECT_EQ(NumaNodes::of_machine().cores(0), nullptr) << "there is no file";
  tree.nodes("0-1,3,5");
  tree.node(0, "0-2,8-9");
  tree.node(1, "3,10");
  tree.node(3, "");  // memory without cores
  const NumaNodes nodes = NumaNodes::of_machine();
  EXPECT_EQ(cores_of(nodes, 0), (std::vector<int>{0, 1, 2, 8, 9}));
  EXPECT_EQ(cores_of(nodes, 1), (std::vector<int>{3, 10}));
  for (const int none : {-1, 2, 3, 5}) EXPECT_EQ(nodes.cores(none), nullptr) << none;
  tree.node(1, "what, 7-, 99999-100000, 4-2, -3");
  EXPECT_EQ(cores_of(NumaNodes::of_machine(), 1), std::vector<int>{7});
}

TEST(Numa, OneNodeIsNone) {
  const test::NumaTree tree;
  tree.nodes("0-1");
  tree.node(0, "0-63");
  tree.node(1, "");
  EXPECT_EQ(NumaNodes::of_machine().cores(0), nullptr);
  EXPECT_EQ(NumaNodes::of_machine().current(), -1);
}

TEST(Numa, TheEnvironmentTurnsItOff) {
  const test::NumaTree tree;
  tree.nodes("0-1");
  tree.node(0, "0");
  tree.node(1, "1");
  for (const char* const off : {"off", "OFF", "no", "none", "false", "0"}) {
    setenv("VERGENCE_NUMA", off, 1);
    EXPECT_EQ(NumaNodes::of_machine().cores(0), nullptr) << off;
  }
  for (const char* const on : {"", "on", "1"}) {
    setenv("VERGENCE_NUMA", on, 1);
    EXPECT_NE(NumaNodes::of_machine().cores(0), nullptr) << on;
  }
  unsetenv("VERGENCE_NUMA");
}

TEST(Numa, AThreadIsOnTheNodesCoresAndThenWhereItWas) {
  const std::vector<int> before = test::numbers_of(test::allowed_cores());
  if (before.size() < 2) GTEST_SKIP() << "one core alone is allowed";
  const test::NumaTree tree;
  tree.nodes("0-2");
  tree.node(0, std::to_string(before[0]));
  tree.node(1, std::to_string(before[1]) + ",1023");  // the second core is not there, or not allowed
  tree.node(2, "1022");
  const NumaNodes nodes = NumaNodes::of_machine();
  for (const int node : {1, 0}) {
    const OnNode bound(nodes, node);
    EXPECT_EQ(test::numbers_of(test::allowed_cores()), std::vector<int>{before[static_cast<std::size_t>(node)]});
    EXPECT_EQ(nodes.current(), node);
    const OnNode again(nodes, 1 - node);  // none of its cores is allowed now
    EXPECT_EQ(test::numbers_of(test::allowed_cores()), std::vector<int>{before[static_cast<std::size_t>(node)]});
  }
  EXPECT_EQ(test::numbers_of(test::allowed_cores()), before);
  for (const int node : {-1, 2, 7}) {
    const OnNode bound(nodes, node);
    EXPECT_EQ(test::numbers_of(test::allowed_cores()), before) << node;
  }
}

}  // namespace
}  // namespace vergence
