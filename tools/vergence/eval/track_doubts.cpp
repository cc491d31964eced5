// SPDX-License-Identifier: Apache-2.0
// Steps are compared by their medians, and points with what stands where the flow leads.
#include "eval/track_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/middle.hpp"

namespace vergence::cli {
namespace {

constexpr double wrong_px = 2;
constexpr std::int64_t enough_tracks = 20;

/// One number for each pixel, also for those left of and above the picture.
std::int64_t pixel_key(std::int64_t x, std::int64_t y) { return y * (std::int64_t{1} << 32) + x; }

}  // namespace

void TrackDoubts::meet(const std::vector<TrackRow>& next) {
  places_.clear();
  for (const TrackRow& row : next)
    if (row.status == TrackStatus::tracked) places_.insert(pixel_key(std::lround(row.x), std::lround(row.y)));
}

bool TrackDoubts::stands_at(double x, double y) const {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (places_.contains(pixel_key(std::lround(x) + dx, std::lround(y) + dy))) return true;
  return false;
}

void TrackDoubts::add(const TrackStep& step, ImageView<const FlowVector> flow) {
  const int x = std::clamp(static_cast<int>(std::lround(step.x)), 0, flow.width() - 1);
  const int y = std::clamp(static_cast<int>(std::lround(step.y)), 0, flow.height() - 1);
  const FlowVector& vector = flow(x, y);
  if (!is_known(vector)) return;
  const auto u = static_cast<double>(vector.u), v = static_cast<double>(vector.v);
  const double error = std::hypot(step.found_x - step.x - u, step.found_y - step.y - v);
  errors_.push_back(error);
  ++points_;
  if (step.found_x == step.x && step.found_y == step.y) {
    ++still_;
    ++now_.still;
    led_ += std::hypot(u, v);
    now_.led += std::hypot(u, v);
  }
  if (constexpr double far = 0.5; std::hypot(u, v) >= far) {
    const bool stuck = step.found_x == step.x && step.found_y == step.y;
    ++moving_;
    stuck_ += stuck ? 1 : 0;
    between_ +=
        !stuck && (step.found_x != std::floor(step.found_x) || step.found_y != std::floor(step.found_y)) ? 1 : 0;
  }
  if (error <= wrong_px) return;
  ++now_.wrong;
  now_.exchanged += stands_at(step.x + u, step.y + v) ? 1 : 0;
}

void TrackDoubts::close(std::int64_t frame) {
  now_.frame = frame;
  now_.points = std::ssize(errors_);
  if (now_.points >= enough_tracks) {
    now_.error = middle_of(errors_);
    steps_.push_back(now_);
  }
  now_ = {};
  errors_.clear();
}

std::string TrackDoubts::line(const std::string& tracks, const std::string& truth) const {
  constexpr double far = 0.5;  // px in the mean
  if (points_ >= enough_tracks && 20 * still_ >= 19 * points_ && led_ >= far * static_cast<double>(still_))
    return fmt::format(
        "{} of {} steps of points in {} are 0, where the flow leads {:.3g} px away in the mean: check what wrote their "
        "positions",
        still_, points_, tracks, led_ / static_cast<double>(still_));
  if (std::string line = repeated(tracks); !line.empty()) return line;
  // Whole px leave slow points where they are.
  if (constexpr std::int64_t share = 10;
      stuck_ >= enough_tracks && share * stuck_ >= moving_ && 2 * between_ >= moving_ - stuck_)
    return fmt::format(
        "{} of {} steps in {} of points that the flow leads half a px away and more are 0, bit for bit: these points "
        "stand still while the others move: a tracker that lost them and kept their places, or a file that repeats "
        "them: leave out what was lost",
        stuck_, moving_, tracks);
  if (std::string line = exchanged(tracks); !line.empty()) return line;
  return jump(tracks, truth);
}

/// The positions of one frame are those of the frame before.
std::string TrackDoubts::repeated(const std::string& tracks) const {
  constexpr double far = 0.5;  // px in the mean: points of whole px keep their places where it is less
  const auto found = std::find_if(steps_.begin(), steps_.end(), [](const Step& step) {
    return 20 * step.still >= 19 * step.points && step.led >= far * static_cast<double>(step.still);
  });
  if (found == steps_.end()) return "";
  return fmt::format(
      "positions of frame {} in {} are those of frame {} once more, bit for bit, at {} of {} points, where the flow "
      "leads {:.3g} px away in the mean: check what wrote them",
      found->frame + 1, tracks, found->frame, found->still, found->points,
      found->led / static_cast<double>(found->still));
}

/// Points of other tracks stand where the flow leads: of good tracks few end elsewhere, and hardly any so.
std::string TrackDoubts::exchanged(const std::string& tracks) const {
  constexpr std::int64_t percent = 4, exchanged_percent = 60;
  Step all;
  const Step* first = nullptr;
  for (const Step& step : steps_) {
    all.points += step.points;
    all.wrong += step.wrong;
    all.exchanged += step.exchanged;
    if (first == nullptr && 4 * step.exchanged >= step.points) first = &step;
  }
  if (first == nullptr || all.wrong < enough_tracks || 100 * all.wrong < percent * all.points ||
      100 * all.exchanged < exchanged_percent * all.wrong)
    return "";
  return fmt::format(
      "identities in {} change: of {} steps of points, {} end elsewhere than the flow leads, and where it leads stands "
      "a point of another track for {} of them, first from frame {} to {}: give a point the same identity in all "
      "frames",
      tracks, all.points, all.wrong, all.exchanged, first->frame, first->frame + 1);
}

/// One step stands out.
std::string TrackDoubts::jump(const std::string& tracks, const std::string& truth) const {
  constexpr std::size_t enough_steps = 3;
  constexpr double least = 3, times = 8;  // px, and as much as in the others
  if (steps_.size() < enough_steps) return "";
  std::vector<double> errors;
  for (const Step& step : steps_) errors.push_back(step.error);
  const double usual = middle_of(std::move(errors));
  const auto worst =
      std::max_element(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.error < b.error; });
  if (worst->error < least || worst->error < times * usual) return "";
  return fmt::format(
      "from frame {} to {}, points of {} are off the truth {} by {:.3g} px in the median, in all steps by {:.3g} px: "
      "the flow or the points of that frame are of another one, or identities change there",
      worst->frame, worst->frame + 1, tracks, truth, worst->error, usual);
}

}  // namespace vergence::cli
