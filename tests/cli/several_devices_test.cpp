// SPDX-License-Identifier: Apache-2.0
// One stream on several devices: the bytes of one device, and one clear error for what cannot be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

void expect_usage(const Scratch& scratch, const Words& arguments, const std::string& message) {
  const Result result = scratch.run(arguments);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  EXPECT_EQ(lines(result.err), 1U) << result.err;
}

TEST(TrackMapOption, EveryMapWritesTheSameFiles) {
  const Scratch scratch;
  make_track_clip(scratch, 9);
  const Words files{"-o", "t.csv", "--overlay", "o.y4m"};
  const auto with = [&](Words more) {
    more.insert(more.end(), files.begin(), files.end());
    return track("clip.y4m", more);
  };
  ASSERT_EQ(scratch.run(with({"--device", "reference"})).status, 0);
  const std::string tracks = scratch.read("t.csv"), overlay = scratch.read("o.y4m");
  ASSERT_GT(lines(tracks), 50U);
  for (const Words& map : std::vector<Words>{{"--map", "prepare=cpu,update=cpu"},
                                             {"--map", "prepare=cpu,update=reference", "--threads", "2"},
                                             {"--map", "update=cpu,prepare=reference", "--on-device-loss", "continue"},
                                             {"--map", "auto", "--device", "cpu,reference"}}) {
    const Result result = scratch.run(with(map));
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(scratch.read("t.csv"), tracks) << map[1];
    EXPECT_EQ(scratch.read("o.y4m"), overlay) << map[1];
  }
}

TEST(TrackMapOption, TheReportTellsWhoDidWhat) {
  const Scratch scratch;
  make_track_clip(scratch, 6);
  const Result result = scratch.run(track("clip.y4m", {"--map", "prepare=reference,update=cpu", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["device"], "prepare=reference,update=cpu");
  EXPECT_EQ(report["frames"], 6);
  const Json& devices = report["stream"]["devices"];
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0]["stage"], "prepare");
  EXPECT_EQ(devices[0]["device"], "reference");
  EXPECT_EQ(devices[1]["stage"], "update");
  EXPECT_EQ(devices[1]["frames"], 6);
  EXPECT_GT(report["stream"]["frames_per_s"], 0);
  const Result automatic = scratch.run(track("clip.y4m", {"--map", "auto", "--device", "cpu,reference", "--json"}));
  ASSERT_EQ(automatic.status, 0) << automatic.err;
  const Json measured = Json::parse(automatic.out)["measured_maps"];
  EXPECT_EQ(measured.size(), 4U);
  EXPECT_GT(measured["prepare=cpu,update=reference"], 0);
  EXPECT_NE(
      scratch.run(track("clip.y4m", {"--map", "prepare=reference,update=cpu"})).out.find("update   cpu: 6 frames"),
      std::string::npos);
}

TEST(TrackMapOption, WrongMapsAreRefused) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  const auto refused = [&](const Words& more, const std::string& message) {
    expect_usage(scratch, track("clip.y4m", more), message);
  };
  refused({"--map", "match=cpu"}, "'match=cpu' is no stage and its device");
  refused({"--map", "cpu"}, "'cpu' is no stage and its device");
  refused({"--map", "prepare=cpu"}, "stage update has no device");
  refused({"--map", "prepare=,update=cpu"}, "stage prepare has no device");
  refused({"--map", "update=cpu,update=cpu"}, "stage update is named twice");
  refused({"--map", "prepare=cpu,update=gpu"}, "no device is named 'gpu'");
  refused({"--map", "prepare=cpu,update=cpu", "--device", "cpu"}, "leave --device out");
  refused({"--device", "cpu,reference"}, "one device is wanted here");
  refused({"--on-device-loss", "ignore"}, "allowed are stop, continue");
  refused({"--map", "prepare=cpu,update=cpu", "--on-device-loss", "continue"}, "there is one device");
}

void make_pairs(const Scratch& scratch, int frames) {
  for (int i = 0; i < frames; ++i) {
    scratch.write(fmt::format("l{}.pgm", i), left_pgm(60, 40, 3 + i));
    scratch.write(fmt::format("r{}.pgm", i), right_pgm(60, 40));
  }
}

Words stereo(const Words& more) {
  Words arguments{"stereo", "l%d.pgm", "r%d.pgm", "--disparities", "24", "-o", "d%d.pfm", "--confidence", "c%d.png"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(SeveralDevices, StereoWritesTheSameFiles) {
  constexpr int frames = 14;
  const Scratch scratch;
  make_pairs(scratch, frames);
  const Result one = scratch.run(stereo({"--device", "reference", "--json"}));
  ASSERT_EQ(one.status, 0) << one.err;
  Words expected;
  for (int i = 0; i < frames; ++i)
    for (const char* const kind : {"d", "c"})
      expected.push_back(scratch.read(fmt::format("{}{}.{}", kind, i, *kind == 'd' ? "pfm" : "png")));
  const Result several =
      scratch.run(stereo({"--device", "cpu,reference", "--threads", "3", "--on-device-loss", "continue", "--json"}));
  ASSERT_EQ(several.status, 0) << several.err;
  for (int i = 0; i < frames; ++i) {
    EXPECT_EQ(scratch.read(fmt::format("d{}.pfm", i)), expected[2 * static_cast<std::size_t>(i)]) << i;
    EXPECT_EQ(scratch.read(fmt::format("c{}.png", i)), expected[2 * static_cast<std::size_t>(i) + 1]) << i;
  }
  const Json report = Json::parse(several.out);
  EXPECT_EQ(report["hash"], Json::parse(one.out)["hash"]);
  EXPECT_EQ(report["device"], "cpu,reference");
  EXPECT_EQ(report["frames"], frames);
  const Json& devices = report["stream"]["devices"];
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0]["frames"].get<int>() + devices[1]["frames"].get<int>(), frames);
  EXPECT_FALSE(devices[0]["lost"].get<bool>());
  EXPECT_NE(devices[1]["held_back"], "");  // it begins idle
}

TEST(SeveralDevices, AreRefusedWhereTheyCannotBe) {
  const Scratch scratch;
  make_pairs(scratch, 2);
  expect_usage(scratch, stereo({"--device", "cpu,cpu"}), "cpu is named twice");
  expect_usage(scratch, stereo({"--device", "cpu,"}), "a name is missing");
  expect_usage(scratch, stereo({"--device", "cpu,nothing"}), "no device is named 'nothing'");
  expect_usage(scratch, stereo({"--device", "cpu,reference", "--repeat", "2"}), "--repeat times one device");
  expect_usage(scratch, stereo({"--device", "cpu", "--on-device-loss", "continue"}), "there is one device");
  expect_usage(scratch, {"stereo", "l0.pgm", "r0.pgm", "--device", "cpu,reference"}, "these are single pictures");
  expect_usage(scratch, {"verify", "--device", "cpu,reference"}, "one device is wanted here");
}

}  // namespace
}  // namespace vergence::cli_test
