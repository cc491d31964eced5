// SPDX-License-Identifier: Apache-2.0
// Flow that fits the steps of points better some px beside them, or turned.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vergence/score.hpp"

namespace vergence::cli {

/// What most points follow, though some do not, can be found by these alone: distances of points and flow count up to
/// half a px. Thread-safe as long as one thread adds.
class FlowPlaces {
 public:
  /// A step that was found, of a point at whose pixel `x`, `y` the flow is known. The first thousand are looked at.
  void add(const TrackStep& step, int x, int y, ImageView<const FlowVector> flow);
  /// One line, else "". `truth` is the flow's name.
  std::string line(const std::string& truth) const;

 private:
  static constexpr int step = 4, reach = 48;  // px
  static constexpr std::size_t side = 2 * reach / step + 1;

  /// Sums of the same points' distances.
  struct Sums {
    double own = 0, there = 0;
    int points = 0;
  };
  std::string moved(const std::string& truth) const;
  std::string turned(const std::string& truth) const;

  std::vector<Sums> places_ = std::vector<Sums>(side * side);
  std::array<double, 4> turned_{};  ///< Of y and x turned round, and of vectors that are turned right and left.
  double own_ = 0;
  int points_ = 0;
};

}  // namespace vergence::cli
