// SPDX-License-Identifier: Apache-2.0
// How long flow is beside the steps of the points that are said to follow it.
#pragma once

#include <string>
#include <vector>

#include "vergence/score.hpp"

namespace vergence::cli {

/// Notices flow that goes the points' way and is longer or shorter, of another time step, size or unit; and positions.
class FlowLengths {
 public:
  /// A step that was found, of a point at which the flow is known.
  void add(const TrackStep& step, ImageView<const FlowVector> flow);
  /// Where it holds positions in place of vectors: one line, else "". `error` is the median distance of points and
  /// flow.
  std::string positions_doubt(const std::string& truth, double error) const;
  /// One line, else "". `error` is the median distance of points and flow.
  std::string doubt(const std::string& truth, double error) const;

 private:
  struct Pair {
    double dx = 0, dy = 0;  ///< Of the point,
    double u = 0, v = 0;    ///< and of the flow at the pixel next to it.
    double found_x = 0, found_y = 0;
  };
  std::vector<Pair> pairs_;
};

}  // namespace vergence::cli
