// SPDX-License-Identifier: Apache-2.0
// Disparity, occlusion and flow of settings that can be worked out on paper.
#include <gtest/gtest.h>

#include <cmath>

#include "synth/layout.hpp"
#include "synth/render.hpp"

namespace vergence::synth {
namespace {

constexpr double depth = 10;  // m; with the focal length of 100 px and 0.5 m between the cameras: 5 px

World empty_world() {
  World world;
  world.focal = 100;
  world.baseline = 0.5;
  return world;
}

Object panel_at(double z, double half_x, double half_y) {
  Object panel;
  panel.shape = {Form::panel, {half_x, half_y, 0}, 1};
  panel.pose.place = {0, 0, z};
  return panel;
}

SceneOptions picture(int width, int height) {
  SceneOptions options;
  options.size = {width, height};
  options.frames = 2;
  return options;
}

TEST(SynthTruth, SlantedPlane) {
  World world = empty_world();
  constexpr double c = 12;
  constexpr double a = 0.05;
  constexpr double b = -0.08;
  world.objects.push_back(plane_of_disparity(world, c, a, b));
  const SceneOptions options = picture(101, 57);
  const SceneFrame frame = render(world, options, 0);
  for (int y = 0; y < 57; ++y) {
    for (int x = 0; x < 101; ++x) {
      const double d = c + a * (x - 50) + b * (y - 28);
      ASSERT_NEAR(frame.disparity_left(x, y), d, 1e-5);
      // The right camera sees at xr what the left one sees at xr + d.
      const double dr = (c + a * (x - 50) + b * (y - 28)) / (1 - a);
      ASSERT_NEAR(frame.disparity_right(x, y), dr, 1e-5);
      ASSERT_EQ(frame.visible_left(x, y), x - d >= 0 ? 255 : 0) << x << " " << y;
      ASSERT_EQ(frame.visible_right(x, y), x + dr <= 100 ? 255 : 0) << x << " " << y;
      ASSERT_NEAR(frame.flow(x, y).u, 0, 1e-9);
      ASSERT_NEAR(frame.flow(x, y).v, 0, 1e-9);
      ASSERT_EQ(frame.flow_visible(x, y), 255);
    }
  }
}

// A panel of 20 px of disparity before a wall of 5 px hides 15 columns of the wall, left of it in the left picture and
// right of it in the right one.
TEST(SynthTruth, OcclusionBehindAPanel) {
  World world = empty_world();
  world.objects.push_back(panel_at(2.5, 30.25 * 2.5 / 100, 10.25 * 2.5 / 100));
  world.objects.push_back(plane_of_disparity(world, 5, 0, 0));
  const SceneFrame frame = render(world, picture(151, 41), 0);
  for (int y = 0; y < 41; ++y) {
    const bool panel_row = std::abs(y - 20) <= 10;
    for (int x = 0; x < 151; ++x) {
      const int u = x - 75;
      const bool panel_left = panel_row && std::abs(u) <= 30;
      ASSERT_FLOAT_EQ(frame.disparity_left(x, y), panel_left ? 20.0F : 5.0F);
      const bool hidden_left = panel_row && u >= -45 && u < -30;
      const bool outside_left = x < 5;
      ASSERT_EQ(frame.visible_left(x, y), hidden_left || outside_left ? 0 : 255) << x << " " << y;
      const bool panel_right = panel_row && std::abs(u + 20) <= 30;
      ASSERT_FLOAT_EQ(frame.disparity_right(x, y), panel_right ? 20.0F : 5.0F);
      const bool hidden_right = panel_row && u > 10 && u <= 25;  // beside the panel's right end at 10.25
      const bool outside_right = x > 145;
      ASSERT_EQ(frame.visible_right(x, y), hidden_right || outside_right ? 0 : 255) << x << " " << y;
    }
  }
}

TEST(SynthTruth, BallAndRod) {
  World world = empty_world();
  Object ball;
  ball.shape = {Form::ball, {1, 1, 1}, 1};
  ball.pose.place = {0, 0, 5};
  world.objects.push_back(ball);
  Object rod;
  rod.shape = {Form::rod, {0.05, 9, 0}, 1};
  rod.pose.place = {1.5, 0, 5};
  world.objects.push_back(rod);
  world.objects.push_back(plane_of_disparity(world, 5, 0, 0));
  const SceneFrame frame = render(world, picture(101, 81), 0);
  EXPECT_FLOAT_EQ(frame.disparity_left(50, 40), 50.0F / 4);
  for (int y = 0; y < 81; ++y) {
    for (int x = 0; x < 101; ++x) {
      // |t (u, v, 1) - (0, 0, 5)| = 1, the nearer t.
      const double u = (x - 50) / 100.0;
      const double v = (y - 40) / 100.0;
      const double a = 1 + u * u + v * v;
      const double root = 25 - 24 * a;
      if (root >= 0) {
        ASSERT_NEAR(frame.disparity_left(x, y), 50 * a / (5 - std::sqrt(root)), 1e-5);
      }
      // The rod at 30 px: its axis 5 m away, its surface 0.05 m nearer along a ray of slope 0.3.
      if (x == 80) {
        ASSERT_NEAR(frame.disparity_left(x, y), 50 / (5 - 0.05 / std::sqrt(1.09)), 1e-5);
      }
    }
  }
}

TEST(SynthTruth, FlowOfAMovingCamera) {
  World world = empty_world();
  world.objects.push_back(plane_of_disparity(world, 5, 0, 0));
  world.camera_motion.rate = {0.25, 0.25, 0.25};  // a quarter of a swing: at frame 1 all of `travel`
  world.camera_motion.travel = {0.3, -0.2, 0};
  SceneFrame frame = render(world, picture(61, 31), 0);
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 61; ++x) {
      ASSERT_NEAR(frame.flow(x, y).u, -3, 1e-5);
      ASSERT_NEAR(frame.flow(x, y).v, 2, 1e-5);
      ASSERT_EQ(frame.flow_visible(x, y), x >= 3 && y <= 28 ? 255 : 0) << x << " " << y;
    }
  }
  world.camera_motion.travel = {0, 0, 2};  // forward: away from the middle by 10 / 8
  frame = render(world, picture(61, 31), 0);
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 61; ++x) {
      ASSERT_NEAR(frame.flow(x, y).u, (x - 30) * 0.25, 1e-5);
      ASSERT_NEAR(frame.flow(x, y).v, (y - 15) * 0.25, 1e-5);
    }
  }
  // The camera turns to the right about the vertical axis: x / f = tan(angle) - turn.
  world.camera_motion = {};
  world.camera_motion.swing = 0.01;
  world.camera_motion.swing_rate = 0.25;
  frame = render(world, picture(61, 31), 0);
  const double turn = 2 * std::acos(-1.0) * 0.01;
  for (int x = 0; x < 61; ++x) {
    const double expected = 100 * std::tan(std::atan((x - 30) / 100.0) - turn) - (x - 30);
    ASSERT_NEAR(frame.flow(x, 15).u, expected, 1e-5);
    ASSERT_NEAR(frame.flow(x, 15).v, 0, 1e-5);
  }
}

TEST(SynthTruth, FlowOfMovingObjects) {
  World world = empty_world();
  Object panel = panel_at(5, 0.5, 0.5);  // 20 px wide, moves 6 px to the right and hides the wall there
  panel.motion.rate.x = 0.25;
  panel.motion.travel.x = 0.3;
  world.objects.push_back(panel);
  world.objects.push_back(plane_of_disparity(world, 5, 0, 0));
  SceneFrame frame = render(world, picture(61, 61), 0);
  for (int x = 0; x < 61; ++x) {
    const int u = x - 30;
    const bool on_panel = std::abs(u) < 10;
    if (std::abs(u) == 10) continue;  // the panel's very end
    ASSERT_NEAR(frame.flow(x, 30).u, on_panel ? 6 : 0, 1e-5) << x;
    ASSERT_EQ(frame.flow_visible(x, 30), !on_panel && u > 10 && u < 16 ? 0
                                         : u == 16                     ? frame.flow_visible(x, 30)
                                                                       : 255)
        << x;
  }
  // A panel that turns about the line of sight.
  world.objects[0].motion = {};
  world.objects[0].motion.axis = {0, 0, 1};
  world.objects[0].motion.spin = 0.05;
  frame = render(world, picture(61, 61), 0);
  const double turn = 2 * std::acos(-1.0) * 0.05;
  for (int y = 21; y < 40; ++y) {
    for (int x = 21; x < 40; ++x) {
      const double u = x - 30;
      const double v = y - 30;
      ASSERT_NEAR(frame.flow(x, y).u, std::cos(turn) * u - std::sin(turn) * v - u, 1e-5);
      ASSERT_NEAR(frame.flow(x, y).v, std::sin(turn) * u + std::cos(turn) * v - v, 1e-5);
    }
  }
  EXPECT_TRUE(render(world, picture(9, 9), 1).flow.empty());
  EXPECT_TRUE(render(world, picture(9, 9), 1).flow_visible.empty());
}

TEST(SynthTruth, NothingThere) {
  World world = empty_world();
  world.objects.push_back(panel_at(depth, 1, 1));
  const SceneFrame frame = render(world, picture(81, 5), 0);
  EXPECT_EQ(frame.disparity_left(0, 2), 0);
  EXPECT_EQ(frame.visible_left(0, 2), 0);
  EXPECT_EQ(frame.left(0, 2), 0);
  EXPECT_GT(frame.flow(0, 2).u, 1e9F);
  EXPECT_EQ(frame.flow_visible(0, 2), 0);
  EXPECT_FLOAT_EQ(frame.disparity_left(40, 2), 5);
}

}  // namespace
}  // namespace vergence::synth
