// SPDX-License-Identifier: Apache-2.0
// What is odd about flow beside the steps of the points that are said to follow it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/flow_places.hpp"
#include "vergence/score.hpp"

namespace vergence::cli {

/// Notices flow that points do not follow, and what it seems to be instead: of another sign, order, unit, length or
/// place, positions, zeros, numbers that mean unknown.
class FlowDoubts {
 public:
  /// A step that was found, of a point at which the flow is known; `step_number` counts the frames' steps from 1.
  void add(const TrackStep& step, ImageView<const FlowVector> flow, std::int64_t step_number = 1);
  /// One line, else "". `error` is the median distance of points and flow in px, `truth` the flow's name.
  std::string line(const std::string& truth, double error) const;

 private:
  struct Pair {
    double dx = 0, dy = 0;  ///< Of the point,
    double u = 0, v = 0;    ///< and of the flow at the pixel next to it.
    double found_x = 0, found_y = 0;
    /// How far the point is from what it would be with rows, columns or both in the reverse order, or with all x of the
    /// file before all y.
    std::array<double, 4> turned_errors{};
    /// And if the tracks counted y from the lower edge on, or x from the right one, or were of pictures of half or
    /// twice the size.
    std::array<double, 4> other_track_errors{};
    double step_number = 1;
    double x = 0, y = 0;  ///< Of the point before its step.
    /// And if the tracks were of pictures of these shares of the size.
    std::array<double, 5> smaller_errors{};
    static constexpr std::array<double, 5> smaller{0.9, 0.8, 0.75, 2.0 / 3, 0.6};
  };

  /// The median of off(pair).
  template <class Off>
  double median_of(const Off& off) const;
  std::string still(const std::string& truth) const;
  std::string endless(const std::string& truth) const;
  std::string one_axis(const std::string& truth) const;
  bool is_constant() const;
  std::string clipped(const std::string& truth) const;
  /// One vector everywhere.
  std::string constant(const std::string& truth, double error) const;
  std::string unknown(const std::string& truth) const;
  std::string positions(const std::string& truth, double error) const;
  std::string shares(const std::string& truth, double error) const;
  std::string unit(const std::string& truth, double error) const;
  /// Flow from the first frame to each one, in place of that from frame to frame.
  std::string accumulated(const std::string& truth, double error) const;
  std::string length(const std::string& truth, double error) const;
  /// One vector by which all points are off.
  std::string drift(const std::string& truth, double error) const;
  /// Tracks of pictures of a smaller size, whose errors are small as their steps are.
  std::string smaller_pictures(const std::string& truth, double error) const;
  /// Another sign, order or size of the flow or of the tracks.
  std::string other_form(const std::string& truth, double error) const;

  std::vector<Pair> pairs_;
  FlowPlaces places_;
  Size size_;  ///< Of the flow.
};

}  // namespace vergence::cli
