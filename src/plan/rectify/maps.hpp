// SPDX-License-Identifier: Apache-2.0
// Where each pixel of a rectified picture comes from, as fixed point: made once, on the host, for all devices.
#pragma once

#include <cstdint>

#include "plan/rectify/lens.hpp"
#include "vergence/image.hpp"
#include "vergence/rig.hpp"

namespace vergence::rectify {

/// For each pixel the place in the source picture in 1/1024 px, always inside it: 0 .. 1024 (side - 1). Where the true
/// place lies outside, the nearest one inside stands there, and x is stored as ~x, which is negative.
struct SourceMap {
  Image<std::int32_t> x;
  Image<std::int32_t> y;
  Size source;  ///< Of the source picture.
};

/// `projection` and `rotation` are r1 and the left 3x3 part of p1, or those of the other camera. Order of operations,
/// per pixel (u, v): (X, Y, Z) = ((u m0 + v m1) + m2, ...) with m the inverse of projection * rotation; the ray
/// (X / Z, Y / Z, 1); Lens::pixel_of; floor(1024 x + 0.5).
SourceMap make_source_map(const Camera& camera, const Matrix3x3& rotation, const Matrix3x3& projection, Size size);

/// The largest rectangle in which every pixel has a source in both maps, of equal ones the topmost, then leftmost.
Rect valid_rectangle(const SourceMap& left, const SourceMap& right);

/// The left 3x3 part.
inline Matrix3x3 square_part(const Matrix3x4& p) { return {p[0], p[1], p[2], p[4], p[5], p[6], p[8], p[9], p[10]}; }

}  // namespace vergence::rectify
