// SPDX-License-Identifier: Apache-2.0
// `vergence motion` with several frames under way, handed to devices in turn or in flight on a GPU: the files of one
// device that does one after the other, and one clear error for what cannot be.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"
#include "vergence/device.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int clip_frames = 9;

Words on(const std::string& device, const Words& more) {
  Words arguments{"motion", "clip.y4m", "--range", "4", "--device", device, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// What a run found and wrote.
struct Outcome {
  Json report;
  Words files;
};
Outcome run_on(const Scratch& scratch, const std::string& device, const Words& more, const Words& files) {
  const Result result = scratch.run(on(device, more));
  EXPECT_EQ(result.status, 0) << result.err;
  const bool compiles = device.find(':') != std::string::npos;  // kernels, and their compilers say what they like
  // The clip is like noise: few candidates, or a distance beyond the range, find vectors by chance.
  const bool by_chance =
      lines(result.err) == 1 && result.err.find("fields are taken for scene cuts") != std::string::npos;
  EXPECT_TRUE(compiles || by_chance || result.err.empty()) << result.err;
  Outcome outcome;
  if (result.status != 0) return outcome;
  outcome.report = Json::parse(result.out);
  for (const std::string& file : files) {
    outcome.files.push_back(scratch.read(file));
    EXPECT_FALSE(scratch.has(file + ".partial"));
  }
  return outcome;
}

void expect_equal(const Outcome& got, const Outcome& expected, const std::string& what) {
  EXPECT_TRUE(got.files == expected.files) << what;
  for (const char* member : {"hash", "settings", "frames", "fields", "total", "per_field", "outputs"})
    EXPECT_EQ(got.report[member], expected.report[member]) << what << ", " << member;
}

struct Case {
  Words options, files;
};
const std::vector<Case> shared{
    {{"-o", "v.csv", "--columns", "second-j,confidence", "--check", "0.5", "--compensated", "c.y4m", "--residue",
      "r.y4m", "--overlay", "o.y4m"},
     {"v.csv", "c.y4m", "r.y4m", "o.y4m"}},
    {{"-o", "v.npy", "--search", "step", "--subpel", "half", "--overlap", "on", "--reference-distance", "3", "--frames",
      "1:"},
     {"v.npy"}},
    {{"-o", "v.json", "--all-sizes", "on", "--block", "8"}, {"v.json"}},
    {{"-o", "v_%d.flo", "--search", "tz", "--lambda", "90000", "--independent"}, {"v_1.flo", "v_8.flo"}},
};

TEST(MotionDevices, SeveralWriteTheFilesOfOne) {
  const Scratch scratch;
  make_clip(scratch, clip_frames);
  for (const Case& one : shared) {
    const Outcome expected = run_on(scratch, "reference", one.options, one.files);
    Words more = one.options;
    more.insert(more.end(), {"--threads", "3", "--on-device-loss", "continue"});
    expect_equal(run_on(scratch, "cpu,reference", more, one.files), expected, one.options[1]);
  }
}

TEST(MotionDevices, TheReportTellsWhoDidWhat) {
  const Scratch scratch;
  make_clip(scratch, clip_frames);
  const Json report = run_on(scratch, "cpu,reference", {}, {}).report;
  EXPECT_EQ(report["device"], "cpu,reference");
  EXPECT_EQ(report["frames"], clip_frames);
  EXPECT_GT(report["ms"]["min"], 0);
  EXPECT_GT(report["stream"]["frames_per_s"], 0);
  const Json& devices = report["stream"]["devices"];
  ASSERT_EQ(devices.size(), 4U);
  for (const std::size_t stage : {0U, 2U}) {
    EXPECT_EQ(devices[stage]["stage"], stage == 0 ? "search" : "score");
    EXPECT_EQ(devices[stage]["device"], "cpu");
    EXPECT_EQ(devices[stage]["frames"].get<int>() + devices[stage + 1]["frames"].get<int>(), clip_frames - 1);
  }
  EXPECT_FALSE(run_on(scratch, "cpu", {}, {}).report.contains("stream"));
}

/// The first OpenCL or CUDA device; empty, with reasons, where there is none.
std::string first_gpu(std::string& reasons) {
  for (const DeviceInfo& info : Device::list()) {
    if (info.kind == "cpu" || info.kind == "reference") continue;
    if (info.available) return info.name;
    reasons += info.name + ": " + info.reason + "\n";
  }
  return "";
}

TEST(MotionDevices, GpusInFlightAndInTurnWriteTheSameFiles) {
  std::string reasons;
  const std::string gpu = first_gpu(reasons);
  if (gpu.empty()) GTEST_SKIP() << reasons;
  const Scratch scratch;
  make_clip(scratch, clip_frames);
  const Words files{"v.csv", "c.y4m"};
  // Fields that carry on from one to the next, as they may in flight.
  const Words search{"--search", "diamond", "--lambda", "70000"};
  Words following{"-o", "v.csv", "--columns", "j", "--compensated", "c.y4m"};
  following.insert(following.end(), search.begin(), search.end());
  const Outcome expected = run_on(scratch, "reference", following, files);
  const Outcome flown = run_on(scratch, gpu, following, files);
  expect_equal(flown, expected, gpu);
  EXPECT_EQ(flown.report["stream"]["devices"].size(), 2U);
  EXPECT_GT(flown.report["device_ms"]["kernel"], 0);
  EXPECT_GT(flown.report["ms"]["min"], 0);
  Words plain{"motion", "clip.y4m", "--range", "4", "--device", gpu};
  plain.insert(plain.end(), search.begin(), search.end());
  const Result text = scratch.run(plain);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("frames per second, reading and writing included"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("\ntime "), std::string::npos) << text.out;
  Words apart = following;
  apart.emplace_back("--independent");
  const Outcome alone = run_on(scratch, "reference", apart, files);
  EXPECT_NE(alone.files, expected.files) << "the rate is counted from elsewhere";
  expect_equal(run_on(scratch, "cpu," + gpu, apart, files), alone, "cpu and " + gpu);
  expect_equal(run_on(scratch, gpu, apart, files), alone, gpu + ", one after the other");
}

TEST(MotionDevices, AreRefusedWhereFramesCannotBeShared) {
  const Scratch scratch;
  make_clip(scratch, 3);
  const auto refused = [&](const std::string& device, const Words& more, const Words& parts) {
    const Result result = scratch.run(on(device, more));
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(lines(result.err), 1U) << result.err;
    for (const std::string& part : parts) EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  const std::string two = "cpu,reference";
  refused(two, {"--search", "tz"}, {"'cpu,reference'", "search tz", "frame before", "--independent", "full or step"});
  refused(two, {"--preset", "fast"}, {"search tz"});
  refused(two, {"--search", "diamond"}, {"search diamond"});
  refused(two, {"--search", "hierarchical"}, {"search hierarchical"});
  refused(two, {"--lambda", "5"}, {"lambda is 5", "--independent"});
  refused(two, {"--reference-source", "reconstruction", "--independent"}, {"reconstruction", "original"});
  refused(two, {"--repeat", "2"}, {"--repeat times one device"});
  refused(two, {"--compare", "step"}, {"--compare times two searches on one device"});
  refused("cpu,cpu", {}, {"cpu is named twice"});
  refused("cpu,vpu", {}, {"vpu"});
  refused("cpu", {"--on-device-loss", "continue"}, {"there is one device"});
  refused(two, {"--on-device-loss", "ignore"}, {"allowed are stop, continue"});
  EXPECT_FALSE(scratch.has("v.csv"));
}

TEST(MotionDevices, WhatWasWrittenBeforeAnErrorIsWhole) {
  const Scratch scratch;
  make_clip(scratch, 320);  // more than are under way at a time
  const std::string clip = scratch.read("clip.y4m");
  scratch.write("clip.y4m", clip.substr(0, clip.size() - 100));
  const Result result = scratch.run(on("cpu,reference", {"-o", "v.csv"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("truncated"), std::string::npos) << result.err;
  EXPECT_FALSE(scratch.has("v.csv"));
  ASSERT_TRUE(scratch.has("v.csv.partial"));
  const std::string partial = scratch.read("v.csv.partial");
  EXPECT_EQ((lines(partial) - 1) % 6, 0U) << "blocks of whole fields";
}

}  // namespace
}  // namespace vergence::cli_test
