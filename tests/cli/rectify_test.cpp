// SPDX-License-Identifier: Apache-2.0
// `rectify`: pictures and sequences by hand, what it writes besides, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

/// 64x48 px, 0.1 m apart, not turned; the right camera's principal point is two rows lower.
const std::string calibration = R"(cam0:
  camera_model: pinhole
  distortion_coeffs: [0.0, 0.0, 0.0, 0.0]
  distortion_model: radtan
  intrinsics: [50.0, 50.0, 31.5, 23.5]
  resolution: [64, 48]
cam1:
  T_cn_cnm1: [[1.0, 0.0, 0.0, -0.1], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
  camera_model: pinhole
  distortion_coeffs: [0.0, 0.0, 0.0, 0.0]
  distortion_model: radtan
  intrinsics: [50.0, 50.0, 31.5, 25.5]
  resolution: [64, 48]
)";

int left_value(int x, int y) { return (7 * x + 31 * y) % 251; }
int right_value(int x, int y) { return (11 * x + 17 * y) % 241; }

void write_pair(const Scratch& scratch, const std::string& end, int width = 64, int height = 48) {
  scratch.write("left" + end, pgm(width, height, 255, left_value));
  scratch.write("right" + end, pgm(width, height, 255, right_value));
}

/// Principal points meet half-way: the left picture moves down by a row, the right one up; edges go on.
void expect_moved(const Scratch& scratch, const std::string& left, const std::string& right) {
  const GreyPicture a = read_grey(scratch.path(left)), b = read_grey(scratch.path(right));
  ASSERT_EQ(a.size(), (Size{64, 48}));
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      ASSERT_EQ(int{a.u8(x, y)}, left_value(x, std::max(y - 1, 0))) << x << " " << y;
      ASSERT_EQ(int{b.u8(x, y)}, right_value(x, std::min(y + 1, 47))) << x << " " << y;
    }
}

TEST(RectifyCommand, RectifiesAPair) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  write_pair(scratch, ".pgm");
  for (const char* device : {"reference", "cpu"}) {
    const Result result = scratch.run({"rectify", "left.pgm", "right.pgm", "--calibration", "k.yaml", "-o", "l.png",
                                       "--other", "r.png", "--left-mask", "m.png", "--right-mask", "n.png",
                                       "--rectified-calibration", "c.yml", "--device", device});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    expect_moved(scratch, "l.png", "r.png");
    for (const char* part : {"size      64x48, 1 frame\n", "focal     50.00 px, principal point (31.50, 24.50)",
                             "baseline  0.1 m\n", "valid     64x46 px from (0, 1) on\n"})
      EXPECT_TRUE(holds(result.out, part)) << part << " in\n" << result.out;
  }
  const GreyPicture mask = read_grey(scratch.path("m.png")), other = read_grey(scratch.path("n.png"));
  for (int y = 0; y < 48; ++y) {
    EXPECT_EQ(mask.u8(5, y), y == 0 ? 0 : 255);
    EXPECT_EQ(other.u8(5, y), y == 47 ? 0 : 255);
  }
  const StereoRig rig = read_rig({scratch.path("c.yml")}).rig;
  EXPECT_EQ(rig.left.cy, 24.5);
  EXPECT_EQ(rig.right.cy, 24.5);
  EXPECT_DOUBLE_EQ(rig.translation[0], -0.1);
  EXPECT_EQ(rig.left.size, (Size{64, 48}));
}

TEST(RectifyCommand, RectifiesASequence) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  for (const char* end : {"_3.pgm", "_4.pgm"}) write_pair(scratch, end);
  const Result result = scratch.run({"rectify", "left_%d.pgm", "right_%d.pgm", "--calibration", "k.yaml", "-o",
                                     "l_%02d.png", "--other", "r_%02d.png", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["frames"], 2);
  EXPECT_EQ(report["valid"], Json::parse("[0, 1, 64, 46]"));
  expect_moved(scratch, "l_03.png", "r_03.png");
  expect_moved(scratch, "l_04.png", "r_04.png");
}

/// Principal points meet half-way, as above, in every channel.
TEST(RectifyCommand, KeepsColours) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  const auto blue = [](int x, int y) { return (3 * x + 5 * y) % 256; };
  std::string bytes = "P6\n64 48\n255\n";
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x)
      for (const int value : {left_value(x, y), right_value(x, y), blue(x, y)})
        bytes.push_back(static_cast<char>(value));
  scratch.write("left.ppm", bytes);
  scratch.write("right.ppm", bytes);
  const auto rectify = [&](const std::string& left, const std::string& right, const std::vector<std::string>& more) {
    std::vector<std::string> all{"rectify", "left.ppm", "right.ppm", "--calibration", "k.yaml", "-o",
                                 left,      "--other",  right};
    all.insert(all.end(), more.begin(), more.end());
    const Result result = scratch.run(all);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
  };
  rectify("l.png", "r.ppm", {});
  const Image<Rgb> left = read_rgb(scratch.path("l.png")), right = read_rgb(scratch.path("r.ppm"));
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      const int up = std::max(y - 1, 0), down = std::min(y + 1, 47);
      ASSERT_EQ(int{left(x, y).r}, left_value(x, up));
      ASSERT_EQ(int{left(x, y).g}, right_value(x, up));
      ASSERT_EQ(int{left(x, y).b}, blue(x, up));
      ASSERT_EQ(int{right(x, y).b}, blue(x, down));
    }
  rectify("g.png", "h.pgm", {"--grey"});
  const GreyPicture raw = read_grey(scratch.path("left.ppm")), grey = read_grey(scratch.path("g.png"));
  EXPECT_EQ(read_values(scratch.path("g.png")).channels, 1);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) ASSERT_EQ(int{grey.u8(x, y)}, int{raw.u8(x, std::max(y - 1, 0))});
}

TEST(RectifyCommand, WritesVideos) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  for (const char* end : {"_3.pgm", "_4.pgm"}) write_pair(scratch, end);
  const auto rectify = [&](const std::string& left, const std::string& right, const std::string& out,
                           const std::string& other) {
    const Result result = scratch.run({"rectify", left, right, "--calibration", "k.yaml", "-o", out, "--other", other});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
  };
  rectify("left_%d.pgm", "right_%d.pgm", "l.y4m", "r.y4m");
  FrameSource video(scratch.path("l.y4m"));
  for (int frame = 0; frame < 2; ++frame) {
    const auto picture = video.next();
    ASSERT_TRUE(picture);
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x) ASSERT_EQ(int{picture->u8(x, y)}, left_value(x, std::max(y - 1, 0)));
  }
  EXPECT_FALSE(video.next());
  EXPECT_FALSE(scratch.has("l.y4m.partial"));
  rectify("l.y4m", "r.y4m", "l_%d.png", "r_%d.png");  // a video in
  EXPECT_TRUE(scratch.has("l_1.png"));
}

/// Of a file of several cameras, in millimetres.
TEST(RectifyCommand, ReadsCalibrationsAsShowDoes) {
  const Scratch scratch;
  std::string text = calibration;
  text.replace(text.find("-0.1]"), 5, "-100.0]");
  scratch.write("k.yaml", text);
  write_pair(scratch, ".pgm");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"rectify", "left.pgm", "right.pgm", "--calibration", "k.yaml",
                                 "-o",      "l.png",    "--other",   "r.png"};
    all.insert(all.end(), more.begin(), more.end());
    return scratch.run(all);
  };
  EXPECT_TRUE(holds(run({}).err, "baseline"));
  const Result result = run({"--unit", "mm", "--cameras", "0:1"});
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(holds(result.out, "baseline  0.1 m\n")) << result.out;
  EXPECT_EQ(run({"--cameras", "1:1"}).status, 2);
  EXPECT_EQ(run({"--unit", "in"}).status, 2);
  EXPECT_TRUE(holds(run({"--cameras", "1:2"}).err, "cam2"));
}

TEST(RectifyCommand, RefusesWhatCannotBe) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  write_pair(scratch, ".pgm");
  scratch.write("small.pgm", pgm(60, 48, 255, left_value));
  const auto run = [&](const std::string& left, const std::string& right, std::vector<std::string> more) {
    std::vector<std::string> all{"rectify", left, right, "--calibration", "k.yaml"};
    all.insert(all.end(), more.begin(), more.end());
    return scratch.run(all);
  };
  const std::vector<std::string> outputs{"-o", "l.png", "--other", "r.png"};
  const auto expect = [&](const Result& result, int status, const std::string& part) {
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(holds(result.err, part)) << part << " in\n" << result.err;
    EXPECT_FALSE(scratch.has("l.png"));
  };
  expect(run("small.pgm", "small.pgm", outputs), 1, "60x48");
  expect(run("left.pgm", "right.pgm", {"-o", "left.pgm", "--other", "r.png"}), 2, "left.pgm");
  expect(run("left.pgm", "right.pgm", {"-o", "l.tif", "--other", "r.png"}), 2, "l.tif");
  expect(run("left.pgm", "right.pgm", {"-o", "l.png", "--other", "r.png", "--alpha", "2"}), 2, "--alpha");
  expect(run("left.pgm", "right.pgm", {"-o", "l.png", "--other", "r.png", "--alpha", "0", "--focal", "9"}), 2,
         "give one");
  expect(run("left.pgm", "right.pgm", {"-o", "l.png", "--other", "r.png", "--frames", "1:2"}), 2, "beyond its end");
  write_pair(scratch, "_1.pgm");
  expect(run("left_%d.pgm", "right_%d.pgm", outputs), 2, "%d");
}

/// Distortion that folds the picture, of files that tell no size: the pictures' own is taken.
TEST(RectifyCommand, WarnsOfTheCalibration) {
  const Scratch scratch;
  const std::string lens = "[50, 0, 31.5, 0, 50, 23.5, 0, 0, 1]";
  scratch.write("f.json", "{\"M1\": " + lens + ", \"M2\": " + lens +
                              ", \"D1\": [-0.9, 0, 0, 0, 0], \"D2\": [0, 0, 0, 0, 0], \"R\": [1, 0, 0, 0, 1, 0, 0, "
                              "0, 1], \"T\": [-0.1, 0, 0]}");
  write_pair(scratch, ".pgm");
  const std::vector<std::string> run{"rectify", "left.pgm", "right.pgm", "--calibration", "f.json",
                                     "-o",      "l.png",    "--other",   "r.png"};
  const Result result = scratch.run(run);
  EXPECT_EQ(result.status, 0) << result.err;
  // r (1 - 0.9 r^2) is 0.4057 at most, of 50 px 20 px.
  EXPECT_TRUE(holds(result.err, "left distortion: nothing is seen further than 20 px")) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
}

TEST(RectifyCommand, WarnsOfResultsThatShowLittle) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  write_pair(scratch, ".pgm", 32, 24);
  const auto said = [&](const std::vector<std::string>& more) {
    std::vector<std::string> run{"rectify", "left.pgm", "right.pgm", "--calibration", "k.yaml",
                                 "-o",      "l.png",    "--other",   "r.png"};
    run.insert(run.end(), more.begin(), more.end());
    const Result result = scratch.run(run);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({"--focal", "20"}), "");
  EXPECT_TRUE(holds(said({"--focal", "2"}), "--focal is 2 px, and the cameras have 25 px: give it in px"));
  EXPECT_TRUE(holds(said({"--focal", "5000"}), "--focal is 5000 px, and the cameras have 25 px"));
  EXPECT_TRUE(holds(said({"--focal", "9", "--size", "64x48"}), " of the rectified 64x48 px: check the calibration's"));
}

/// A calibration of pictures twice as large is scaled.
TEST(RectifyCommand, ScalesTheCalibration) {
  const Scratch scratch;
  scratch.write("k.yaml", calibration);
  write_pair(scratch, ".pgm", 32, 24);
  const Result result = scratch.run(
      {"rectify", "left.pgm", "right.pgm", "--calibration", "k.yaml", "-o", "l.png", "--other", "r.png", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["focal_px"], 25);
}

}  // namespace
}  // namespace vergence::cli_test
