// SPDX-License-Identifier: Apache-2.0
// Scores of one frame that are far worse than those before it: a truth or a map may be another scene's from any frame
// on, and the first frame and every hundredth alone are looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "vergence/score.hpp"

namespace vergence::cli {

class ScoreWatch {
 public:
  /// Called for each frame. True once, for the first one that is far worse than the mean of those before; or that is
  /// worse, and whose map has 60 % at most of the share of the truth's edges of depth as the first frame's. `edges_met`
  /// gives percent of these, and is asked where that matters.
  bool stands_out(const StereoScores& scores, const std::function<std::optional<double>()>& edges_met);
  /// Of the frame that stood out.
  std::string warning(std::int64_t frame, const std::string& truth) const;

 private:
  bool has_other_edges(const std::function<std::optional<double>()>& edges_met);

  double sum_ = 0;  ///< Percent of pixels that are off by more than 1 px, of the frames before.
  double now_ = 0;
  std::optional<double> first_edges_, edges_;  ///< Of the first frame, and of the one that stood out by them.
  std::int64_t frames_ = 0;
  std::int64_t next_look_ = 0;
  bool told_ = false;
};

}  // namespace vergence::cli
