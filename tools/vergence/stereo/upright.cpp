// SPDX-License-Identifier: Apache-2.0
// Turns back what was made of turned pictures.
#include "stereo/upright.hpp"

#include "cli/rig_option.hpp"

namespace vergence::cli {

StereoMaps upright(const StereoMaps& maps, QuarterTurn turned) {
  const Size size = maps.wide ? maps.wide_map.size() : maps.narrow.size();
  StereoMaps out(upright_size(size, turned), maps.wide, false, {});
  const auto turn = [turned](const auto& from, auto& to) {
    if (!from.empty()) to = upright(from.view(), turned);
  };
  turn(maps.narrow, out.narrow);
  turn(maps.other_narrow, out.other_narrow);
  turn(maps.wide_map, out.wide_map);
  turn(maps.other_wide, out.other_wide);
  turn(maps.mask, out.mask);
  turn(maps.confidence, out.confidence);
  turn(maps.cost, out.cost);
  if (!maps.pixels.empty()) out.pixels = Image<float>(upright_size(maps.pixels.size(), turned));
  return out;
}

Rect upright(const Rect& rect, Size size, QuarterTurn turned) {
  if (turned == 0) return rect;
  if (turned < 0) return {size.height - rect.y - rect.height, rect.x, rect.height, rect.width};
  return {rect.y, size.width - rect.x - rect.width, rect.height, rect.width};
}

Calibration upright(Calibration geometry, Size size, QuarterTurn turned) {
  if (turned == 0) return geometry;
  const double x = geometry.center_x, y = geometry.center_y;
  geometry.center_x = turned < 0 ? size.height - 1 - y : y;
  geometry.center_y = turned < 0 ? x : size.width - 1 - x;
  return geometry;
}

UprightRig upright(const RectifiedRig& rig) {
  const Size size = rig.projections.size;
  return {upright(rectified_geometry(rig), size, rig.turned), upright(rig.valid, size, rig.turned)};
}

}  // namespace vergence::cli
