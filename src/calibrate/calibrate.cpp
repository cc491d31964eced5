// SPDX-License-Identifier: Apache-2.0
// The order of a calibration: each camera, views left out, both cameras, held-out views.
#include "calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "vergence/error.hpp"
#include "vergence/rectify.hpp"

namespace vergence::calibrate {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

/// Whether corners of a ChArUco board seen in part tell anything. From those of which all, or all but one, lie in one
/// row or column no pose follows, and the solver may give up on all views for one such.
bool tells(const Corners& corners, const Board& board) {
  constexpr std::size_t least = 8, least_beside = 2;
  std::vector<std::size_t> columns(static_cast<std::size_t>(board.columns)), rows(static_cast<std::size_t>(board.rows));
  for (const Corner& corner : corners) {
    ++columns[static_cast<std::size_t>(corner.index % board.columns)];
    ++rows[static_cast<std::size_t>(corner.index / board.columns)];
  }
  const std::size_t most =
      std::max(*std::max_element(columns.begin(), columns.end()), *std::max_element(rows.begin(), rows.end()));
  return corners.size() >= std::max(least, most + least_beside);
}

/// What the solver says, as an error that tells what to do.
template <class Solve>
auto solved(const char* what, Solve solve) {
  try {
    return solve();
  } catch (const std::runtime_error& error) {
    throw Error(ErrorCode::bad_data,
                fmt::format("{} cannot be calibrated ({}): photograph the board nearer, tilted by 20 to 45 degrees to "
                            "all sides, and leave out pictures that are blurred",
                            what, error.what()));
  }
}

[[noreturn]] void refuse_few(const char* what, std::size_t count) {
  throw Error(
      ErrorCode::bad_data,
      fmt::format("the board is seen in {} view{} of {}, and {} are needed (10 to 30 are good): photograph more", count,
                  count == 1 ? "" : "s", what, least_views));
}

/// Boards that are all parallel leave the focal length open.
void check_tilts(const char* what, const CameraFit& fit) {
  constexpr double least = 5, sure = 0.05;
  double most = 0;
  for (const Pose& a : fit.poses)
    for (const Pose& b : fit.poses) {
      const double cosine =
          a.rotation[2] * b.rotation[2] + a.rotation[5] * b.rotation[5] + a.rotation[8] * b.rotation[8];
      most = std::max(most, std::acos(std::clamp(cosine, -1.0, 1.0)) * degrees);
    }
  if (most < least)
    throw Error(ErrorCode::bad_data,
                fmt::format("the board is parallel in all views of {} (within {:.1f} degrees), which leaves the focal "
                            "length open: tilt it by 20 to 45 degrees to all sides",
                            what, most));
  if (fit.focal_deviation > sure || !(fit.camera.fx > 0) || !std::isfinite(fit.rms_px))
    throw Error(ErrorCode::bad_data,
                fmt::format("the views of {} leave its focal length open (+- {:.0f} %): tilt the board by 20 to 45 "
                            "degrees to all sides, bring it nearer, and photograph more views",
                            what, 100 * fit.focal_deviation));
}

/// The worst view, where it is far worse than the others and enough stay; -1: none.
int worst_outlier(const std::vector<double>& errors, std::size_t at_first) {
  if (errors.size() <= least_views || 4 * (errors.size() - 1) < 3 * at_first) return -1;
  const auto worst = std::max_element(errors.begin(), errors.end());
  return *worst > std::max(3 * median_of(errors), left_out_floor_px) ? static_cast<int>(worst - errors.begin()) : -1;
}

class Calibration {
 public:
  Calibration(Solver& solver, const Settings& settings, Size size, const std::vector<View>& views)
      : solver_(solver), settings_(settings), size_(size), views_(views) {
    result_.views.resize(views.size());
  }

  Calibrated run() {
    result_.left = camera("the left camera", &View::left, &ViewResult::left_px, result_.left_views);
    result_.right = camera("the right camera", &View::right, &ViewResult::right_px, result_.right_views);
    for (const View& view : views_) pairs_.push_back(common_corners(view));
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (!result_.views[i].left_out && tells(pairs_[i].left, settings_.board))
        result_.pair_views.push_back(static_cast<int>(i));
    at_first_ = result_.pair_views.size();
    if (at_first_ < least_views) refuse_few("both cameras", at_first_);
    fit_pairs();
    choose_refined();
    if (result_.refined) fit_pairs();
    std::vector<double> rows;
    for (const int view : result_.pair_views) append(rows, row_differences(result_.rig, pairs_[at(view)]));
    result_.rows = errors_of(rows);
    return std::move(result_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  CameraFit camera(const char* what, Corners View::*corners, std::optional<double> ViewResult::*error,
                   std::vector<int>& used) {
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (tells(views_[i].*corners, settings_.board)) used.push_back(static_cast<int>(i));
    const std::size_t at_first = used.size();
    if (at_first < least_views) refuse_few(what, at_first);
    for (;;) {
      std::vector<Corners> seen;
      for (const int view : used) seen.push_back(views_[at(view)].*corners);
      CameraFit fit =
          solved(what, [&] { return solver_.fit_camera(seen, settings_.board, size_, settings_.lens, nullptr); });
      check_tilts(what, fit);
      std::vector<double> errors;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        errors.push_back(errors_of(distances(fit.camera, fit.poses[i], settings_.board, seen[i])).rms);
        result_.views[at(used[i])].*error = errors.back();
      }
      const int worst = settings_.keep_all ? -1 : worst_outlier(errors, at_first);
      if (worst < 0) return fit;
      result_.views[at(used[at(worst)])].left_out = true;
      used.erase(used.begin() + worst);
    }
  }

  PairFit pair(const std::vector<int>& used, const Camera& left, const Camera& right, bool refine) {
    std::vector<PairCorners> seen;
    for (const int view : used) seen.push_back(pairs_[at(view)]);
    PairFit fit = solved("the pair of cameras",
                         [&] { return solver_.fit_pair(seen, settings_.board, left, right, settings_.lens, refine); });
    if (!std::isfinite(fit.rms_px)) refuse_apart("no pose of the cameras brings their pictures together");
    return fit;
  }

  [[noreturn]] void refuse_apart(const std::string& found) const {
    throw Error(ErrorCode::bad_data,
                fmt::format("the pictures of LEFT and RIGHT do not belong together: each camera fits to {:.2f} px, and "
                            "{}; pictures of one number show the board at one moment, and the cameras must not move "
                            "against each other",
                            std::max(result_.left.rms_px, result_.right.rms_px), found));
  }

  void fit_pairs() {
    for (;;) {
      const PairFit fit = pair(result_.pair_views, result_.left.camera, result_.right.camera, result_.refined);
      result_.rig = rectified(fit.rig);
      result_.pair_rms_px = fit.rms_px;
      std::vector<double> errors;
      for (const int view : result_.pair_views) {
        errors.push_back(errors_of(row_differences(result_.rig, pairs_[at(view)])).rms);
        result_.views[at(view)].rows_px = errors.back();
      }
      check_together(errors);
      const int worst = settings_.keep_all ? -1 : worst_outlier(errors, at_first_);
      if (worst < 0) return;
      result_.views[at(result_.pair_views[at(worst)])].left_out = true;
      result_.pair_views.erase(result_.pair_views.begin() + worst);
    }
  }

  /// Rows of the pair once the right pictures are mirrored; the corners of a board are then numbered from the other end
  /// of its rows or columns.
  double rows_of_mirrored(bool columns) {
    Camera right = result_.right.camera;
    right.cx = size_.width - 1 - right.cx;
    std::vector<PairCorners> seen;
    for (const int view : result_.pair_views) {
      PairCorners corners = pairs_[at(view)];
      for (Corner& corner : corners.right) {
        const int row = corner.index / settings_.board.columns, column = corner.index % settings_.board.columns;
        corner.index = columns ? (row + 1) * settings_.board.columns - 1 - column
                               : (settings_.board.rows - 1 - row) * settings_.board.columns + column;
        corner.x = size_.width - 1 - corner.x;
      }
      std::sort(corners.right.begin(), corners.right.end(),
                [](const Corner& a, const Corner& b) { return a.index < b.index; });
      seen.push_back(std::move(corners));
    }
    std::vector<double> rows;
    try {
      const PairFit fit =
          solver_.fit_pair(seen, settings_.board, result_.left.camera, right, settings_.lens, /*refine=*/false);
      const StereoRig rig = rectified(fit.rig);
      for (const PairCorners& corners : seen) rows.push_back(errors_of(row_differences(rig, corners)).rms);
    } catch (const std::exception&) {
      return INFINITY;  // there is none
    }
    return median_of(rows);
  }

  /// One pair may be wrong, most may not.
  void check_together(const std::vector<double>& rows) {
    constexpr double times = 5, floor_px = 2;
    const double alone = std::max(result_.left.rms_px, result_.right.rms_px), together = median_of(rows);
    const double most = std::max(floor_px, times * alone);
    if (together <= most) return;
    if (settings_.board.kind == Board::Kind::chessboard)
      if (const double mirrored = std::min(rows_of_mirrored(false), rows_of_mirrored(true)); mirrored <= most)
        throw Error(
            ErrorCode::bad_data,
            fmt::format("the pictures of LEFT or of RIGHT are mirrored: rows of the pair differ by {:.1f} px, and "
                        "by {:.1f} px once one camera's pictures are mirrored: record what the camera sees, not "
                        "its preview, as a mirror shows it",
                        together, mirrored));
    refuse_apart(fmt::format("rows of the pair differ by {:.1f} px", together));
  }

  StereoRig rectified(StereoRig rig) const {
    constexpr double least = 1e-3;  // of a square
    if (!(rig.baseline_m() > least * settings_.board.square_m))
      throw Error(ErrorCode::bad_data, "both cameras are at one place: LEFT and RIGHT are the same pictures");
    rig.rectified = rectify_rig(rig).projections;
    return rig;
  }

  /// Rows of held-out views, with the cameras as calibrated alone, and calibrated once more with their pose.
  void choose_refined() {
    const std::vector<int>& used = result_.pair_views;
    result_.refined = true;
    if (used.size() < least_held_out) return;
    constexpr std::size_t parts = 3;
    std::vector<double> rows[2];
    for (std::size_t part = 0; part < parts; ++part) try_hold_out(part, parts, rows);
    if (rows[0].empty()) return;
    const Errors alone = errors_of(rows[0]), together = errors_of(rows[1]);
    result_.refined = together.rms <= alone.rms;
    result_.held_out = result_.refined ? together : alone;
  }

  /// What is left without a part may be too little, though all together are enough: then nothing is told of the part.
  void try_hold_out(std::size_t part, std::size_t parts, std::vector<double> (&rows)[2]) {
    std::vector<double> of_part[2];
    try {
      hold_out(part, parts, of_part);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_data) throw;
      return;
    }
    for (const std::size_t i : {0U, 1U}) append(rows[i], of_part[i]);
  }

  /// Every third view is held out of the whole calibration, cameras and pair; `rows`: theirs, not refined and refined.
  void hold_out(std::size_t part, std::size_t parts, std::vector<double> (&rows)[2]) {
    const std::vector<int>& used = result_.pair_views;
    std::vector<int> kept;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (i % parts != part) kept.push_back(used[i]);
    const auto fit_alone = [&](Corners View::*corners, const CameraFit& all) {
      std::vector<Corners> seen;
      for (const int view : kept) seen.push_back(views_[at(view)].*corners);
      return solved("a part of the views", [&] {
        return solver_.fit_camera(seen, settings_.board, size_, settings_.lens, &all.camera).camera;
      });
    };
    const Camera left = fit_alone(&View::left, result_.left), right = fit_alone(&View::right, result_.right);
    for (const bool refine : {false, true}) {
      const StereoRig rig = rectified(pair(kept, left, right, refine).rig);
      for (std::size_t i = part; i < used.size(); i += parts)
        append(rows[refine ? 1 : 0], row_differences(rig, pairs_[at(used[i])]));
    }
  }

  Solver& solver_;
  const Settings& settings_;
  Size size_;
  const std::vector<View>& views_;
  std::vector<PairCorners> pairs_;
  std::size_t at_first_ = 0;  ///< Pairs before any was left out.
  Calibrated result_;
};

}  // namespace

Calibrated calibrate_rig(Solver& solver, const Settings& settings, Size size, const std::vector<View>& views) {
  return Calibration(solver, settings, size, views).run();
}

}  // namespace vergence::calibrate
