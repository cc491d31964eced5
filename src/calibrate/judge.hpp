// SPDX-License-Identifier: Apache-2.0
// What the views of a calibration show and lack: parts of the picture, tilts, distances. Read before: calibrate.hpp.
#pragma once

#include <string>
#include <vector>

#include "calibrate/calibrate.hpp"

namespace vergence::calibrate {

/// How many boards lie over each pixel of a picture: inside the outer corners of a view.
Image<std::int32_t> boards_over(const std::vector<Corners>& views, Size size);
/// The share of pixels with at least one board, 0 .. 1.
double covered_share(ImageView<const std::int32_t> boards);

/// What the poses of one camera's views range over.
struct Variety {
  double left_right_degrees = 0;  ///< From the largest tilt to the left to that to the right.
  double up_down_degrees = 0;
  double distance_ratio = 1;  ///< Of the farthest board to the nearest.
  double largest_share = 0;   ///< Of the picture, by the nearest board, 0 .. 1.
};
Variety variety_of(const CameraFit& fit, const std::vector<Corners>& views, const Board& board);

/// The corners that a camera was calibrated from.
std::vector<Corners> used_corners(const std::vector<View>& views, const std::vector<int>& used, Corners View::*side);

/// What to photograph next, most urgent first, a sentence each without a full stop; empty where nothing lacks. A part
/// lacks that has no corner: a corner of the picture is a fifth of its width and height, a side the rest of that rim.
std::vector<std::string> advice(const Calibrated& result, const std::vector<View>& views, const Board& board);

}  // namespace vergence::calibrate
