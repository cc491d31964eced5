// SPDX-License-Identifier: Apache-2.0
// NVML, by a stand-in for its library: boards, who did the work, and every call failing.
#include "energy/nvml.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "energy/fake_nvml/machine.hpp"

namespace vergence::energy {
namespace {

using fake_nvml::Board;
using fake_nvml::Machine;

class Nvml : public testing::Test {
 protected:
  void SetUp() override {
    void* const handle = dlopen(VERGENCE_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    const auto get = reinterpret_cast<Machine* (*)()>(dlsym(handle, "fake_nvml"));  // NOLINT: as dlsym wants
    ASSERT_NE(get, nullptr);
    machine = get();
    *machine = Machine{};
  }
  void TearDown() override { EXPECT_EQ(machine->started, 0) << "nvmlShutdown was not called"; }
  static Sources find(const std::vector<std::string>& boards = {}) { return find_nvml(VERGENCE_FAKE_NVML, boards); }
  static std::string only_reason(const Sources& sources) {
    EXPECT_TRUE(sources.counters.empty());
    EXPECT_EQ(sources.missing.size(), 1U);
    return sources.missing.empty() ? "" : sources.missing[0].what + ": " + sources.missing[0].reason;
  }

  Machine* machine = nullptr;
};

TEST_F(Nvml, ListsBoardsAndMarksThoseThatWork) {
  machine->boards.resize(3);
  machine->boards[1].bus = 0xCD;
  machine->boards[1].uuid = "GPU-fake-1";
  machine->boards[2].domain = 0x10000;
  const Sources found = find({"00000000:CD:00.0", "", "0001:02:03.0"});
  ASSERT_EQ(found.counters.size(), 3U);
  EXPECT_EQ(found.counters[0]->about().name, "Fake H200");
  EXPECT_EQ(found.counters[0]->about().source, "NVML");
  EXPECT_EQ(found.counters[0]->about().place, "0000:17:00.0");
  EXPECT_EQ(found.counters[0]->about().id, "GPU-fake-0");
  EXPECT_FALSE(found.counters[0]->about().used);
  EXPECT_EQ(found.counters[1]->about().place, "0000:cd:00.0");
  EXPECT_TRUE(found.counters[1]->about().used);
  EXPECT_EQ(found.counters[2]->about().place, "10000:17:00.0");
  EXPECT_DOUBLE_EQ(found.counters[0]->about().interval, 0.1);
  ASSERT_EQ(found.missing.size(), 1U);
  EXPECT_EQ(found.missing[0].what, "board 0001:02:03.0");
  EXPECT_EQ(found.missing[0].reason, "did the work, and NVML does not know it");
}

TEST_F(Nvml, ReadsMillijoules) {
  const Sources found = find();
  ASSERT_EQ(found.counters.size(), 1U);
  Counter& counter = *found.counters[0];
  EXPECT_FALSE(counter.wraps());
  counter.start();
  machine->boards[0].millijoules += 2500;
  counter.look();
  EXPECT_DOUBLE_EQ(counter.reading().joules.value(), 2.5);
  machine->boards[0].energy_result = fake_nvml::gpu_is_lost;
  counter.look();
  EXPECT_FALSE(counter.reading().joules);
  EXPECT_EQ(counter.reading().note, "the board's energy counter cannot be read: GPU is lost (NVML error 15)");
  machine->boards[0].energy_result = 0;
  counter.start();
  machine->boards[0].millijoules = 3;  // the driver was loaded anew
  counter.look();
  EXPECT_NE(counter.reading().note.find("set back"), std::string::npos);
}

TEST_F(Nvml, ABoardWithoutACounterIsNamedAndTheOthersTaken) {
  machine->boards.resize(2);
  machine->boards[0].name = "GeForce 940M";
  machine->boards[0].energy_result = fake_nvml::not_supported;
  const Sources found = find({"0000:17:00.0"});
  ASSERT_EQ(found.counters.size(), 1U);
  ASSERT_EQ(found.missing.size(), 1U);
  EXPECT_EQ(found.missing[0].what, "NVML GeForce 940M 0000:17:00.0");
  EXPECT_EQ(found.missing[0].reason, "the board's energy counter cannot be read: Not Supported (NVML error 3)");
}

TEST_F(Nvml, EveryCallMayFail) {
  machine->init_result = fake_nvml::driver_not_loaded;
  EXPECT_EQ(only_reason(find()), "NVML: NVML cannot start: Driver Not Loaded (NVML error 9)");
  *machine = Machine{};
  machine->count_result = 999;
  EXPECT_EQ(only_reason(find()), "NVML: NVML cannot count its boards: Unknown Error (NVML error 999)");
  *machine = Machine{};
  machine->boards.clear();
  EXPECT_EQ(only_reason(find()), "NVML: NVIDIA's driver knows no board");
  *machine = Machine{};
  machine->board_result = fake_nvml::no_permission;
  EXPECT_EQ(only_reason(find()), "NVML board 0: NVML does not give it: Insufficient Permissions (NVML error 4)");
  *machine = Machine{};
  machine->boards[0].name_result = fake_nvml::gpu_is_lost;
  EXPECT_NE(only_reason(find()).find("does not say its name: GPU is lost"), std::string::npos);
  *machine = Machine{};
  machine->boards[0].pci_result = fake_nvml::gpu_is_lost;
  EXPECT_NE(only_reason(find()).find("Fake H200 does not say where it is: GPU is lost"), std::string::npos);
  *machine = Machine{};
  machine->boards[0].uuid_result = fake_nvml::not_supported;
  EXPECT_EQ(find().counters.at(0)->about().id, "") << "a board without a UUID is counted all the same";
}

TEST_F(Nvml, LibrariesThatAreNone) {
  const std::string absent = only_reason(find_nvml("libno-such-thing.so.1", {}));
  EXPECT_EQ(absent.find("NVML: libno-such-thing.so.1 (NVIDIA's driver) cannot be opened: "), 0U) << absent;
  const std::string other = only_reason(find_nvml("libm.so.6", {}));
  EXPECT_EQ(other, "NVML: libm.so.6 has no nvmlInit_v2: a newer driver is needed");
}

TEST(PciAddress, HasOneForm) {
  EXPECT_EQ(pci_address("0000:17:00.0"), "0000:17:00.0");
  EXPECT_EQ(pci_address("00000000:AB:1F.7"), "0000:ab:1f.7");
  EXPECT_EQ(pci_address("00010000:17:00.0"), "10000:17:00.0");
  for (const char* const none : {"", "17:00.0", "0000:17:00", "0000:17:00.0 ", "0000:17:00.0x", "GPU-0"})
    EXPECT_EQ(pci_address(none), "") << none;
}

}  // namespace
}  // namespace vergence::energy
