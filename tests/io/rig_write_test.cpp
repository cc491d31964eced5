// SPDX-License-Identifier: Apache-2.0
// Calibrated rigs written and read back, bit for bit, and what formats cannot hold.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "io/rig_texts.hpp"

namespace vergence {
namespace {

using namespace test;
using testing::ElementsAre;

/// Numbers with all their bits in use: rotations about a drawn axis, lenses with `coefficients` numbers.
StereoRig random_rig(std::mt19937_64& random, int coefficients, LensModel model) {
  std::uniform_real_distribution<double> unit(0.1, 1);
  const auto draw = [&](double most) { return most * unit(random); };
  const auto camera = [&] {
    Camera result{{640, 480}, draw(600) + 300, draw(600) + 300, draw(600), draw(400), model, {}};
    result.fy = result.fx * 1.01;
    for (int i = 0; i < coefficients; ++i) result.distortion[static_cast<std::size_t>(i)] = draw(1) * std::pow(10, -i);
    return result;
  };
  StereoRig rig;
  rig.left = camera();
  rig.right = camera();
  const double a = draw(0.5), c = std::cos(a), s = std::sin(a);
  rig.rotation = {c, 0, s, 0, 1, 0, -s, 0, c};
  rig.translation = {-draw(0.5), draw(1e-3), -draw(1e-4)};
  return rig;
}

/// Rectified with the left camera's axes, so that R2 = R^T.
void add_rectification(StereoRig& rig) {
  const Matrix3x3& r = rig.rotation;
  RigRectification rectified;
  rectified.r2 = {r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]};
  const auto& t = rig.translation;
  const double f = rig.left.fx;
  rectified.p1 = {f, 0, 320.1, 0, 0, f, 240.7, 0, 0, 0, 1, 0};
  rectified.p2 = {f, 0, 320.1, f * (r[0] * t[0] + r[3] * t[1] + r[6] * t[2]), 0, f, 240.7, f * t[1], 0, 0, 1, 0};
  rig.rectified = rectified;
}

/// Equality of doubles does not tell 0 from -0.
bool same_bits(const std::array<double, 9>& a, const std::array<double, 9>& b) {
  for (std::size_t i = 0; i < 9; ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

StereoRig written(const StereoRig& rig, RigFormat format) {
  std::vector<io::rig::NamedText> files;
  for (const std::string& text : io::rig::rig_texts(rig, format)) files.push_back({text, "a"});
  const RigFile file = io::rig::parse_rig(files, {});
  EXPECT_EQ(file.format, format);
  return file.rig;
}

TEST(RigWrite, OpencvReadsBackBitForBit) {
  SCOPED_TRACE("seed 19");
  std::mt19937_64 random(19);
  for (const RigFormat format : {RigFormat::opencv_yaml, RigFormat::opencv_xml, RigFormat::opencv_json})
    for (const int coefficients : {0, 1, 4, 5, 6, 8, 9, 12, 13, 14}) {
      SCOPED_TRACE(fmt::format("{} with {}", rig_format_name(format), coefficients));
      StereoRig rig = random_rig(random, coefficients, LensModel::pinhole);
      EXPECT_EQ(written(rig, format), rig);
      add_rectification(rig);
      EXPECT_EQ(written(rig, format), rig);
      rig.rectified->size = {800, 600};
      rig.left.size = rig.right.size = {};
      rig.rotation[1] = -0.0;
      EXPECT_EQ(written(rig, format), rig);
      EXPECT_TRUE(same_bits(written(rig, format).rotation, rig.rotation));
      const StereoRig fisheye = random_rig(random, std::min(coefficients, 4), LensModel::fisheye);
      EXPECT_EQ(written(fisheye, format), fisheye);
    }
}

TEST(RigWrite, KalibrAndEurocReadBackBitForBit) {
  SCOPED_TRACE("seed 20");
  std::mt19937_64 random(20);
  for (const RigFormat format : {RigFormat::kalibr, RigFormat::euroc})
    for (int i = 0; i < 20; ++i) {
      StereoRig rig = random_rig(random, i % 5, i % 2 == 0 ? LensModel::pinhole : LensModel::fisheye);
      rig.right.model = LensModel::pinhole;
      EXPECT_EQ(written(rig, format), rig);
    }
}

/// The pose follows from R1 R2 P1 P2: what was read from such files is read back with the same bits.
TEST(RigWrite, RosReadsBackBitForBit) {
  SCOPED_TRACE("seed 21");
  std::mt19937_64 random(21);
  for (const int coefficients : {0, 4, 5, 8, 14}) {
    StereoRig rig = random_rig(random, coefficients, LensModel::pinhole);
    add_rectification(rig);
    const StereoRig first = written(rig, RigFormat::ros);
    EXPECT_EQ(first.left, rig.left);
    EXPECT_EQ(first.right, rig.right);
    EXPECT_EQ(first.rectified, rig.rectified);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(first.rotation[i], rig.rotation[i], 1e-12);
    EXPECT_EQ(written(first, RigFormat::ros), first);
  }
}

TEST(RigWrite, RectifiedPairsReadBackBitForBit) {
  const StereoRig odometry = parsed(kitti_odometry).rig;
  EXPECT_EQ(written(odometry, RigFormat::kitti_odometry), odometry);
  const StereoRig scene = parsed(middlebury).rig;
  EXPECT_EQ(written(scene, RigFormat::middlebury), scene);
  StereoRig rig = parsed(opencv_yaml + opencv_rectification).rig;  // the rectified pair of a rig that is not
  EXPECT_EQ(written(rig, RigFormat::kitti_odometry).rectified->p2, rig.rectified->p2);
  EXPECT_EQ(written(rig, RigFormat::middlebury).left, (Camera{{640, 480}, 400, 400, 320, 240, LensModel::pinhole, {}}));
  EXPECT_THAT(written(rig, RigFormat::middlebury).translation, ElementsAre(-0.1, 0, 0));
}

TEST(RigWrite, MillimetresAreMetresWithThePointMoved) {
  EXPECT_EQ(io::rig::metres_of("536.62"), 0.53662);
  EXPECT_EQ(io::rig::metres_of("5.3662e+2"), 0.53662);
  EXPECT_EQ(io::rig::metres_of("1e-2"), 1e-5);
  EXPECT_EQ(io::rig::millimetres_of(0.53662), "536.62");
  SCOPED_TRACE("seed 22");
  std::mt19937_64 random(22);
  std::uniform_real_distribution<double> exponents(-9, 9);
  for (int i = 0; i < 10000; ++i) {
    const double metres = std::pow(10, exponents(random));
    ASSERT_EQ(io::rig::metres_of(io::rig::millimetres_of(metres)), metres) << i;
  }
}

TEST(RigWrite, NumbersHaveAPoint) {
  EXPECT_EQ(io::rig::decimal(1), "1.0");
  EXPECT_EQ(io::rig::decimal(-0.0), "-0.0");
  EXPECT_EQ(io::rig::decimal(1e-5), "1.0e-05");
  EXPECT_EQ(io::rig::decimal(1.5e-7), "1.5e-07");
  EXPECT_EQ(io::rig::decimal(1e300), "1.0e+300");
  EXPECT_EQ(io::rig::decimal(0.1), "0.1");
}

TEST(RigWrite, RefusesWhatAFormatCannotHold) {
  const auto texts = io::rig::rig_texts;
  StereoRig rig = parsed(opencv_yaml).rig;
  EXPECT_ERROR(texts(rig, RigFormat::ros), ErrorCode::unsupported, "R1 R2 P1 P2 alone");
  EXPECT_ERROR(texts(rig, RigFormat::kalibr), ErrorCode::unsupported, "four coefficients");
  EXPECT_ERROR(texts(rig, RigFormat::euroc), ErrorCode::unsupported, "four coefficients");
  EXPECT_ERROR(texts(rig, RigFormat::kitti_odometry), ErrorCode::unsupported, "rectified cameras alone");
  EXPECT_ERROR(texts(rig, RigFormat::middlebury), ErrorCode::unsupported, "rectified cameras alone");
  EXPECT_ERROR(texts(rig, RigFormat::kitti_raw), ErrorCode::unsupported, "not written");
  rig.right.size = {320, 240};
  EXPECT_ERROR(texts(rig, RigFormat::opencv_yaml), ErrorCode::unsupported, "one picture size");
  rig = parsed(kalibr).rig;
  EXPECT_ERROR(texts(rig, RigFormat::opencv_json), ErrorCode::unsupported, "two fisheyes or none");
  rig.left.size = {};
  EXPECT_ERROR(texts(rig, RigFormat::kalibr), ErrorCode::unsupported, "size of the pictures");
  rig.translation = {};
  EXPECT_ERROR(texts(rig, RigFormat::kalibr), ErrorCode::invalid_argument, "translation is 0");
  StereoRig vertical = parsed(kitti_odometry).rig;
  vertical.rectified.reset();
  vertical.translation = {0, -0.5, 0};
  EXPECT_ERROR(texts(vertical, RigFormat::middlebury), ErrorCode::unsupported, "side by side");
}

TEST(RigWrite, FilesAppearTogether) {
  const TemporaryDirectory directory;
  const StereoRig rig = parsed(ros_left, ros_right).rig;
  write_rig({directory / "l.yaml", directory / "r.yaml"}, rig, RigFormat::ros);
  EXPECT_EQ(read_rig({directory / "l.yaml", directory / "r.yaml"}).rig, rig);
  EXPECT_ERROR(write_rig({directory / "x.yaml"}, rig, RigFormat::ros), ErrorCode::invalid_argument, "two files");
  EXPECT_ERROR(write_rig({directory / "x.yaml", directory / "none" + "/r.yaml"}, rig, RigFormat::ros), ErrorCode::io,
               "");
  EXPECT_THAT(directory.entries(), ElementsAre("l.yaml", "r.yaml"));
}

TEST(RigWrite, FormatsHaveNames) {
  for (const char* const name : {"opencv-yaml", "opencv-xml", "opencv-json", "ros", "kalibr", "euroc", "kitti-raw",
                                 "kitti-odometry", "middlebury"})
    EXPECT_EQ(rig_format_name(rig_format_named(name).value()), name);
  EXPECT_FALSE(rig_format_named("yaml"));
}

}  // namespace
}  // namespace vergence
