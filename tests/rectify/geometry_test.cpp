// SPDX-License-Identifier: Apache-2.0
// Rotations, projections, lenses and their arithmetic, against cases worked out by hand and the C library.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/expect_error.hpp"
#include "plan/rectify/lens.hpp"
#include "vergence/rectify.hpp"

namespace vergence {
namespace {

using namespace rectify;

StereoRig plain_rig() {
  StereoRig rig;
  rig.left = {{64, 48}, 50, 50, 31.5, 23.5, LensModel::pinhole, {}};
  rig.right = rig.left;
  rig.translation = {-0.1, 0, 0};
  return rig;
}

/// About y, by an angle of which cosine and sine are given.
Matrix3x3 about_y(double c, double s) { return {c, 0, s, 0, 1, 0, -s, 0, c}; }

TEST(RectifyArithmetic, FunctionsAreThoseOfTheLibrary) {
  for (int i = -4000; i <= 4000; ++i) {
    const double a = i / 500.0;
    EXPECT_NEAR(sine(a), std::sin(a), 2e-15) << a;
    EXPECT_NEAR(cosine(a), std::cos(a), 2e-15) << a;
  }
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 1000.0, far = std::exp(i / 200.0);
    EXPECT_NEAR(arctangent(t), std::atan(t), 5e-16) << t;
    EXPECT_NEAR(arctangent(far), std::atan(far), 5e-16) << far;
  }
  EXPECT_EQ(arctangent(0), 0);
}

/// All four cases of the largest component, and half of each rotation done twice.
TEST(RectifyArithmetic, HalfRotationsMakeTheWhole) {
  const Quaternion turns[] = {{0.9, 0.1, -0.2, 0.3},  {0.1, 0.9, -0.2, 0.3},  {0.1, 0.2, -0.9, 0.3},
                              {0.05, 0.1, -0.2, 0.9}, {0.001, 1e-4, 2e-4, 1}, {1, 0, 0, 0}};
  for (const Quaternion& q : turns) {
    const Matrix3x3 whole = rotation_of(unit(q)), half = rotation_of(half_of(quaternion_of(whole)));
    const Matrix3x3 twice = half * half;
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(twice[i], whole[i], 1e-14) << q[0] << " element " << i;
  }
}

/// A camera 0.1 m below, and one above: in both cases a point 1 m away is 5 px further left in the second picture.
TEST(RectifyRig, TurnsAVerticalRigAlongRows) {
  for (const double below : {0.1, -0.1}) {
    StereoRig rig = plain_rig();
    rig.left.cx = rig.right.cx = 30;
    rig.translation = {0, -below, 0};
    const RectifiedRig upright = rectify_rig(rig);
    const RectifiedRig got = rectify_rig(rig, {.along_rows = true});
    EXPECT_TRUE(upright.vertical);
    EXPECT_EQ(upright.turned, 0);
    EXPECT_FALSE(got.vertical);
    EXPECT_EQ(got.turned, below > 0 ? -90 : 90);
    const RigRectification &from = upright.projections, &to = got.projections;
    EXPECT_EQ(to.size, (Size{48, 64}));
    // A point at (x, y, z) in the first camera's axes.
    const double x = 0.25, y = 0.125, z = 1;
    const auto seen = [&](const Matrix3x3& r, const Matrix3x4& p) {
      double c[3], q[3];
      for (std::size_t i = 0; i < 3; ++i) c[i] = r[3 * i] * x + r[3 * i + 1] * y + r[3 * i + 2] * z;
      for (std::size_t i = 0; i < 3; ++i)
        q[i] = p[4 * i] * c[0] + p[4 * i + 1] * c[1] + p[4 * i + 2] * c[2] + p[4 * i + 3];
      return std::array<double, 2>{q[0] / q[2], q[1] / q[2]};
    };
    const auto up = seen(from.r1, from.p1), first = seen(to.r1, to.p1), second = seen(to.r1, to.p2);
    EXPECT_DOUBLE_EQ(first[0], below > 0 ? up[1] : 47 - up[1]);
    EXPECT_DOUBLE_EQ(first[1], below > 0 ? 63 - up[0] : up[0]);
    EXPECT_DOUBLE_EQ(second[1], first[1]);
    EXPECT_DOUBLE_EQ(first[0] - second[0], 5);
  }
  EXPECT_EQ(rectify_rig(plain_rig(), {.along_rows = true}).turned, 0);
}

TEST(RectifyRig, LeavesARectifiedRigAsItIs) {
  const RectifiedRig got = rectify_rig(plain_rig());
  const Matrix3x3 identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_EQ(got.projections.r1, identity);
  EXPECT_EQ(got.projections.r2, identity);
  EXPECT_EQ(got.projections.p1, (Matrix3x4{50, 0, 31.5, 0, 0, 50, 23.5, 0, 0, 0, 1, 0}));
  EXPECT_EQ(got.projections.p2, (Matrix3x4{50, 0, 31.5, -5, 0, 50, 23.5, 0, 0, 0, 1, 0}));
  EXPECT_EQ(got.projections.size, (Size{64, 48}));
  EXPECT_FALSE(got.vertical);
  EXPECT_EQ(got.valid, (Rect{0, 0, 64, 48}));
}

/// cos 0.8, sin 0.6; half of it: cos = 3 / sqrt(10), sin = 1 / sqrt(10). With the baseline along x of the axes
/// half-way, each camera turns by half and no more.
TEST(RectifyRig, SplitsTheRotationInHalf) {
  StereoRig rig = plain_rig();
  rig.rotation = about_y(0.8, 0.6);
  const double c = 3 / std::sqrt(10.0), s = 1 / std::sqrt(10.0);
  const Matrix3x3 half = about_y(c, s);
  const Vector3 moved = half * Vector3{-0.1, 0, 0};
  rig.translation = moved;
  const RectifiedRig got = rectify_rig(rig);
  const Matrix3x3 back = about_y(c, -s);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(got.projections.r1[i], half[i], 1e-15) << i;
    EXPECT_NEAR(got.projections.r2[i], back[i], 1e-15) << i;
  }
  EXPECT_NEAR(got.projections.p2[3], -0.1 * got.projections.p2[0], 1e-14);
}

TEST(RectifyRig, KnowsVerticalRigs) {
  StereoRig rig = plain_rig();
  rig.translation = {0, -0.2, 0};
  const RectifiedRig got = rectify_rig(rig);
  EXPECT_TRUE(got.vertical);
  EXPECT_EQ(got.projections.p2[7], -10);
  EXPECT_EQ(got.projections.p2[3], 0);
}

TEST(RectifyRig, TakesAWantedFocalLengthAndSize) {
  RectifiedRig got = rectify_rig(plain_rig(), {-1, 100, {}});
  EXPECT_EQ(got.projections.p1[0], 100);
  EXPECT_EQ(got.projections.p1[2], 31.5);  // the picture's middle stays there
  EXPECT_EQ(got.projections.p2[3], -10);
  EXPECT_EQ(got.valid, (Rect{0, 0, 64, 48}));
  got = rectify_rig(plain_rig(), {-1, 50, {32, 24}});  // the middle quarter
  EXPECT_EQ(got.projections.p1[2], 15.5);
  EXPECT_EQ(got.projections.p1[6], 11.5);
  EXPECT_EQ(got.projections.size, (Size{32, 24}));
  got = rectify_rig(plain_rig(), {-1, 25, {}});  // 64 x 48 px show 128 x 96, of which the middle has a source
  EXPECT_EQ(got.valid, (Rect{16, 12, 32, 24}));
}

TEST(RectifyRig, KeepsWhatTheFileTells) {
  StereoRig rig = plain_rig();
  rig.rectified = RigRectification{};
  rig.rectified->p1 = {40, 0, 30, 0, 0, 40, 20, 0, 0, 0, 1, 0};
  rig.rectified->p2 = {40, 0, 30, -4, 0, 40, 20, 0, 0, 0, 1, 0};
  EXPECT_EQ(rectify_rig(rig).projections.p1, rig.rectified->p1);
  EXPECT_EQ(rectify_rig(rig).projections.size, (Size{64, 48}));
  EXPECT_EQ(rectify_rig(rig, {-1, 50, {}}).projections.p1[0], 50);
}

TEST(RectifyRig, RefusesByName) {
  const StereoRig rig = plain_rig();
  EXPECT_ERROR((rectify_rig(rig, {1.5, 0, {}})), ErrorCode::invalid_argument, "alpha is 1.5");
  EXPECT_ERROR((rectify_rig(rig, {std::nan(""), 0, {}})), ErrorCode::invalid_argument, "alpha is nan");
  EXPECT_ERROR((rectify_rig(rig, {-1, -1, {}})), ErrorCode::invalid_argument, "focal_px is -1");
  EXPECT_ERROR((rectify_rig(rig, {0.5, 40, {}})), ErrorCode::invalid_argument, "give one of them");
  EXPECT_ERROR((rectify_rig(rig, {-1, 0, {5, 0}})), ErrorCode::invalid_argument, "size is 5x0");
  StereoRig bad = rig;
  bad.right.size = {};
  EXPECT_ERROR((rectify_rig(bad)), ErrorCode::invalid_argument, "size of the right camera's");
  bad.right.size = {32, 24};
  EXPECT_ERROR((rectify_rig(bad)), ErrorCode::invalid_argument, "two sizes");
  bad = rig;
  bad.translation = {0, 0, -0.1};
  EXPECT_ERROR((rectify_rig(bad)), ErrorCode::invalid_argument, "behind each other");
}

/// By hand: r^2 = 0.25, radial factor 1 + 0.1 * 0.25 + 0.04 * 0.0625, tangential 2 p1 x y + p2 (r^2 + 2 x^2), ...
TEST(RectifyLens, ShowsRaysWhereTheModelSays) {
  const Camera plain{{64, 48}, 50, 40, 31.5, 23.5, LensModel::pinhole, {0.1, 0.04, 0.01, 0.02}};
  const Point seen = Lens(plain).pixel_of({0.3, 0.4});
  EXPECT_NEAR(seen.x, 50 * (0.3 * 1.0275 + 0.01 * 0.24 + 0.02 * 0.43) + 31.5, 1e-13);
  EXPECT_NEAR(seen.y, 40 * (0.4 * 1.0275 + 0.01 * 0.57 + 0.02 * 0.24) + 23.5, 1e-13);
  const Camera fisheye{{64, 48}, 50, 50, 31.5, 23.5, LensModel::fisheye, {}};
  EXPECT_NEAR(Lens(fisheye).pixel_of({1, 0}).x, 50 * std::atan(1.0) + 31.5, 1e-13);
}

TEST(RectifyLens, FindsTheRayOfAPixel) {
  Camera camera{{64, 48},
                50,
                40,
                31.5,
                23.5,
                LensModel::pinhole,
                {-0.1, 0.04, 0.01, 0.02, 0, 0, 0, 0, 0.01, 0, 0, 0.01, 0.1, -0.05}};
  for (const LensModel model : {LensModel::pinhole, LensModel::fisheye}) {
    camera.model = model;
    if (model == LensModel::fisheye) camera.distortion = {0.05, -0.01, 0.002, 0.001};
    const Lens lens(camera);
    for (const Point ray : {Point{0.3, -0.2}, Point{0, 0.1}, Point{-0.4, 0.3}}) {
      const Point back = lens.ray_of(lens.pixel_of(ray), 64);
      EXPECT_NEAR(back.x, ray.x, 1e-11);
      EXPECT_NEAR(back.y, ray.y, 1e-11);
    }
  }
}

/// r (1 - 0.3 r^2) grows up to r^2 = 1 / 0.9; an angle a (1 - a^2 / 3) up to a = 1.
TEST(RectifyLens, EndsWhereThePictureWouldFold) {
  Camera camera{{64, 48}, 50, 50, 31.5, 23.5, LensModel::pinhole, {-0.3}};
  EXPECT_NEAR(Lens(camera).reach(), 1 / 0.9, 0.003);
  camera.model = LensModel::fisheye;
  camera.distortion = {-1.0 / 3};
  EXPECT_NEAR(Lens(camera).reach(), std::tan(1.0) * std::tan(1.0), 0.02);
  camera.distortion = {};
  EXPECT_GT(Lens(camera).reach(), 1e6);
}

}  // namespace
}  // namespace vergence
