// SPDX-License-Identifier: Apache-2.0
// The study motion-cuda with its rungs in turns.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "studies/study_bench.hpp"

namespace vergence::studies {
namespace {

class MotionCudaTurns : public test::OnEveryDevice {};

/// In turns, frame by frame and clip by clip: what is found is the same, of the scalar program only what rungs search.
TEST_F(MotionCudaTurns, TurnsFindTheSame) {
  const std::string folder = ::testing::TempDir() + "/vergence-motion-cuda-turns";
  std::map<std::string, cli_test::Json> found[2];
  for (const bool turns : {false, true}) {
    std::filesystem::remove_all(folder);
    Request request;
    request.device = devices.front().name;
    request.output = folder;
    request.print = [](std::string_view) {};
    request.values = {{"sizes", "96x96,64x64"},
                      {"frames", "3"},
                      {"block", "16"},
                      {"reach", "16"},
                      {"rungs", "search,step-3x3"},
                      {"ours", "no"},
                      {"events", "no"},
                      {"transfers", "0"},
                      {"baseline-blocks", "5"},
                      {"groups", "32x1"},
                      {"turns", turns ? "yes" : "no"}};
    EXPECT_TRUE(run(study("motion-cuda"), request));
    const auto json = test::printed_file(folder + "/motion-cuda.json");
    for (const auto& cell : json["cells"].elements())
      found[turns ? 1 : 0][cell["clip"].dump() + cell["rung"].dump() + cell["host"].dump()] = cell;
  }
  std::filesystem::remove_all(folder);
  ASSERT_EQ(found[0].size(), 18u);  // six of the scalar program, search twice, step-3x3, on both clips
  ASSERT_EQ(found[1].size(), 14u);  // no test zones
  for (const auto& [name, cell] : found[1]) {
    SCOPED_TRACE(name);
    EXPECT_EQ(cell["runs"].size(), 3u);
    EXPECT_EQ(cell["differing"], 0);
    for (const char* key : {"residue", "searched", "frames"})
      EXPECT_EQ(cell["counts"][key], found[0][name]["counts"][key]);
  }
}

/// By the device's clock alone: no times of the host's, as many frames as asked for, and the same kernels.
TEST_F(MotionCudaTurns, TheDeviceClockAlone) {
  const std::string folder = ::testing::TempDir() + "/vergence-motion-cuda-clock";
  for (const char* turns : {"yes", "no"}) {
    std::filesystem::remove_all(folder);
    Request request;
    request.device = devices.front().name;
    request.output = folder;
    request.print = [](std::string_view) {};
    request.values = {
        {"sizes", "64x64"},       {"frames", "3"},       {"block", "8"},
        {"reach", "8"},           {"rungs", "step-3x3"}, {"ours", "no"},
        {"scalar", "no"},         {"transfers", "0"},    {"clock-rungs", "borders,streams-portions,step-3x3"},
        {"streams", "2"},         {"groups", "8x1"},     {"event-frames", "2"},
        {"host-code", "vectors"}, {"turns", turns}};
    EXPECT_TRUE(run(study("motion-cuda"), request));
    const auto json = test::printed_file(folder + "/motion-cuda.json");
    ASSERT_EQ(json["cells"].elements().size(), 3u);
    for (const auto& cell : json["cells"].elements()) {
      SCOPED_TRACE(cell["rung"].dump());
      const bool timed = cell["rung"] == "step-3x3";
      EXPECT_EQ(cell["counts"]["timed_frames"], timed ? 3 : 0);
      EXPECT_EQ(cell["counts"]["event_frames"], 2);
      EXPECT_EQ(cell["runs"].elements().size(), timed ? 3u : 2u);
      EXPECT_EQ(cell["differing"], 0);
      EXPECT_GT(cell["launches"], 0);
      for (const auto& one : cell["runs"].elements()) {
        EXPECT_GT(one[1], 0);
        EXPECT_EQ(one[3] > 0, timed);
      }
    }
    request.values.emplace_back("events", "no");
    EXPECT_ANY_THROW(run(study("motion-cuda"), request));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vergence::studies
