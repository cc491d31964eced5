// SPDX-License-Identifier: Apache-2.0
// Whether pairs are rectified, as `stereo` and `rectify` tell it: in reports, by one warning, as an error.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "rectify/turned_camera.hpp"
#include "support/raw_scene.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class RigWatch : public testing::Test {
 protected:
  void write(const std::string& name, const Image<std::uint8_t>& picture) const {
    write_picture(scratch.path(name), picture.view());
  }
  /// left.pgm, and right.pgm that is turned and lies lower by rows.
  void write_pair(double degrees, double rows) const {
    write("left.pgm", inspect_test::view(false));
    write("right.pgm", inspect_test::view(true, degrees, rows));
  }
  Result stereo(const Words& more = {}) const {
    Words words{"stereo", "left.pgm", "right.pgm", "--disparities", "32"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch.run(words);
  }
  Scratch scratch;
};

TEST_F(RigWatch, AGoodPairIsReported) {
  write_pair(0, 0);
  const Result text = stereo({"--require-rectified"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_TRUE(holds(text.out, "rows       vertical offset: median 0.0 px, spread 0.")) << text.out;
  const Json rows = Json::parse(stereo({"--json"}).out)["rows"];
  EXPECT_TRUE(rows["known"].get<bool>());
  EXPECT_GE(rows["points"].get<int>(), 40);
  EXPECT_LT(rows["offset"].get<double>(), 0.2);
  EXPECT_EQ(rows["looks"], 1);
  EXPECT_TRUE(rows["focal_px"].is_null());
}

/// Less than what lines through patches tell.
TEST_F(RigWatch, LessThanAPixelIsTold) {
  write_pair(0, 0.64);
  const Result told = stereo({"-o", "d.pfm"});
  EXPECT_EQ(told.status, 0);
  EXPECT_EQ(lines(told.err), 1u) << told.err;
  EXPECT_TRUE(holds(told.err, "the pair is not rectified: ") && holds(told.err, "lie 0.6 px off their row"))
      << told.err;
  EXPECT_TRUE(holds(told.err, "as if the right camera were turned by pitch -0.1")) << told.err;  // 0.64 of 240 px
  EXPECT_TRUE(holds(told.err, "(for a focal length of 240 px): rectify it (--calibration FILE --rectify)")) << told.err;
  EXPECT_TRUE(holds(told.out, "median 0.6 px")) << told.out;
}

TEST_F(RigWatch, OneCauseIsToldOnce) {
  for (const auto& [degrees, rows] : {std::pair{1.0, 0.0}, {0.0, 3.0}, {0.5, 1.0}}) {
    write_pair(degrees, rows);
    const Result told = stereo();
    EXPECT_EQ(lines(told.err), 1u) << told.err;
    EXPECT_TRUE(holds(told.err, "; it is as if the right camera were turned by")) << told.err;
  }
}

TEST_F(RigWatch, RequiredItIsAnError) {
  for (const double rows : {0.64, 3.0}) {
    write_pair(0, rows);
    const Result refused = stereo({"-o", "d.pfm", "--require-rectified"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(lines(refused.err), 1u) << refused.err;
    EXPECT_TRUE(holds(refused.err, "(--require-rectified)")) << refused.err;
    EXPECT_FALSE(scratch.has("d.pfm"));
  }
}

TEST_F(RigWatch, WhatCannotBeToldIsSaid) {
  const auto far_apart = [](int x, int y) { return x / 60 == 1 && y / 60 == 1 ? 200 : 50; };
  scratch.write("left.pgm", pgm(240, 180, 255, far_apart));
  scratch.write("right.pgm", pgm(240, 180, 255, [&](int x, int y) { return far_apart(x + 8, y); }));
  EXPECT_FALSE(holds(stereo().err, "cannot be told"));
  const Result asked = stereo({"--require-rectified"});
  EXPECT_EQ(asked.status, 0);
  EXPECT_TRUE(holds(asked.err, "whether the pair is rectified cannot be told: ")) << asked.err;
}

/// The hundredth frame is looked at again.
TEST_F(RigWatch, ATurnedCameraIsToldWithTheFrame) {
  const Image<std::uint8_t> left = inspect_test::view(false), right = inspect_test::view(true),
                            turned = inspect_test::view(true, 0, -0.6);
  for (int i = 0; i <= 100; ++i) {
    write("l_" + std::to_string(i) + ".pgm", left);
    write("r_" + std::to_string(i) + ".pgm", i < 97 ? right : turned);
  }
  const Words words{"stereo", "l_%d.pgm", "r_%d.pgm", "--disparities", "16", "--preset", "fast", "--json"};
  const Json report = Json::parse(scratch.run(words).out);
  ASSERT_EQ(report["warnings"].size(), 1u) << report["warnings"].dump();
  const auto told = report["warnings"][0].get<std::string>();
  EXPECT_EQ(told.rfind("frame 100: the cameras have turned against each other: rows have moved by 0.6 px", 0), 0u)
      << told;
  EXPECT_EQ(report["rows"]["looks"], 2);
  EXPECT_NEAR(report["rows"]["moved"].get<double>(), 0.6, 0.1);
}

/// A right camera that was knocked after it was calibrated.
TEST_F(RigWatch, RectifyTellsOfAnotherRotation) {
  const test::RawScene scene = test::make_raw_scene();
  write("left.pgm", scene.left);
  write("right.pgm", scene.right);
  write_rig({scratch.path("rig.yml")}, scene.rig, RigFormat::opencv_yaml);
  StereoRig knocked = scene.rig;
  knocked.rectified->r2 = test::times(test::turn_by({0.004, 0, 0.01}), knocked.rectified->r2);
  write_rig({scratch.path("knocked.yml")}, knocked, RigFormat::opencv_yaml);
  const Words words{"rectify", "left.pgm", "right.pgm", "-o", "l.png", "--other", "r.png", "--require-rectified"};
  const auto run = [&](const std::string& rig, const Words& more = {}) {
    Words all = words;
    all.insert(all.end(), {"--calibration", rig});
    all.insert(all.end(), more.begin(), more.end());
    return scratch.run(all);
  };
  const Result good = run("rig.yml");
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_TRUE(holds(good.out, "rows      vertical offset: median ")) << good.out;
  const Result bad = run("knocked.yml");
  EXPECT_EQ(bad.status, 1);
  EXPECT_TRUE(holds(bad.err, "turned by pitch 0.2") && holds(bad.err, "roll 0.5")) << bad.err;
}

}  // namespace
}  // namespace vergence::cli_test
