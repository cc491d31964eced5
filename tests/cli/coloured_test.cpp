// SPDX-License-Identifier: Apache-2.0
// Coloured outputs of `stereo`: the library's colours of the right numbers, as pictures and as videos.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/program.hpp"
#include "support/legend_text.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class Coloured : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }
  void run(const Words& more) const {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  }
  void expect_picture(const char* name, const Image<Rgb>& expected) const {
    const Image<Rgb> found = read_rgb(scratch.path(name));
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (int y = 0; y < found.height(); ++y)
      ASSERT_TRUE(std::equal(found.row(y), found.row(y) + found.width(), expected.row(y))) << name << " row " << y;
  }
  const Scratch scratch;
};

TEST_F(Coloured, TheRangeOfDisparitiesIsThatOfTheOption) {
  run({"-o", "d.pfm", "--color", "all.png"});
  run({"--color", "few.png", "--color-range", "2.5:9"});
  const Image<float> map = read_disparity(scratch.path("d.pfm"));
  expect_picture("all.png", colour_map(map.view(), {.low = 0, .high = 16, .unit = "px", .name = "disparity"}));
  expect_picture("few.png", colour_map(map.view(), {.low = 2.5, .high = 9, .unit = "px", .name = "disparity"}));
}

TEST_F(Coloured, DepthIsInMetres) {
  run({"--focal", "100", "--baseline", "0.2", "--depth", "z.pfm", "--depth-color", "z.ppm", "--depth-range", "1:4"});
  const Image<float> metres = read_disparity(scratch.path("z.pfm"));
  expect_picture("z.ppm", colour_map(metres.view(), {.low = 1, .high = 4, .unit = "m", .name = "depth"}));
}

TEST_F(Coloured, TheRangeOfDepthsIsThatOfMeasuredPixels) {
  ASSERT_EQ(scratch.run({"synth", "s", "--size", "96x72"}).status, 0);
  const auto coloured = [this](const Words& more) {
    Words arguments{"stereo", "s/left.png", "s/right.png", "--disparities", "24",      "--focal",
                    "100",    "--baseline", "0.2",         "--fill",        "nearest", "--validity",
                    "v.pgm",  "--depth",    "z.pfm",       "--depth-color", "z.png"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  };
  coloured({});
  const Image<float> metres = read_disparity(scratch.path("z.pfm"));  // of measured pixels alone
  std::vector<float> measured;
  for (int y = 0; y < metres.height(); ++y)
    std::copy_if(metres.row(y), metres.row(y) + metres.width(), std::back_inserter(measured),
                 [](float z) { return std::isfinite(z); });
  std::sort(measured.begin(), measured.end());
  const std::size_t last = measured.size() - 1;
  ASSERT_LT(measured.size(), 96u * 72u) << "all are measured: nothing is filled";
  const auto limits = [&] { return numbers_of(read_legend(read_rgb(scratch.path("z.png")), 72).numbers); };
  const std::vector<double> alone = limits();
  const double low = measured[last * 2 / 100], high = measured[last * 98 / 100];
  ASSERT_GT(high - low, 10) << "limits are rounded to 1 m between 10 and 100 m";
  ASSERT_LT(high - low, 100);
  expect_picture("z.png", colour_map(metres.view(),
                                     {.low = std::floor(low), .high = std::ceil(high), .unit = "m", .name = "depth"}));
  coloured({"--include-filled"});
  EXPECT_EQ(limits(), alone);
}

TEST_F(Coloured, ConfidenceIsThatOfMeasuredPixels) {
  run({"--fill", "nearest", "--confidence", "c.pgm", "--validity", "v.pgm", "--confidence-color", "c.png"});
  const GreyPicture confidence = read_grey(scratch.path("c.pgm")), validity = read_grey(scratch.path("v.pgm"));
  Image<float> map(confidence.size());
  int filled = 0;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      const bool measured = validity.u8(x, y) == 255;
      filled += measured ? 0 : 1;
      map(x, y) = measured ? confidence.u8(x, y) : std::numeric_limits<float>::infinity();
    }
  EXPECT_GT(filled, 0);
  expect_picture("c.png", colour_map(map.view(), {.low = 0, .high = 255, .name = "confidence"}));
}

TEST_F(Coloured, ASequenceBecomesAVideo) {
  ASSERT_EQ(scratch.run({"synth", "s", "--size", "64x48", "--frame-count", "3"}).status, 0);
  const Words common{"stereo", "s/left_%04d.png", "s/right_%04d.png", "--disparities", "16"};
  const auto with = [&common](Words more) {
    more.insert(more.begin(), common.begin(), common.end());
    return more;
  };
  ASSERT_EQ(scratch.run(with({"--color", "map.y4m", "--rate", "5"})).status, 0);
  ASSERT_EQ(scratch.run(with({"--color", "map_%d.png", "--device", "cpu,reference"})).status, 0);
  ASSERT_EQ(scratch.run(with({"--color", "two.y4m", "--rate", "5", "--device", "cpu,reference"})).status, 0);
  EXPECT_EQ(scratch.read("map.y4m"), scratch.read("two.y4m"));
  FrameSource video(scratch.path("map.y4m"));
  EXPECT_EQ(video.rate(), 5);
  for (int i = 0; i < 3; ++i) {
    const Image<Rgb> picture = read_rgb(scratch.path("map_" + std::to_string(i) + ".png"));
    const std::optional<GreyPicture> luma = video.next();
    ASSERT_TRUE(luma);
    ASSERT_EQ(luma->size(), picture.size());
    // White paper of the legend, and a colour: BT.601 of limited range.
    EXPECT_EQ(luma->u8(0, picture.height() - 1), 235);
    const Rgb colour = picture(40, 20);
    const double expected = 16 + (65.481 * colour.r + 128.553 * colour.g + 24.966 * colour.b) / 255;
    EXPECT_NEAR(luma->u8(40, 20), expected, 1) << i;
  }
  EXPECT_FALSE(video.next());
}

TEST_F(Coloured, WhatCannotBeIsRefused) {
  const auto refused = [this](const Words& more, std::string_view why) {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 2) << why;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  };
  refused({"--color", "c.mp4"}, "--color is 'c.mp4': a video is for a sequence or video");
  refused({"--color-range", "0:5"}, "--color-range needs --color FILE");
  refused({"--color", "c.png", "--color-range", "5:5"}, "--color-range is '5:5': allowed is A:B");
  refused({"--color", "c.png", "--color-range", "nan:5"}, "--color-range is 'nan'");
  refused({"--color", "c.png", "--rate", "5"}, "--rate is for videos");
  refused({"--depth-color", "c.png"}, "--focal");
  refused({"--focal", "9", "--baseline", "1", "--color", "c.png"}, "--focal needs --depth FILE");
  refused({"--color", "c.png", "--depth-range", "1:5"}, "--depth-range needs --depth-color FILE");
}

}  // namespace
}  // namespace vergence::cli_test
