// SPDX-License-Identifier: Apache-2.0
// What is odd about flow beside the steps of the points that are said to follow it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/middle.hpp"
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

  static constexpr double better = 4;  ///< Times as near: flow that is explained is not a little better.

  /// The median of off(pair).
  template <class Off>
  double median_of(const Off& off) const {
    std::vector<double> values;
    values.reserve(pairs_.size());
    for (const Pair& pair : pairs_) values.push_back(off(pair));
    return middle_of(std::move(values));
  }
  std::string still(const std::string& truth) const;
  std::string endless(const std::string& truth) const;
  std::string one_axis(const std::string& truth) const;
  bool is_constant() const;
  std::string clipped(const std::string& truth) const;
  /// One vector everywhere.
  std::string constant(const std::string& truth, double error) const;
  std::string unknown(const std::string& truth) const;
  /// A part of the picture, or of the steps, has another form.
  std::string part(const std::string& truth) const;
  std::string positions(const std::string& truth, double error) const;
  std::string shares(const std::string& truth, double error) const;
  std::string unit(const std::string& truth, double error) const;
  /// Flow from the first frame to each one, in place of that from frame to frame.
  std::string accumulated(const std::string& truth, double error) const;
  std::string length(const std::string& truth, double error) const;
  /// Single vectors amid others.
  std::string scattered(const std::string& truth) const;
  /// How far what `of` makes of a pair, an x and a y, is from its median in the same step, and how long that is, both
  /// in the median.
  struct Around {
    double apart = 0, length = 0;
  };
  template <class Of>
  Around around_median_of_steps(const Of& of) const;
  /// One vector by which all points are off, or one in each step.
  std::string drift(const std::string& truth, double error) const;
  std::string drift_of_steps(const std::string& truth, double error) const;
  std::string rounded(const std::string& truth, double error) const;
  /// Tracks of pictures of a smaller size, whose errors are small as their steps are.
  std::string smaller_pictures(const std::string& truth, double error) const;
  /// Another sign, order or size of the flow or of the tracks.
  std::string other_form(const std::string& truth, double error) const;

  std::vector<Pair> pairs_;
  std::size_t steady_ = 0;  ///< Points beside which four vectors are alike,
  std::size_t apart_ = 0;   ///< and whose own vector is not.
  FlowPlaces places_;
  Size size_;  ///< Of the flow.
};

}  // namespace vergence::cli
