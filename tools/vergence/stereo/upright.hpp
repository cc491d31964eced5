// SPDX-License-Identifier: Apache-2.0
// Pairs of cameras above each other are turned by 90 degrees to be matched; what is made of them is turned back.
#pragma once

#include "stereo/outputs.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/rectify.hpp"

namespace vergence::cli {

/// RectifiedRig::turned: -90 where what was up was put to the left, 90 where it was put to the right, 0: not turned.
using QuarterTurn = int;

/// The size before the turn.
inline Size upright_size(Size size, QuarterTurn turned) { return turned == 0 ? size : Size{size.height, size.width}; }
template <class T>
Image<T> upright(ImageView<const T> map, QuarterTurn turned) {
  Image<T> out(upright_size(map.size(), turned));
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x)
      out(x, y) = turned < 0 ? map(y, out.width() - 1 - x) : map(out.height() - 1 - y, x);
  return out;
}
StereoMaps upright(const StereoMaps& maps, QuarterTurn turned);
/// `size`: of the turned picture.
Rect upright(const Rect& rect, Size size, QuarterTurn turned);
Calibration upright(Calibration geometry, Size size, QuarterTurn turned);

/// What is reported of rectified pictures: as the cameras stood.
struct UprightRig {
  Calibration geometry;
  Rect valid;
};
UprightRig upright(const RectifiedRig& rig);

}  // namespace vergence::cli
