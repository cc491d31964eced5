// SPDX-License-Identifier: Apache-2.0
// What is asked for is done, said or refused: options given twice, ranges that nobody gave, the depth of pixels, the
// environment, and standard output that is closed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/bad_input.hpp"
#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"
#include "vergence/device.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

/// The options of a command that name a file, of which each has one value.
Words file_options(const Scratch& scratch, const std::string& command) {
  std::istringstream help(scratch.run({command, "--help-all"}).out);
  Words options;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string name, value;
    while (words >> name && (name.rfind("--", 0) != 0)) {
      if (name[0] != '-') break;
    }
    if (line.rfind("  -", 0) != 0 || name.rfind("--", 0) != 0 || !(words >> value)) continue;
    const bool may_be_two = name == "--calibration" || name == "--refine-calibration";
    if ((value == "FILE" || value == "PNG") && !may_be_two) options.push_back(name);
  }
  return options;
}

TEST(Said, AnOptionGivenTwiceIsRefused) {
  const Scratch scratch;
  std::size_t seen = 0;
  for (const char* command : {"stereo", "motion", "track", "eval"})
    for (const std::string& option : file_options(scratch, command)) {
      ++seen;
      const Result result = scratch.run({command, "a", option, "b", option, "c"});
      EXPECT_EQ(result.status, 2) << result.err;
      EXPECT_TRUE(holds(result.err, option + " is given more than once")) << result.err;
    }
  EXPECT_GE(seen, 25U);
  for (const Words& words : {Words{"stereo", "a", "b", "--frames", "1", "--frames", "2"},
                             {"motion", "a", "--search", "tz", "--search", "full"},
                             {"synth", "s", "--seed", "1", "--seed", "1"},
                             {"eval-tracks", "t", "f", "--frame", "1", "--frame", "2"},
                             {"diff", "a", "b", "--frames", "1", "--frames", "2"},
                             {"verify", "--cases", "1", "--cases", "2"}})
    EXPECT_TRUE(holds(scratch.run(words).err, words[words.size() - 2] + " is given more than once")) << words[0];
}

TEST(Said, AClosedOutputIsAFailureOfEveryCommand) {
  const Scratch scratch;
  make_clip(scratch, 3);
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  scratch.write("r.pgm", right_pgm(40, 20));
  scratch.write("m.pfm", flat_pfm(40, 20, 3));
  for (const char* out : {"-", "/dev/full"})
    for (const Words& words : {Words{"--help"},
                               {"--help-all"},
                               {"--version"},
                               {"synth", "--help"},
                               {"help", "stereo"},
                               {"presets"},
                               {"devices"},
                               {"stereo", "l.pgm", "r.pgm", "--disparities", "16", "-o", "d.pfm"},
                               {"motion", "clip.y4m", "--range", "2", "-o", "v.csv"},
                               {"track", "clip.y4m", "--window", "7", "-o", "t.csv"},
                               {"eval", "m.pfm", "m.pfm"},
                               {"diff", "l.pgm", "l.pgm"},
                               {"diff", "l.pgm", "r.pgm"},
                               {"synth", "s", "--size", "48x32", "--samples", "1"},
                               {"verify", "--cases", "1"}}) {
      const Result result = scratch.run(words, out_to(out));
      EXPECT_EQ(result.status, 1) << words[0];
      EXPECT_TRUE(holds(result.err, "cannot write to standard output")) << words[0] << ": " << result.err;
    }
}

class SaidOfStereo : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("left.pgm", left_pgm(width, 20, 3));
    scratch.write("right.pgm", right_pgm(width, 20));
    calibration("calib.txt", 24);
  }
  void calibration(const std::string& name, int ndisp) const {
    scratch.write(name, fmt::format("cam0=[100 0 19.5; 0 100 9.5; 0 0 1]\ncam1=[100 0 19.5; 0 100 9.5; 0 0 1]\n"
                                    "doffs=0\nbaseline=300\nwidth={}\nheight=20\nndisp={}\n",
                                    width, ndisp));
  }
  Json report(const Words& more) const {
    Words words{"stereo", "left.pgm", "right.pgm", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? Json::parse(result.out) : Json();
  }
  static constexpr int width = 40;
  Scratch scratch;
};

TEST_F(SaidOfStereo, NdispIsTheNumberOfDisparities) {
  const Json own = report({"--calibration", "calib.txt", "--depth", "d.pfm"});
  EXPECT_EQ(own["settings"]["disparities"], 24);
  EXPECT_EQ(own["disparities_from"], "calibration");
  EXPECT_EQ(own["warnings"].size(), 0U);
  const Json bare = report({"--calibration", "calib.txt", "--preset", "fast"});
  EXPECT_EQ(bare["settings"]["disparities"], 24);
  const Json shifted = report({"--calibration", "calib.txt", "--min-disparity", "2"});
  EXPECT_EQ(shifted["settings"]["disparities"], 22);
  const std::string text = scratch.run({"stereo", "left.pgm", "right.pgm", "--calibration", "calib.txt"}).out;
  EXPECT_TRUE(holds(text, "disparities 0 .. 23 (ndisp of the calibration)")) << text;
}

TEST_F(SaidOfStereo, WhatWasGivenWinsAgainstNdisp) {
  const Json more = report({"--calibration", "calib.txt", "--disparities", "32"});
  EXPECT_EQ(more["settings"]["disparities"], 32);
  EXPECT_EQ(more["disparities_from"], "options");
  EXPECT_EQ(more["warnings"].size(), 0U);
  const Json less = report({"--calibration", "calib.txt", "--disparities", "16"});
  EXPECT_EQ(less["settings"]["disparities"], 16);
  ASSERT_EQ(less["warnings"].size(), 1U);
  EXPECT_TRUE(holds(less["warnings"][0].get<std::string>(),
                    "0 .. 15 do not reach those of calib.txt, whose ndisp is 24 (0 .. 23)"));
  scratch.write("s.json", R"({"settings": {"disparities": 8}})");
  EXPECT_EQ(report({"--calibration", "calib.txt", "--settings", "s.json"})["settings"]["disparities"], 8);
}

TEST_F(SaidOfStereo, ARangeThatNobodyGaveEndsAtTheWidth) {
  const Json narrow = report({"--preset", "sad-2018"});  // which has 64
  EXPECT_EQ(narrow["settings"]["disparities"], width);
  EXPECT_EQ(narrow["disparities_from"], "width");
  EXPECT_EQ(report({"--preset", "sad-2018", "--min-disparity", "5"})["settings"]["disparities"], width - 5);
  calibration("far.txt", 280);
  EXPECT_EQ(report({"--calibration", "far.txt"})["settings"]["disparities"], width);
  const Result given = scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "64"});
  EXPECT_EQ(given.status, 2) << given.out;
  EXPECT_TRUE(holds(given.err, "disparities")) << given.err;
}

TEST_F(SaidOfStereo, TheDepthOfPixelsIsTheirOwn) {
  for (const char* side : {"left10.pgm", "right10.pgm"})
    scratch.write(side, pgm(width, 20, 1023, [](int x, int y) { return 4 * texture(x, y); }));
  const Result result = scratch.run({"stereo", "left10.pgm", "right10.pgm", "--json"});
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["pixels"], (Json{{"bits", 10}, {"max_value", 1023}}));
  EXPECT_EQ(report["settings"]["pixel-depth"], "u16");
  EXPECT_TRUE(holds(scratch.run({"stereo", "left10.pgm", "right10.pgm"}).out, "10 bits (largest value 1023)"));
  EXPECT_TRUE(holds(scratch.run({"stereo", "left.pgm", "right.pgm"}).out, "40x20, 8 bits\n"));
}

TEST(Said, TheDepthOfVideoIsItsOwn) {
  const Scratch scratch;
  std::string low, high;  // the same 10 bits in the lower and in the upper ones of 16
  for (int frame = 0; frame < 2; ++frame)
    for (int i = 0; i < 64 * 48 * 3 / 2; ++i) {
      const int value = i < 64 * 48 ? 4 * texture(i % 64 + frame, i / 64) : 512;
      low += {static_cast<char>(value & 255), static_cast<char>(value >> 8)};
      high += {static_cast<char>(value << 6 & 255), static_cast<char>(value >> 2)};
    }
  scratch.write("low.yuv", low);
  scratch.write("high.yuv", high);
  std::string grey;
  for (int frame = 0; frame < 2; ++frame)
    grey += low.substr(static_cast<std::size_t>(frame) * 64 * 48 * 3, 64 * 48 * 2);
  scratch.write("grey.yuv", grey);
  for (const auto& [name, format] :
       {std::pair{"low.yuv", "yuv420p10le"}, {"high.yuv", "p010le"}, {"grey.yuv", "gray10le"}})
    for (const Words& command : {Words{"motion", name, "--range", "4"}, {"track", name, "--window", "7"}}) {
      Words words = command;
      words.insert(words.end(), {"--size", "64x48", "--format", format});
      EXPECT_TRUE(holds(scratch.run(words).out, "64x48, 10 bits (largest value 1023), 2 frames")) << name;
      words.emplace_back("--json");
      const Json report = Json::parse(scratch.run(words).out);
      EXPECT_EQ(report["pixels"], (Json{{"bits", 10}, {"max_value", 1023}})) << name;
      EXPECT_EQ(report["settings"]["max-value"], 1023);
    }
}

TEST(Said, ACacheFolderThatCannotBeUsedIsToldOf) {
  std::string device;
  for (const DeviceInfo& info : Device::list())
    if (info.available && info.kind == "opencl" && device.empty()) device = info.name;
  if (device.empty()) GTEST_SKIP() << "no OpenCL device";
  const Scratch scratch;
  scratch.write("left.pgm", left_pgm(40, 20, 3));
  scratch.write("right.pgm", right_pgm(40, 20));
  scratch.write("file", "");
  const Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "8", "--preset", "fast", "--device", device};
  const RunOptions options = with_environment("VERGENCE_CACHE", scratch.path("file/cache"));
  const Result result = scratch.run(words, options);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_TRUE(holds(result.err, "warning: the cache folder " + scratch.path("file/cache") + " cannot be used"))
      << result.err;
  EXPECT_TRUE(holds(result.err, "set VERGENCE_CACHE")) << result.err;
  const Result tune = scratch.run({"tune", "--device", device}, options);
  EXPECT_EQ(tune.status, 1);
  EXPECT_TRUE(holds(tune.err, "winners cannot be kept")) << tune.err;
  // No permission forbids these.
  const Result nowhere = scratch.run(words, with_environment("VERGENCE_CACHE", "/proc"));
  EXPECT_TRUE(holds(nowhere.err, "warning: the cache folder /proc cannot be used")) << nowhere.err;
  const Result long_name = scratch.run(words, with_environment("VERGENCE_CACHE", scratch.path(std::string(300, 'x'))));
  EXPECT_TRUE(holds(long_name.err, "cannot be used (its name is too long)")) << long_name.err;
}

class Idle : public testing::TestWithParam<std::pair<Words, std::string>> {};

/// An option that does nothing is told of, or refused; with --strict always refused.
TEST_P(Idle, IsToldOf) {
  const Scratch scratch;
  make_clip(scratch, 3);
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  scratch.write("r.pgm", right_pgm(40, 20));
  scratch.write("p.txt", "20 10\n");
  auto [words, said] = GetParam();
  if (words[0] == "stereo") words.insert(words.begin() + 1, {"l.pgm", "r.pgm", "--disparities", "8"});
  if (words[0] == "motion") words.insert(words.begin() + 1, {"clip.y4m", "--range", "2"});
  if (words[0] == "track") words.insert(words.begin() + 1, {"clip.y4m", "--window", "7"});
  const Result result = scratch.run(words);
  EXPECT_TRUE(holds(result.err, said)) << result.err;
  EXPECT_EQ(result.status, holds(result.err, "warning: ") ? 0 : 2) << result.err;
  words.emplace_back("--strict");
  EXPECT_NE(scratch.run(words).status, 0);
}

const std::vector<std::pair<Words, std::string>> idle{
    {{"stereo", "--fill-window", "5"}, "--fill-window does nothing: fill is none"},
    {{"stereo", "--prefilter-cap", "9"}, "--prefilter-cap does nothing: prefilter is none, texture is 0"},
    {{"stereo", "--speckle-range", "3", "--speckle-size", "0"}, "--speckle-range does nothing: speckle-size is 0"},
    {{"stereo", "--left-right-unit", "grey", "--preset", "fast"}, "--left-right-unit does nothing: left-right is -1"},
    {{"stereo", "--left-right", "7"}, "--left-right 7 does nothing: the disparities differ by 7 px at most"},
    {{"stereo", "--speckle-size", "50", "--speckle-range", "112"},
     "--speckle-range 112 does nothing: the disparities differ by 112/16 px at most"},
    {{"stereo", "--include-filled", "--focal", "9", "--baseline", "1", "--depth", "d.pfm"}, "fill is none"},
    {{"motion", "--step-grid", "7x7"}, "--step-grid does nothing: search is full"},
    {{"motion", "--levels", "1"}, "--levels does nothing: search is full"},
    {{"motion", "--independent"}, "--independent does nothing: search is full"},
    {{"motion", "--rate", "5"}, "--rate is for videos"},
    {{"motion", "--device", "cpu,reference", "--no-kernel-cache"}, "not among cpu,reference"},
    {{"track", "--harris-k", "5"}, "--harris-k does nothing: corner is shi-tomasi"},
    {{"track", "--points-file", "p.txt", "--quality", "0.1"}, "--quality does nothing: points is 0"},
    {{"track", "--points-file", "p.txt", "--points-mask", "f_0000.pgm"}, "--points-mask does nothing"},
    {{"track", "--rate", "5"}, "--rate needs --overlay"},
    {{"track", "--map", "prepare=reference,update=reference", "--threads", "3"}, "--threads is for device cpu"},
    {{"--version", "presets"}, "--version stands alone"},
};
INSTANTIATE_TEST_SUITE_P(Options, Idle, testing::ValuesIn(idle));

/// What is used is not told of.
TEST(Said, OptionsThatDoSomethingAreQuiet) {
  const Scratch scratch;
  make_clip(scratch, 3);
  scratch.write("l.pgm", left_pgm(40, 20, 3));
  scratch.write("r.pgm", right_pgm(40, 20));
  for (const Words& words :
       {Words{"stereo", "l.pgm", "r.pgm", "--disparities", "8", "--fill", "mean", "--fill-window", "5"},
        {"stereo", "l.pgm", "r.pgm", "--disparities", "8", "--texture", "3", "--prefilter-cap", "9"},
        {"stereo", "l.pgm", "r.pgm", "--disparities", "8", "--left-right", "6"},
        {"stereo", "l.pgm", "r.pgm", "--disparities", "8", "--speckle-size", "50", "--speckle-range", "111"},
        {"motion", "clip.y4m", "--range", "2", "--compare", "step", "--step-grid", "7x7"},
        {"motion", "clip.y4m", "--range", "2", "--search", "hierarchical", "--levels", "1"},
        {"motion", "clip.y4m", "--range", "2", "--lambda", "9", "--independent"},
        {"track", "clip.y4m", "--window", "7", "--corner", "harris", "--harris-k", "5"}}) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_FALSE(holds(result.err, "does nothing")) << result.err;
  }
}

TEST(Said, FloatsHaveNoInvalidNumber) {
  const Scratch scratch;
  write_npy(scratch.path("f.npy"), Image<float>(8, 8, 3).view());
  write_npy(scratch.path("i.npy"), Image<std::int16_t>(8, 8, 48).view());
  write_pfm(scratch.path("t.pfm"), Image<float>(8, 8, 3).view());
  const Result floats = scratch.run({"eval", "f.npy", "t.pfm", "--invalid", "-16"});
  EXPECT_EQ(floats.status, 2) << floats.out;
  EXPECT_TRUE(holds(floats.err, "f.npy holds floats")) << floats.err;
  EXPECT_EQ(scratch.run({"eval", "i.npy", "t.pfm", "--invalid", "-16"}).status, 0);
}

TEST(Said, TheEnvironmentIsHonouredOrRefused) {
  const Scratch scratch;
  scratch.write("left.pgm", left_pgm(40, 20, 3));
  scratch.write("right.pgm", right_pgm(40, 20));
  const Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "8"};
  const Result device = scratch.run(words, with_environment("VERGENCE_DEVICE", "nonsense"));
  EXPECT_EQ(device.status, 2);
  EXPECT_TRUE(holds(device.err, "'nonsense' (from the environment variable VERGENCE_DEVICE)")) << device.err;
  const Result named = scratch.run(words, with_environment("VERGENCE_DEVICE", "reference"));
  EXPECT_TRUE(holds(named.out, "reference: ")) << named.out;
  Words energy = words;
  energy.insert(energy.end(), {"--energy", "--json"});
  const Result zones = scratch.run(energy, with_environment("VERGENCE_POWERCAP", scratch.path("none")));
  EXPECT_TRUE(holds(zones.out, scratch.path("none") + " is not there")) << zones.out;
  const Result nvrtc = scratch.run({"devices"}, with_environment("VERGENCE_NVRTC", scratch.path("none.so")));
  EXPECT_EQ(nvrtc.status, 0) << nvrtc.err;
}

}  // namespace
}  // namespace vergence::cli_test
