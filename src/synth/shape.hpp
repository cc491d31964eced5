// SPDX-License-Identifier: Apache-2.0
// The bodies of the built-in scene, and where a ray meets them. All in the body's own coordinates.
#pragma once

#include "synth/arithmetic.hpp"

namespace vergence::synth {

enum class Form {
  plane,     ///< z = 0, without end.
  panel,     ///< z = 0, |x| <= size.x, |y| <= size.y.
  disc,      ///< z = 0, inside the ellipse of half axes size.x, size.y.
  ball,      ///< Ellipsoid of half axes size.
  cylinder,  ///< Axis y, radius size.x, half height size.y, closed by flat ends.
  rod,       ///< Axis y, radius size.x, half length size.y, ended by half balls.
  box,       ///< Half sides size.
  wave,      ///< A panel bent to z = height(x, y); size.z bounds |z|.
};

struct Shape {
  Form form = Form::plane;
  Vec3 size;
  double wave_length = 1;  ///< Of the form `wave`.
};

struct Ray {
  Vec3 origin;
  Vec3 direction;
};

struct Contact {
  double t = 0;  ///< In units of the ray's direction.
  Vec3 normal;   ///< Of length 1, to either side.
};

/// Finds the first contact with from < t < to; false where there is none.
bool meet(const Shape& shape, const Ray& ray, double from, double to, Contact& contact);

/// Half sides of the box about the origin that holds the shape; not for planes.
Vec3 half_extent(const Shape& shape);

}  // namespace vergence::synth
