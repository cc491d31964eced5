// SPDX-License-Identifier: Apache-2.0
// From corners of a board in pictures of two cameras to a rig, with the figures that say how good it is. Read before:
// board.hpp, solver.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/solver.hpp"

namespace vergence::calibrate {

/// One moment: what both cameras saw. A camera that did not see the board has no corners; with fewer than 8, or with
/// all but one in one row or column, it counts as if it had none.
struct View {
  std::int64_t number = 0;
  Corners left;
  Corners right;
};

struct Settings {
  Board board;
  Lens lens = Lens::pinhole5;
  bool keep_all = false;  ///< Leave no view out.
};

/// Distances of corners from where they should be, px.
struct Errors {
  double rms = 0;
  double median = 0;
  double most = 0;  ///< 95 in 100 lie below.
  double largest = 0;
};

/// What became of one view.
struct ViewResult {
  std::optional<double> left_px;   ///< RMS in the left picture, by the left camera's own calibration.
  std::optional<double> right_px;  ///< The same for the right one.
  std::optional<double> rows_px;   ///< RMS difference of the rows of a corner once rectified.
  bool left_out = false;           ///< Far worse than the others: no part of the result.
};

struct Calibrated {
  StereoRig rig;  ///< Rectified as rectify_rig() does.
  CameraFit left, right;
  std::vector<int> left_views, right_views, pair_views;  ///< Which views each was calibrated from.
  double pair_rms_px = 0;
  Errors rows;  ///< How far the rows of a corner differ in the rectified pictures.
  /// The same for views that were held out, in turn a third; not where there are fewer than `least_held_out` pairs
  /// or no part of the views can be calibrated alone.
  std::optional<Errors> held_out;
  bool refined = false;  ///< The cameras were calibrated once more with their pose: held-out views were no worse.
  std::vector<ViewResult> views;
};

constexpr int least_views = 4;
constexpr int least_held_out = 6;

/// Calibrates each camera by all views in which it saw the board, then both by those that both saw. Views whose error
/// exceeds 3 times the median of all and `left_out_floor_px` are left out, worst first, as long as three quarters stay.
/// Throws Error(bad_data) where views are too few or too much alike, where the solver finds no answer, or where it is
/// none. Sources: Z. Zhang, "A flexible new technique for camera calibration", TPAMI 2000 (one camera, and why the
/// board must be tilted); fisheyes as LensModel::fisheye.
Calibrated calibrate_rig(Solver& solver, const Settings& settings, Size size, const std::vector<View>& views);

constexpr double left_out_floor_px = 0.5;

/// How far the rows (of a vertical rig: columns) of each corner differ in the rectified pictures, px, in order.
std::vector<double> row_differences(const StereoRig& rig, const PairCorners& view);
/// Of the corners' places by this camera and pose, px, in order.
std::vector<double> distances(const Camera& camera, const Pose& pose, const Board& board, const Corners& corners);
Errors errors_of(std::vector<double> distances);

/// Corners that both pictures show.
PairCorners common_corners(const View& view);

}  // namespace vergence::calibrate
