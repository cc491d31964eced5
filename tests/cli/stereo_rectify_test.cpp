// SPDX-License-Identifier: Apache-2.0
// `stereo` on raw pictures: rectified by the calibration, turned where cameras stand above each other, and refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "support/raw_scene.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

using test::RawScene;

std::string pgm_of(const Image<std::uint8_t>& picture) {
  return pgm(picture.width(), picture.height(), 255, [&](int x, int y) { return picture(x, y); });
}

const RawScene& raw_scene() {
  static const RawScene scene = test::make_raw_scene();
  return scene;
}

/// raw_left.pgm, raw_right.pgm and rig.yml.
void write_raw(const Scratch& scratch, const std::string& end = ".pgm") {
  scratch.write("raw_left" + end, pgm_of(raw_scene().left));
  scratch.write("raw_right" + end, pgm_of(raw_scene().right));
  write_rig({scratch.path("rig.yml")}, raw_scene().rig, RigFormat::opencv_yaml);
}

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
const Words raw{"stereo", "raw_left.pgm", "raw_right.pgm", "--disparities", "36", "--window", "7"};
const Words by_rig{"--calibration", "rig.yml"};

TEST(StereoRectify, EqualsRectifyFollowedByStereo) {
  const Scratch scratch;
  write_raw(scratch);
  for (const std::string device : {"reference", "cpu"}) {
    const Words on{"--device", device};
    const Result one = scratch.run(
        joined(joined(raw, by_rig), joined(on, {"--fill", "nearest", "-o", "a.npy", "--depth", "a.pfm", "--validity",
                                                "a.png", "--confidence", "ac.png", "--cloud", "a.ply"})));
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(one.err, "");
    EXPECT_TRUE(holds(one.out, "rectified  the calibration holds distortion (--no-rectify")) << one.out;
    const Result two =
        scratch.run(joined({"rectify", "raw_left.pgm", "raw_right.pgm", "-o", "l.png", "--other", "r.png",
                            "--left-mask", "m.png", "--right-mask", "n.png", "--rectified-calibration", "c.yml"},
                           joined(by_rig, on)));
    ASSERT_EQ(two.status, 0) << two.err;
    const Result three =
        scratch.run(joined({"stereo", "l.png", "r.png", "--disparities", "36", "--window", "7", "--left-mask", "m.png",
                            "--right-mask", "n.png", "--calibration", "c.yml"},
                           joined(on, {"--fill", "nearest", "-o", "b.npy", "--depth", "b.pfm", "--validity", "b.png",
                                       "--confidence", "bc.png", "--cloud", "b.ply"})));
    ASSERT_EQ(three.status, 0) << three.err;
    EXPECT_FALSE(holds(three.out, "rectified")) << three.out;
    for (const std::string end : {".npy", ".pfm", ".png", "c.png", ".ply"})
      EXPECT_EQ(scratch.read("a" + end), scratch.read("b" + end)) << end << " on " << device;
  }
  const GreyPicture validity = read_grey(scratch.path("a.png")), confidence = read_grey(scratch.path("ac.png"));
  const GreyPicture mask = read_grey(scratch.path("m.png"));
  int without = 0;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) {
      if (mask.u8(x, y) != 0) continue;
      ++without;
      ASSERT_EQ(validity.u8(x, y), 0);
      ASSERT_EQ(confidence.u8(x, y), 0);
    }
  EXPECT_GT(without, 100);
}

TEST(Rectify, LooksAtWhatItMade) {
  const Scratch scratch;
  write_raw(scratch);
  const auto rectify = [&](const std::string& left, const std::string& right, const std::string& rig) {
    return scratch.run({"rectify", left, right, "--calibration", rig, "-o", "l.pgm", "--other", "r.pgm"}).err;
  };
  EXPECT_EQ(rectify("raw_left.pgm", "raw_right.pgm", "rig.yml"), "");
  EXPECT_TRUE(holds(rectify("raw_left.pgm", "raw_left.pgm", "rig.yml"), "the rectified pictures ")) << "one twice";
  StereoRig turned = raw_scene().rig;
  turned.rectified.reset();
  turned.left.cy += 12;
  write_rig({scratch.path("turned.yml")}, turned, RigFormat::opencv_yaml);
  const std::string said = rectify("raw_left.pgm", "raw_right.pgm", "turned.yml");
  EXPECT_TRUE(holds(said, "the rectified pictures do not fit: of ")) << said;
  EXPECT_TRUE(holds(said, "check that the calibration is that of these cameras")) << said;
}

TEST(StereoRectify, DepthIsThatOfTheScene) {
  const Scratch scratch;
  write_raw(scratch);
  const Result result = scratch.run(joined(joined(raw, by_rig), {"--depth", "z.pfm", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["rectified"]["reason"], "the calibration holds distortion");
  EXPECT_EQ(report["rectified"]["turned"], 0);
  const StereoRig& rig = raw_scene().rig;
  const double focal = rig.rectified->p1[0], baseline = -rig.rectified->p2[3] / focal;
  EXPECT_NEAR(report["rectified"]["focal_px"].get<double>(), focal, 1e-9);
  EXPECT_NEAR(report["rectified"]["baseline_m"].get<double>(), baseline, 1e-9);
  // Matching errs at edges and on thin things; the rest has no error in the mean (see rectify/raw_scene_test.cpp).
  const Image<float> depth = read_float_map(scratch.path("z.pfm"));
  int measured = 0, near = 0;
  double sum = 0;  // of errors, in px of disparity
  for (int y = 0; y < depth.height(); ++y)
    for (int x = 0; x < depth.width(); ++x) {
      if (!std::isfinite(depth(x, y))) continue;
      ++measured;
      const double disparity = focal * baseline / static_cast<double>(depth(x, y));
      const double error = disparity - static_cast<double>(raw_scene().disparity(x, y));
      if (std::abs(error) <= 1) ++near, sum += error;
    }
  EXPECT_GT(measured, 240 * 180 * 6 / 10);
  EXPECT_GT(near, measured * 8 / 10);
  EXPECT_LE(std::abs(sum / near), 1.0 / 16);
}

TEST(StereoRectify, SequencesAndLayoutsAreRectified) {
  const Scratch scratch;
  write_raw(scratch);
  write_raw(scratch, "_3.pgm");
  write_raw(scratch, "_4.pgm");
  const Image<std::uint8_t>&left = raw_scene().left, &right = raw_scene().right;
  scratch.write("both.pgm", pgm(480, 180, 255, [&](int x, int y) { return x < 240 ? left(x, y) : right(x - 240, y); }));
  ASSERT_EQ(scratch.run(joined(joined(raw, by_rig), {"-o", "one.npy", "--cloud", "one.ply"})).status, 0);
  const Words settings = joined({"--disparities", "36", "--window", "7"}, by_rig);
  const Result sequence = scratch.run(
      joined({"stereo", "raw_left_%d.pgm", "raw_right_%d.pgm", "-o", "s_%d.npy", "--cloud", "s_%d.ply"}, settings));
  ASSERT_EQ(sequence.status, 0) << sequence.err;
  const Result devices = scratch.run(joined(
      {"stereo", "raw_left_%d.pgm", "raw_right_%d.pgm", "-o", "t_%d.npy", "--device", "cpu,reference"}, settings));
  ASSERT_EQ(devices.status, 0) << devices.err;
  for (const char* name : {"s_3.npy", "s_4.npy", "t_3.npy", "t_4.npy"})
    EXPECT_EQ(scratch.read(name), scratch.read("one.npy"));
  EXPECT_EQ(scratch.read("s_4.ply"), scratch.read("one.ply"));
  const Result layout = scratch.run(
      joined({"stereo", "both.pgm", "--layout", "side-by-side", "-o", "l.npy", "--cloud", "l.ply"}, settings));
  ASSERT_EQ(layout.status, 0) << layout.err;
  EXPECT_EQ(scratch.read("l.npy"), scratch.read("one.npy"));
  EXPECT_EQ(scratch.read("l.ply"), scratch.read("one.ply"));
}

/// Cameras of 96x64 px above each other, 0.1 m apart, focal length 80 px; the principal points are not in the middle.
StereoRig upright_rig(bool second_is_lower) {
  StereoRig rig;
  rig.left = rig.right = {{96, 64}, 80, 80, 50, 30, LensModel::pinhole, {}};
  rig.translation = {0, second_is_lower ? -0.1 : 0.1, 0};
  return rig;
}

/// Of an organised cloud with colours: x, y, z and the red of the point of pixel (x, y) of 96 in a row.
std::array<float, 4> point_of(const std::string& ply, int x, int y) {
  const std::size_t place = ply.find("end_header\n") + 11 + 15 * static_cast<std::size_t>(96 * y + x);
  std::array<float, 4> point{};
  std::memcpy(point.data(), ply.data() + place, 12);
  point[3] = static_cast<unsigned char>(ply[place + 12]);
  return point;
}

TEST(StereoRectify, CamerasAboveEachOtherAreTurnedAndTheirMapsTurnedBack) {
  const Scratch scratch;
  constexpr int d = 5;
  scratch.write("up.pgm", pgm(96, 64, 255, [](int x, int y) { return texture(x, y); }));
  scratch.write("down.pgm", pgm(96, 64, 255, [](int x, int y) { return texture(x, y + d); }));
  for (const bool lower : {true, false}) {
    write_rig({scratch.path("rig.yml")}, upright_rig(lower), RigFormat::opencv_yaml);
    const char* const first = lower ? "up.pgm" : "down.pgm";
    const Result result = scratch.run({"stereo", first, lower ? "down.pgm" : "up.pgm", "--calibration", "rig.yml",
                                       "--disparities", "16", "--window", "5", "-o", "d.pfm", "--depth", "z.pfm",
                                       "--cloud", "c.ply", "--cloud-organised", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json report = Json::parse(result.out);
    EXPECT_EQ(report["rectified"]["reason"], "the cameras stand above each other");
    EXPECT_EQ(report["rectified"]["turned"], lower ? -90 : 90);
    EXPECT_EQ(report["size"]["width"], 96);
    EXPECT_NEAR(report["rectified"]["center_px"][0].get<double>(), 50, 1e-9);
    EXPECT_NEAR(report["rectified"]["center_px"][1].get<double>(), 30, 1e-9);
    const Image<float> map = read_float_map(scratch.path("d.pfm")), depth = read_float_map(scratch.path("z.pfm"));
    ASSERT_EQ(map.size(), (Size{96, 64}));
    const double seen = static_cast<double>(map(60, 25)), metres = 80 * 0.1 / seen;
    EXPECT_NEAR(seen, d, 0.1);
    EXPECT_NEAR(depth(60, 25), metres, 1e-6);
    // A match lies d rows further down or up: only on the other side is there none.
    EXPECT_TRUE(std::isinf(map(60, lower ? 0 : 63)));
    EXPECT_NEAR(map(60, lower ? 60 : 3), d, 0.1);
    const std::array<float, 4> point = point_of(scratch.read("c.ply"), 60, 25);
    EXPECT_NEAR(point[0], (60 - 50) / 80.0 * metres, 1e-6);
    EXPECT_NEAR(point[1], (25 - 30) / 80.0 * metres, 1e-6);
    EXPECT_NEAR(point[2], metres, 1e-6);
    EXPECT_EQ(point[3], lower ? texture(60, 25) : texture(60, 25 + d));
  }
  const Result cut =
      scratch.run({"stereo", "down.pgm", "up.pgm", "--calibration", "rig.yml", "--roi", "0,0,20,20", "-o", "d.pfm"});
  EXPECT_EQ(cut.status, 2);
  EXPECT_TRUE(holds(cut.err, "--roi is for cameras beside each other")) << cut.err;
  write_rig({scratch.path("rig.yml")}, upright_rig(true), RigFormat::opencv_yaml);
  const Result files = scratch.run(
      {"rectify", "up.pgm", "down.pgm", "--calibration", "rig.yml", "-o", "l.pgm", "--other", "r.pgm", "--along-rows"});
  ASSERT_EQ(files.status, 0) << files.err;
  const GreyPicture left = read_grey(scratch.path("l.pgm"));
  EXPECT_EQ(left.u8(10, 20), texture(95 - 20, 10));  // what was up is left now
  for (const Words& more : {Words{"--refine-calibration", "n.yml"}, Words{"--require-rectified"}}) {
    const Result columns = scratch.run(
        joined({"rectify", "up.pgm", "down.pgm", "--calibration", "rig.yml", "-o", "c.pgm", "--other", "e.pgm"}, more));
    EXPECT_EQ(columns.status, 2);
    EXPECT_TRUE(holds(columns.err, more[0] + " looks along rows") && holds(columns.err, "--along-rows")) << columns.err;
    EXPECT_FALSE(scratch.has("c.pgm"));
  }
}

TEST(StereoRectify, WhatIsRectifiedAlreadyStaysAsItIs) {
  const Scratch scratch;
  write_raw(scratch);
  const auto map = [&](const Words& more) {
    const Result result = scratch.run(joined(raw, joined({"-o", "d.npy"}, more)));
    EXPECT_EQ(result.status, 0) << result.err;
    return scratch.read("d.npy");
  };
  const std::string plain = map({});
  EXPECT_EQ(map({"--calibration", "rig.yml", "--no-rectify", "--depth", "z.pfm"}), plain);
  StereoRig rig = raw_scene().rig;  // its projections alone: the calibration of a rectified pair
  rig.left = rig.right = {{240, 180},
                          rig.rectified->p1[0],
                          rig.rectified->p1[0],
                          rig.rectified->p1[2],
                          rig.rectified->p1[6],
                          LensModel::pinhole,
                          {}};
  rig.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  rig.translation = {rig.rectified->p2[3] / rig.rectified->p2[0], 0, 0};
  rig.rectified->r1 = rig.rectified->r2 = rig.rotation;
  write_rig({scratch.path("plain.yml")}, rig, RigFormat::opencv_yaml);
  EXPECT_EQ(map({"--calibration", "plain.yml", "--depth", "z.pfm"}), plain);
  EXPECT_EQ(map({"--calibration", "plain.yml", "--rectify"}), plain);  // by maps that move nothing
  EXPECT_TRUE(holds(scratch.run(raw).err, "rectify it first (--calibration FILE --rectify)"));
  // The same calibration for pictures that it has rectified already.
  const Words outputs{"-o", "l.pgm", "--other", "r.pgm"};
  ASSERT_EQ(scratch.run(joined({"rectify", "raw_left.pgm", "raw_right.pgm"}, joined(by_rig, outputs))).status, 0);
  const Result twice = scratch.run(joined({"stereo", "l.pgm", "r.pgm", "--disparities", "36"}, by_rig));
  EXPECT_TRUE(holds(twice.err, "give --no-rectify where it was rectified before")) << twice.err;
}

/// Translations of another unit change depths alone, whether pictures are rectified here or were before.
TEST(StereoRectify, UnitsAreThoseOfTheCalibration) {
  const Scratch scratch;
  write_raw(scratch);
  const auto depth = [&](const Words& more) {
    const Result result = scratch.run(joined(joined(raw, by_rig), joined({"--depth", "z.pfm"}, more)));
    EXPECT_EQ(result.status, 0) << result.err;
    return read_float_map(scratch.path("z.pfm"));
  };
  for (const Words& how : {Words{}, Words{"--no-rectify"}}) {
    const Image<float> metres = depth(how), centimetres = depth(joined(how, {"--unit", "cm"}));
    int compared = 0;
    for (int y = 0; y < metres.height(); ++y)
      for (int x = 0; x < metres.width(); ++x) {
        ASSERT_EQ(std::isfinite(metres(x, y)), std::isfinite(centimetres(x, y)));
        if (!std::isfinite(metres(x, y))) continue;
        ASSERT_NEAR(centimetres(x, y) * 100, metres(x, y), 1e-4F * metres(x, y));
        ++compared;
      }
    EXPECT_GT(compared, 1000);
  }
}

/// As KITTI's: raw pictures are larger than rectified ones, and both come with one file.
TEST(StereoRectify, PicturesOfTheRectifiedSizeAreTakenAsTheyAre) {
  const Scratch scratch;
  write_raw(scratch);
  StereoRig rig = raw_scene().rig;
  rig.left.size = rig.right.size = {300, 200};
  write_rig({scratch.path("rig.yml")}, rig, RigFormat::opencv_yaml);
  const Result result = scratch.run(joined(joined(raw, by_rig), {"-o", "a.npy", "--depth", "z.pfm", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(Json::parse(result.out)["rectified"].is_null());
  ASSERT_EQ(scratch.run(joined(raw, {"-o", "b.npy"})).status, 0);
  EXPECT_EQ(scratch.read("a.npy"), scratch.read("b.npy"));
}

TEST(StereoRectify, ACalibrationOfAnotherSizeIsScaledOrRefused) {
  const Scratch scratch;
  write_raw(scratch);
  write_rig({scratch.path("large.yml")}, scaled_rig(raw_scene().rig, {480, 360}), RigFormat::opencv_yaml);
  const auto hash = [&](const std::string& file) {
    const Result result = scratch.run(joined(raw, {"--calibration", file, "--json"}));
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out)["hash"];
  };
  EXPECT_EQ(hash("large.yml"), hash("rig.yml"));
  StereoRig odd = raw_scene().rig;
  odd.rectified.reset();  // its size would show that the pictures are rectified
  odd.left.size = odd.right.size = {250, 180};
  write_rig({scratch.path("odd.yml")}, odd, RigFormat::opencv_yaml);
  const Result refused = scratch.run(joined(raw, {"--calibration", "odd.yml", "-o", "d.npy"}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(holds(refused.err, "250x180") && holds(refused.err, "240x180")) << refused.err;
  EXPECT_FALSE(scratch.has("d.npy"));
}

TEST(StereoRectify, RefusesWhatCannotBe) {
  const Scratch scratch;
  write_raw(scratch);
  const auto expect = [&](const Words& more, int status, const std::string& part) {
    const Result result = scratch.run(joined(raw, joined({"-o", "d.npy"}, more)));
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(holds(result.err, part)) << part << " in\n" << result.err;
    EXPECT_FALSE(scratch.has("d.npy"));
  };
  expect({"--rectify"}, 2, "--rectify needs --calibration FILE");
  expect({"--rectify", "--no-rectify", "--calibration", "rig.yml"}, 2, "use one or the other");
  expect({"--alpha", "2", "--calibration", "rig.yml"}, 2, "--alpha");
  expect({"--alpha", "0", "--no-rectify", "--calibration", "rig.yml"}, 2, "--no-rectify");
  expect({"--unit", "mm"}, 2, "--unit needs --calibration FILE");
  expect({"--left-mask", "raw_left.pgm", "--calibration", "rig.yml"}, 2, "--left-mask");
  scratch.write("mask.pgm", pgm(60, 48, 255, [](int x, int) { return x < 9 ? 0 : 255; }));
  expect({"--left-mask", "mask.pgm"}, 1, "mask mask.pgm is 60x48, the pictures are 240x180");
  StereoRig exchanged = raw_scene().rig;
  std::swap(exchanged.left, exchanged.right);
  exchanged.rectified.reset();
  const StereoRig& rig = raw_scene().rig;
  for (std::size_t i = 0; i < 3; ++i) {
    exchanged.translation[i] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      exchanged.rotation[3 * i + j] = rig.rotation[3 * j + i];
      exchanged.translation[i] -= rig.rotation[3 * j + i] * rig.translation[j];
    }
  }
  write_rig({scratch.path("exchanged.yml")}, exchanged, RigFormat::opencv_yaml);
  expect({"--calibration", "exchanged.yml"}, 1, "exchange LEFT and RIGHT");
  std::string text = scratch.read("rig.yml");
  const std::size_t at = text.find("data:", text.find("D1"));
  text.replace(text.find('[', at) + 1, 0, ".nan, ");
  scratch.write("nan.yml", text);
  expect({"--calibration", "nan.yml"}, 1, "D1");
  expect({"--calibration", "nan.yml", "--rectify"}, 1, "D1");
}

}  // namespace
}  // namespace vergence::cli_test
