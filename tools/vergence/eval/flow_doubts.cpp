// SPDX-License-Identifier: Apache-2.0
// Flow and steps are compared by medians, which few wrong points do not move.
#include "eval/flow_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace vergence::cli {
namespace {

constexpr std::size_t enough = 20;
constexpr double wrong = 0.5;  // px

/// Whether the vectors to all four sides are alike, and whether that of the pixel is far from all of them.
struct Surroundings {
  bool steady = false, apart = false;
};
Surroundings surroundings_of(ImageView<const FlowVector> flow, int x, int y) {
  constexpr float alike = 1, far = 2;  // px
  if (x < 1 || y < 1 || x > flow.width() - 2 || y > flow.height() - 2) return {};
  const FlowVector &own = flow(x, y), &left = flow(x - 1, y);
  Surroundings found{true, true};
  for (const FlowVector& beside : {left, flow(x + 1, y), flow(x, y - 1), flow(x, y + 1)}) {
    if (!is_known(beside)) return {};
    found.steady = found.steady && std::hypot(beside.u - left.u, beside.v - left.v) <= alike;
    found.apart = found.apart && std::hypot(beside.u - own.u, beside.v - own.v) > far;
  }
  return {found.steady, found.steady && found.apart};
}

}  // namespace

void FlowDoubts::add(const TrackStep& step, ImageView<const FlowVector> flow, std::int64_t step_number) {
  const int x = std::clamp(static_cast<int>(std::lround(step.x)), 0, flow.width() - 1);
  const int y = std::clamp(static_cast<int>(std::lround(step.y)), 0, flow.height() - 1);
  const FlowVector& vector = flow(x, y);
  if (!is_known(vector)) return;
  places_.add(step, x, y, flow);
  const Surroundings around = surroundings_of(flow, x, y);
  steady_ += around.steady ? 1 : 0;
  apart_ += around.apart ? 1 : 0;
  size_ = flow.size();
  const auto error_at = [&](int column, int row) {
    const FlowVector& there = flow(column, row);
    return is_known(there) ? std::hypot(step.found_x - step.x - static_cast<double>(there.u),
                                        step.found_y - step.y - static_cast<double>(there.v))
                           : std::numeric_limits<double>::infinity();
  };
  // The number at `index` of the file; as far as can be where it is unknown, which may be NaN.
  const auto number = [&](std::int64_t index) {
    const FlowVector& holder =
        flow(static_cast<int>(index / 2 % flow.width()), static_cast<int>(index / 2 / flow.width()));
    if (!is_known(holder)) return std::numeric_limits<double>::infinity();
    return static_cast<double>(index % 2 == 0 ? holder.u : holder.v);
  };
  const std::int64_t pixel = std::int64_t{y} * flow.width() + x;
  const double in_planes =
      std::hypot(step.found_x - step.x - number(pixel),
                 step.found_y - step.y - number(pixel + std::int64_t{flow.width()} * flow.height()));
  const int last_x = flow.width() - 1, last_y = flow.height() - 1;
  // Of tracks whose px are `scale` of the flow's, and whose y may go up, or x to the left.
  const auto error_as = [&](double scale, bool upwards, bool leftwards = false) {
    const long column = std::lround(leftwards ? last_x - step.x : step.x * scale),
               row = std::lround(upwards ? last_y - step.y : step.y * scale);
    if (column < 0 || row < 0 || column > last_x || row > last_y) return std::numeric_limits<double>::infinity();
    const FlowVector& there = flow(static_cast<int>(column), static_cast<int>(row));
    if (!is_known(there)) return std::numeric_limits<double>::infinity();
    return std::hypot((step.found_x - step.x) * (leftwards ? -1 : 1) - static_cast<double>(there.u) / scale,
                      (step.found_y - step.y) * (upwards ? -1 : 1) - static_cast<double>(there.v) / scale);
  };
  std::array<double, Pair::smaller.size()> smaller_errors{};
  for (std::size_t i = 0; i < smaller_errors.size(); ++i) smaller_errors[i] = error_as(1 / Pair::smaller[i], false);
  pairs_.push_back({step.found_x - step.x,
                    step.found_y - step.y,
                    static_cast<double>(vector.u),
                    static_cast<double>(vector.v),
                    step.found_x,
                    step.found_y,
                    {error_at(x, last_y - y), error_at(last_x - x, y), error_at(last_x - x, last_y - y), in_planes},
                    {error_as(1, true), error_as(1, false, true), error_as(2, false), error_as(0.5, false)},
                    static_cast<double>(step_number),
                    step.x,
                    step.y,
                    smaller_errors});
}

std::string FlowDoubts::line(const std::string& truth, double error) const {
  constexpr double astray = 3;  // px
  if (pairs_.size() < enough) return "";
  if (std::string line = scattered(truth); !line.empty()) return line;
  for (const auto look : {&FlowDoubts::still, &FlowDoubts::one_axis, &FlowDoubts::part, &FlowDoubts::unknown,
                          &FlowDoubts::clipped, &FlowDoubts::endless})
    if (std::string line = (this->*look)(truth); !line.empty()) return line;
  if (std::string line = smaller_pictures(truth, error); !line.empty()) return line;
  if (error < wrong) {
    constexpr double least = 0.1;  // px
    std::string line = error < least ? "" : length(truth, error);
    if (line.empty()) line = places_.line(truth);
    if (line.empty()) line = drift(truth, error);
    return line.empty() ? rounded(truth, error) : line;
  }
  for (const auto look : {&FlowDoubts::constant, &FlowDoubts::positions, &FlowDoubts::shares, &FlowDoubts::unit,
                          &FlowDoubts::accumulated, &FlowDoubts::length, &FlowDoubts::other_form})
    if (std::string line = (this->*look)(truth, error); !line.empty()) return line;
  if (std::string line = drift(truth, error); !line.empty()) return line;
  if (std::string line = places_.line(truth); !line.empty() || error < astray) return line;
  return fmt::format(
      "points are off the truth {} by {:.3g} px in the median, so that hardly one follows it: check that flow and "
      "tracks are of the same frames (--frame, --truth-first)",
      truth, error);
}

std::string FlowDoubts::still(const std::string& truth) const {
  constexpr double least = 0.1;  // px: noise moves the points of a still scene by less
  const auto moves = [](const Pair& pair) { return pair.u != 0 || pair.v != 0; };
  if (std::any_of(pairs_.begin(), pairs_.end(), moves)) return "";
  const double step = median_of([](const Pair& pair) { return std::hypot(pair.dx, pair.dy); });
  if (step < least) return "";
  return fmt::format(
      "truth {} is 0 at all {} points, which move by {:.3g} px in the median: check that it is flow, and that of these "
      "frames (--frame, --truth-first)",
      truth, pairs_.size(), step);
}

/// Flow along x alone, as of a map of disparities, where points move along y, too; or of y alone.
std::string FlowDoubts::one_axis(const std::string& truth) const {
  constexpr double least = 0.25;  // px in the median
  for (const bool of_y : {true, false}) {
    const auto is_none = [of_y](const Pair& pair) { return (of_y ? pair.v : pair.u) == 0; };
    if (!std::all_of(pairs_.begin(), pairs_.end(), is_none)) continue;
    const double step = median_of([of_y](const Pair& pair) { return std::abs(of_y ? pair.dy : pair.dx); });
    if (step < least) continue;
    return fmt::format(
        "the {} of the vectors of {} is 0 at all {} points, which move by {:.3g} px along it in the median: check that "
        "both x and y were written",
        of_y ? "y" : "x", truth, pairs_.size(), step);
  }
  return "";
}

/// Numbers in the other byte order are huge, or next to nothing.
std::string FlowDoubts::endless(const std::string& truth) const {
  const int farthest = 8 * std::max(size_.width, size_.height);  // px
  const auto count = std::count_if(pairs_.begin(), pairs_.end(), [farthest](const Pair& pair) {
    return std::max(std::abs(pair.u), std::abs(pair.v)) > farthest;
  });
  if (20 * static_cast<std::size_t>(count) < pairs_.size()) return "";
  return fmt::format(
      "truth {} moves {} of {} points by more than {} px, eight times the larger side of the picture: check that its "
      "numbers are px, in the byte order of this machine (little-endian)",
      truth, count, pairs_.size(), farthest);
}

/// Many points lie at one and the same vector, and move elsewhere.
std::string FlowDoubts::unknown(const std::string& truth) const {
  constexpr std::size_t enough_alike = 8;
  constexpr double far = 2, still = 0.2;  // px; a vector of exactly 0 is no motion, whatever little the points do
  struct Group {
    std::size_t points = 0, wrong = 0;
  };
  std::map<std::pair<double, double>, Group> groups;
  std::size_t all_wrong = 0;
  for (const Pair& pair : pairs_) {
    Group& group = groups[{pair.u, pair.v}];
    const double most = pair.u == 0 && pair.v == 0 ? still : far;
    const bool is_wrong = std::hypot(pair.u - pair.dx, pair.v - pair.dy) > most;
    ++group.points;
    group.wrong += is_wrong ? 1 : 0;
    all_wrong += is_wrong ? 1 : 0;
  }
  for (const auto& [vector, group] : groups) {
    const std::size_t others = pairs_.size() - group.points;
    if (group.points < enough_alike || 20 * group.points < pairs_.size() || 10 * group.wrong < 9 * group.points)
      continue;
    if (others < enough_alike || 2 * (all_wrong - group.wrong) > others)
      continue;  // what is wrong as a whole has other causes
    return fmt::format(
        "truth {} is ({:.6g}, {:.6g}) at {} of {} points, which move elsewhere: if that means unknown, write 1e10 "
        "there, which .flo means by it",
        truth, vector.first, vector.second, group.points, pairs_.size());
  }
  return "";
}

bool FlowDoubts::is_constant() const {
  const Pair& first = pairs_.front();
  return std::all_of(pairs_.begin(), pairs_.end(),
                     [&first](const Pair& pair) { return pair.u == first.u && pair.v == first.v; });
}

/// Many vectors end at one number, and their points go on.
std::string FlowDoubts::clipped(const std::string& truth) const {
  constexpr std::size_t enough_clipped = 8;
  constexpr double beyond = 0.25, least = 0.5;  // px; shares of the picture end below that
  double limit = 0;
  for (const Pair& pair : pairs_) limit = std::max({limit, std::abs(pair.u), std::abs(pair.v)});
  std::size_t at_limit = 0, going_on = 0;
  for (const Pair& pair : pairs_)
    for (const auto& [flow, step] : {std::pair(pair.u, pair.dx), std::pair(pair.v, pair.dy)}) {
      if (std::abs(flow) != limit) continue;
      ++at_limit;
      going_on += std::copysign(1, flow) * step > limit + beyond ? 1U : 0U;
    }
  if (is_constant() || limit < least || going_on < enough_clipped || 20 * going_on < pairs_.size() ||
      10 * going_on < 7 * at_limit)
    return "";
  return fmt::format(
      "truth {} ends at {:.6g} px: {} of the {} vectors that do belong to points that move farther: it was clipped, or "
      "made for numbers from -1 to 1: give px, all that there are",
      truth, limit, going_on, at_limit);
}

std::string FlowDoubts::constant(const std::string& truth, double error) const {
  constexpr double least_apart = 0.25;  // px: points that move as one may follow one vector of another sign or unit
  const double dx = median_of([](const Pair& pair) { return pair.dx; });
  const double dy = median_of([](const Pair& pair) { return pair.dy; });
  const double apart = median_of([=](const Pair& pair) { return std::hypot(pair.dx - dx, pair.dy - dy); });
  if (!is_constant() || apart < least_apart) return "";
  const Pair& first = pairs_.front();
  return fmt::format(
      "truth {} is ({:.4g}, {:.4g}) px at all {} points, which are off it by {:.3g} px in the median: one vector for "
      "all, such as a mean, is no flow: give that of each pixel, and check that it is of these frames",
      truth, first.u, first.v, pairs_.size(), error);
}

std::string FlowDoubts::positions(const std::string& truth, double error) const {
  const double off =
      median_of([](const Pair& pair) { return std::hypot(pair.u - pair.found_x, pair.v - pair.found_y); });
  if (better * off > error) return "";
  return fmt::format(
      "truth {} seems to hold the positions that pixels move to, not how far they move: points are off by {:.3g} px in "
      "the median, and by {:.3g} px if it does: take each pixel's own x and y off its vector",
      truth, error, off);
}

std::string FlowDoubts::shares(const std::string& truth, double error) const {
  const double off = median_of(
      [this](const Pair& pair) { return std::hypot(pair.u * size_.width - pair.dx, pair.v * size_.height - pair.dy); });
  if (better * off > error) return "";
  return fmt::format(
      "truth {} seems to be in shares of the width and height: points are off by {:.3g} px in the median, and by "
      "{:.3g} px once it is multiplied by {} and {}: give px",
      truth, error, off, size_.width, size_.height);
}

std::string FlowDoubts::unit(const std::string& truth, double error) const {
  constexpr std::array<double, 6> parts{8, 16, 20, 32, 64, 256};  // of a px in which others hold flow
  constexpr double better_unit = 6;                               // ten times as long is not 1/8 px
  std::pair<double, double> best{error, 1};                       // the error, in the unit, and the unit
  for (const double part : parts)
    best = std::min(
        best,
        {median_of([part](const Pair& pair) { return std::hypot(pair.u - part * pair.dx, pair.v - part * pair.dy); }),
         part});
  if (better_unit * best.first >= error) return "";
  return fmt::format(
      "truth {} seems to be in 1/{} px: points are off by {:.3g} px in the median, and by {:.3g} px once it is divided "
      "by that: give px",
      truth, best.second, error, best.first / best.second);
}

std::string FlowDoubts::accumulated(const std::string& truth, double error) const {
  constexpr double least_steps = 3;
  const double last = std::max_element(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
                        return a.step_number < b.step_number;
                      })->step_number;
  if (last < least_steps) return "";
  const double off = median_of([](const Pair& pair) {
    return std::hypot(pair.u / pair.step_number - pair.dx, pair.v / pair.step_number - pair.dy);
  });
  // One factor of all steps, such as of flow in px a second, is another cause.
  const double mean_steps = median_of([](const Pair& pair) { return pair.step_number; });
  double factor_off = off;
  for (const double factor : {mean_steps, 24.0, 25.0, 30.0, 50.0, 60.0})
    factor_off = std::min(factor_off, median_of([factor](const Pair& pair) {
                            return std::hypot(pair.u / factor - pair.dx, pair.v / factor - pair.dy);
                          }));
  if (better * off > error || factor_off < off) return "";
  return fmt::format(
      "truth {} seems to lead from the first frame to each one: points are off by {:.3g} px in the median, and by "
      "{:.3g} px once it is divided by the steps between these, 1 to {}: give the flow from each frame to the next",
      truth, error, off, last);
}

std::string FlowDoubts::scattered(const std::string& truth) const {
  constexpr std::size_t least = 6, percent = 3;
  if (apart_ < least || 100 * apart_ < percent * steady_) return "";
  return fmt::format(
      "truth {} holds single vectors that stand more than 2 px apart from all four beside them, at {} of {} points "
      "beside which these are alike: wrong numbers among right ones: check what wrote or changed it",
      truth, apart_, steady_);
}

std::string FlowDoubts::length(const std::string& truth, double error) const {
  constexpr double least = 0.25;                        // px: shorter ones tell no ratio
  constexpr double alike = 1.3;                         // ratios up to this are of bad tracks
  constexpr double along = 0.9;                         // the cosine of both directions, in the median
  const double nearer = error < wrong ? better : 1.75;  // times: good tracks of slow things may be off by as much
  std::vector<double> ratios, cosines;
  for (const Pair& pair : pairs_) {
    const double step = std::hypot(pair.dx, pair.dy), flow = std::hypot(pair.u, pair.v);
    if (step < least || flow < least / 10) continue;
    ratios.push_back(flow / step);
    cosines.push_back((pair.dx * pair.u + pair.dy * pair.v) / (step * flow));
  }
  if (ratios.size() < enough || 2 * ratios.size() < pairs_.size()) return "";
  const double ratio = middle_of(ratios);
  if (middle_of(cosines) < along || std::max(ratio, 1 / ratio) < alike) return "";
  const double left =
      median_of([ratio](const Pair& pair) { return std::hypot(ratio * pair.dx - pair.u, ratio * pair.dy - pair.v); });
  // In px of whichever is longer: what is shortened is not nearer for that.
  if (nearer * left / std::min(ratio, 1.0) > error) return "";
  return fmt::format(
      "truth {} is {:.2g} times as long as what the points move, in the same direction: points are off by {:.3g} px in "
      "the median, and by {:.3g} px once that is made up for: give flow in px from each frame to the next, of these "
      "frames' size and rate",
      truth, ratio, error, left);
}

}  // namespace vergence::cli
