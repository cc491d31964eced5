// SPDX-License-Identifier: Apache-2.0
// `stereo --energy` and the counters in `devices`: figures where a counter moves, reasons where there is none.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "energy/powercap_tree.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class EnergyTest : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("left.pgm", left_pgm(40, 24, 3));
    scratch.write("right.pgm", right_pgm(40, 24));
    // NVML is no library, wherever this runs.
    std::filesystem::create_directory(scratch.path("libraries"));
    scratch.write("libraries/libnvidia-ml.so.1", "no library");
    options.environment = {{"LD_LIBRARY_PATH", scratch.path("libraries")}, {"VERGENCE_POWERCAP", tree.path("nowhere")}};
  }
  Result run(const Words& more) const {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--energy"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return scratch.run(arguments, options);
  }
  Json report(Words more) const {
    more.emplace_back("--json");
    const Result result = run(more);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out)["energy"];
  }

  Scratch scratch;
  test::PowercapTree tree;
  RunOptions options;
};

/// A counter of 100 W that moves while a program runs.
class MovingCounter {
 public:
  explicit MovingCounter(const test::PowercapTree& tree) : tree_(tree), thread_([this] { move(); }) {}
  ~MovingCounter() {
    stop_ = true;
    thread_.join();
  }
  MovingCounter(const MovingCounter&) = delete;
  MovingCounter& operator=(const MovingCounter&) = delete;

 private:
  void move() {
    const auto start = std::chrono::steady_clock::now();
    while (!stop_) {
      const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
      tree_.set("intel-rapl:0", static_cast<std::uint64_t>(passed.count() * 100));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  const test::PowercapTree& tree_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST_F(EnergyTest, WhatIsNotThereIsNotAvailableAndWhy) {
  const Result result = run({});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(holds(result.out, "\nenergy     not available: RAPL: " + tree.path("nowhere") + " is not there; NVML: "))
      << result.out;
  EXPECT_TRUE(holds(result.out, "libnvidia-ml.so.1 (NVIDIA's driver) cannot be opened: ")) << result.out;
  const Json energy = report({"--energy-idle", "0.1"});
  for (const char* const none : {"joules", "watts", "joules_per_frame", "frames_per_watt", "energy_delay"})
    EXPECT_TRUE(energy[none].is_null()) << none;
  EXPECT_EQ(energy["missing"].size(), 2U);
  EXPECT_EQ(energy["counters"], Json::array());
  EXPECT_EQ(energy["frames"], 1);
  EXPECT_TRUE(energy["idle"]["joules"].is_null());
  EXPECT_GE(energy["idle"]["seconds"], 0.1);
}

TEST_F(EnergyTest, ReportsWhatACounterCounted) {
  tree.zone("intel-rapl:0", "package-0", 0);
  tree.zone("intel-rapl:0:0", "core", 0);
  options.environment["VERGENCE_POWERCAP"] = tree.path();
  const MovingCounter moving(tree);
  // A machine that is busy moves the counter late, perhaps not at all while the program runs.
  Json energy;
  for (int attempt = 0; attempt < 100; ++attempt) {
    energy = report({"--repeat", "3000", "--energy-idle", "0.2"});
    ASSERT_TRUE(energy["joules"].is_number()) << energy;
    if (energy["joules"] > 0.0 && energy["idle"]["joules"] > 0.0) break;
  }
  const auto joules = energy["joules"].get<double>(), seconds = energy["seconds"].get<double>();
  EXPECT_EQ(energy["frames"], 3000);
  EXPECT_GT(joules, 0);
  EXPECT_NEAR(energy["watts"].get<double>(), joules / seconds, 0.01);
  EXPECT_NEAR(energy["joules_per_frame"].get<double>(), joules / 3000, 1e-8);
  EXPECT_NEAR(energy["frames_per_watt"].get<double>() * joules, 3000, 1);
  // Joules, seconds and their product are each rounded to six decimals.
  EXPECT_NEAR(energy["energy_delay"].get<double>(), joules * seconds, 0.51e-6 * (joules + seconds + 1));
  EXPECT_NEAR(energy["idle"]["watts"].get<double>(),
              energy["idle"]["joules"].get<double>() / energy["idle"]["seconds"].get<double>(), 0.01);
  EXPECT_EQ(energy["counters"][0]["name"], "package-0");
  EXPECT_EQ(energy["counters"][0]["counted"], true);
  EXPECT_EQ(energy["counters"][1]["note"], "within package-0");
  const Result text = run({"--repeat", "3000"});
  EXPECT_TRUE(holds(text.out, "J per pair, ")) << text.out;
  EXPECT_TRUE(holds(text.out, "\n           RAPL package-0: ")) << text.out;
  EXPECT_TRUE(holds(text.out, "; within package-0\n")) << text.out;
  EXPECT_TRUE(holds(text.out, "\n           not counted: NVML: ")) << text.out;
}

TEST_F(EnergyTest, AStreamIsMeasuredAsAWhole) {
  tree.zone("intel-rapl:0", "package-0", 0);
  options.environment["VERGENCE_POWERCAP"] = tree.path();
  for (const char* const frame : {"0", "1", "2"}) {
    scratch.write(std::string("l") + frame + ".pgm", left_pgm(40, 24, 3));
    scratch.write(std::string("r") + frame + ".pgm", right_pgm(40, 24));
  }
  const Result result = scratch.run(
      {"stereo", "l%d.pgm", "r%d.pgm", "--disparities", "16", "--energy", "--repeat", "5", "--json"}, options);
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["energy"]["frames"], 15);
  EXPECT_GT(report["energy"]["seconds"].get<double>() * 1000, 15 * report["ms"]["min"].get<double>());
}

TEST_F(EnergyTest, TooShortARunSaysHowLongItMustBe) {
  options.environment["LD_LIBRARY_PATH"] = VERGENCE_FAKE_NVML_FOLDER;
  options.environment["FAKE_NVML_WATTS"] = "100";
  const Result result = run({});
  EXPECT_TRUE(holds(result.out, "\nenergy     not available: the run took ")) << result.out;
  EXPECT_TRUE(holds(result.out, "too short for NVML Fake H200, which is updated every 0.1 s: 2 s are needed"));
  EXPECT_TRUE(holds(result.out, "; --repeat ") || holds(result.out, "2 s are needed\n")) << result.out;
  const Json energy = report({});
  EXPECT_TRUE(energy["joules"].is_null());
  EXPECT_EQ(energy["counters"][0]["place"], "0000:17:00.0");
  EXPECT_EQ(energy["counters"][0]["used"], false) << "the processor did the work";
}

TEST_F(EnergyTest, BadOptionsAreRefused) {
  const Result alone = scratch.run({"stereo", "left.pgm", "right.pgm", "--energy-idle", "1"}, options);
  EXPECT_EQ(alone.status, 2);
  EXPECT_TRUE(holds(alone.err, "--energy-idle needs --energy")) << alone.err;
  for (const char* const bad : {"0", "-1", "601", "nan", "soon"}) {
    const Result result = run({"--energy-idle", bad});
    EXPECT_EQ(result.status, 2) << bad;
    EXPECT_TRUE(holds(result.err, "--energy-idle is '")) << result.err;
    EXPECT_EQ(lines(result.err), 1U);
  }
}

TEST_F(EnergyTest, WithoutTheOptionNothingIsSaid) {
  const Result result = scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--json"}, options);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out).contains("energy"));
}

TEST_F(EnergyTest, DevicesListsTheCounters) {
  tree.zone("intel-rapl:0", "package-0", 0);
  options.environment["VERGENCE_POWERCAP"] = tree.path();
  options.environment["LD_LIBRARY_PATH"] = VERGENCE_FAKE_NVML_FOLDER;
  const std::string text = scratch.run({"devices"}, options).out;
  EXPECT_TRUE(holds(text, "\nenergy counters: RAPL package-0, NVML Fake H200 0000:17:00.0\n")) << text;
  options.environment["LD_LIBRARY_PATH"] = scratch.path("libraries");
  const Json energy = Json::parse(scratch.run({"devices", "--json"}, options).out)["energy"];
  EXPECT_EQ(energy["counters"].size(), 1U);
  EXPECT_EQ(energy["counters"][0]["place"], tree.path("intel-rapl:0"));
  EXPECT_EQ(energy["missing"][0]["what"], "NVML");
}

}  // namespace
}  // namespace vergence::cli_test
