// SPDX-License-Identifier: Apache-2.0
// End-point errors of followed points.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vergence/error.hpp"
#include "vergence/score.hpp"

namespace vergence {
namespace {

struct Displacement {
  double u = 0;
  double v = 0;
};

/// Weighted sums of the up to four pixels around (x, y); pixels without weight need not be known.
std::optional<Displacement> flow_at(ImageView<const FlowVector> truth, double x, double y) {
  if (!(x >= 0 && y >= 0 && x <= truth.width() - 1 && y <= truth.height() - 1)) return std::nullopt;
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const double right_share = x - left, lower_share = y - top;
  Displacement sum;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) {
      const double weight = (column == 0 ? 1 - right_share : right_share) * (row == 0 ? 1 - lower_share : lower_share);
      if (weight == 0) continue;
      const FlowVector flow = truth(left + column, top + row);
      if (!is_known(flow)) return std::nullopt;
      sum.u += weight * static_cast<double>(flow.u);
      sum.v += weight * static_cast<double>(flow.v);
    }
  return sum;
}

}  // namespace

bool TrackScorer::add(const TrackStep& step, ImageView<const FlowVector> truth) {
  if (truth.empty()) throw Error(ErrorCode::invalid_argument, "the flow is empty: give one of the frames' size");
  if (!std::isfinite(step.x) || !std::isfinite(step.y) ||
      (step.found && (!std::isfinite(step.found_x) || !std::isfinite(step.found_y))))
    throw Error(ErrorCode::invalid_argument, "a point's position is not finite: give numbers of px");
  const std::optional<Displacement> flow = flow_at(truth, step.x, step.y);
  if (!flow) {
    ++unknown_;
    return false;
  }
  ++points_;
  if (step.found) errors_.push_back(std::hypot(step.found_x - step.x - flow->u, step.found_y - step.y - flow->v));
  return true;
}

TrackScore TrackScorer::score() const {
  TrackScore score;
  score.points = points_;
  score.unknown = unknown_;
  score.found = static_cast<std::int64_t>(errors_.size());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  score.survival = points_ > 0 ? 100.0 * static_cast<double>(score.found) / static_cast<double>(points_) : nan;
  score.mean_error = score.median_error = nan;
  score.bad.fill(nan);
  if (errors_.empty()) return score;
  const auto count = static_cast<double>(errors_.size());
  double sum = 0;
  for (const double error : errors_) sum += error;
  score.mean_error = sum / count;
  for (std::size_t i = 0; i < score.bad.size(); ++i) {
    const double threshold = TrackScore::thresholds[i];
    score.bad[i] =
        100.0 *
        static_cast<double>(std::count_if(errors_.begin(), errors_.end(), [=](double e) { return e > threshold; })) /
        count;
  }
  std::vector<double> sorted = errors_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  score.median_error = *middle;
  return score;
}

}  // namespace vergence
