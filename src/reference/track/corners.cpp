// SPDX-License-Identifier: Apache-2.0
// Pixels that may become points: docs/algorithms/track/corners.md.
#include <algorithm>
#include <cstdint>

#include "definitions/track/corner.h"
#include "definitions/track/eigen.h"
#include "reference/track/stages.hpp"

namespace vergence::reference {
namespace {

/// Of the pixel (x, y); gradients outside the picture are 0.
double score(const TrackPlan& plan, const Image<std::int16_t>& dx, const Image<std::int16_t>& dy, int x, int y) {
  const int reach = plan.options.block / 2;
  std::int64_t xx = 0, xy = 0, yy = 0;
  for (int v = std::max(y - reach, 0); v <= std::min(y + reach, plan.size.height - 1); ++v)
    for (int u = std::max(x - reach, 0); u <= std::min(x + reach, plan.size.width - 1); ++u) {
      const std::int64_t a = dx(u, v) >> plan.corner_shift;
      const std::int64_t b = dy(u, v) >> plan.corner_shift;
      xx += a * a;
      xy += a * b;
      yy += b * b;
    }
  if (plan.options.corner == TrackCorner::harris)
    return static_cast<double>(definitions::harris_score(xx, xy, yy, plan.options.harris_k));
  return definitions::eigen_score(xx, xy, yy);
}

bool is_peak(const Image<double>& scores, int x, int y) {
  for (int v = y - 1; v <= y + 1; ++v)
    for (int u = x - 1; u <= x + 1; ++u)
      if (scores(u, v) > scores(x, y)) return false;
  return true;
}

}  // namespace

template <class P>
void corners(const TrackPlan& plan, const TrackFrame<P>& frame, ImageView<const std::uint8_t> mask,
             std::vector<backend::Corner>& corners) {
  Image<double> scores(plan.size);
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) scores(x, y) = score(plan, frame.dx[0], frame.dy[0], x, y);

  // The outermost pixels have neighbours without a score: they are no corners.
  const Rect& roi = plan.roi;
  double best = 0;
  corners.clear();
  for (int y = std::max(roi.y, 1); y < std::min(roi.y + roi.height, plan.size.height - 1); ++y)
    for (int x = std::max(roi.x, 1); x < std::min(roi.x + roi.width, plan.size.width - 1); ++x) {
      if (!mask.empty() && mask(x, y) == 0) continue;
      best = std::max(best, scores(x, y));
      if (scores(x, y) > 0 && is_peak(scores, x, y)) corners.push_back({scores(x, y), x, y});
    }
  const double least = plan.options.quality * best;
  std::erase_if(corners, [&](const backend::Corner& corner) { return corner.score <= least; });
}

template void corners(const TrackPlan&, const TrackFrame<std::uint8_t>&, ImageView<const std::uint8_t>,
                      std::vector<backend::Corner>&);
template void corners(const TrackPlan&, const TrackFrame<std::uint16_t>&, ImageView<const std::uint8_t>,
                      std::vector<backend::Corner>&);

}  // namespace vergence::reference
