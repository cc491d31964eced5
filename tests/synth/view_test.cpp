// SPDX-License-Identifier: Apache-2.0
// The tiles of a View lose no object: its rays against testing every object.
#include "synth/view.hpp"

#include <gtest/gtest.h>

#include "synth/layout.hpp"

namespace vergence::synth {
namespace {

double plain_depth(const World& world, const Size size, Eye eye, int frame, double x, double y) {
  const Pose left = moved(world.camera, world.camera_motion, frame);
  const Vec3 place = eye == Eye::left ? left.place : left.place + left.turn * Vec3{world.baseline, 0, 0};
  const Vec3 ray =
      left.turn * Vec3{(x - 0.5 * (size.width - 1)) / world.focal, (y - 0.5 * (size.height - 1)) / world.focal, 1};
  double depth = 1e300;
  for (const Object& object : world.objects) {
    const Pose own = moved(object.pose, object.motion, frame);
    const Mat3 inverse = transposed(own.turn);
    Contact contact;
    if (meet(object.shape, {inverse * (place - own.place), inverse * ray}, 0, depth, contact)) depth = contact.t;
  }
  return depth;
}

TEST(SynthView, TilesLoseNothing) {
  for (const Size size : {Size{160, 120}, Size{33, 150}, Size{100, 31}}) {
    SceneOptions options;
    options.size = size;
    options.seed = 17;
    options.min_disparity = 1;
    options.max_disparity = 0.2 * size.width;
    const World world = furnish(options);
    ASSERT_GT(world.objects.size(), 50U);
    for (const int frame : {0, 37}) {
      for (const Eye eye : {Eye::left, Eye::right}) {
        const View view(world, size, eye, frame);
        for (int y = 0; y < size.height; ++y) {
          for (int x = 0; x < size.width; ++x) {
            // Also at the rim of the pixels, where the pictures' rays go.
            const double sx = x + (x % 3 - 1) * 0.4375;
            const double sy = y + (y % 3 - 1) * 0.4375;
            const Hit hit = view.trace(sx, sy);
            const double depth = plain_depth(world, size, eye, frame, sx, sy);
            ASSERT_NEAR(hit.depth, depth, 1e-9 * depth) << x << " " << y << " frame " << frame;
          }
        }
      }
    }
  }
}

TEST(SynthView, ProjectionUndoesTracing) {
  SceneOptions options;
  options.size = {90, 70};
  options.min_disparity = 1;
  options.max_disparity = 10;
  const World world = furnish(options);
  const View left(world, options.size, Eye::left, 5);
  const View right(world, options.size, Eye::right, 5);
  for (int y = 0; y < 70; y += 3) {
    for (int x = 0; x < 90; x += 3) {
      const Hit hit = left.trace(x, y);
      const Vec3 local = left.local_point(hit, x, y);
      const Projection same = left.project(hit.object, local);
      EXPECT_NEAR(same.x, x, 1e-9);
      EXPECT_NEAR(same.y, y, 1e-9);
      EXPECT_NEAR(same.depth, hit.depth, 1e-9);
      const Projection other = right.project(hit.object, local);
      EXPECT_NEAR(other.x, x - world.focal * world.baseline / hit.depth, 1e-9);
      EXPECT_NEAR(other.y, y, 1e-9);
      // Both eyes see one colour.
      const Color a = left.color(hit, local).color;
      Hit seen = hit;
      seen.depth = other.depth;
      const Color b = right.color(seen, local).color;
      EXPECT_NEAR(a.x, b.x, 1e-6);
      EXPECT_NEAR(a.z, b.z, 1e-6);
    }
  }
}

}  // namespace
}  // namespace vergence::synth
