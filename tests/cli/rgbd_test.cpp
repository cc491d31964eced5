// SPDX-License-Identifier: Apache-2.0
// `stereo --rgbd`: folders in TUM's layout, and what is left where a run fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr int rgbd_width = 96, rgbd_height = 48;

/// A texture that repeats nowhere, in colours that tell its place, seen `shift` px further left.
std::string rgbd_picture(int shift, int green = 0) {
  std::string bytes = "P6\n96 48\n255\n";
  for (int y = 0; y < rgbd_height; ++y)
    for (int x = 0; x < rgbd_width; ++x) {
      const unsigned place = static_cast<unsigned>(x + shift) * 2654435761U ^ static_cast<unsigned>(y) * 40503U;
      for (const unsigned value : {place >> 24, place >> 16 & 255U, static_cast<unsigned>(green)})
        bytes.push_back(static_cast<char>(value));
    }
  return bytes;
}

class RgbdFolders : public testing::Test {
 protected:
  Result stereo(const std::string& left, const std::string& right, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"stereo", left,         right, "--disparities", "16", "--focal",
                                 "80",     "--baseline", "0.1", "--device",      "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return scratch.run(all);
  }
  /// The depth in steps is that of the map in metres, rounded half up.
  void expect_steps(const std::string& steps, const std::string& metres, double per_metre) const {
    const RawValues values = read_values(scratch.path(steps));
    EXPECT_EQ(values.type, "u16");
    const Image<float> map = read_float_map(scratch.path(metres));
    int known = 0;
    for (int y = 0; y < rgbd_height; ++y)
      for (int x = 0; x < rgbd_width; ++x) {
        const double is = map(x, y);
        known += std::isfinite(is);
        ASSERT_EQ(values.values(x, y), std::isfinite(is) ? std::floor(is * per_metre + 0.5) : 0) << x << " " << y;
      }
    EXPECT_GT(known, rgbd_width * rgbd_height / 2);
  }
  void expect_colours(const std::string& file, const std::string& source) const {
    const Image<Rgb> got = read_rgb(scratch.path(file)), is = read_rgb(scratch.path(source));
    ASSERT_EQ(got.size(), is.size());
    for (int y = 0; y < is.height(); ++y)
      for (int x = 0; x < is.width(); ++x) ASSERT_EQ(got(x, y), is(x, y));
  }

  const Scratch scratch;
};

TEST_F(RgbdFolders, OfAPair) {
  scratch.write("l.ppm", rgbd_picture(0));
  scratch.write("r.ppm", rgbd_picture(4));
  const Result result = stereo("l.ppm", "r.ppm", {"--rgbd", "out/", "--depth", "d.pfm"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(holds(result.out, "out (RGB-D folder)")) << result.out;
  expect_colours("out/rgb/0.000000.png", "l.ppm");
  expect_steps("out/depth/0.000000.png", "d.pfm", 5000);  // 80 * 0.1 / 4 = 2 m
  EXPECT_EQ(scratch.read("out/rgb.txt"), "# colour pictures\n# timestamp filename\n0.000000 rgb/0.000000.png\n");
  EXPECT_EQ(scratch.read("out/depth.txt"),
            "# depth maps, 5000 steps a metre, 0 = unknown\n# timestamp filename\n0.000000 depth/0.000000.png\n");
  EXPECT_EQ(scratch.read("out/associations.txt"), "0.000000 rgb/0.000000.png 0.000000 depth/0.000000.png\n");
  EXPECT_EQ(scratch.read("out/camera.txt"), "# fx fy cx cy width height steps_per_metre\n80 80 47.5 23.5 96 48 5000\n");
  EXPECT_FALSE(scratch.has("out.partial"));
}

TEST_F(RgbdFolders, OfASequence) {
  for (const int number : {3, 4}) {
    scratch.write("l_" + std::to_string(number) + ".ppm", rgbd_picture(0, 20 * number));
    scratch.write("r_" + std::to_string(number) + ".ppm", rgbd_picture(number, 20 * number));
  }
  const Result result =
      stereo("l_%d.ppm", "r_%d.ppm", {"--rgbd", "out", "--rate", "10", "--depth-steps", "1000", "--depth", "d_%d.pfm"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(scratch.read("out/associations.txt"),
            "0.300000 rgb/0.300000.png 0.300000 depth/0.300000.png\n"
            "0.400000 rgb/0.400000.png 0.400000 depth/0.400000.png\n");
  for (const char* number : {"3", "4"}) {
    expect_colours(std::string("out/rgb/0.") + number + "00000.png", std::string("l_") + number + ".ppm");
    expect_steps(std::string("out/depth/0.") + number + "00000.png", std::string("d_") + number + ".pfm", 1000);
  }
}

/// The colours of videos are those that frames are decoded to.
TEST_F(RgbdFolders, OfAVideo) {
  VideoWriter left(scratch.path("l.y4m"),
                   {.size = {rgbd_width, rgbd_height}, .rate = 20, .chroma = ChromaFormat::none});
  VideoWriter right(scratch.path("r.y4m"),
                    {.size = {rgbd_width, rgbd_height}, .rate = 20, .chroma = ChromaFormat::none});
  scratch.write("l.ppm", rgbd_picture(0));
  scratch.write("r.ppm", rgbd_picture(4));
  for (int i = 0; i < 2; ++i) {
    YuvFrame frame;
    frame.luma = read_grey(scratch.path("l.ppm"));
    left.write(frame);
    frame.luma = read_grey(scratch.path("r.ppm"));
    right.write(frame);
  }
  left.commit();
  right.commit();
  const Result result = stereo("l.y4m", "r.y4m", {"--rgbd", "out", "--strict"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(holds(scratch.read("out/rgb.txt"), "0.000000 rgb/0.000000.png\n0.050000 rgb/0.050000.png\n"));
  const Image<Rgb> picture = read_rgb(scratch.path("out/rgb/0.050000.png"));
  EXPECT_EQ(picture(5, 5).r, picture(5, 5).g);
}

TEST_F(RgbdFolders, DepthsBeyondItsStepsAreUnknown) {
  scratch.write("l.ppm", rgbd_picture(0));
  scratch.write("r.ppm", rgbd_picture(4));
  const std::vector<std::string> finer{"--rgbd", "out", "--depth-steps", "40000"};  // up to 1.64 m, and it is 2 m away
  const Result result = stereo("l.ppm", "r.ppm", finer);
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(holds(result.err, "of the depths lie beyond 1.64 m")) << result.err;
  const RawValues values = read_values(scratch.path("out/depth/0.000000.png"));
  EXPECT_EQ(values.values(50, 20), 0);
}

TEST_F(RgbdFolders, RefusesWhatItWouldOverwriteAndWhatIsNoFolder) {
  scratch.write("l.ppm", rgbd_picture(0));
  scratch.write("r.ppm", rgbd_picture(4));
  scratch.write("there", "");
  const auto before = scratch.listing();
  const auto refuses = [&](const std::vector<std::string>& more, int status, const char* text) {
    const Result result = stereo("l.ppm", "r.ppm", more);
    EXPECT_EQ(result.status, status);
    EXPECT_TRUE(holds(result.err, text)) << result.err;
    EXPECT_EQ(scratch.listing(), before);
  };
  refuses({"--rgbd", "there"}, 1, "--rgbd 'there' exists: give the name of a new folder");
  refuses({"--rgbd", "out_%d"}, 2, "one folder holds all frames, leave the number out");
  refuses({"--rgbd", "no/out"}, 1, "there is no directory 'no'");
  refuses({"--depth", "d.pfm", "--depth-steps", "5000"}, 2, "--depth-steps needs --depth NAME.png or --rgbd DIR");
  refuses({"--depth", "d.pfm", "--rate", "5"}, 2, "--rate is for videos and --rgbd");
  // Without a baseline there is no depth.
  const Result bare = scratch.run({"stereo", "l.ppm", "r.ppm", "--rgbd", "out"});
  EXPECT_EQ(bare.status, 2) << bare.err;
  EXPECT_EQ(scratch.listing(), before);
}

/// What was written of a stream stays, under a name that says so, without the lists; of a pair nothing stays.
TEST_F(RgbdFolders, StaysPartialWhereARunFails) {
  for (const char* name : {"l_0.ppm", "l_1.ppm"}) scratch.write(name, rgbd_picture(0));
  scratch.write("r_0.ppm", rgbd_picture(4));
  scratch.write("r_1.ppm", "P6\n96 48\n255\n");  // cut off
  const Result result = stereo("l_%d.ppm", "r_%d.ppm", {"--rgbd", "out"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "what was written of frame 0 stands: out.partial")) << result.err;
  EXPECT_FALSE(scratch.has("out"));
  EXPECT_TRUE(scratch.has("out.partial/rgb/0.000000.png"));
  EXPECT_FALSE(scratch.has("out.partial/rgb.txt"));
  const Result again = stereo("l_%d.ppm", "r_%d.ppm", {"--rgbd", "out"});
  EXPECT_TRUE(holds(again.err, "out.partial exists")) << again.err;

  scratch.write("l.ppm", rgbd_picture(0));
  scratch.write("r.ppm", rgbd_picture(4));
  const auto before = scratch.listing();
  RunOptions full;
  full.file_limit = 500;  // the disk is full in the middle of the depths
  EXPECT_EQ(scratch
                .run({"stereo", "l.ppm", "r.ppm", "--disparities", "16", "--focal", "80", "--baseline", "0.1", "--rgbd",
                      "other"},
                     full)
                .status,
            1);
  EXPECT_EQ(scratch.listing(), before);
}

}  // namespace
}  // namespace vergence::cli_test
