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

}  // namespace
}  // namespace vergence::studies
