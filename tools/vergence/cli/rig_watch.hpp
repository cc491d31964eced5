// SPDX-License-Identifier: Apache-2.0
// Whether the pairs of a run are rectified, and stay so: looked at in the first frame and in every hundredth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_value.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_check.hpp"

namespace vergence::cli {

double in_degrees(double radians);
/// "pitch 0.10, yaw 0.00, roll -0.30 degrees", of radians.
std::string angles_text(double pitch, double yaw, double roll);

/// What a report says of it.
struct RigReport {
  RigFindings first;  ///< Of the first look that found points enough; else of the last one.
  std::int64_t looks = 0;
  double moved = 0;  ///< By how many px rows have moved since `first`, at most.
  /// Without a look: rows of the first pair are off by no more than so many px, by points of another look.
  std::optional<double> within;
  RigCheckCamera camera;
};
/// An object; null where nothing was looked at.
Json rig_report_json(const RigReport& report);
/// "vertical offset: median 0.1 px, ..."; "" where no point was found.
std::string rig_report_text(const RigReport& report);

/// Does it say that rows are off?
inline bool is_of_rows(PairProblem problem) {
  return problem == PairProblem::not_rectified || problem == PairProblem::row_offset;
}

/// So few of the first look's points agree that rows may be off by more than was searched for: of good pairs 74 % do.
inline bool hardly_agrees(const PairFindings& found) { return 100 * found.agreeing < 70 * found.points; }

class RigWatch {
 public:
  static bool due(std::int64_t count) { return count % 100 == 0; }

  /// What is known of the cameras: the right one's focal length and principal point, and the part of the pictures that
  /// both show. Not called: nothing, and all.
  void expect(const RigCheckCamera& camera, const Rect& part);
  /// Looks at a pair.
  const RigFindings& look(const StereoFrame& frame);
  /// The first pair needs no look yet: its rows are off by no more than so many px. It is kept for when one follows.
  void pass(const StereoFrame& first, double within);

  /// That the last pair is off: `what` is wrong, the rotation that explains it, the cure.
  std::string rows_warning(const std::string& what, const std::string& cure) const;
  /// That the points of the last pair lie some px off their row, or far from each other, and no rotation explains it:
  /// rows that are off by more than is searched for are matched by chance. `what` is wrong, the cure; "" where they
  /// do not, or are few.
  std::string scatter(const std::string& what, const std::string& cure) const;
  /// "as if the right camera were turned by ..."; "" where that is not known.
  std::string explanation() const;
  /// That rows have moved since the first frame: once, else "".
  std::string drift_warning();
  /// Where --require-rectified is given: that it cannot be told. "" where it can.
  std::string unknown_warning() const;

  const RigReport& report() const { return report_; }
  /// Points of the last ten looks, at most.
  const std::vector<std::vector<PairPoint>>& points() const { return points_; }

 private:
  RigCheckCamera camera_;
  Rect part_;
  RigReport report_;
  StereoFrame passed_;
  RigFindings now_;
  std::vector<std::vector<PairPoint>> points_;
  bool told_drift_ = false;
};

}  // namespace vergence::cli
