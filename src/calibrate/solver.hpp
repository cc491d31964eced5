// SPDX-License-Identifier: Apache-2.0
// What OpenCV does for a calibration: finds boards and solves for cameras. It lies in a module of its own, opened at
// its first use, because its libraries are many and most runs of a program need none. Read before: board.hpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "calibrate/board.hpp"
#include "vergence/rig.hpp"

namespace vergence::calibrate {

/// What is solved for of a lens' distortion: pinhole k1 k2 p1 p2 (and k3; and k4 k5 k6), fisheye k1 .. k4.
enum class Lens { pinhole4, pinhole5, rational, fisheye };

/// A board's point x lies at rotation x + translation in a camera's axes; metres.
struct Pose {
  Matrix3x3 rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> translation{};
};

struct CameraFit {
  Camera camera;
  double rms_px = 0;           ///< Of the distances between corners found and projected.
  double focal_deviation = 0;  ///< Standard deviation of fx by fx; 0: not told (fisheyes).
  std::vector<Pose> poses;     ///< Of each view.
};

/// Corners of one view in both pictures, of equal indices.
struct PairCorners {
  Corners left;
  Corners right;
};

struct PairFit {
  StereoRig rig;      ///< Without a rectification.
  double rms_px = 0;  ///< Of the corners of both cameras; infinite where no pose brings them together, and no rig.
};

/// How hard a board is looked for: `quick` gives up early, for video; `sole` tries one way alone, which takes about as
/// long where there is no board as where there is one.
enum class Effort { thorough, quick, sole };

/// One thread at a time. Everything that fails throws std::runtime_error with a reason in a few words.
class Solver {
 public:
  virtual ~Solver() = default;
  /// "OpenCV 4.6.0".
  virtual std::string name() const = 0;
  /// Whether it was built with what ChArUco boards need.
  virtual bool reads_charuco() const = 0;
  /// The corners in any numbering; empty where there is no board.
  virtual Corners find(ImageView<const std::uint8_t> picture, const Board& board, Effort effort) = 0;
  /// `start`: where it begins, not where it ends; may be null.
  virtual CameraFit fit_camera(const std::vector<Corners>& views, const Board& board, Size size, Lens lens,
                               const Camera* start) = 0;
  /// `left` and `right` are where it begins; with `refine` they change, too.
  virtual PairFit fit_pair(const std::vector<PairCorners>& views, const Board& board, const Camera& left,
                           const Camera& right, Lens lens, bool refine) = 0;
};

/// Throws Error(unsupported) where this build has none, with how to get it, or where it cannot be opened.
Solver& solver();

/// What the module's one function gives, vergence_calibrate_solver(). Counted up when Solver changes.
constexpr int solver_version = 1;

}  // namespace vergence::calibrate
