// SPDX-License-Identifier: Apache-2.0
// The world as one camera sees it at one moment: which object a ray meets first.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "synth/world.hpp"
#include "vergence/image.hpp"

namespace vergence::synth {

enum class Eye { left, right };

/// What a ray meets first. `depth` is along the camera's axis.
struct Hit {
  int object = -1;  ///< -1: nothing.
  double depth = std::numeric_limits<double>::infinity();
  Vec3 normal;  ///< In the object's coordinates.
};

struct Projection {
  double x = 0;  ///< px
  double y = 0;
  double depth = 0;  ///< Not in front of the camera where not positive.
};

class View {
 public:
  View(const World& world, Size size, Eye eye, int frame);

  /// The first contact of the ray through (x, y), in px; the picture covers -0.5 .. size - 0.5.
  Hit trace(double x, double y) const;
  /// The contact in the object's own coordinates.
  Vec3 local_point(const Hit& hit, double x, double y) const;
  /// Colour at the contact, as both eyes see it.
  Shade color(const Hit& hit, const Vec3& local) const;
  /// Where a point of an object's own coordinates appears.
  Projection project(int object, const Vec3& local) const;

 private:
  /// An object as this camera sees it.
  struct Seen {
    Mat3 turn;           ///< Camera to object coordinates: turns.
    Vec3 origin;         ///< The camera in object coordinates.
    Vec3 between;        ///< The middle between both eyes in object coordinates.
    double nearest = 0;  ///< Smallest depth, 0 where not bounded.
  };
  struct Bounds {
    double left, top, right, bottom;  ///< px
  };
  static constexpr int tile = 32;

  Vec3 direction(double x, double y) const { return {(x - center_x_) / focal_, (y - center_y_) / focal_, 1}; }
  Bounds bounds(const Object& object, const Pose& own, const Pose& eye, Seen& seen) const;
  void fill_tiles(const std::vector<Bounds>& bounds);

  const World* world_;
  Size size_;
  double focal_;
  double center_x_;
  double center_y_;
  std::vector<Seen> seen_;
  std::vector<std::uint16_t> endless_;  ///< Planes: candidates everywhere.
  int tiles_across_ = 0;
  std::vector<std::uint32_t> tile_start_;    ///< Of each tile, into tile_objects_; one more at the end.
  std::vector<std::uint16_t> tile_objects_;  ///< Nearest first.
};

}  // namespace vergence::synth
