// SPDX-License-Identifier: Apache-2.0
// Compares a frame's share of wrong pixels with the mean of those before.
#include "eval/score_watch.hpp"

#include <fmt/format.h>

namespace vergence::cli {
namespace {

constexpr std::size_t one_px = 1;   // of the thresholds
constexpr double least_wrong = 50;  // percent
constexpr double times_worse = 3;

}  // namespace

bool ScoreWatch::stands_out(const StereoScores& scores) {
  now_ = scores.all.bad[one_px];
  if (!told_ && frames_ > 0 && now_ >= least_wrong && now_ * static_cast<double>(frames_) >= times_worse * sum_) {
    told_ = true;
    return true;
  }
  sum_ += now_;
  ++frames_;
  return false;
}

std::string ScoreWatch::warning(std::int64_t frame, const std::string& truth) const {
  return fmt::format(
      "frame {}: {:.0f} % are more than 1 px off, and {:.1f} % in the mean of the frames before: check that map and "
      "truth {} are of one scene, and in one form with those of the other frames",
      frame, now_, sum_ / static_cast<double>(frames_), truth);
}

}  // namespace vergence::cli
