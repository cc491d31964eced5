// SPDX-License-Identifier: Apache-2.0
// Calibrated rigs: what is refused, by its name, what is doubted, and another picture size.
#include "vergence/rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expect_error.hpp"

namespace vergence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Cameras 0.1 m apart, the right one turned by an angle with sine 0.6 about y; rectified with the left camera's axes
/// (R1 = I, so R2 = R^T, and R2 T = (-0.08, 0, 0.06)).
StereoRig good_rig() {
  StereoRig rig;
  rig.left = {{640, 480}, 500, 510, 320, 240, LensModel::pinhole, {0.1, -0.2}};
  rig.right = rig.left;
  rig.rotation = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
  rig.translation = {-0.1, 0, 0};
  return rig;
}

StereoRig rectified_rig() {
  StereoRig rig = good_rig();
  rig.rectified = RigRectification{};
  rig.rectified->r2 = {0.8, 0, -0.6, 0, 1, 0, 0.6, 0, 0.8};
  rig.rectified->p1 = {400, 0, 320, 0, 0, 400, 240, 0, 0, 0, 1, 0};
  rig.rectified->p2 = {400, 0, 320, 400 * -0.08 + 320 * -0.06, 0, 400, 240, 240 * -0.06, 0, 0, 1, -0.06};
  return rig;
}

TEST(Rig, TakesWhatIsWhole) {
  EXPECT_THAT(check_rig(good_rig()), IsEmpty());
  EXPECT_THAT(check_rig(rectified_rig()), IsEmpty());
  EXPECT_DOUBLE_EQ(good_rig().baseline_m(), 0.1);
}

TEST(Rig, RefusesNumbersByName) {
  const auto refused = [](auto change, const char* field, const char* text) {
    StereoRig rig = rectified_rig();
    change(rig);
    try {
      check_rig(rig);
      ADD_FAILURE() << field << " is taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.field(), field) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  };
  refused([](StereoRig& r) { r.left.fx = 0; }, "left fx", "is 0");
  refused([](StereoRig& r) { r.left.fy = nan; }, "left fy", "nan");
  refused([](StereoRig& r) { r.right.fx = -500; }, "right fx", "-500");
  refused([](StereoRig& r) { r.right.cx = nan; }, "right cx", "nan");
  refused([](StereoRig& r) { r.right.cy = INFINITY; }, "right cy", "inf");
  refused([](StereoRig& r) { r.left.distortion[13] = nan; }, "left distortion", "nan");
  refused([](StereoRig& r) { r.right.size = {640, 0}; }, "right size", "640x0");
  refused(
      [](StereoRig& r) {
        r.left.model = LensModel::fisheye;
        r.left.distortion[4] = 1;
      },
      "left distortion", "four");
  refused([](StereoRig& r) { r.rotation[0] = nan; }, "rotation", "nan");
  refused([](StereoRig& r) { r.rotation[0] = 0.802; }, "rotation", "no rotation");
  refused([](StereoRig& r) { r.rotation = {}; }, "rotation", "no rotation");
  refused([](StereoRig& r) { r.rotation = {1, 0, 0, 0, 1, 0, 0, 0, -1}; }, "rotation", "mirrored");
  refused([](StereoRig& r) { r.translation = {}; }, "translation", "is 0");
  refused([](StereoRig& r) { r.translation[1] = nan; }, "translation", "nan");
  refused([](StereoRig& r) { r.translation[1] = 1e300; }, "translation", "inf");
  refused([](StereoRig& r) { r.rectified->r1[4] = 2; }, "R1", "no rotation");
  refused([](StereoRig& r) { r.rectified->r2[4] = nan; }, "R2", "nan");
  refused([](StereoRig& r) { r.rectified->p1[0] = 0; }, "P1", "singular");
  refused([](StereoRig& r) { r.rectified->p2[11] = nan; }, "P2", "nan");
}

TEST(Rig, DoubtsWhatIsUnusual) {
  const auto doubted = [](auto change, const char* text) {
    StereoRig rig = rectified_rig();
    change(rig);
    EXPECT_THAT(check_rig(rig), ElementsAre(HasSubstr(text)));
  };
  const auto far = [](StereoRig& rig, double times) {
    for (double& t : rig.translation) t *= times;
    rig.rectified.reset();
  };
  doubted([&](StereoRig& r) { far(r, 1200); }, "the baseline is 120 m");
  doubted([&](StereoRig& r) { far(r, 0.001); }, "the baseline is 0.0001 m");
  doubted([](StereoRig& r) { r.rotation[0] += 1e-4; }, "only to");
  doubted([](StereoRig& r) { r.left.fx = 700; }, "factor above 1.12");
  doubted([](StereoRig& r) { r.left.cx = 700; }, "left cx = 700 lies outside");
  doubted([](StereoRig& r) { r.right.cy = -1; }, "right cy = -1 lies outside");
  doubted(
      [](StereoRig& r) {
        r.rectified->r2 = r.rectified->r1;
        r.rectified->p2 = {400, 0, 320, -40, 0, 400, 240, 0, 0, 0, 1, 0};
      },
      "do not fit the rotation");
  doubted([](StereoRig& r) { r.rectified->p2[3] *= 2; }, "do not fit the translation");
}

TEST(Rig, BecomesThePairOfItsRectifiedPictures) {
  RigRectification rectified;
  rectified.r1 = {0, -1, 0, 1, 0, 0, 0, 0, 1};  // done with: pictures are turned already
  rectified.p1 = {500, 0, 320, 0, 0, 450, 240, 0, 0, 0, 1, 0};
  rectified.p2 = {500, 0, 330, -50, 0, 450, 240, 22.5, 0, 0, 1, 0};
  rectified.size = {640, 480};
  const StereoRig pair = rectified_pair(rectified);
  EXPECT_EQ(pair.left, (Camera{{640, 480}, 500, 450, 320, 240, LensModel::pinhole, {}}));
  EXPECT_EQ(pair.right, (Camera{{640, 480}, 500, 450, 330, 240, LensModel::pinhole, {}}));
  EXPECT_EQ(pair.rotation, StereoRig{}.rotation);
  EXPECT_EQ(pair.translation, (std::array<double, 3>{-0.1, 0.05, 0}));  // -50 / 500, 22.5 / 450
  EXPECT_EQ(pair.rectified->r1, StereoRig{}.rotation);
  EXPECT_EQ(pair.rectified->p2, rectified.p2);
  EXPECT_THAT(check_rig(pair), IsEmpty());
  rectified.p2[1] = 1;
  EXPECT_ERROR(rectified_pair(rectified), ErrorCode::invalid_argument, "P2 is no rectified camera's");
  rectified.p1[0] = nan;
  EXPECT_ERROR(rectified_pair(rectified), ErrorCode::invalid_argument, "P1 is no rectified camera's");
}

TEST(Rig, ScalesWholePictures) {
  const StereoRig half = scaled_rig(rectified_rig(), {320, 240});
  EXPECT_EQ(half.left.size, (Size{320, 240}));
  EXPECT_EQ(half.right.fx, 250);
  EXPECT_EQ(half.right.fy, 255);
  EXPECT_EQ(half.left.cx, 159.75);  // 320.5 / 2 - 0.5
  EXPECT_EQ(half.left.cy, 119.75);
  EXPECT_EQ(half.left.distortion, good_rig().left.distortion);
  EXPECT_EQ(half.translation, good_rig().translation);
  EXPECT_EQ(half.rectified->size, (Size{320, 240}));
  EXPECT_EQ(half.rectified->p1, (Matrix3x4{200, 0, 159.75, 0, 0, 200, 119.75, 0, 0, 0, 1, 0}));
  EXPECT_THAT(check_rig(half), IsEmpty());  // P2, whose last column has three parts, still fits the translation
  EXPECT_EQ(scaled_rig(good_rig(), {640, 480}), good_rig());
}

TEST(Rig, RefusesToScaleByTwoFactors) {
  EXPECT_ERROR(scaled_rig(good_rig(), Size{320, 241}), ErrorCode::invalid_argument, "one factor");
  EXPECT_ERROR(scaled_rig(good_rig(), {0, 0}), ErrorCode::invalid_argument, "0x0");
  StereoRig rig = rectified_rig();
  rig.rectified->size = {1242, 375};
  EXPECT_EQ(scaled_rig(rig, Size{1280, 960}).rectified->size, (Size{2484, 750}));
  EXPECT_ERROR(scaled_rig(rig, Size{320, 240}), ErrorCode::invalid_argument, "1242x375 px would not have a whole size");
  rig.right.size = {};
  EXPECT_ERROR(scaled_rig(rig, {320, 240}), ErrorCode::invalid_argument, "right size");
}

}  // namespace
}  // namespace vergence
