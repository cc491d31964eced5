// SPDX-License-Identifier: Apache-2.0
// Rigs that can be, and that nobody has: each cause gives one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "vergence/rig.hpp"

namespace vergence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double huge = 1e300;

/// 0.1 m beside each other, of a lens whose picture no radius shows twice (the slope 1 - 0.75 q + 0.3125 q^2 has no
/// zero).
StereoRig plain_rig() {
  StereoRig rig;
  rig.left = {{640, 480}, 500, 500, 320, 240, LensModel::pinhole, {-0.25, 0.0625}};
  rig.right = rig.left;
  rig.translation = {-0.1, 0, 0};
  return rig;
}

Matrix3x3 turn_about(std::size_t axis, double angle) {
  const double c = std::cos(angle * std::numbers::pi / 180), s = std::sin(angle * std::numbers::pi / 180);
  return axis == 0   ? Matrix3x3{1, 0, 0, 0, c, -s, 0, s, c}
         : axis == 1 ? Matrix3x3{c, 0, s, 0, 1, 0, -s, 0, c}
                     : Matrix3x3{c, -s, 0, s, c, 0, 0, 0, 1};
}

template <class Change>
std::vector<std::string> doubts(Change change) {
  StereoRig rig = plain_rig();
  change(rig);
  return check_rig(rig);
}

template <class Change>
void doubted(Change change, const char* text) {
  EXPECT_THAT(doubts(change), ElementsAre(HasSubstr(text)));
}

/// Both cameras alike.
template <class Change>
void doubted_both(Change change, const char* text) {
  EXPECT_THAT(doubts([&](StereoRig& rig) {
                change(rig.left);
                change(rig.right);
              }),
              ElementsAre(HasSubstr(text), HasSubstr(text)));
}

TEST(RigDoubts, TakeWhatRigsHave) {
  EXPECT_THAT(doubts([](StereoRig&) {}), IsEmpty());
  // Turned towards each other, above each other, lenses of 30 and 117 degrees, a shifted sensor.
  EXPECT_THAT(doubts([](StereoRig& r) { r.rotation = turn_about(1, 30); }), IsEmpty());
  EXPECT_THAT(doubts([](StereoRig& r) { r.rotation = turn_about(2, 20); }), IsEmpty());
  EXPECT_THAT(doubts([](StereoRig& r) { r.translation = {0, -0.1, 0.02}; }), IsEmpty());
  for (const double focal : {1200.0, 200.0})
    EXPECT_THAT(doubts([focal](StereoRig& r) {
                  for (Camera* camera : {&r.left, &r.right}) camera->fx = camera->fy = focal, camera->distortion = {};
                }),
                IsEmpty());
  EXPECT_THAT(doubts([](StereoRig& r) { r.left.cx = 420; }), IsEmpty());
  EXPECT_THAT(doubts([](StereoRig& r) { r.left.size = r.right.size = {}; }), IsEmpty());
}

TEST(RigDoubts, ExchangedCameras) {
  doubted([](StereoRig& r) { r.translation = {0.1, 0, 0}; }, "the right camera stands 0.1 m left of the left one");
  doubted([](StereoRig& r) { r.translation = {0, 0.1, 0}; }, "the second camera stands 0.1 m above the first one");
  // Where it stands is -R^T T: turned by 90 degrees, a camera to the right has T along its own z.
  doubted(
      [](StereoRig& r) {
        r.left.fx = r.left.fy = r.right.fx = r.right.fy = 200;
        r.left.distortion = r.right.distortion = {};
        r.rotation = turn_about(1, 90);
        r.translation = {0, 0, -0.1};
      },
      "left of the left one");
}

TEST(RigDoubts, CamerasBehindEachOther) {
  doubted([](StereoRig& r) { r.translation = {0, 0, 0.1}; }, "stands 0.1 m behind the left one, and 0 m beside it");
  doubted([](StereoRig& r) { r.translation = {-0.05, 0, -0.1}; }, "0.1 m before the left one, and 0.05 m beside it");
}

TEST(RigDoubts, TurnedCameras) {
  for (const double angle : {90.0, -90.0, 180.0, 45.0})
    doubted([angle](StereoRig& r) { r.rotation = turn_about(2, angle); }, "about its axis of view");
  // Half the diagonal is 400 px of 500: 38.66 degrees, in common 77.3.
  doubted([](StereoRig& r) { r.rotation = turn_about(1, 80); },
          "look 80.0 degrees apart, and see far points in common up to 77.3 degrees");
  doubted([](StereoRig& r) { r.rotation = turn_about(0, -90); }, "look 90.0 degrees apart");
  doubted([](StereoRig& r) { r.rotation = turn_about(1, 180); }, "look 180.0 degrees apart");
}

TEST(RigDoubts, NumbersInAnotherOrder) {
  // 500 320 500 240 read as fx fy cx cy.
  doubted_both([](Camera& c) { c.fy = 320, c.cx = 500, c.distortion = {}; },
               "and the order of its numbers: fx fy cx cy");
  EXPECT_THAT(doubts([](StereoRig& r) { r.left.fy = 320, r.left.distortion = {}; }),
              ElementsAre(testing::EndsWith("check the calibration")));
}

TEST(RigDoubts, BaselinesOfAnotherUnit) {
  doubted([](StereoRig& r) { r.translation = {-100, 0, 0}; }, "in another unit than metres? Give that (--unit mm)");
  doubted([](StereoRig& r) { r.translation = {-1e-4, 0, 0}; }, "or taken for mm or cm (--unit) while it is in metres?");
}

TEST(RigDoubts, FocalLengthsOfAnotherUnit) {
  doubted_both([](Camera& c) { c.fx = c.fy = 4; }, "= 4 px is 0.0063 times the pictures' width of 640 px");
  doubted_both([](Camera& c) { c.fx = c.fy = 500000; }, "= 500000 px is 7.8e+02 times");
  doubted_both(
      [](Camera& c) {
        c.fx = c.fy = 4;
        c.size = {};
      },
      "width of about 641 px");
  doubted([](StereoRig& r) { r.right.fx = r.right.fy = 1000; }, "left fx = 500 and right fx = 1000 differ");
}

TEST(RigDoubts, PixelsOfAnotherFormInOneCamera) {
  doubted([](StereoRig& rig) { rig.right.fx = 465; },
          "fx / fy is 1 of the left camera (500, 500) and 0.93 of the right one (465, 500)");
  EXPECT_THAT(doubts([](StereoRig& rig) { rig.right.fx = 486; }), IsEmpty());
  EXPECT_THAT(doubts([](StereoRig& rig) { rig.left.fx = rig.right.fx = 465; }), IsEmpty());  // of both: a video camera
}

TEST(RigDoubts, PrincipalPoints) {
  doubted_both([](Camera& c) { std::swap(c.cx, c.cy); }, "are the middle of pictures of 480x640");
  doubted_both([](Camera& c) { c.cx = 159.5, c.cy = 119.5; }, "are the middle of pictures of 320x240");
  doubted_both([](Camera& c) { c.size = {1280, 960}; }, "are the middle of pictures of 641x481");
  doubted([](StereoRig& r) { r.left.cx = 0; }, "left cx = 0 lies near the edge of the picture of 640 px");
  doubted([](StereoRig& r) { r.right.cy = 500; }, "right cy = 500 lies outside");
  doubted(
      [](StereoRig& r) {
        r.right.size = {320, 240}, r.right.cx = 160, r.right.cy = 120;
      },
      "pictures of two sizes, 640x480 and 320x240");
}

TEST(RigDoubts, DistortionThatFoldsThePicture) {
  // r (1 - 0.9 r^2) is largest at r^2 = 1 / 2.7: 0.6086 * 2 / 3 = 0.4057, which is 203 px.
  doubted_both([](Camera& c) { c.distortion = {-0.9}; },
               "nothing is seen further than 203 px from the principal point");
  doubted_both(
      [](Camera& c) {
        c.distortion = {-0.9};
        c.size = {};
      },
      "nothing is seen further than 203 px");
  // Percent in place of shares. Of the order k1 k2 k3 p1 p2: k3 in place of p1.
  doubted_both([](Camera& c) { c.distortion = {12.5}; }, "would be seen at");
  doubted_both([](Camera& c) { c.distortion = {-0.28, 0.07, -0.2, 0.0001, 0.0002}; }, "p1 = -0.2 and p2 = 0.0001");
  doubted_both([](Camera& c) { c.distortion = {-0.25, 0.08, 0.03, 0.001, -0.001}; }, "p1 = 0.03 and p2 = 0.001");
  // At the corners real ones may fold: r (1 - 0.5 r^2) up to 0.544, of 0.64 at the side and 0.8 at the corner; of
  // 800 px of focal length the corner is at 0.5.
  doubted_both([](Camera& c) { c.distortion = {-0.5}; }, "further than 272 px");
  EXPECT_THAT(doubts([](StereoRig& r) {
                for (Camera* c : {&r.left, &r.right}) c->fx = c->fy = 640, c->distortion = {-0.5};
              }),
              IsEmpty());
}

TEST(RigDoubts, Fisheyes) {
  const auto fisheye = [](Camera& c, std::array<double, 14> k, double focal) {
    c.model = LensModel::fisheye;
    c.fx = c.fy = focal;
    c.distortion = k;
  };
  // A circle of 180 degrees within the picture; and the same with a polynomial that turns back beyond it.
  for (const double k1 : {0.0, -0.12})
    EXPECT_THAT(doubts([&](StereoRig& r) {
                  fisheye(r.left, {k1}, 120);
                  fisheye(r.right, {k1}, 120);
                }),
                IsEmpty());
  // a (1 - 0.5 a^2) is largest at a^2 = 2 / 3: 0.8165 * 2 / 3 = 0.5443, of 200 px 109 px.
  doubted_both([&](Camera& c) { fisheye(c, {-0.5}, 200); }, "nothing is seen further than 109 px");
}

TEST(RigDoubts, RectificationsThatWereSpoilt) {
  const auto rectified = [](double focal, double second, double row) {
    return [=](StereoRig& r) {
      r.rectified = RigRectification{};
      r.rectified->p1 = {focal, 0, 320, 0, 0, focal, 240, 0, 0, 0, 1, 0};
      r.rectified->p2 = {second, 0, 320, -0.1 * second, 0, second, row, 0, 0, 0, 1, 0};
    };
  };
  EXPECT_THAT(doubts(rectified(400, 400, 240)), IsEmpty());
  doubted(rectified(-38, -38, 240), "P1 has a focal length of -38 px, and the left camera one of 500 px");
  doubted(rectified(29000, 29000, 240), "P1 has a focal length of 29000 px");
  doubted(rectified(400, 404, 240), "focal lengths of 400 and 404 px");
  doubted(
      [&](StereoRig& r) {
        rectified(400, 400, -42)(r);
        r.rectified->p1[2] = r.rectified->p2[2] = -67;
        r.rectified->p1[6] = -42;
      },
      "the principal point of P1, (-67, -42), lies outside the rectified pictures of 640x480");
}

/// Numbers that fuzzers find.
TEST(RigDoubts, BearAnyNumbers) {
  for (const double number : {huge, -huge, 1e-300, 0.0})
    for (const LensModel model : {LensModel::pinhole, LensModel::fisheye}) {
      StereoRig rig = plain_rig();
      rig.left.cx = rig.right.cy = number;
      rig.left.size = {};
      rig.left.model = model;
      rig.left.distortion = {number, -number};
      rig.right.fx = std::max(number, std::numeric_limits<double>::min());
      EXPECT_FALSE(check_rig(rig).empty());
    }
}

}  // namespace
}  // namespace vergence
