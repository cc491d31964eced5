// SPDX-License-Identifier: Apache-2.0
// What the server answers: tables, pictures, maps with the program's own hash and scores, comparisons, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "inspect/scene.hpp"
#include "server.hpp"
#include "vergence/device.hpp"
#include "vergence/stereo.hpp"

namespace vergence::view_test {
namespace {

using cli_test::Scratch;
using nlohmann::json;

class ViewApi : public ViewTest {};

TEST_F(ViewApi, FieldsAreThoseOfTheLibrary) {
  const Server server(scratch, pictures());
  const json tables = server.get("/api/fields").json();
  const auto fields = stereo_fields();
  ASSERT_EQ(tables["stereo"]["fields"].size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const json& field = tables["stereo"]["fields"][i];
    EXPECT_EQ(field["name"], fields[i].name);
    EXPECT_EQ(field["help"], fields[i].help);
    EXPECT_EQ(field["least"], fields[i].least);
    EXPECT_EQ(field["most"], fields[i].most);
    EXPECT_EQ(field["choices"].size(), fields[i].choices.size());
  }
  ASSERT_EQ(tables["stereo"]["presets"].size(), stereo_presets().size());
  EXPECT_EQ(tables["stereo"]["presets"][0]["name"], "fast");
  EXPECT_TRUE(tables["motion"]["fields"].size() > 3 && tables["track"]["fields"].size() > 3);
}

TEST_F(ViewApi, SceneAndPicturesFitEachOther) {
  const Server server(scratch);
  const json scene = server.get("/api/scene").json();
  EXPECT_EQ(scene["size"], (json{{"width", 640}, {"height", 480}}));
  EXPECT_EQ(scene["truth"], true);
  EXPECT_GT(scene["geometry"]["focal_px"], 0);
  EXPECT_EQ(scene["scale"].size(), 256U);
  const Answer pictures = server.get("/api/pictures");
  EXPECT_EQ(pictures.array("left").size(), 640U * 480 * 3);
  EXPECT_EQ(pictures.array("truth").size(), 640U * 480 * 4);
  EXPECT_NE(pictures.array("left"), pictures.array("right"));
  EXPECT_EQ(server.get("/api/pictures?frame=7").status, 200);
  EXPECT_EQ(server.get("/api/pictures?frame=8").status, 422);
  EXPECT_EQ(server.get("/api/pictures?frame=x").json()["error"]["field"], "frame");
}

TEST_F(ViewApi, DevicesHaveTheReference) {
  const Server server(scratch, pictures());
  const json devices = server.get("/api/devices").json()["devices"];
  EXPECT_TRUE(std::any_of(devices.begin(), devices.end(), [](const json& one) { return one["name"] == "reference"; }));
}

/// The command line that the answer tells, with --json.
json by_the_program(const Scratch& scratch, const std::string& command) {
  constexpr std::string_view start = "vergence synth scene --rgb && vergence ";
  EXPECT_TRUE(command.starts_with(start)) << command;
  EXPECT_EQ(scratch.run({"synth", "scene", "--rgb"}).status, 0);
  std::vector<std::string> words;
  for (std::size_t at = start.size(); at < command.size();) {
    const std::size_t end = std::min(command.find(' ', at), command.size());
    words.push_back(command.substr(at, end - at));
    at = end + 1;
  }
  words.emplace_back("--json");
  const cli_test::Result result = scratch.run(words);
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out);
}

TEST_F(ViewApi, HashScoresAndSettingsAreTheProgramsOwn) {
  const Server server(scratch);
  const json asked{{"preset", "fast"}, {"settings", {{"min-disparity", -2}, {"left-right", 2}}}, {"report", true}};
  const Answer answer = server.post("/api/stereo", asked);
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json told = answer.packet();
  const json own = by_the_program(scratch, told["command"]);
  EXPECT_EQ(told["hash"], own["hash"]);
  EXPECT_EQ(told["scores"], own["scores"]);
  EXPECT_EQ(told["settings"], own["settings"]);
  EXPECT_EQ(told["density"], own["density"]);
  EXPECT_EQ(answer.array("disparity").size(), 640U * 480 * 2);
}

TEST_F(ViewApi, CompanionsComeWhereTheyAreAskedFor) {
  const Server server(scratch, pictures());
  const Answer both = server.post("/api/stereo", {{"mask", true}, {"confidence", true}});
  EXPECT_EQ(both.array("mask").size(), 80U * 40);
  EXPECT_EQ(both.array("confidence").size(), 80U * 40);
  EXPECT_FALSE(both.packet().contains("hash"));
  EXPECT_EQ(server.post("/api/stereo", json::object()).packet()["arrays"].size(), 1U);
}

TEST_F(ViewApi, ReportsComeAfterTheMaps) {
  const Server server(scratch, pictures());
  const json first{{"client", "one"}, {"serial", 7}};
  EXPECT_EQ(server.post("/api/report", first).status, 404);
  json whole = first;
  whole["report"] = true;
  const std::string hash = server.post("/api/stereo", whole).packet()["hash"];
  ASSERT_EQ(server.post("/api/stereo", first).status, 200);
  EXPECT_EQ(server.post("/api/report", first).json()["hash"], hash);
  ASSERT_EQ(server.post("/api/stereo", {{"client", "one"}, {"serial", 8}}).status, 200);
  EXPECT_EQ(server.post("/api/report", first).status, 409);
}

/// Of an array with 80 elements of `bytes` in a row: each `every`-th of each `every`-th row.
std::string sampled(const std::string& array, std::size_t bytes, std::size_t every) {
  std::string found;
  for (std::size_t y = 0; y < 40; y += every)
    for (std::size_t x = 0; x < 80; x += every) found += array.substr(bytes * (80 * y + x), bytes);
  return found;
}

TEST_F(ViewApi, APartOfThePixelsComesBeforeAll) {
  const Server server(scratch, pictures());
  const Answer all = server.post("/api/stereo", {{"mask", true}});
  for (const int every : {2, 3, 64}) {
    const json asked{{"client", "one"}, {"serial", every}, {"mask", true}, {"every", every}};
    EXPECT_EQ(server.post("/api/maps", asked).status, 404);
    const Answer part = server.post("/api/stereo", asked);
    EXPECT_EQ(part.array("disparity"), sampled(all.array("disparity"), 2, static_cast<std::size_t>(every)));
    EXPECT_EQ(part.array("mask"), sampled(all.array("mask"), 1, static_cast<std::size_t>(every)));
    const Answer whole = server.post("/api/maps", asked);
    EXPECT_EQ(whole.array("disparity"), all.array("disparity"));
    EXPECT_EQ(whole.array("mask"), all.array("mask"));
    EXPECT_EQ(whole.packet()["command"], part.packet()["command"]);
  }
  for (const int every : {0, 65}) {
    const Answer refused = server.post("/api/stereo", {{"every", every}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(cli_test::holds(refused.body, "'every' " + std::to_string(every) + ": give 1 to 64")) << refused.body;
  }
  EXPECT_EQ(server.post("/api/compare", {{"a", json::object()}, {"b", json::object()}, {"every", 2}}).status, 422);
}

TEST_F(ViewApi, DevicesAgreeAndSettingsDiffer) {
  const Server server(scratch, pictures());
  const json devices{{"a", {{"device", "cpu"}}}, {"b", {{"device", "reference"}}}};
  const json same = server.post("/api/compare", devices).packet();
  EXPECT_EQ(same["differing_bytes"], 0);
  EXPECT_EQ(same["differing_pixels"], 0);
  const json settings{{"a", json::object()}, {"b", {{"settings", {{"window", 5}}}}}};
  const Answer other = server.post("/api/compare", settings);
  // Counted apart from the program.
  const std::string a = other.array("a.disparity"), b = other.array("b.disparity");
  ASSERT_EQ(a.size(), b.size());
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < a.size(); ++i) bytes += a[i] != b[i] ? 1 : 0;
  EXPECT_GT(bytes, 0);
  EXPECT_EQ(other.packet()["differing_bytes"], bytes);
}

TEST_F(ViewApi, RefusedSettingsAreNamed) {
  const Server server(scratch, pictures());
  const auto refused = [&](const json& body) {
    const Answer answer = server.post("/api/stereo", body);
    EXPECT_EQ(answer.status, 422) << body;
    return answer.json()["error"];
  };
  // One that any picture refuses, one that the matcher refuses, and one that needs another.
  EXPECT_EQ(refused({{"settings", {{"window", 4}}}})["field"], "window");
  const json wide = refused({{"settings", {{"disparities", 81}}}});
  EXPECT_EQ(wide["field"], "disparities");
  try {
    StereoMatcher(Device("cpu"), {80, 40}, {.disparities = 81});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(wide["message"], error.what());
  }
  EXPECT_EQ(refused({{"settings", {{"outside", "zero"}}}})["field"], "left-right");
  EXPECT_EQ(refused({{"settings", {{"pixel-depth", "u16"}}}}).contains("message"), true);
  EXPECT_TRUE(cli_test::holds(refused({{"device", "nonsense"}})["message"].get<std::string>(), "nonsense"));
  EXPECT_TRUE(cli_test::holds(refused({{"preset", "none"}})["message"].get<std::string>(), "none"));
}

TEST_F(ViewApi, MalformedRequestsAreRefused) {
  const Server server(scratch, pictures());
  for (const std::string text :
       {"", "{", "[]", "1", "{\"settings\": 3}", "{\"serial\": -1}", "{\"serial\": 1.5}", "{\"client\": 4}",
        "{\"unknown\": 1}", "{\"report\": 1}", "{\"a\": 1, \"a\": 2}", "{\"settings\": {\"window\": {\"x\": [1]}}}"}) {
    const Answer answer = ask(server.port(), "POST /api/stereo HTTP/1.1\r\n" + server.headers() +
                                                 "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
    EXPECT_EQ(answer.status, 422) << text;
    EXPECT_FALSE(answer.json()["error"]["message"].get<std::string>().empty()) << text;
  }
}

TEST_F(ViewApi, OlderRequestsOfAClientEnd) {
  const Server server(scratch, pictures());
  const json slow{{"client", "one"}, {"serial", 1}, {"device", "reference"}};
  ASSERT_EQ(server.post("/api/stereo", {{"client", "one"}, {"serial", 2}}).status, 200);
  EXPECT_EQ(server.post("/api/stereo", slow).status, 409);  // overtaken before it came
  EXPECT_EQ(server.post("/api/stereo", {{"client", "two"}, {"serial", 1}}).status, 200);
}

TEST_F(ViewApi, TwentyClientsGetTheSameMap) {
  const Server server(scratch, pictures());
  std::vector<std::string> hashes(20);
  {
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < hashes.size(); ++i)
      clients.emplace_back([&, i] {
        const json body{{"client", std::to_string(i)}, {"serial", 1}, {"report", true}, {"preset", "fast"}};
        const Answer answer = server.post("/api/stereo", body);
        if (answer.status == 200) hashes[i] = answer.packet()["hash"];
      });
  }
  EXPECT_NE(hashes.front(), "");
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes.front()), 20);
}

TEST_F(ViewApi, PicturesOfTheUser) {
  const Server server(scratch, pictures({"--truth", "truth.pfm", "--focal", "100", "--baseline", "0.1"}));
  const json scene = server.get("/api/scene").json();
  EXPECT_EQ(scene["size"]["width"], 80);
  EXPECT_EQ(scene["geometry"]["focal_px"], 100);
  const json body{{"settings", {{"disparities", 16}, {"window", 5}}}, {"report", true}};
  const json told = server.post("/api/stereo", body).packet();
  EXPECT_TRUE(cli_test::holds(told["command"].get<std::string>(),
                              "vergence stereo left.pgm right.pgm --truth truth.pfm --window 5x5 --disparities 16"))
      << told["command"];
  const cli_test::Result own = scratch.run(
      {"stereo", "left.pgm", "right.pgm", "--truth", "truth.pfm", "--disparities", "16", "--window", "5", "--json"});
  EXPECT_EQ(told["hash"], json::parse(own.out)["hash"]);
  EXPECT_EQ(told["scores"], json::parse(own.out)["scores"]);
}

TEST_F(ViewApi, ReportsTellWhatStereoDoes) {
  const auto write = [&](const char* name, bool right, double rows) {
    const Image<std::uint8_t> picture = inspect_test::view(right, 0, rows);
    scratch.write(name,
                  cli_test::pgm(picture.width(), picture.height(), 255, [&](int x, int y) { return picture(x, y); }));
  };
  write("left.pgm", false, 0);
  write("right.pgm", true, 0);
  write("lower.pgm", true, 5);
  scratch.write("truth.pfm", cli_test::flat_pfm(240, 180, 96));
  const auto warnings = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--disparities", "32", "--window", "5"});
    const Server server(scratch, words);
    const json first{{"client", "one"}, {"serial", 7}, {"settings", {{"disparities", 32}, {"window", 5}}}};
    EXPECT_EQ(server.post("/api/stereo", first).status, 200);
    return server.post("/api/report", first).json()["warnings"];
  };
  EXPECT_EQ(warnings({"left.pgm", "right.pgm"}), json::array());
  const auto own = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "stereo");
    words.insert(words.end(), {"--disparities", "32", "--window", "5", "--json"});
    return json::parse(scratch.run(words).out)["warnings"];
  };
  const std::vector<std::string> lower{"left.pgm", "lower.pgm"}, truth{"left.pgm", "right.pgm", "--truth", "truth.pfm"};
  EXPECT_TRUE(cli_test::holds(warnings(lower).at(0).get<std::string>(), "the pair is not rectified"));
  EXPECT_EQ(warnings(lower), own(lower));
  EXPECT_TRUE(cli_test::holds(warnings(truth).at(0).get<std::string>(), "truth truth.pfm "));
  EXPECT_EQ(warnings(truth), own(truth));
}

}  // namespace
}  // namespace vergence::view_test
