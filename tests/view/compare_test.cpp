// SPDX-License-Identifier: Apache-2.0
// Motion and tracks of two settings or devices, and their errors where the flow is known, each counted apart from the
// program.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "server.hpp"

namespace vergence::view_test {
namespace {

using nlohmann::json;

constexpr int frame_width = 64, frame_height = 48;

template <class Number>
std::vector<Number> numbers_of(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

class ViewCompare : public ViewTest {
 protected:
  /// f_0.pgm, ...: a texture that moves by (-2, -1) px a frame.
  void make_frames() const {
    for (int i = 0; i < 4; ++i)
      scratch.write("f_" + std::to_string(i) + ".pgm", cli_test::pgm(frame_width, frame_height, 255, [i](int x, int y) {
                      return cli_test::texture(x + 2 * i + 500, y + i + 500);
                    }));
  }
  /// The same flow everywhere, from each frame to the next.
  void make_flow(float u, float v) const {
    const std::array<std::int32_t, 2> size{frame_width, frame_height};
    std::string file = "PIEH" + std::string(reinterpret_cast<const char*>(size.data()), sizeof size);
    const std::array<float, 2> flow{u, v};
    for (int i = 0; i < frame_width * frame_height; ++i)
      file.append(reinterpret_cast<const char*>(flow.data()), sizeof flow);
    for (int i = 0; i < 3; ++i) scratch.write("flow_" + std::to_string(i) + ".flo", file);
  }
};

/// The vector of the block at a pixel.
std::array<int, 2> vector_at(const json& field, const std::vector<std::int16_t>& vectors, int x, int y) {
  const int block_width = field["block"]["width"], block_height = field["block"]["height"];
  const int columns = field["grid"]["width"];
  const auto at = static_cast<std::size_t>(2 * (y / block_height * columns + x / block_width));
  return {vectors[at], vectors[at + 1]};
}

TEST_F(ViewCompare, FieldsOfDevicesAgreeAndThoseOfSettingsDiffer) {
  make_frames();
  const Server server(scratch, {"f_%d.pgm"});
  const json devices{{"frame", 2}, {"a", {{"device", "cpu"}}}, {"b", {{"device", "reference"}}}};
  const json same = server.post("/api/compare/motion", devices).packet();
  EXPECT_EQ(same["differing_bytes"], 0);
  EXPECT_EQ(same["differing_pixels"], 0);
  EXPECT_EQ(same["a"]["hash"], same["b"]["hash"]);
  EXPECT_EQ(same["b"]["device"], "reference");
  const json costs{{"a", {{"settings", {{"cost", "sad"}}}}}, {"b", {{"settings", {{"cost", "ssd"}}}}}};
  EXPECT_GT(server.post("/api/compare/motion", costs).packet()["differing_bytes"], 0);
  // Blocks of other sizes have no bytes at the same place; pixels have vectors in both.
  const json blocks{{"frame", 2},
                    {"a", {{"settings", {{"block", 16}, {"range", 7}}}}},
                    {"b", {{"settings", {{"block", 4}, {"range", 2}}}}}};
  const Answer answer = server.post("/api/compare/motion", blocks);
  const json other = answer.packet();
  EXPECT_TRUE(other["differing_bytes"].is_null());
  const auto a = numbers_of<std::int16_t>(answer.array("a.vectors"));
  const auto b = numbers_of<std::int16_t>(answer.array("b.vectors"));
  int pixels = 0;
  for (int y = 0; y < frame_height; ++y)
    for (int x = 0; x < frame_width; ++x)
      pixels += vector_at(other["a"], a, x, y) != vector_at(other["b"], b, x, y) ? 1 : 0;
  EXPECT_GT(pixels, 0);
  EXPECT_EQ(other["differing_pixels"], pixels);
}

TEST_F(ViewCompare, TracksOfDevicesAgreeAndThoseOfSettingsDiffer) {
  make_frames();
  const Server server(scratch, {"f_%d.pgm"});
  const json small{{"window", 9}, {"points", 30}, {"min-distance", 4}};
  const json devices{{"frame", 3},
                     {"a", {{"device", "cpu"}, {"settings", small}}},
                     {"b", {{"device", "reference"}, {"settings", small}}}};
  const json same = server.post("/api/compare/track", devices).packet();
  EXPECT_EQ(same["differing_bytes"], 0);
  EXPECT_EQ(same["differing_tracks"], 0);
  json smaller = small;
  smaller["window"] = 5;
  smaller["points"] = 20;
  const json settings{{"frame", 3}, {"a", {{"settings", small}}}, {"b", {{"settings", smaller}}}};
  const Answer answer = server.post("/api/compare/track", settings);
  using Row = std::array<std::int32_t, 7>;
  std::array<std::map<std::int32_t, Row>, 2> rows;  // by their ids
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const auto numbers = numbers_of<std::int32_t>(answer.array(i == 0 ? "a.tracks" : "b.tracks"));
    for (std::size_t at = 0; at < numbers.size(); at += 7)
      std::memcpy(&rows[i][numbers[at]], &numbers[at], sizeof(Row));
  }
  int bytes = 0;
  for (const auto& [id, row] : rows[0]) {
    const auto found = rows[1].find(id);
    if (found == rows[1].end()) {
      bytes += 28;
      continue;
    }
    const char* const one = reinterpret_cast<const char*>(row.data());
    const char* const two = reinterpret_cast<const char*>(found->second.data());
    for (int i = 0; i < 28; ++i) bytes += one[i] != two[i] ? 1 : 0;
  }
  for (const auto& [id, row] : rows[1]) bytes += rows[0].contains(id) ? 0 : 28;
  EXPECT_GT(bytes, 0);
  EXPECT_EQ(answer.packet()["differing_bytes"], bytes);
}

TEST_F(ViewCompare, ErrorsAreThoseOfTheKnownFlow) {
  make_frames();
  make_flow(-2.5F, -1);
  const Server server(scratch, {"f_%d.pgm", "--flow", "flow_%d.flo"});
  const Answer answer = server.post("/api/motion", {{"frame", 1}, {"settings", {{"range", 3}}}});
  const json field = answer.packet();
  const auto vectors = numbers_of<std::int16_t>(answer.array("vectors"));
  double sum = 0;
  int pixels = 0;
  for (int y = 1; y < frame_height; ++y)     // the others leave the picture
    for (int x = 3; x < frame_width; ++x) {  // to x - 2.5, of which the nearest pixel is meant: x - 3 or x - 2
      const auto to = static_cast<int>(std::lround(x - 2.5));
      const auto [dx, dy] = vector_at(field, vectors, to, y - 1);
      sum += std::hypot(dx / 4.0 - 2.5, dy / 4.0 - 1);
      ++pixels;
    }
  EXPECT_NEAR(field["epe"].get<double>(), sum / pixels, 0.01);
  EXPECT_LT(field["epe"], 3) << "most vectors are (2, 1)";
  const json tracks = server.post("/api/track", {{"frame", 3}}).packet();
  EXPECT_NEAR(tracks["epe"].get<double>(), 0.5, 0.05) << "points move by (-2, -1)";
  const Server without(scratch, {"f_%d.pgm"});
  EXPECT_TRUE(without.post("/api/motion", {{"frame", 1}}).packet()["epe"].is_null());
}

TEST_F(ViewCompare, SurvivalIsOfTheFirstFramesPoints) {
  make_frames();
  const Server server(scratch, {"f_%d.pgm"});
  const auto rows = [&](int frame, json& told) {
    const Answer answer = server.post("/api/track", {{"frame", frame}, {"settings", {{"min-distance", 3}}}});
    told = answer.packet();
    return numbers_of<std::int32_t>(answer.array("tracks"));
  };
  json told;
  const std::size_t started = rows(0, told).size() / 7;
  ASSERT_GT(started, 10U);
  EXPECT_EQ(told["survival"], 100);
  const auto later = rows(3, told);
  std::size_t alive = 0;
  for (std::size_t at = 0; at < later.size(); at += 7)
    alive += static_cast<std::size_t>(later[at]) < started && later[at + 3] == 0 ? 1U : 0U;
  EXPECT_LT(alive, started) << "some have left the picture";
  EXPECT_NEAR(told["survival"].get<double>(), 100.0 * static_cast<double>(alive) / static_cast<double>(started), 0.001);
}

TEST_F(ViewCompare, FlowThatCannotBeIsRefused) {
  make_frames();
  const auto refused = [&](const std::vector<std::string>& more, int status, const std::string& part) {
    std::vector<std::string> words{"view", "--no-open"};
    words.insert(words.end(), more.begin(), more.end());
    const cli_test::Result result = scratch.run(words);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused({"--flow", "flow_%d.flo"}, 2, "--flow is for videos and sequences");
  refused({"f_0.pgm", "f_1.pgm", "--flow", "flow_%d.flo"}, 2, "is one frame");
  scratch.write("small.flo", std::string("PIEH\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 20));
  const Server server(scratch, {"f_%d.pgm", "--flow", "small.flo"});
  EXPECT_NE(server.post("/api/motion", {{"frame", 1}}).body.find("--flow is 1x1, the frames are 64x48"),
            std::string::npos);
}

}  // namespace
}  // namespace vergence::view_test
