// SPDX-License-Identifier: Apache-2.0
// What is odd about a file of tracks beside the flow: identities that change, points that stand still.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "cli/track_files.hpp"
#include "vergence/score.hpp"

namespace vergence::cli {

class TrackDoubts {
 public:
  /// The rows of the next frame, before the steps into it are added.
  void meet(const std::vector<TrackRow>& next);
  /// A step that was found, of a point at which the flow is known.
  void add(const TrackStep& step, ImageView<const FlowVector> flow);
  /// Behind the steps from this frame.
  void close(std::int64_t frame);
  /// One line, else "". `tracks` and `truth` are the files' names.
  std::string line(const std::string& tracks, const std::string& truth) const;

 private:
  /// From one frame to the next.
  struct Step {
    std::int64_t frame = 0, points = 0;
    double error = 0;            ///< In the median, px.
    std::int64_t wrong = 0;      ///< Points that end elsewhere than the flow leads, and
    std::int64_t exchanged = 0;  ///< those of them where another one stands there.
    std::int64_t still = 0;      ///< Points that did not move at all, and
    double led = 0;              ///< the sum of what the flow leads these away, px.
  };
  bool stands_at(double x, double y) const;
  std::string exchanged(const std::string& tracks) const;
  std::string repeated(const std::string& tracks) const;
  std::string jump(const std::string& tracks, const std::string& truth) const;

  std::unordered_set<std::int64_t> places_;  ///< Of the next frame, in px.
  std::vector<double> errors_;               ///< Of the step that is added.
  std::vector<Step> steps_;
  Step now_;
  std::int64_t still_ = 0, points_ = 0;  ///< Points that did not move at all, of all.
  std::int64_t moving_ = 0;              ///< Those that the flow leads half a px away and more,
  std::int64_t stuck_ = 0;               ///< those of them that did not move at all,
  std::int64_t between_ = 0;             ///< and others that ended between two px.
  double led_ = 0;                       ///< The sum of what the flow leads the former away, px.
};

}  // namespace vergence::cli
