// SPDX-License-Identifier: Apache-2.0
// What flow is beside the steps of the points that are said to follow it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vergence/score.hpp"

namespace vergence::cli {

/// Notices flow that goes the points' way and is longer or shorter, of another time step, size or unit; positions; flow
/// that is turned or mirrored; and a vector that means unknown.
class FlowLengths {
 public:
  /// A step that was found, of a point at which the flow is known.
  void add(const TrackStep& step, ImageView<const FlowVector> flow);
  /// Where it holds positions in place of vectors: one line, else "". `error` is the median distance of points and
  /// flow.
  std::string positions_doubt(const std::string& truth, double error) const;
  /// Where rows or columns of the flow are in the reverse order: one line, else "". `error` as above.
  std::string turned_doubt(const std::string& truth, double error) const;
  /// Where it is divided by the picture's width and height: one line, else "". `error` as above.
  std::string shares_doubt(const std::string& truth, double error) const;
  /// Where it is 0 at all points, and these move: one line, else "".
  std::string still_doubt(const std::string& truth) const;
  /// Where many points lie at one and the same vector, and move elsewhere: one line, else "".
  std::string unknown_doubt(const std::string& truth) const;
  /// One line, else "". `error` is the median distance of points and flow.
  std::string doubt(const std::string& truth, double error) const;

 private:
  struct Pair {
    double dx = 0, dy = 0;  ///< Of the point,
    double u = 0, v = 0;    ///< and of the flow at the pixel next to it.
    double found_x = 0, found_y = 0;
    /// How far the point is from what it would be with rows, columns or both in the reverse order.
    std::array<double, 3> turned_errors{};
  };
  std::vector<Pair> pairs_;
  Size size_;  ///< Of the flow.
};

}  // namespace vergence::cli
