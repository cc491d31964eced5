// SPDX-License-Identifier: Apache-2.0
// `vergence motion`: what it finds equals what the library finds, from every kind of input, with every option.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"
#include "vergence/score.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int frames = 4;

/// The CSV that the library's own vectors give.
std::string expected_csv(const MotionOptions& options, bool j, int reference = 1) {
  MotionEstimator estimator(Device("reference"), clip_size, options);
  const Size grid = estimator.blocks();
  Image<MotionVector> vectors(grid);
  Image<MotionVector> previous(grid);
  Image<std::uint64_t> cost(grid);
  Image<std::uint64_t> ranked(grid);
  std::string text = "frame,x,y,width,height,dx,dy,cost";
  text += j ? ",j\n" : "\n";
  for (int i = reference; i < frames; ++i) {
    const YuvFrame current = clip_frame(i);
    const YuvFrame before = clip_frame(i - reference);
    MotionOutput maps;
    maps.vectors = vectors.view();
    maps.cost = cost.view();
    maps.j = ranked.view();
    estimator.compute({current.luma, before.luma, i > reference ? previous.view() : ImageView<const MotionVector>()},
                      maps);
    for (int y = 0; y < grid.height; ++y)
      for (int x = 0; x < grid.width; ++x) {
        const int left = x * options.block.width;
        const int top = y * options.block.height;
        text += fmt::format("{},{},{},{},{},{:.2f},{:.2f},{}", i, left, top,
                            std::min(options.block.width, clip_size.width - left),
                            std::min(options.block.height, clip_size.height - top), vectors(x, y).dx / 4.0,
                            vectors(x, y).dy / 4.0, cost(x, y));
        text += j ? fmt::format(",{}\n", ranked(x, y)) : "\n";
      }
    std::swap(vectors, previous);
  }
  return text;
}

MotionOptions small_range() {
  MotionOptions options;
  options.range_x = options.range_y = {-4, 4};
  return options;
}

TEST(Motion, CsvHoldsTheLibrarysVectors) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Result result = scratch.run(motion("clip.y4m", {"-o", "v.csv"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::string text = scratch.read("v.csv");
  EXPECT_EQ(text, expected_csv(small_range(), false));
  EXPECT_NE(text.find("\n1,16,0,16,16,2.00,1.00,0\n"), std::string::npos) << text;
  EXPECT_FALSE(scratch.has("v.csv.partial"));
}

TEST(Motion, EverySettingReachesTheLibrary) {
  const Scratch scratch;
  make_clip(scratch, frames);
  MotionOptions options;
  options.search = MotionSearch::tz;
  options.levels = 1;
  options.cost = MotionCost::satd;
  options.block = {8, 12};
  options.range_x = {-5, 3};
  options.range_y = {-2, 2};
  options.border = MotionBorder::pad;
  options.lambda = 300000;
  options.subpel = MotionSubpel::quarter;
  const Result result =
      scratch.run({"motion",   "f_%04d.pgm", "--device", "reference", "--search", "tz",     "--levels", "1",
                   "--cost",   "satd",       "--block",  "8x12",      "--range",  "-5:3,2", "--border", "pad",
                   "--lambda", "300000",     "--subpel", "quarter",   "-o",       "v.csv"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(scratch.read("v.csv"), expected_csv(options, true));  // j has a column, because lambda is not 0
}

TEST(Motion, ReferenceMayLieFurtherBack) {
  const Scratch scratch;
  make_clip(scratch, frames);
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"-o", "v.csv", "--reference-distance", "2"})).status, 0);
  EXPECT_EQ(scratch.read("v.csv"), expected_csv(small_range(), false, 2));
}

/// The hash of a run, which depends on the vectors and costs alone.
std::string hash(const Scratch& scratch, const Words& arguments, const RunOptions& options = {}) {
  Words all = arguments;
  all.emplace_back("--json");
  const Result result = scratch.run(all, options);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.status == 0 ? Json::parse(result.out)["hash"].get<std::string>() : "";
}

TEST(Motion, EveryKindOfInputGivesTheSameVectors) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const std::string raw = raw_clip(frames);
  scratch.write("clip.yuv", raw);
  std::string grey;
  std::string interleaved;
  const std::size_t luma = static_cast<std::size_t>(clip_size.width * clip_size.height);
  for (std::size_t at = 0; at < raw.size(); at += luma * 3 / 2) {
    grey += raw.substr(at, luma);
    interleaved += raw.substr(at, luma);
    for (std::size_t i = 0; i < luma / 4; ++i) {
      interleaved += raw[at + luma + i];
      interleaved += raw[at + luma * 5 / 4 + i];
    }
  }
  scratch.write("clip.gray", grey);
  scratch.write("clip.nv12", interleaved);
  const std::string expected = hash(scratch, motion("clip.y4m"));
  EXPECT_EQ(hash(scratch, motion("f_%04d.pgm")), expected);
  EXPECT_EQ(hash(scratch, motion("clip.yuv", {"--size", "40x26"})), expected);
  EXPECT_EQ(hash(scratch, motion("clip.gray", {"--size", "40x26", "--format", "gray"})), expected);
  EXPECT_EQ(hash(scratch, motion("clip.nv12", {"--size", "40x26", "--format", "nv12"})), expected);
  RunOptions piped;
  piped.in_path = "clip.y4m";
  EXPECT_EQ(hash(scratch, motion("-"), piped), expected);
  piped.in_path = "clip.yuv";
  EXPECT_EQ(hash(scratch, motion("-", {"--size", "40x26"}), piped), expected);
  EXPECT_NE(hash(scratch, motion("clip.y4m", {"--frames", "1:2"})), expected);
}

TEST(Motion, TheCpuFindsTheSameVectors) {
  const Scratch scratch;
  make_clip(scratch, frames);
  for (const Words& more : {Words{}, Words{"--search", "tz", "--subpel", "quarter", "--lambda", "100000"}}) {
    Words arguments{"motion", "clip.y4m", "--range", "4"};  // cpu is the default
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(hash(scratch, arguments), hash(scratch, motion("clip.y4m", more)));
  }
}

TEST(Motion, TenBitsAreSearchedAsTheyAre) {
  const Scratch scratch;
  std::string bytes;
  for (int i = 0; i < 2; ++i)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 32; ++x) {
        const int value = clip_pixel(x, y, i) * 4 + 3;
        bytes += static_cast<char>(value & 255);
        bytes += static_cast<char>(value >> 8);
      }
  scratch.write("ten.yuv", bytes);
  const Result result =
      scratch.run(motion("ten.yuv", {"--size", "32x20", "--format", "gray10le", "--json", "--compensated", "ten.y4m"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["settings"]["pixel-depth"], "u16");
  EXPECT_EQ(report["settings"]["max-value"], 1023);
  const std::vector<YuvFrame> predicted = read_video(scratch.path("ten.y4m"));
  ASSERT_EQ(predicted.size(), 1u);
  EXPECT_EQ(predicted[0].luma.max_value, 1023);
  EXPECT_EQ(predicted[0].luma.u16(4, 4), clip_pixel(4, 4, 1) * 4 + 3);
}

TEST(Motion, ScoresAreTheLibrarys) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Result result = scratch.run(
      motion("clip.y4m", {"--json", "--ssim", "--compensated", "c.y4m", "--check", "0.5", "--border", "pad"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["frames"], frames);
  EXPECT_EQ(report["fields"], frames - 1);
  ASSERT_EQ(report["per_field"].size(), static_cast<std::size_t>(frames - 1));
  const std::vector<YuvFrame> predicted = read_video(scratch.path("c.y4m"));
  ASSERT_EQ(predicted.size(), static_cast<std::size_t>(frames - 1));
  std::uint64_t residue = 0;
  for (int i = 1; i < frames; ++i) {
    const auto index = static_cast<std::size_t>(i - 1);
    const PredictionScore score = score_prediction(clip_frame(i).luma.u8.view(), predicted[index].luma.u8.view());
    const Json& field = report["per_field"][index];
    EXPECT_EQ(field["frame"], i);
    EXPECT_EQ(field["residue"], score.residue);
    EXPECT_EQ(field["cost"], score.residue);  // SAD, whole pixels
    EXPECT_NEAR(field["psnr"].get<double>(), score.psnr, 1e-4);
    EXPECT_NEAR(field["ssim"].get<double>(), score.ssim, 1e-6);
    EXPECT_EQ(field["scene_cut"], false);
    EXPECT_GT(field["consistent"].get<double>(), 20);
    residue += score.residue;
  }
  EXPECT_EQ(report["total"]["residue"], residue);
}

TEST(Motion, SimilarityIsThereWhereItIsAskedFor) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Json report = Json::parse(scratch.run(motion("clip.y4m", {"--json"})).out);
  EXPECT_FALSE(report["total"].contains("ssim"));
  EXPECT_FALSE(report["per_field"][0].contains("ssim"));
  EXPECT_FALSE(holds(scratch.run(motion("clip.y4m", {})).out, "SSIM"));
  EXPECT_TRUE(holds(scratch.run(motion("clip.y4m", {"--ssim"})).out, "SSIM"));
  EXPECT_TRUE(holds(scratch.run(motion("clip.y4m", {"--ssim", "--all-sizes", "on", "--block", "8"})).err,
                    "--ssim is that of the prediction"));
}

TEST(Motion, ComparesWithFullSearch) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Result result = scratch.run(motion("clip.y4m", {"--search", "diamond", "--compare", "full", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  ASSERT_EQ(report["compare"].size(), 1u);
  const Json compare = report["compare"][0];
  EXPECT_EQ(compare["search"], "full");
  const double loss = report["total"]["residue"].get<double>() / compare["total"]["residue"].get<double>();
  EXPECT_GE(loss, 1);
  EXPECT_NEAR(compare["loss"].get<double>(), loss, 1e-6);
  EXPECT_NEAR(compare["normalised_gain"].get<double>(), compare["speed_up"].get<double>() / loss, 1e-2);
  const double speed_up = compare["ms"]["median"].get<double>() / report["ms"]["median"].get<double>();
  EXPECT_NEAR(compare["speed_up"].get<double>() / speed_up, 1, 0.1);  // times have three digits
  const Json full = Json::parse(scratch.run(motion("clip.y4m", {"--json"})).out);
  EXPECT_EQ(compare["total"], full["total"]);
  const std::string text = scratch.run(motion("clip.y4m", {"--preset", "fast", "--compare", "full", "--ssim"})).out;
  for (const char* word : {"loss", "speed-up", "gain (normalised)", "PSNR", "SSIM", "entropy", "residue"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

TEST(Motion, ComparesWithAllSearches) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Result result = scratch.run(motion("clip.y4m", {"--search", "step", "--compare", "all", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  std::vector<std::string> names;
  for (const Json& compare : report["compare"].elements()) {
    names.push_back(compare["search"].get<std::string>());
    const Json alone = Json::parse(scratch.run(motion("clip.y4m", {"--search", names.back(), "--json"})).out);
    EXPECT_EQ(compare["total"], alone["total"]) << names.back();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"full", "diamond", "hexagon", "tz", "hierarchical"}));
  const std::string text = scratch.run(motion("clip.y4m", {"--compare", "all"})).out;
  for (const char* search : {"\nfull ", "\nstep ", "\ndiamond ", "\nhexagon ", "\ntz ", "\nhierarchical "})
    EXPECT_NE(text.find(search), std::string::npos) << search << " in\n" << text;
}

TEST(Motion, TheDefaultRangeEndsAtSmallFrames) {
  const Scratch scratch;
  make_clip(scratch, frames);
  const Json report = Json::parse(scratch.run({"motion", "clip.y4m", "--json"}).out);
  EXPECT_EQ(report["settings"]["range"], "40,26");
  // What was asked for is honoured or refused, from a settings file too.
  EXPECT_EQ(scratch.run({"motion", "clip.y4m", "--range", "64"}).status, 2);
  scratch.write("s.json", R"({"settings": {"range": "-64:64"}})");
  EXPECT_NE(scratch.run({"motion", "clip.y4m", "--settings", "s.json"}).status, 0);
}

TEST(Motion, ReconstructedReferencesAreForetoldFrames) {
  const Scratch scratch;
  make_clip(scratch, frames);
  ASSERT_EQ(
      scratch.run(motion("clip.y4m", {"--reference-source", "reconstruction", "--compensated", "c.y4m", "-o", "v.npy"}))
          .status,
      0);
  const std::vector<YuvFrame> predicted = read_video(scratch.path("c.y4m"));
  MotionSequenceOptions options;
  options.reference = MotionReference::reconstruction;
  MotionSequence sequence(Device("reference"), clip_size, small_range(), options);
  Image<MotionVector> vectors(sequence.estimator().blocks());
  MotionOutput maps;
  maps.vectors = vectors.view();
  for (int i = 0; i < frames; ++i) {
    const YuvFrame frame = clip_frame(i);
    if (!sequence.next(frame.luma, maps)) continue;
    const Image<std::uint8_t>& read = predicted[static_cast<std::size_t>(i - 1)].luma.u8;
    for (int y = 0; y < clip_size.height; ++y)
      for (int x = 0; x < clip_size.width; ++x)
        ASSERT_EQ(read(x, y), sequence.prediction().view<const std::uint8_t>()(x, y)) << i;
  }
}

TEST(Motion, SettingsOfAReportRepeatItsRun) {
  const Scratch scratch;
  make_clip(scratch, 2);
  const Result first =
      scratch.run(motion("clip.y4m", {"--block", "8", "--subpel", "half", "--save-settings", "s.json", "--json"}));
  ASSERT_EQ(first.status, 0) << first.err;
  const Result second = scratch.run({"motion", "clip.y4m", "--device", "reference", "--settings", "s.json", "--json"});
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(Json::parse(first.out)["hash"], Json::parse(second.out)["hash"]);
  EXPECT_EQ(Json::parse(first.out)["settings"], Json::parse(second.out)["settings"]);
}

TEST(Motion, EnergyIsThatOfItsFields) {
  const Scratch scratch;
  make_clip(scratch, frames);
  RunOptions options;
  options.environment["VERGENCE_POWERCAP"] = scratch.path("nowhere");
  const Result result = scratch.run(motion("clip.y4m", {"--energy", "--repeat", "2", "--json"}), options);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["energy"]["frames"], 2 * (frames - 1));
}

TEST(Motion, RealClipIsForetoldBetterThanByStandingStill) {
  const std::string clip = std::string(VERGENCE_TEST_DATA) + "/clips/basketballpass_416x240/f%03d.png";
  if (!std::filesystem::exists(fmt::format("{}/clips/basketballpass_416x240/f001.png", VERGENCE_TEST_DATA)))
    GTEST_SKIP() << "no clips beside the repository";
  const Scratch scratch;
  const Result result = scratch.run({"motion", clip, "--device", "reference", "--frames", "1:3", "--search", "hexagon",
                                     "--range", "16", "--compare", "step", "--overlay", "o.mp4", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["fields"], 2);
  EXPECT_GT(report["total"]["psnr"].get<double>(), 25);
  EXPECT_LT(report["total"]["residue"].get<std::uint64_t>(), 2u * 416 * 240 * 8);
}

}  // namespace
}  // namespace vergence::cli_test
