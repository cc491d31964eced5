// SPDX-License-Identifier: Apache-2.0
// Compares a frame's share of wrong pixels with the mean of those before.
#include "eval/score_watch.hpp"

#include <fmt/format.h>

namespace vergence::cli {
namespace {

constexpr std::size_t one_px = 1;   // of the thresholds
constexpr double least_wrong = 50;  // percent
constexpr double times_worse = 3;
// Of frames whose edges of depth are looked at: how many times the mean of those before, and percent above it; and the
// share of the first frame's edges that tells.
constexpr double times_doubtful = 1.6, doubtful_more = 5, told_edges = 0.6;
constexpr std::int64_t frames_between_looks = 8;

}  // namespace

bool ScoreWatch::has_other_edges(const std::function<std::optional<double>()>& edges_met) {
  const double mean = sum_ / static_cast<double>(frames_);
  if (now_ < times_doubtful * mean || now_ < mean + doubtful_more || frames_ < next_look_) return false;
  next_look_ = frames_ + frames_between_looks;
  edges_ = edges_met();
  const bool other = first_edges_ && edges_ && *edges_ < told_edges * *first_edges_;
  if (!other) edges_.reset();
  return other;
}

bool ScoreWatch::stands_out(const StereoScores& scores, const std::function<std::optional<double>()>& edges_met) {
  now_ = scores.all.bad[one_px];
  if (frames_ == 0) first_edges_ = edges_met();
  const auto is_far_worse = [this] {
    return now_ >= least_wrong && now_ * static_cast<double>(frames_) >= times_worse * sum_;
  };
  if (!told_ && frames_ > 0 && (is_far_worse() || has_other_edges(edges_met))) {
    told_ = true;
    return true;
  }
  sum_ += now_;
  ++frames_;
  return false;
}

std::string ScoreWatch::warning(std::int64_t frame, const std::string& truth) const {
  const std::string edges =
      edges_ ? fmt::format(", and the map has {:.0f} % of the truth's edges of depth, in the first frame {:.0f} %",
                           *edges_, first_edges_.value_or(0))
             : "";
  return fmt::format(
      "frame {}: {:.0f} % are more than 1 px off, and {:.1f} % in the mean of the frames before{}: check that map and "
      "truth {} are of one scene, and in one form with those of the other frames",
      frame, now_, sum_ / static_cast<double>(frames_), edges, truth);
}

}  // namespace vergence::cli
