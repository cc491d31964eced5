// SPDX-License-Identifier: Apache-2.0
// Help, version, presets and devices: what is shown is complete and true.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/device.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"
#include "vergence/version.hpp"

namespace vergence::cli_test {
namespace {

/// One space for every run of white space, so that wrapped text can be searched.
std::string flat(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  std::string joined;
  while (words >> word) joined.append(joined.empty() ? "" : " ").append(word);
  return joined;
}

TEST(Help, NamesEveryCommand) {
  const Scratch scratch;
  const Result result = scratch.run({"--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* command : {"stereo", "motion", "track", "eval", "eval-tracks", "diff", "synth", "devices", "presets",
                              "calibrate", "calibration", "rectify", "tune", "verify", "study"})
    EXPECT_TRUE(holds(result.out, std::string("\n  ") + command + " ")) << command << " in\n" << result.out;
}

TEST(Help, OfEveryCommandIsShownAndFitsTheScreen) {
  const Scratch scratch;
  for (const char* command : {"stereo", "motion", "track", "eval", "eval-tracks", "diff", "synth", "devices", "presets",
                              "calibrate", "calibration", "rectify", "tune", "verify", "study", "help"}) {
    for (const char* option : {"--help", "--help-all"}) {
      const Result result = scratch.run({command, option});
      EXPECT_EQ(result.status, 0) << command;
      EXPECT_EQ(result.err, "");
      EXPECT_TRUE(holds(result.out, std::string("Usage: vergence ") + command)) << result.out;
      std::istringstream text(result.out);
      const bool all = option == std::string("--help-all");
      int lines = 0;
      for (std::string line; std::getline(text, line); ++lines)
        EXPECT_LE(line.size(), all && line.starts_with("  ") ? 110u : 80u) << line;  // examples are one line
      if (!all) {
        EXPECT_LE(lines, 23) << command;  // a terminal has 24, one of which is the next prompt's
      }
    }
  }
}

TEST(Help, TheShortOneOfStereoNamesSemiGlobalMatching) {
  EXPECT_TRUE(
      holds(Scratch().run({"stereo", "--help"}).out, "sgm: semi-global matching, as --preset quality [window]"));
}

TEST(Help, TheShortOneOfStereoNamesRawAndLiveInput) {
  const std::string help = Scratch().run({"stereo", "--help"}).out;
  EXPECT_TRUE(holds(help, "\n  --rectify ")) << help;
  EXPECT_TRUE(holds(help, "\n  --stream ")) << help;
}

TEST(Help, OfTheProgramFitsTheScreen) {
  const Scratch scratch;
  std::istringstream text(scratch.run({"--help"}).out);
  int lines = 0;
  for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(lines, 23);
}

TEST(Help, ShortOnesHaveTheDefaults) {
  const Scratch scratch;
  const auto line_of = [](const std::string& help, const std::string& option) {
    const std::size_t at = help.find("  " + option);
    return at == std::string::npos ? std::string() : help.substr(at, help.find('\n', at) - at);
  };
  const std::string stereo = scratch.run({"stereo", "--help"}).out;
  EXPECT_TRUE(holds(line_of(stereo, "--disparities"), "[auto]")) << stereo;
  EXPECT_TRUE(holds(line_of(stereo, "--frames"), "[all]")) << stereo;
  EXPECT_TRUE(holds(line_of(scratch.run({"motion", "--help"}).out, "--block"), "[16x16]"));
  EXPECT_TRUE(holds(line_of(scratch.run({"track", "--help"}).out, "--points VALUE"), "[500]"));
}

TEST(Help, IsShortUnlessAllIsAskedFor) {
  const Scratch scratch;
  const std::string few = scratch.run({"stereo", "--help"}).out, all = scratch.run({"stereo", "--help-all"}).out;
  EXPECT_TRUE(holds(few, "`vergence stereo --help-all` shows all "));
  EXPECT_TRUE(holds(few, "--disparities"));
  EXPECT_FALSE(holds(few, "--speckle-range"));
  EXPECT_TRUE(holds(all, "--speckle-range"));
  // In short help the output comes first, before what only some runs need.
  EXPECT_LT(few.find("--output"), few.find("--frames"));
}

TEST(Help, IsACommandToo) {
  const Scratch scratch;
  EXPECT_EQ(scratch.run({"help"}).out, scratch.run({"--help"}).out);
  for (const char* command : {"stereo", "motion", "track", "devices", "help"}) {
    EXPECT_EQ(scratch.run({"help", command}).out, scratch.run({command, "--help"}).out) << command;
    EXPECT_EQ(scratch.run({"help", command, "--all"}).out, scratch.run({command, "--help-all"}).out) << command;
  }
  const Result unknown = scratch.run({"help", "stero"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(holds(unknown.err, "unknown command 'stero': there are stereo, motion")) << unknown.err;
}

TEST(Help, GivesEveryFieldsUnitRangeAndDefault) {
  const Scratch scratch;
  const std::string help = flat(scratch.run({"stereo", "--help-all"}).out);
  for (const Field& field : stereo_fields()) {
    EXPECT_TRUE(holds(help, "--" + std::string(field.name))) << field.name;
    std::string limits = "[";
    limits += field.range;
    if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
    limits.append("; default: ").append(stereo_get(StereoOptions{}, field.name)).append("]");
    if (field.name == "disparities") limits = "[1 .. picture width, auto, follow; unit: px; default: auto]";
    EXPECT_TRUE(holds(help, flat(limits))) << field.name << ": " << limits;
    EXPECT_TRUE(holds(help, flat(std::string(field.help)))) << field.name;
  }
}

TEST(Help, GivesEveryMotionFieldsUnitRangeAndDefault) {
  const Scratch scratch;
  const std::string help = flat(scratch.run({"motion", "--help-all"}).out);
  for (const Field& field : motion_fields()) {
    EXPECT_TRUE(holds(help, "--" + std::string(field.name))) << field.name;
    std::string limits = "[";
    limits += field.range;
    if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
    limits.append("; default: ").append(motion_get(MotionOptions{}, field.name)).append("]");
    EXPECT_TRUE(holds(help, flat(limits))) << field.name << ": " << limits;
  }
}

TEST(Help, GivesEveryTrackFieldsUnitRangeAndDefault) {
  const Scratch scratch;
  const std::string help = flat(scratch.run({"track", "--help-all"}).out);
  for (const Field& field : track_fields()) {
    if (field.name == "history") continue;  // the program has no use for it
    EXPECT_TRUE(holds(help, "--" + std::string(field.name))) << field.name;
    std::string limits = "[";
    limits += field.range;
    if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
    limits.append("; default: ").append(track_get(TrackOptions{}, field.name)).append("]");
    EXPECT_TRUE(holds(help, flat(limits))) << field.name << ": " << limits;
  }
}

/// The options of a command's help with their value's type: "--size" -> "WxH".
std::map<std::string, std::string> options_of(const Scratch& scratch, const std::string& command) {
  std::map<std::string, std::string> types;
  std::istringstream help(scratch.run({command, "--help-all"}).out);
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  -")) continue;
    std::istringstream words(line);
    std::string name, type;
    words >> name;
    if (name.ends_with(',')) words >> name;
    const std::size_t end = line.find(name) + name.size();
    if (line.compare(end, 2, "  ") != 0) words >> type;  // the description is two spaces away
    types[name] = type;
  }
  return types;
}

TEST(Help, AnOptionOfSeveralCommandsHasOneMeaning) {
  const Scratch scratch;
  // The length and the age that have the scale's last colour.
  const std::set<std::string> alike{"--overlay-scale"};
  std::map<std::string, std::string> all;
  for (const char* command : {"stereo", "motion", "track", "eval", "eval-tracks", "diff", "synth", "devices", "presets",
                              "calibrate", "calibration", "rectify", "tune", "verify"}) {
    const auto types = options_of(scratch, command);
    EXPECT_TRUE(types.contains("--json")) << command;
    for (const auto& [name, type] : types)
      EXPECT_TRUE(all.try_emplace(name, type).first->second == type || alike.contains(name))
          << name << " of " << command << ": " << type << ", elsewhere " << all[name];
  }
}

TEST(Help, SaysThatThePairMustBeRectified) {
  const Scratch scratch;
  EXPECT_TRUE(holds(scratch.run({"stereo", "--help"}).out, "RECTIFIED"));
}

TEST(Version, ListsVersionAndTargets) {
  const Scratch scratch;
  const Result result = scratch.run({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(holds(result.out, "vergence " VERGENCE_VERSION "\n"));
  EXPECT_TRUE(holds(result.out, "vergence devices"));
  for (const std::string& target : Device::simd_targets()) EXPECT_TRUE(holds(result.out, target)) << target;
}

TEST(Presets, TableHoldsEveryFieldOfEachPreset) {
  const Scratch scratch;
  const Result table = scratch.run({"presets"});
  EXPECT_EQ(table.status, 0);
  const Json report = Json::parse(scratch.run({"presets", "--json"}).out);
  ASSERT_EQ(report["presets"].size(), stereo_presets().size());
  std::size_t index = 0;
  for (const StereoPreset& preset : stereo_presets()) {
    EXPECT_EQ(report["presets"][index]["name"], preset.name);
    EXPECT_EQ(report["presets"][index]["settings"].size(), stereo_fields().size());
    EXPECT_TRUE(holds(table.out, preset.name));
    const std::string one = flat(scratch.run({"presets", std::string(preset.name)}).out);
    for (const Field& field : stereo_fields()) {
      const std::string line = std::string(field.name) + " " + stereo_get(preset.options, field.name) + " ";
      EXPECT_TRUE(holds(one, line)) << preset.name << ": " << line;
    }
    ++index;
  }
  for (const Field& field : stereo_fields()) {
    std::string row = std::string(field.name);
    for (const StereoPreset& preset : stereo_presets()) row.append(" ").append(stereo_get(preset.options, field.name));
    EXPECT_TRUE(holds(flat(table.out), row)) << row;
  }
}

TEST(Presets, TableOfMotionHoldsEveryFieldOfEachPreset) {
  const Scratch scratch;
  const std::string table = flat(scratch.run({"presets", "--of", "motion"}).out);
  for (const Field& field : motion_fields()) {
    std::string row = std::string(field.name);
    for (const MotionPreset& preset : motion_presets()) row.append(" ").append(motion_get(preset.options, field.name));
    EXPECT_TRUE(holds(table, row)) << row;
  }
  const Json report = Json::parse(scratch.run({"presets", "exhaustive", "--of", "motion", "--json"}).out);
  EXPECT_EQ(report["presets"][0]["settings"]["subpel"], "quarter");
}

TEST(Presets, TableOfTracksHoldsEveryFieldOfEachPreset) {
  const Scratch scratch;
  const std::string table = flat(scratch.run({"presets", "--of", "track"}).out);
  for (const Field& field : track_fields()) {
    std::string row = std::string(field.name);
    for (const TrackPreset& preset : track_presets()) row.append(" ").append(track_get(preset.options, field.name));
    EXPECT_TRUE(holds(table, row)) << row;
  }
  const Json report = Json::parse(scratch.run({"presets", "strict", "--of", "track", "--json"}).out);
  EXPECT_EQ(report["presets"][0]["settings"]["quality"], 0.01);  // a number
}

TEST(Devices, TableAndJsonNameEachDevice) {
  const Scratch scratch;
  const Result table = scratch.run({"devices"});
  EXPECT_EQ(table.status, 0);
  const Json report = Json::parse(scratch.run({"devices", "--json"}).out);
  EXPECT_EQ(report["version"], VERGENCE_VERSION);
  const std::vector<DeviceInfo> devices = Device::list();
  ASSERT_EQ(report["devices"].size(), devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    EXPECT_TRUE(holds(table.out, devices[i].name));
    EXPECT_EQ(report["devices"][i]["name"], devices[i].name);
    EXPECT_EQ(report["devices"][i]["kind"], devices[i].kind);
    EXPECT_EQ(report["devices"][i]["description"], devices[i].description);
    EXPECT_EQ(report["devices"][i]["available"], devices[i].available);
    EXPECT_EQ(report["devices"][i]["reason"], devices[i].reason);
    ASSERT_EQ(report["devices"][i].contains("gpu"), devices[i].gpu.has_value());
    if (!devices[i].gpu) continue;
    const Json gpu = report["devices"][i]["gpu"];
    EXPECT_EQ(gpu["device"], devices[i].gpu->device);
    EXPECT_EQ(gpu["compute_units"], devices[i].gpu->compute_units);
    EXPECT_EQ(gpu["clock_mhz"], devices[i].gpu->clock_mhz);
    EXPECT_EQ(gpu["memory"], devices[i].gpu->memory);
    EXPECT_EQ(gpu["local_memory"], devices[i].gpu->local_memory);
    EXPECT_EQ(gpu["largest_buffer"], devices[i].gpu->largest_buffer);
    EXPECT_EQ(gpu["largest_group"], devices[i].gpu->largest_group);
    EXPECT_GT(devices[i].gpu->largest_group, 0u);
    EXPECT_GT(devices[i].gpu->memory, 0u);
  }
}

TEST(Verify, ProvesTheDeviceAndRepeatsItsHash) {
  const Scratch scratch;
  const Result first = scratch.run({"verify", "--cases", "20", "--json", "--threads", "1"});
  ASSERT_EQ(first.status, 0) << first.out << first.err;
  const Json report = Json::parse(first.out);
  EXPECT_EQ(report["cases"], 20);
  EXPECT_EQ(report["differences"], 0);
  EXPECT_EQ(report["device"], "cpu");
  const Json again = Json::parse(scratch.run({"verify", "--cases", "20", "--json", "--threads", "2"}).out);
  EXPECT_EQ(again["hash"], report["hash"]);
  const Json other = Json::parse(scratch.run({"verify", "--cases", "20", "--json", "--seed", "1000"}).out);
  EXPECT_NE(other["hash"], report["hash"]);
  EXPECT_TRUE(holds(scratch.run({"verify", "--cases", "5"}).out, "every byte equals the reference"));
}

}  // namespace
}  // namespace vergence::cli_test
