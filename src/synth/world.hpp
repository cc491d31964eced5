// SPDX-License-Identifier: Apache-2.0
// What the built-in scene consists of: objects with their motion, and the pair of cameras with theirs.
#pragma once

#include <vector>

#include "synth/arithmetic.hpp"
#include "synth/shape.hpp"
#include "synth/texture.hpp"

namespace vergence::synth {

/// Where a body or a camera is: world = place + turn * own.
struct Pose {
  Vec3 place;
  Mat3 turn;
};

/// A smooth motion that never leaves its bounds, so that a video may be of any length. At frame 0 everything is at its
/// pose.
struct Motion {
  Vec3 travel;            ///< Greatest distance from the place at frame 0, per axis.
  Vec3 rate;              ///< Swings of each axis per frame.
  Vec3 axis{0, 1, 0};     ///< Of rotation, in own coordinates; a unit vector.
  double swing = 0;       ///< Greatest turn to either side, in turns.
  double swing_rate = 0;  ///< Swings of the rotation per frame.
  double spin = 0;        ///< Turns per frame, without end.
};

/// The pose at a frame of what is at `start` at frame 0.
Pose moved(const Pose& start, const Motion& motion, int frame);

struct Object {
  Shape shape;
  Pose pose;
  Motion motion;
  Material material;
  /// Towards the light, in own coordinates: the light turns with the object, so that a point keeps its brightness from
  /// frame to frame as optical flow supposes.
  Vec3 light{0, -1, 0};
};

/// World coordinates are those of the left camera at frame 0: x right, y down, z forward, in metres.
struct World {
  std::vector<Object> objects;
  double focal = 1;     ///< px
  double baseline = 1;  ///< m
  Pose camera;
  Motion camera_motion;
};

}  // namespace vergence::synth
