// SPDX-License-Identifier: Apache-2.0
// The meter as users meet it, over a folder of zones and a stand-in for NVML.
#include "vergence/energy.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "core/expect_error.hpp"
#include "energy/fake_nvml/machine.hpp"
#include "energy/powercap_tree.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

using test::PowercapTree;

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

EnergyOptions over(const PowercapTree& tree) {
  EnergyOptions options;
  options.powercap = tree.path();
  options.nvml = "libno-such-thing.so.1";
  return options;
}

/// Tells when the counter of a zone has been read.
class Readings {
 public:
  explicit Readings(const std::string& zone) : notes_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(notes_, zone.c_str(), IN_CLOSE_NOWRITE), 0);
  }
  ~Readings() { close(notes_); }
  Readings(const Readings&) = delete;
  Readings& operator=(const Readings&) = delete;

  void forget() { take(); }
  /// Waits for so many readings more, however long they take.
  void await(int count) {
    while (count > 0) {
      count -= take();
      if (count > 0) sleep_ms(1);
    }
  }

 private:
  int take() {
    alignas(inotify_event) char notes[4096];
    int count = 0;
    for (ssize_t size; (size = read(notes_, notes, sizeof notes)) > 0;)
      for (ssize_t at = 0; at < size;) {
        const auto* const note = reinterpret_cast<const inotify_event*>(notes + at);
        if (note->len > 0 && std::string(note->name) == "energy_uj") ++count;
        at += static_cast<ssize_t>(sizeof(inotify_event)) + note->len;
      }
    return count;
  }
  int notes_;
};

TEST(EnergyMeter, MeasuresBetweenBeginAndEnd) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 999'000'000, 1'000'000'000);
  tree.zone("intel-rapl:0:0", "core", 10);
  EnergyMeter meter(over(tree));
  ASSERT_EQ(meter.counters().size(), 2U);
  ASSERT_EQ(meter.missing().size(), 1U);
  EXPECT_EQ(meter.missing()[0].what, "NVML");
  meter.begin();
  sleep_ms(25);
  tree.set("intel-rapl:0", 2'000'000);  // after one turn
  tree.set("intel-rapl:0:0", 1'000'010);
  const EnergyReport report = meter.end();
  EXPECT_DOUBLE_EQ(report.joules.value(), 3);
  EXPECT_GE(report.seconds, 0.025);
  EXPECT_GE(report.counters[0].seconds, report.seconds);
  EXPECT_DOUBLE_EQ(report.counters[1].joules.value(), 1);
  EXPECT_FALSE(report.counters[1].counted);
  EXPECT_EQ(report.missing.size(), 1U);
  // The next measurement starts at 0.
  meter.begin();
  sleep_ms(25);
  tree.set("intel-rapl:0", 2'500'000);
  EnergyMeter moved = std::move(meter);
  EXPECT_DOUBLE_EQ(moved.end().joules.value(), 0.5);
}

TEST(EnergyMeter, SeesSeveralTurnsOfACounterInOneRun) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 0, 1'000'000);
  EnergyOptions options = over(tree);
  options.look_every = 0.001;
  EnergyMeter meter(options);
  Readings readings(tree.path("intel-rapl:0"));
  meter.begin();
  for (const int microjoules : {600'000, 200'000, 800'000, 400'000}) {
    readings.forget();
    tree.set("intel-rapl:0", static_cast<std::uint64_t>(microjoules));
    readings.await(2);  // the first may have begun with the old value
  }
  sleep_ms(25);  // shorter runs have no figure
  EXPECT_DOUBLE_EQ(meter.end().joules.value(), 0.6 + 0.6 + 0.6 + 0.6);
}

TEST(EnergyMeter, ACounterThatGoesAwayLeavesNoSum) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 0);
  tree.zone("intel-rapl:1", "package-1", 0);
  EnergyMeter meter(over(tree));
  meter.begin();
  sleep_ms(25);
  tree.set("intel-rapl:0", 5);
  std::filesystem::remove_all(tree.path("intel-rapl:1"));
  const EnergyReport report = meter.end();
  EXPECT_FALSE(report.joules);
  EXPECT_EQ(report.reason.find("RAPL package-1: "), 0U) << report.reason;
}

TEST(EnergyMeter, IdleIsARunOfItsOwn) {
  const PowercapTree tree;
  tree.zone("intel-rapl:0", "package-0", 7);
  EnergyMeter meter(over(tree));
  const EnergyReport report = meter.idle(0.03);
  EXPECT_GE(report.seconds, 0.03);
  EXPECT_EQ(report.reason.find("RAPL package-0: the counter did not move in 0."), 0U) << report.reason;
}

TEST(EnergyMeter, RefusesWhatCannotBe) {
  const PowercapTree tree;
  EnergyMeter meter(over(tree));
  EXPECT_ERROR(meter.end(), ErrorCode::invalid_argument, "without EnergyMeter::begin");
  EXPECT_ERROR(meter.idle(0), ErrorCode::invalid_argument, "idle window is 0 s");
  EXPECT_ERROR(meter.idle(std::numeric_limits<double>::quiet_NaN()), ErrorCode::invalid_argument, "nan");
  for (const double every : {0.0, -1.0, 61.0}) {
    EnergyOptions options = over(tree);
    options.look_every = every;
    EXPECT_ERROR(EnergyMeter{options}, ErrorCode::invalid_argument, "look_every is ");
  }
  meter.begin();
  EXPECT_FALSE(meter.end().joules);
  EXPECT_ERROR(meter.end(), ErrorCode::invalid_argument, "without EnergyMeter::begin");
}

TEST(EnergyMeter, BoardsAreReadAtTheEndsAlone) {
  void* const handle = dlopen(VERGENCE_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto& machine = *reinterpret_cast<fake_nvml::Machine* (*)()>(dlsym(handle, "fake_nvml"))();  // NOLINT
  machine = fake_nvml::Machine{};
  machine.boards.resize(2);
  machine.boards[1].bus = 0xCD;
  const PowercapTree tree;
  EnergyOptions options = over(tree);
  options.nvml = VERGENCE_FAKE_NVML;
  options.boards = {"0000:CD:00.0"};
  options.look_every = 0.001;
  {
    EnergyMeter meter(options);
    machine.energy_calls = 0;
    meter.begin();
    EXPECT_EQ(machine.energy_calls, 2);
    sleep_ms(20);
    machine.boards[0].millijoules += 1000;
    machine.boards[1].millijoules += 40'000;
    const EnergyReport report = meter.end();
    EXPECT_EQ(machine.energy_calls, 4);
    EXPECT_FALSE(report.joules) << "20 ms are too short";
    EXPECT_DOUBLE_EQ(report.needed_seconds, 2);
    EXPECT_DOUBLE_EQ(report.counters.at(0).joules.value(), 1);
    EXPECT_DOUBLE_EQ(report.counters.at(1).joules.value(), 40);
    EXPECT_TRUE(report.counters[0].counted && report.counters[1].counted) << "idle boards are part of the sum";
    EXPECT_TRUE(report.counters[1].counter.used && !report.counters[0].counter.used);
    EXPECT_EQ(machine.started, 1);
  }
  EXPECT_EQ(machine.started, 0);
}

/// Whatever this machine has: a figure or a reason, never both, never neither.
TEST(EnergyMeter, OnThisMachineThereIsAFigureOrAReason) {
  EnergyMeter meter;
  EXPECT_FALSE(meter.counters().empty() && meter.missing().empty());
  const EnergyReport report = meter.idle(0.03);
  EXPECT_NE(report.joules.has_value(), !report.reason.empty()) << report.reason;
  for (const MissingEnergy& one : report.missing) {
    EXPECT_NE(one.what, "");
    EXPECT_NE(one.reason, "") << one.what;
  }
}

}  // namespace
}  // namespace vergence
