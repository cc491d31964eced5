// SPDX-License-Identifier: Apache-2.0
// Motion and tracks of the page: the program's own hashes, vectors that are known, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "server.hpp"

namespace vergence::view_test {
namespace {

using cli_test::Scratch;
using nlohmann::json;

constexpr int width = 64, height = 48, frames = 5;

class ViewMotion : public ViewTest {
 protected:
  /// f_0003.pgm, ...: a texture that moves by (-2, -1) px a frame, so that vectors are (2, 1).
  void make_frames() const {
    for (int i = 0; i < frames; ++i)
      scratch.write("f_000" + std::to_string(i + 3) + ".pgm", cli_test::pgm(width, height, 255, [i](int x, int y) {
                      return cli_test::texture(x + 2 * i + 500, y + i + 500);
                    }));
  }
  /// What the program reports for a command line that an answer tells.
  json by_the_program(const std::string& command) const {
    std::vector<std::string> words;
    for (std::size_t at = command.find(' ') + 1; at < command.size();) {
      const std::size_t end = std::min(command.find(' ', at), command.size());
      std::string word = command.substr(at, end - at);
      if (word.size() > 1 && word.front() == '\'') word = word.substr(1, word.size() - 2);
      words.push_back(word);
      at = end + 1;
    }
    words.emplace_back("--json");
    const cli_test::Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return json::parse(result.out);
  }
};

std::vector<std::int16_t> shorts(const std::string& bytes) {
  std::vector<std::int16_t> numbers(bytes.size() / sizeof(std::int16_t));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}
std::vector<std::int32_t> words_of(const std::string& bytes) {
  std::vector<std::int32_t> numbers(bytes.size() / sizeof(std::int32_t));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST_F(ViewMotion, AVideoAloneHasMotionAndTracksAndNoDisparities) {
  make_frames();
  const Server server(scratch, {"f_%04d.pgm"});
  const json scene = server.get("/api/scene").json();
  EXPECT_EQ(scene["pair"], false);
  EXPECT_EQ(scene["first_frame"], 3);
  EXPECT_EQ(scene["frames"], frames);
  EXPECT_EQ(scene["motion"]["settings"]["search"], "full");
  EXPECT_TRUE(scene["track"]["settings"].contains("points"));
  const Answer pictures = server.get("/api/pictures?frame=4");
  EXPECT_EQ(pictures.array("left").size(), 3U * width * height);
  EXPECT_EQ(pictures.packet()["arrays"].size(), 1U);
  const Answer refused = server.post("/api/stereo", json::object());
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(refused.body.find("is one video"), std::string::npos) << refused.body;
}

TEST_F(ViewMotion, FieldsAreTheProgramsOwn) {
  make_frames();
  const Server server(scratch, {"f_%04d.pgm"});
  for (const json& settings : {json::object(), json{{"search", "hexagon"}, {"block", 8}, {"range", "-8:8"}}}) {
    const Answer answer = server.post("/api/motion", {{"frame", 5}, {"settings", settings}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json field = answer.packet();
    const json program = by_the_program(field["command"]);
    EXPECT_EQ(field["hash"], program["hash"]);
    EXPECT_EQ(field["settings"], program["settings"]);
    EXPECT_EQ(field["residue"], program["per_field"][0]["residue"]);
    EXPECT_EQ(field["psnr"], program["per_field"][0]["psnr"]);
    EXPECT_EQ(field["entropy"], program["per_field"][0]["entropy"]);
    EXPECT_EQ(answer.array("predicted").size(), 1U * width * height);
    EXPECT_EQ(answer.array("difference").size(), 1U * width * height);
    const int columns = field["grid"]["width"];
    // Quarter px, of a block that is not at the edge.
    const std::vector<std::int16_t> vectors = shorts(answer.array("vectors"));
    const std::size_t at = 2 * static_cast<std::size_t>(columns + 1);
    if (settings.empty()) {  // a texture without structure leads only a full search home
      EXPECT_EQ(vectors.at(at), 8);
      EXPECT_EQ(vectors.at(at + 1), 4);
    }
  }
  const Answer plain = server.post("/api/motion", {{"frame", 5}, {"pictures", false}});
  EXPECT_EQ(plain.packet()["arrays"].size(), 1U);
}

TEST_F(ViewMotion, TracksAreTheProgramsOwnInAnyOrder) {
  make_frames();
  const Server server(scratch, {"f_%04d.pgm"});
  for (const int frame : {5, 6, 4, 7}) {
    const json settings{{"window", 9}, {"points", 30}, {"min-distance", 4}};
    const Answer answer = server.post("/api/track", {{"frame", frame}, {"settings", settings}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json list = answer.packet();
    EXPECT_EQ(list["hash"], by_the_program(list["command"])["hash"]) << frame;
    EXPECT_EQ(list["statuses"][0], "tracked");
    const std::vector<std::int32_t> tracks = words_of(answer.array("tracks"));
    const std::vector<std::int32_t> ends = words_of(answer.array("ends"));
    ASSERT_GT(tracks.size(), 0U);
    EXPECT_EQ(tracks.size(), 7 * ends.size());
    EXPECT_EQ(words_of(answer.array("positions")).size(), 2U * static_cast<std::size_t>(ends.back()));
  }
}

TEST_F(ViewMotion, PairsHaveMotionOfTheLeftView) {
  make_frames();
  for (int i = 3; i < 3 + frames; ++i) {
    const std::string number = "000" + std::to_string(i) + ".pgm";
    scratch.write("r_" + number, cli_test::pgm(width, height, 255, [i](int x, int y) {
                    return cli_test::texture(x + 2 * (i - 3) + 503, y + i - 3 + 500);
                  }));
  }
  const Server server(scratch, {"f_%04d.pgm", "r_%04d.pgm", "--disparities", "16"});
  EXPECT_EQ(server.get("/api/scene").json()["pair"], true);
  const json field = server.post("/api/motion", {{"frame", 4}}).packet();
  EXPECT_TRUE(std::string(field["command"]).starts_with("vergence motion f_%04d.pgm --frames 3:4")) << field["command"];
  EXPECT_EQ(field["hash"], by_the_program(field["command"])["hash"]);
}

TEST_F(ViewMotion, RefusalsNameTheField) {
  make_frames();
  const Server server(scratch, {"f_%04d.pgm"});
  const auto refused = [&](const std::string& path, const json& body, const std::string& field) {
    const Answer answer = server.post(path, body);
    EXPECT_EQ(answer.status, 422) << answer.body;
    EXPECT_EQ(answer.json()["error"]["field"], field) << answer.body;
  };
  refused("/api/motion", {{"frame", 3}}, "frame");
  refused("/api/motion", {{"frame", 8}}, "frame");
  refused("/api/motion", {{"settings", {{"block", 5}}}}, "block");
  refused("/api/track", {{"settings", {{"window", 4}}}}, "window");
  refused("/api/track", {{"frame", 99}}, "frame");
  EXPECT_EQ(server.post("/api/motion", {{"mask", true}}).status, 422);
  // A single picture, or what is for pairs.
  const cli_test::Result one = scratch.run({"view", "--no-open", "f_0003.pgm"});
  EXPECT_EQ(one.status, 2);
  EXPECT_NE(one.err.find("RIGHT is missing"), std::string::npos) << one.err;
  const cli_test::Result pair = scratch.run({"view", "--no-open", "f_%04d.pgm", "--window", "5"});
  EXPECT_EQ(pair.status, 2);
  EXPECT_NE(pair.err.find("is for pairs"), std::string::npos) << pair.err;
}

TEST_F(ViewMotion, ThePairHasNoMotion) {
  const Server server(scratch, pictures());
  EXPECT_TRUE(server.get("/api/scene").json()["motion"].is_null());
  EXPECT_EQ(server.post("/api/motion", json::object()).status, 422);
}

TEST_F(ViewMotion, TheBuiltInSceneHasMotionThatIsKnown) {
  const Server server(scratch);
  const json field = server.post("/api/motion", json::object()).packet();
  EXPECT_GT(field["epe"], 0);
  EXPECT_LT(field["epe"], 5);
  const json tracks = server.post("/api/track", {{"frame", 1}}).packet();
  EXPECT_GT(tracks["survival"], 50);
  EXPECT_LT(tracks["epe"], 1);
  EXPECT_EQ(scratch.run({"synth", "scene", "--rgb", "--frame-count", "2"}).status, 0);
  const auto own = [&](const json& found) {
    const std::string command = found["command"];
    return by_the_program(command.substr(command.find("&& ") + 3))["hash"];
  };
  EXPECT_EQ(field["hash"], own(field));
  EXPECT_EQ(tracks["hash"], own(tracks));
}

}  // namespace
}  // namespace vergence::view_test
