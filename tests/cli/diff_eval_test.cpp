// SPDX-License-Identifier: Apache-2.0
// `diff` and `eval` on maps whose answers are known beforehand.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr float unknown = std::numeric_limits<float>::infinity();

/// A map of 10x10 with the first `wrong` pixels off by `error` and the last `missing` ones unknown.
void write_map(const Scratch& scratch, const char* name, int wrong, float error, int missing) {
  Image<float> map(10, 10, 20.0f);
  for (int i = 0; i < wrong; ++i) map(i % 10, i / 10) += error;
  for (int i = 100 - missing; i < 100; ++i) map(i % 10, i / 10) = unknown;
  write_pfm(scratch.path(name), map.view());
}

TEST(Diff, EqualFiles) {
  const Scratch scratch;
  write_map(scratch, "a.pfm", 3, 1, 5);
  write_map(scratch, "b.pfm", 3, 1, 5);
  const Result result = scratch.run({"diff", "a.pfm", "b.pfm"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "equal: all 100 pixels\n");
  const Json report = Json::parse(scratch.run({"diff", "a.pfm", "b.pfm", "--json"}).out);
  EXPECT_EQ(report["equal"], true);
  EXPECT_EQ(report["differing"], 0);
}

TEST(Diff, FindsFirstCountAndLargest) {
  const Scratch scratch;
  scratch.write("a.pgm", pgm(10, 8, 255, [](int, int) { return 7; }));
  scratch.write("b.pgm", pgm(10, 8, 255, [](int x, int y) { return y == 5 && x >= 4 ? 7 + x : 7; }));
  const Result result = scratch.run({"diff", "a.pgm", "b.pgm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "6 of 80 pixels differ (7.500 %)\nfirst: x 4 y 5: 7 and 11\nlargest difference: 9\n");
  const Result json = scratch.run({"diff", "a.pgm", "b.pgm", "--json"});
  EXPECT_EQ(json.status, 1);
  const Json report = Json::parse(json.out);
  EXPECT_EQ(report["equal"], false);
  EXPECT_EQ(report["differing"], 6);
  EXPECT_EQ(report["largest"], 9);
  EXPECT_EQ(report["first"], (Json{{"x", 4}, {"y", 5}, {"a", 7}, {"b", 11}}));
}

/// Of a JPEG the luma is matched, and other colours are a difference all the same.
TEST(Diff, ColoursOfJpegsOfOneLuma) {
  const Scratch scratch;
  const std::string picture = red_jpeg();
  std::string exchanged = picture;  // Cb and Cr
  const std::size_t at = picture.find("\x02\x11\x01\x03\x11\x01");
  ASSERT_NE(at, std::string::npos);
  exchanged[at] = '\x03', exchanged[at + 3] = '\x02';
  scratch.write("a.jpg", picture);
  scratch.write("same.jpg", picture);
  scratch.write("b", exchanged);  // what it is does not hang on its name
  EXPECT_EQ(scratch.run({"diff", "a.jpg", "same.jpg"}).out, "equal: all 128 pixels\n");
  const Result result = scratch.run({"diff", "a.jpg", "b"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("128 of 128 pixels differ"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("have the same luma"), std::string::npos) << result.err;
}

TEST(Diff, CountsPixelsNotChannels) {
  const Scratch scratch;
  scratch.write("a.ppm", "P6\n2 1\n255\nabcdef");
  scratch.write("b.ppm", "P6\n2 1\n255\nabcdXY");
  const Json report = Json::parse(scratch.run({"diff", "a.ppm", "b.ppm", "--json"}).out);
  EXPECT_EQ(report["pixels"], 2);
  EXPECT_EQ(report["differing"], 1);
  EXPECT_EQ(report["first"]["x"], 1);
  EXPECT_EQ(report["first"]["channel"], 1);
}

TEST(Diff, UnknownAgainstKnownIsInfinite) {
  const Scratch scratch;
  write_map(scratch, "a.pfm", 0, 0, 0);
  write_map(scratch, "b.pfm", 0, 0, 1);
  const Result result = scratch.run({"diff", "a.pfm", "b.pfm", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(Json::parse(result.out)["largest"], "inf");
}

/// One map in KITTI's PNG, which holds px * 256, and in PFM.
TEST(Diff, NamesTheFactorOfTwoFormats) {
  const Scratch scratch;
  Image<float> map(10, 10);
  Image<std::uint16_t> kitti(10, 10);
  for (int i = 0; i < 100; ++i) {
    map(i % 10, i / 10) = static_cast<float>(i) / 16 + 1;
    kitti(i % 10, i / 10) = static_cast<std::uint16_t>(16 * i + 256);
  }
  write_pfm(scratch.path("map.pfm"), map.view());
  write_picture(scratch.path("map.png"), kitti.view());
  const Result result = scratch.run({"diff", "map.png", "map.pfm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("hold the same in two units, with a factor of 256: "), std::string::npos) << result.err;
  kitti(3, 3) = 7;
  for (int i = 0; i < 100; i += 4) kitti(i % 10, i / 10) = 9;
  write_picture(scratch.path("map.png"), kitti.view());
  EXPECT_EQ(scratch.run({"diff", "map.png", "map.pfm"}).err, "");
}

TEST(Diff, NamesWhatIsNotOfOneShape) {
  const Scratch scratch;
  scratch.write("grey.pgm", "P5 2 1 255\n\1\2");
  scratch.write("colours.ppm", "P6 2 1 255\n\1\2\3\4\5\6");
  scratch.write("wide.pgm", "P5 3 1 255\n\1\2\3");
  EXPECT_NE(scratch.run({"diff", "grey.pgm", "colours.ppm"}).err.find("give two files of one number of channels"),
            std::string::npos);
  EXPECT_NE(scratch.run({"diff", "grey.pgm", "wide.pgm"}).err.find("give two files of one size"), std::string::npos);
}

TEST(Eval, CountsBadAndInvalid) {
  const Scratch scratch;
  write_map(scratch, "truth.pfm", 0, 0, 0);
  write_map(scratch, "map.pfm", 10, 1.5f, 20);
  const Result result = scratch.run({"eval", "map.pfm", "truth.pfm", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json all = Json::parse(result.out)["scores"]["all"];
  EXPECT_EQ(all["pixels"], 100);
  EXPECT_EQ(all["bad"]["0.5"], 10);
  EXPECT_EQ(all["bad"]["1"], 10);
  EXPECT_EQ(all["bad"]["2"], 0);
  EXPECT_EQ(all["total_bad"]["1"], 30);
  EXPECT_EQ(all["invalid"], 20);
  EXPECT_EQ(all["density"], 80);
  EXPECT_EQ(all["average_error"], 0.1875);
  const std::string text = scratch.run({"eval", "map.pfm", "truth.pfm"}).out;
  EXPECT_NE(text.find("all (100 pixels of known truth)"), std::string::npos) << text;
  EXPECT_NE(text.find("10.00 %"), std::string::npos) << text;
}

TEST(Eval, TruthScaleAndMask) {
  const Scratch scratch;
  write_map(scratch, "map.pfm", 10, 1.5f, 0);
  scratch.write("truth.pgm", pgm(10, 10, 255, [](int, int y) { return y == 9 ? 0 : 160; }));  // 20 px, last row unknown
  scratch.write("mask.pgm", pgm(10, 10, 255, [](int, int y) { return y == 0 ? 0 : 255; }));
  const Json scores =
      Json::parse(scratch.run({"eval", "map.pfm", "truth.pgm", "--truth-scale", "8", "--mask", "mask.pgm", "--json"})
                      .out)["scores"];
  EXPECT_EQ(scores["all"]["pixels"], 90);
  EXPECT_EQ(scores["all"]["bad"]["1"], 11.1111);
  EXPECT_EQ(scores["non_occluded"]["pixels"], 80);
  EXPECT_EQ(scores["non_occluded"]["bad"]["1"], 0);
}

TEST(Eval, MapsWithoutDisparitiesAreRefused) {
  const Scratch scratch;
  write_map(scratch, "truth.pfm", 0, 0, 0);
  write_map(scratch, "nothing.pfm", 0, 0, 100);
  const Result result = scratch.run({"eval", "nothing.pfm", "truth.pfm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(holds(result.err, "nothing.pfm: no pixel has a disparity")) << result.err;
}

TEST(Eval, TheNotedInvalidValueCountsAlone) {
  const Scratch scratch;
  write_map(scratch, "truth.pfm", 0, 0, 0);
  const Image<std::int16_t> map(10, 10, 320);
  write_disparity(scratch.path("map.npy"), map.view(), -16);
  EXPECT_EQ(scratch.run({"eval", "map.npy", "truth.pfm", "--invalid", "-16"}).status, 0);
  const Result result = scratch.run({"eval", "map.npy", "truth.pfm", "--invalid", "5"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "notes -16 as the value of invalid pixels, and 5 was given")) << result.err;
}

}  // namespace
}  // namespace vergence::cli_test
