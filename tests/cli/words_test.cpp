// SPDX-License-Identifier: Apache-2.0
// The words of a command line: on/off options with and without a value, and options whose value is missing.
#include <gtest/gtest.h>

#include "cli/bad_input.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

/// What the run shall do, told by the hash that it prints.
std::string hash_line(const Scratch& scratch, const std::vector<std::string>& arguments) {
  const Result result = scratch.run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  const std::size_t at = result.out.find("hash");
  return at == std::string::npos ? "none" : result.out.substr(at, result.out.find('\n', at) - at);
}

TEST(Words, AnOnOffOptionNeedsNoValueAndEatsNoOther) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  const std::string off = hash_line(scratch, {"track", "clip.y4m", "--window", "11"});
  const std::string on = hash_line(scratch, {"track", "clip.y4m", "--window", "11", "--gain-offset", "on"});
  EXPECT_NE(on, off);
  EXPECT_EQ(hash_line(scratch, {"track", "--gain-offset", "clip.y4m", "--window", "11"}), on);
  EXPECT_EQ(hash_line(scratch, {"track", "clip.y4m", "--gain-offset", "--window", "11"}), on);
  EXPECT_EQ(hash_line(scratch, {"track", "clip.y4m", "--window", "11", "--gain-offset"}), on);
  EXPECT_EQ(hash_line(scratch, {"track", "clip.y4m", "--window", "11", "--gain-offset=on"}), on);
  EXPECT_EQ(hash_line(scratch, {"track", "--gain-offset", "off", "clip.y4m", "--window", "11"}), off);
  EXPECT_EQ(hash_line(scratch, {"track", "--gain-offset=off", "clip.y4m", "--window", "11"}), off);
  const Result overlay = scratch.run({"track", "clip.y4m", "--must-converge", "--overlay", "o.y4m"});
  EXPECT_EQ(overlay.status, 0) << overlay.err;
  EXPECT_TRUE(scratch.has("o.y4m"));
}

TEST(Words, FlagsTakeOnAndOffToo) {
  const Scratch scratch;
  const std::string json = scratch.run({"presets", "--json"}).out;
  EXPECT_EQ(json.rfind('{', 0), 0u) << json;
  EXPECT_EQ(scratch.run({"presets", "--json", "on"}).out, json);
  EXPECT_EQ(scratch.run({"presets", "--json=on"}).out, json);
  const std::string table = scratch.run({"presets"}).out;
  EXPECT_NE(table, json);
  EXPECT_EQ(scratch.run({"presets", "--json=off"}).out, table);
  EXPECT_EQ(scratch.run({"presets", "--json", "off"}).out, table);
}

TEST(Words, BehindTwoDashesNothingIsAnOption) {
  const Scratch scratch;
  make_track_clip(scratch, 2);
  scratch.write("--gain-offset", scratch.read("clip.y4m"));
  const Result result = scratch.run({"track", "--", "--gain-offset"});
  EXPECT_EQ(result.status, 0) << result.err;
}

const std::vector<BadCase> cases{
    {"yes", {"track", "--gain-offset", "yes", "left.pgm"}, 2, {"--gain-offset is 'yes'", "on, off"}},
    {"true_of_flag", {"presets", "--json", "TRUE"}, 2, {"--json is 'TRUE'", "on, off"}},
    {"other_value", {"track", "left.pgm", "--gain-offset=dark"}, 2, {"--gain-offset is 'dark'", "on, off"}},
    {"number", {"stereo", "left.pgm", "right.pgm", "--subpixel", "4"}, 2, {"--subpixel is '4'", "on, off"}},
    {"word", {"stereo", "--subpixel", "quarter", "left.pgm", "right.pgm"}, 2, {"--subpixel is 'quarter'", "on, off"}},
    {"no_value", {"track", "left.pgm", "--gain-offset="}, 2, {"--gain-offset is ''", "on, off"}},
    {"option_for_value",
     {"track", "left.pgm", "--overlay", "--gain-offset"},
     2,
     {"--overlay needs a value", "--gain-offset"}},
    {"mistyped_for_value", {"track", "left.pgm", "--overlay", "--lihgt"}, 2, {"--overlay needs a value", "--lihgt"}},
    {"short_for_value",
     {"stereo", "left.pgm", "right.pgm", "--threads", "-o", "x.pfm"},
     2,
     {"--threads", "-o follows"}},
    {"short_without", {"stereo", "left.pgm", "right.pgm", "-o", "--json"}, 2, {"-o needs a value", "--json"}},
    {"of_a_study",
     {"study", "sad-streaming", "--device", "--output", "x"},
     2,
     {"a program of their own", "vergence_study"}},
    {"output_as_argument", {"stereo", "l", "r", "x.pfm"}, 2, {"'x.pfm': stereo takes LEFT RIGHT", "-o", "%04d"}},
    {"many_pictures", {"track", "f_0.pgm", "f_1.pgm"}, 2, {"'f_1.pgm': track takes VIDEO", "numbered", "_%04d"}},
    {"argument_of_none", {"devices", "all"}, 2, {"'all': devices takes options alone; see `vergence devices"}},
    {"twice",
     {"track", "left.pgm", "--gain-offset", "--gain-offset", "off"},
     2,
     {"--gain-offset is given more than once"}},
};
INSTANTIATE_TEST_SUITE_P(Words, BadInput, testing::ValuesIn(cases), case_name);

TEST(Words, MistakesGetTheWordThatWasMeant) {
  const Scratch scratch;
  const std::pair<std::vector<std::string>, const char*> mistakes[] = {
      {{"stereo", "--disp", "32"}, "unknown option '--disp': did you mean --disparities?"},
      {{"stereo", "--PRESET", "fast"}, "unknown option '--PRESET': did you mean --preset?"},
      {{"stereo", "l", "r", "\xE2\x80\x93preset", "fast"}, "begins with a dash that is no hyphen: write --preset"},
      {{"stereo", "l", "r", "\xE2\x80\x94o", "d.npy"}, "begins with a dash that is no hyphen: write -o"},
      {{"stereo", "l", "r", "-o=d.npy"}, "-o=d.npy: write -o d.npy, or --output=d.npy"},
      {{"stereo", "l", "r", "-o="}, "-o needs a value"},
      {{"--device", "cpu", "stereo", "l", "r"}, "options follow the command, as in `vergence stereo --device`"},
      {{"left.png", "right.png"}, "a command comes first, as in `vergence stereo left.png`"},
      {{"-v"}, "did you mean --version?"},
      {{"version"}, "did you mean --version?"},
      {{"presets", "motion"}, "motion is a command, not a preset: give --of motion"},
      {{"stereo", "l", "r", "--json", "o.json"}, "unknown argument 'o.json': stereo takes LEFT RIGHT; --json prints"},
      {{"presets", "strict"}, "no stereo preset is named 'strict', but one of track is: give --of track"},
      {{"presets", "exhaustive"}, "but one of motion is: give --of motion"},
      {{"presets", "quality", "--of", "track"}, "but one of stereo is: give --of stereo"},
  };
  for (const auto& [arguments, text] : mistakes) {
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
  }
}

struct Name {
  const char *command, *given, *meant;
};
constexpr Name foreign_names[] = {
    // OpenCV's StereoBM and StereoSGBM, libSGM, VPI
    {"stereo", "--numDisparities", "--disparities"},
    {"stereo", "--num-disp", "--disparities"},
    {"stereo", "--max-disp", "--disparities or --max-disparity"},
    {"stereo", "--maxDisparity", "--max-disparity"},
    {"stereo", "--minDisparity", "--min-disparity"},
    {"stereo", "--min-disp", "--min-disparity"},
    {"stereo", "--blockSize", "--window"},
    {"stereo", "--windowSize", "--window"},
    {"stereo", "--SADWindowSize", "--window"},
    {"stereo", "--P1", "--p1"},
    {"stereo", "--uniquenessRatio", "--uniqueness"},
    {"stereo", "--speckleWindowSize", "--speckle-size"},
    {"stereo", "--speckleRange", "--speckle-range"},
    {"stereo", "--disp12MaxDiff", "--left-right"},
    {"stereo", "--left-right-check", "--left-right"},
    {"stereo", "--lr-check", "--left-right"},
    {"stereo", "--LR_max_diff", "--left-right"},
    {"stereo", "--textureThreshold", "--texture"},
    {"stereo", "--preFilterCap", "--prefilter-cap"},
    {"stereo", "--mode", "--aggregate or --preset"},
    {"stereo", "--sgbm", "--aggregate"},
    {"stereo", "--subpixel-mode", "--subpixel"},
    {"stereo", "--census_size", "--cost"},
    {"stereo", "--backend=cuda", "--device"},
    {"stereo", "--scale", "--truth-scale"},
    {"stereo", "--fx", "--focal"},
    {"stereo", "--ground-truth", "--truth"},
    {"stereo", "--out", "--output"},
    {"stereo", "--windw", "--window"},
    // FFmpeg, x264
    {"motion", "--me_range", "--range"},
    {"motion", "--search_param", "--range"},
    {"motion", "--mb_size", "--block"},
    {"motion", "--method", "--search"},
    {"motion", "--subme", "--subpel"},
    {"motion", "--pix_fmt", "--format"},
    {"motion", "--video_size", "--size"},
    {"motion", "--framerate", "--rate"},
    {"motion", "--vframes", "--frames"},
    // OpenCV's corners and optical flow
    {"track", "--maxCorners", "--points"},
    {"track", "--qualityLevel", "--quality"},
    {"track", "--minDistance", "--min-distance"},
    {"track", "--winSize", "--window"},
    {"track", "--maxLevel", "--levels"},
    {"track", "--criteria", "--iterations or --epsilon"},
    {"track", "--minEigThreshold", "--min-eigen"},
    {"track", "--useHarrisDetector", "--corner"},
    {"track", "--min-quality", "--quality"},
    {"track", "--num-iters", "--iterations"},
    {"stereo", "--lr", "--left-right"},
    {"motion", "--width", "--size"},
    {"eval", "--scale", "--truth-scale"},
};

TEST(Words, NamesOfOtherProgramsGetOurs) {
  const Scratch scratch;
  for (const Name& name : foreign_names) {
    const Result result = scratch.run({name.command, "a.png", name.given, "5"});
    const std::string given = std::string(name.given).substr(0, std::string(name.given).find('='));
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("unknown option '" + given + "': did you mean " + name.meant + "?"), std::string::npos)
        << result.err;
  }
  // What has no counterpart is not taken for a name that looks like it.
  for (const auto& [command, given] : {std::pair{"motion", "--bframes"},
                                       {"motion", "--crf"},
                                       {"track", "--fast"},
                                       {"stereo", "--lambda"},
                                       {"stereo", "--wls"}}) {
    const Result result = scratch.run({command, "a.png", given, "5"});
    EXPECT_NE(result.err.find(std::string("unknown option '") + given + "': `vergence " + command + " --help` lists"),
              std::string::npos)
        << result.err;
  }
}

TEST(Words, NamesInSettingsFilesGetTheNearest) {
  const Scratch scratch;
  scratch.write("left.pgm", left_pgm(40, 20, 3));
  scratch.write("right.pgm", right_pgm(40, 20));
  for (const auto& [name, end] : {std::pair{"windw", "did you mean window?\n"},
                                  {"numDisparities", "did you mean disparities?\n"},
                                  {"speckle", "did you mean speckle-size or speckle-range?\n"},
                                  {"quux", ", the least different ones "}}) {
    scratch.write("s.json", std::string("{\"settings\": {\"") + name + "\": 3}}");
    const Result result = scratch.run({"stereo", "left.pgm", "right.pgm", "--settings", "s.json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find(std::string("no stereo option is named '") + name + "': "), std::string::npos);
    EXPECT_NE(result.err.find(end), std::string::npos) << result.err;
    EXPECT_LT(result.err.size(), 200u) << result.err;
  }
}

TEST(Words, NamesInSettingsFilesMayBeWrittenAsElsewhere) {
  const Scratch scratch;
  scratch.write("left.pgm", left_pgm(40, 20, 3));
  scratch.write("right.pgm", right_pgm(40, 20));
  for (const char* name : {"min_disparity", "--min-disparity", "Min-Disparity"}) {
    scratch.write("s.json", std::string("{\"settings\": {\"") + name + "\": 3}}");
    const Result result = scratch.run({"stereo", "left.pgm", "right.pgm", "--settings", "s.json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find(std::string("named '") + name + "': did you mean min-disparity?"), std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace vergence::cli_test
