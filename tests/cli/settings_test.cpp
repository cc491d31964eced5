// SPDX-License-Identifier: Apache-2.0
// Settings: presets, files, options, and the order in which they override each other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

/// The report of a run on the good pair.
Json report_of(const Scratch& scratch, const Words& more, const char* left = "left.pgm",
               const char* right = "right.pgm") {
  Words arguments{"stereo", left, right, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Result result = scratch.run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.status == 0 ? Json::parse(result.out) : Json{};
}

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }
  Scratch scratch;
};

TEST_F(SettingsTest, DefaultsAreThePresetDefault) {
  const Json settings = report_of(scratch, {"--disparities", "16"})["settings"];
  StereoOptions options;
  options.disparities = 16;
  options.window = {9, 9};  // what auto stands for
  ASSERT_EQ(settings.size(), stereo_fields().size());
  for (const Field& field : stereo_fields()) {
    const Json& value = settings[std::string(field.name)];
    const std::string text = value.is_string()    ? value.get<std::string>()
                             : value.is_boolean() ? (value.get<bool>() ? "on" : "off")
                                                  : value.dump();
    EXPECT_EQ(text, stereo_get(options, field.name)) << field.name;
  }
}

TEST_F(SettingsTest, OptionsOverrideFilesAndFilesOverridePresets) {
  scratch.write("s.json", R"({"settings": {"window": "7x3", "disparities": 12, "subpixel": true}})");
  const Json preset = report_of(scratch, {"--preset", "fast", "--disparities", "16"})["settings"];
  EXPECT_EQ(preset["window"], "5x5");
  EXPECT_EQ(preset["subpixel"], false);
  const Json file = report_of(scratch, {"--preset", "fast", "--settings", "s.json"})["settings"];
  EXPECT_EQ(file["window"], "7x3");
  EXPECT_EQ(file["disparities"], 12);
  EXPECT_EQ(file["subpixel"], true);
  EXPECT_EQ(file["left-right"], -1);  // of the preset
  const Json option = report_of(scratch, {"--window", "9x1", "--settings", "s.json", "--preset", "fast"})["settings"];
  EXPECT_EQ(option["window"], "9x1");
  EXPECT_EQ(option["disparities"], 12);
}

TEST_F(SettingsTest, EveryFieldHasAnOption) {
  const std::vector<std::pair<std::string, std::string>> values{
      {"cost", "census-5x5"},  {"window", "5x7"},       {"disparities", "11"}, {"min-disparity", "-2"},
      {"reference", "right"},  {"border", "invalid"},   {"outside", "clamp"},  {"tie", "highest"},
      {"prefilter", "xsobel"}, {"prefilter-cap", "20"}, {"subpixel", "off"},   {"uniqueness", "5"},
      {"reject-ties", "off"},  {"texture", "3"},        {"left-right", "-1"},  {"left-right-unit", "grey"},
      {"speckle-size", "4"},   {"speckle-range", "8"},  {"median", "3"},       {"fill", "mean"},
      {"fill-window", "5"},    {"pixel-depth", "u16"},  {"max-value", "4000"}, {"roi", "1,2,30,15"},
      {"aggregate", "sgm"},    {"paths", "4"},          {"p1", "30"},          {"p2", "900"},
      {"p2-slope", "7"}};
  ASSERT_EQ(values.size(), stereo_fields().size());
  Words options;
  for (const auto& item : values) options.insert(options.end(), {"--" + item.first, item.second});
  const Json settings = report_of(scratch, options, "left16.pgm", "right16.pgm")["settings"];
  for (const auto& item : values) {
    const Json& value = settings[item.first];
    const std::string text = value.is_string()    ? value.get<std::string>()
                             : value.is_boolean() ? (value.get<bool>() ? "on" : "off")
                                                  : value.dump();
    EXPECT_EQ(text, item.second) << item.first;
  }
}

TEST_F(SettingsTest, SavedSettingsAndReportsGiveTheSameRunAgain) {
  const Json first = report_of(
      scratch, {"--preset", "quality", "--disparities", "14", "--window", "5x5", "--save-settings", "saved.json"});
  EXPECT_EQ(Json::parse(scratch.read("saved.json"))["settings"], first["settings"]);
  EXPECT_EQ(first["outputs"]["settings"], "saved.json");
  const Json saved = report_of(scratch, {"--settings", "saved.json"});
  EXPECT_EQ(saved["settings"], first["settings"]);
  EXPECT_EQ(saved["hash"], first["hash"]);
  scratch.write("report.json", first.dump());
  EXPECT_EQ(report_of(scratch, {"--settings", "report.json"})["hash"], first["hash"]);
}

TEST_F(SettingsTest, SixteenBitPicturesSetDepthAndLargestValue) {
  const Json file = report_of(scratch, {"--disparities", "16"}, "left16.pgm", "right16.pgm")["settings"];
  EXPECT_EQ(file["pixel-depth"], "u16");
  EXPECT_EQ(file["max-value"], 1023);
  const Json given =
      report_of(scratch, {"--disparities", "16", "--max-value", "2047"}, "left16.pgm", "right16.pgm")["settings"];
  EXPECT_EQ(given["max-value"], 2047);
  const Result small =
      scratch.run({"stereo", "left16.pgm", "right16.pgm", "--disparities", "16", "--max-value", "100"});
  EXPECT_EQ(small.status, 1) << small.err;  // a pixel of the picture exceeds what the option promised
}

TEST_F(SettingsTest, LargestValueOfTheDefaultIsNoMistakeWith8Bits) {
  report_of(scratch, {"--disparities", "16", "--max-value", "65535"});
  scratch.write("wide.json", R"({"settings": {"max-value": 1023, "disparities": 16}})");
  report_of(scratch, {"--settings", "wide.json"});
}

TEST_F(SettingsTest, CostAndDepthHaveOneMeaningEach) {
  const Json report = report_of(scratch, {"--cost", "ssd", "--cost-map", "cost.npy", "--pixel-depth", "u8", "--depth",
                                          "d.png", "--focal", "50", "--baseline", "0.1", "--disparities", "16"});
  EXPECT_EQ(report["settings"]["cost"], "ssd");
  EXPECT_EQ(report["settings"]["pixel-depth"], "u8");
  EXPECT_EQ(report["outputs"]["cost"], "cost.npy");
  EXPECT_EQ(report["outputs"]["depth"], "d.png");
  EXPECT_TRUE(scratch.has("cost.npy"));
  EXPECT_TRUE(scratch.has("d.png"));
}

/// What a file gives is the file's fault, wherever it is found: status 1, with the line. What an option gives is not.
TEST_F(SettingsTest, ErrorsNameTheFileAndItsLine) {
  const auto refused = [this](const std::string& value, const std::string& why, const Words& more = {},
                              int status = 1) {
    scratch.write("s.json", "{\"settings\": {\n  \"subpixel\": true,\n  " + value + "}}\n");
    Words arguments{"stereo", "left.pgm", "right.pgm", "--settings", "s.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, status) << value;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_TRUE(holds(result.err, status == 1 ? "settings file s.json, line 3: " + why : why)) << result.err;
  };
  refused("\"disparities\": 100000", "disparities is 100000: allowed are ");
  refused("\"window\": \"39x39\"", "window is 39x39");  // larger than the pictures
  refused("\"uniqueness\": 1001", "uniqueness is 1001: allowed are ");
  refused("\"disparities\": 100000", "disparities is 5000000: ", {"--disparities", "5000000"}, 2);
  refused("\"search\": \"hexagon\"",
          "stereo has no setting 'search', but motion has: is this a file of `vergence motion`?");
  refused("\"levels\": 3", "stereo has no setting 'levels', but ");
  // As it stands there.
  refused("\"disparities\": 1.60e1", "disparities is '1.60e1'");
  refused("\"disparities\": [1,  2]", "disparities is '[1,  2]'");
  refused("\"disparities\": 123456789012345678901234567890", "disparities is '123456789012345678901234567890'");
  refused(R"("window": "9\u0000x9")", R"(window is '9\x00x9')");
  refused(R"("window": "9\u0000x9")", R"(window is '9\x00x9': allowed is auto)");
  refused(R"("win\u0000dow": "9x9")", R"(no stereo option is named 'win\x00dow')");
}

TEST_F(SettingsTest, OldNamesInFilesAreRefusedWithTheNewOnes) {
  scratch.write("old.json", R"({"settings": {"depth": "u8"}})");
  const Result stereo = scratch.run({"stereo", "left.pgm", "right.pgm", "--settings", "old.json"});
  EXPECT_EQ(stereo.status, 1);
  EXPECT_NE(stereo.err.find("old.json, line 1: stereo option 'depth' is now named 'pixel-depth'"), std::string::npos)
      << stereo.err;
  scratch.write("light.json", R"({"settings": {"light": true}})");
  const Result track = scratch.run({"track", "left.pgm", "--settings", "light.json"});
  EXPECT_EQ(track.status, 1);
  EXPECT_NE(track.err.find("track option 'light' is now named 'gain-offset'"), std::string::npos) << track.err;
}

}  // namespace
}  // namespace vergence::cli_test
