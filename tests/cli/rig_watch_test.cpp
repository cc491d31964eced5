// SPDX-License-Identifier: Apache-2.0
// Whether pairs are rectified, as `stereo` and `rectify` tell it: in reports, by one warning, as an error.
#include <gtest/gtest.h>

#include <string>
#include <utility>
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

/// The first look tells that rows meet: the closer one is left to those who ask.
TEST_F(RigWatch, AGoodPairIsLookedAtCloselyOnDemandAlone) {
  write_pair(0, 0);
  const Result plain = stereo();
  EXPECT_EQ(plain.err, "");
  EXPECT_TRUE(holds(plain.out, "rows       vertical offset: 0.") &&
              holds(plain.out, " px at most (--json measures it)"))
      << plain.out;
  write_pair(0, 0.64);
  EXPECT_TRUE(holds(stereo().out, "rows       vertical offset: median 0.6 px"));
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
  Words words{"stereo", "l_%d.pgm", "r_%d.pgm", "--disparities", "16", "--preset", "fast"};
  const Result plain = scratch.run(words);
  EXPECT_TRUE(holds(plain.err, "frame 100: the cameras have turned against each other: rows have moved by 0.6 px"))
      << "the first pair is looked at then: " << plain.err;
  EXPECT_TRUE(holds(plain.out, "moved by 0.6 px at most in 2 looks")) << plain.out;
  words.emplace_back("--json");
  const Json report = Json::parse(scratch.run(words).out);
  ASSERT_EQ(report["warnings"].size(), 1u) << report["warnings"].dump();
  const auto told = report["warnings"][0].get<std::string>();
  EXPECT_EQ(told.rfind("frame 100: the cameras have turned against each other: rows have moved by 0.6 px", 0), 0u)
      << told;
  EXPECT_EQ(report["rows"]["looks"], 2);
  EXPECT_NEAR(report["rows"]["moved"].get<double>(), 0.6, 0.1);
}

/// Raw pictures, rig.yml, and what was believed before the right camera was knocked.
class KnockedRig : public RigWatch {
 protected:
  void SetUp() override {
    write("left.pgm", scene().left);
    write("right.pgm", scene().right);
    write_rig({scratch.path("rig.yml")}, scene().rig, RigFormat::opencv_yaml);
    write_rig({scratch.path("knocked.yml")}, knocked(), RigFormat::opencv_yaml);
  }
  static StereoRig knocked(double yaw = 0) { return test::knocked_rig(scene().rig, {-0.004, yaw, -0.01}); }
  Result run(const std::string& command, const Words& rigs, const Words& more = {}) const {
    Words words{command, "left.pgm", "right.pgm"};
    if (command == "rectify") words.insert(words.end(), {"-o", "l.png", "--other", "r.png"});
    if (command == "stereo") words.insert(words.end(), {"--disparities", "36"});
    for (const std::string& rig : rigs) words.insert(words.end(), {"--calibration", rig});
    words.insert(words.end(), more.begin(), more.end());
    return scratch.run(words);
  }
  // Made by the first test that asks: every test of this program would else wait for it.
  static const test::RawScene& scene() {
    static const test::RawScene made = test::make_raw_scene();
    return made;
  }
};

TEST_F(KnockedRig, IsToldByRectify) {
  const Result good = run("rectify", {"rig.yml"}, {"--require-rectified"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_TRUE(holds(good.out, "rows      vertical offset: median ")) << good.out;
  const Result warned = run("rectify", {"knocked.yml"});
  EXPECT_EQ(warned.status, 0);
  EXPECT_EQ(lines(warned.err), 1u) << warned.err;
  EXPECT_TRUE(holds(warned.err, "the rectified pictures do not fit: ")) << warned.err;
  EXPECT_TRUE(holds(warned.err, "turned by pitch 0.2") && holds(warned.err, "roll 0.5")) << warned.err;
  const Result refused = run("rectify", {"knocked.yml"}, {"--require-rectified"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(holds(refused.err, "(--require-rectified)")) << refused.err;
}

/// Points that are off by more than is searched for are found at any row.
TEST_F(KnockedRig, RowsThatAreFarOffAreToldByRectify) {
  StereoRig straight;
  straight.left = {inspect_test::scene_size, 240, 240, 120, 90};
  straight.right = straight.left;
  straight.translation = {-0.1, 0, 0};
  write_rig({scratch.path("straight.yml")}, straight, RigFormat::opencv_yaml);
  write_pair(0, 20);
  const Result warned = run("rectify", {"straight.yml"});
  EXPECT_EQ(warned.status, 0) << warned.err;
  EXPECT_TRUE(holds(warned.err, "the rectified pictures do not fit: ")) << warned.err;
  EXPECT_TRUE(holds(warned.err, "in the median, and differ from that by ")) << warned.err;
  EXPECT_EQ(run("rectify", {"straight.yml"}, {"--require-rectified"}).status, 1);
  write_pair(0, 0);
  EXPECT_EQ(run("rectify", {"straight.yml"}).err, "");
}

TEST_F(KnockedRig, IsMendedByRefinedCalibrations) {
  const StereoRig rig = knocked();
  struct Form {
    RigFormat format;
    Words from, to;
  };
  for (const Form& form : {Form{RigFormat::opencv_yaml, {"a.yml"}, {"b.yml"}},
                           {RigFormat::opencv_xml, {"a.xml"}, {"b.xml"}},
                           {RigFormat::opencv_json, {"a.json"}, {"b.json"}},
                           {RigFormat::kalibr, {"k.yaml"}, {"m.yaml"}},
                           {RigFormat::ros, {"rl.yaml", "rr.yaml"}, {"sl.yaml", "sr.yaml"}},
                           {RigFormat::euroc, {"el.yaml", "er.yaml"}, {"fl.yaml", "fr.yaml"}}}) {
    SCOPED_TRACE(rig_format_name(form.format));
    Words from, refine, to;
    for (const std::string& name : form.from) from.push_back(scratch.path(name));
    for (const std::string& name : form.to) refine.insert(refine.end(), {"--refine-calibration", name});
    for (const std::string& name : form.to) to.push_back(scratch.path(name));
    write_rig(from, rig, form.format);
    const Result refined = run(form.format == RigFormat::opencv_xml ? "rectify" : "stereo", form.from, refine);
    ASSERT_EQ(refined.status, 0) << refined.err;
    EXPECT_TRUE(holds(refined.out, "right camera turned by pitch 0.2")) << refined.out;
    const RigFile read = read_rig(to);
    EXPECT_EQ(read.format, form.format);
    EXPECT_TRUE(read.doubts.empty());
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(read.rig.rotation[i], scene().rig.rotation[i], 1.5e-3) << i;
    const Result good = run("stereo", form.to, {"--require-rectified"});
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(good.err, "");
  }
}

/// A wrong lens bends rows as a yaw does, and a yaw changes all depths.
TEST_F(KnockedRig, AYawThatChangesDepthsIsTold) {
  write_rig({scratch.path("yaw.yml")}, knocked(0.03), RigFormat::opencv_yaml);
  for (const char* command : {"stereo", "rectify"}) {
    const Result turned = run(command, {"yaw.yml"}, {"--refine-calibration", "m.yml"});
    EXPECT_EQ(turned.status, 0) << turned.err;
    EXPECT_TRUE(holds(turned.err, "which moves all disparities by about ")) << turned.err;
    const Result plain = run(command, {"knocked.yml"}, {"--refine-calibration", "n.yml"});
    EXPECT_FALSE(holds(plain.err, "which moves all disparities by about ")) << plain.err;
  }
}

/// Rectified pictures whose file tells projections alone: the refined one rectifies them once more.
TEST_F(KnockedRig, RectifiedPicturesAreRefinedToo) {
  ASSERT_EQ(run("rectify", {"knocked.yml"}, {"--rectified-calibration", "flat.yml"}).status, 0);
  ASSERT_EQ(scratch.run({"calibration", "convert", "flat.yml", "-o", "calib.txt", "--format", "middlebury"}).status, 0);
  for (const std::string calibration : {"flat.yml", "calib.txt"}) {
    const Words pair{"stereo", "l.png", "r.png", "--disparities", "36", "--calibration"};
    Words refine = pair, again = pair;
    refine.insert(refine.end(), {calibration, "--refine-calibration", "mended.yml", "--json"});
    again.insert(again.end(), {"mended.yml", "--require-rectified"});
    const Result refined = scratch.run(refine);
    ASSERT_EQ(refined.status, 0) << refined.err;
    const Json report = Json::parse(refined.out);
    EXPECT_NEAR(report["refined"]["roll_deg"].get<double>(), 0.57, 0.1);
    EXPECT_EQ(report["outputs"]["refined_calibration"], "mended.yml");
    const Result good = scratch.run(again);
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_TRUE(holds(good.out, "rectified  the calibration holds a rotation")) << good.out;
  }
}

TEST_F(KnockedRig, RefusesWhatCannotBeRefined) {
  const auto expect = [&](const Words& rigs, const Words& more, int status, const std::string& said) {
    for (const std::string command : {"stereo", "rectify"}) {
      if (rigs.empty() && command == "rectify") continue;
      const Result refused = run(command, rigs, more);
      EXPECT_EQ(refused.status, status) << refused.err;
      EXPECT_TRUE(holds(refused.err, said)) << refused.err;
      EXPECT_FALSE(scratch.has("x.yml"));
    }
  };
  expect({}, {"--refine-calibration", "x.yml"}, 2, "--refine-calibration needs --calibration FILE");
  expect({"rig.yml"}, {"--refine-calibration", "x.txt"}, 2, "must end in one of .yml .yaml .xml .json");
  expect({"rig.yml"}, {"--refine-calibration", "x.yml", "--refine-calibration", "y.yml"}, 2,
         "the calibration is of opencv-yaml, which has one file");
  expect({"rig.yml"}, {"--refine-calibration", "rig.yml"}, 2, "rig.yml");
  const Image<std::uint8_t> dull(scene().left.size(), 9);
  write("left.pgm", dull);
  write("right.pgm", dull);
  expect({"rig.yml"}, {"--refine-calibration", "x.yml"}, 1, "do not tell how the cameras stand: 0 sample points");
}

}  // namespace
}  // namespace vergence::cli_test
