// SPDX-License-Identifier: Apache-2.0
// Points of one frame in another, from the coarsest level to the finest: docs/algorithms/track/lk.md.
#include <cstdint>
#include <vector>

#include "definitions/track/eigen.h"
#include "definitions/track/gain_offset.h"
#include "definitions/track/position.h"
#include "definitions/track/sample.h"
#include "definitions/track/solve.h"
#include "reference/track/stages.hpp"

namespace vergence::reference {
namespace {

/// The weighted sum at a window's sample; `pixel(x, y)` gives a pixel of any coordinates.
struct Weights {
  explicit Weights(TrackPosition at) {
    const int x = definitions::position_fraction(at.x), y = definitions::position_fraction(at.y);
    here = definitions::weight_here(x, y);
    right = definitions::weight_right(x, y);
    below = definitions::weight_below(x, y);
    both = definitions::weight_both(x, y);
  }
  template <class F>
  int sum(int x, int y, F&& pixel) const {
    return here * pixel(x, y) + right * pixel(x + 1, y) + below * pixel(x, y + 1) + both * pixel(x + 1, y + 1);
  }
  int here, right, below, both;
};

/// The samples of a window about a position on a level.
template <class P>
std::vector<int> patch_at(const TrackPlan& plan, const Image<P>& picture, TrackPosition at) {
  const auto pixel = [&](int x, int y) {
    return int{picture(definitions::mirrored(x, picture.width()), definitions::mirrored(y, picture.height()))};
  };
  const int side = plan.options.window;
  const Weights weights(at);
  const int x = definitions::window_start(at.x, side), y = definitions::window_start(at.y, side);
  std::vector<int> patch;
  for (int v = 0; v < side; ++v)
    for (int u = 0; u < side; ++u)
      patch.push_back(definitions::patch_from(weights.sum(x + u, y + v, pixel), plan.patch_shift));
  return patch;
}

/// The same for a gradient, which is 0 outside the picture: what is mirrored there tells nothing new.
std::vector<int> gradient_at(const TrackPlan& plan, const Image<std::int16_t>& gradient, TrackPosition at) {
  const auto pixel = [&](int x, int y) {
    return x < 0 || y < 0 || x >= gradient.width() || y >= gradient.height() ? 0 : int{gradient(x, y)};
  };
  const int side = plan.options.window;
  const Weights weights(at);
  const int x = definitions::window_start(at.x, side), y = definitions::window_start(at.y, side);
  std::vector<int> samples;
  for (int v = 0; v < side; ++v)
    for (int u = 0; u < side; ++u) samples.push_back(definitions::gradient_from(weights.sum(x + u, y + v, pixel)));
  return samples;
}

std::int64_t total(const std::vector<int>& a) {
  std::int64_t sum = 0;
  for (const int value : a) sum += value;
  return sum;
}
std::int64_t total(const std::vector<int>& a, const std::vector<int>& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::int64_t{a[i]} * b[i];
  return sum;
}

/// What a level of the template has to say about a point.
struct Template {
  std::vector<int> patch, dx, dy;
  std::int64_t xx, xy, yy;
};

template <class P>
Template template_at(const TrackPlan& plan, const TrackFrame<P>& frame, std::size_t level, TrackPosition at) {
  Template made{patch_at(plan, frame.pictures[level], at),
                gradient_at(plan, frame.dx[level], at),
                gradient_at(plan, frame.dy[level], at),
                0,
                0,
                0};
  made.xx = total(made.dx, made.dx);
  made.xy = total(made.dx, made.dy);
  made.yy = total(made.dy, made.dy);
  return made;
}

/// The gain that gives the target the template's deviation.
double gain_of(const std::vector<int>& of_template, const std::vector<int>& of_target) {
  const auto n = static_cast<std::int64_t>(of_template.size());
  const auto variance = [&](const std::vector<int>& patch) {
    return definitions::n2_variance(n, total(patch), total(patch, patch));
  };
  return definitions::root_of(definitions::squared_gain(variance(of_template), variance(of_target)));
}

/// The sum of (I - J) x gradient, J with the template's mean and deviation where the plan asks for it.
double mismatch(const TrackPlan& plan, const Template& from, const std::vector<int>& gradient,
                const std::vector<int>& target) {
  if (!plan.options.gain_offset) return static_cast<double>(total(from.patch, gradient) - total(target, gradient));
  const auto n = static_cast<std::int64_t>(target.size());
  const auto covariance = [&](const std::vector<int>& patch) {
    return definitions::n2_covariance(n, total(patch, gradient), total(patch), total(gradient));
  };
  return definitions::compensated_sum(n, covariance(from.patch), covariance(target), gain_of(from.patch, target));
}

std::uint32_t residual_of(const TrackPlan& plan, const std::vector<int>& from, const std::vector<int>& target) {
  const auto n = static_cast<std::int64_t>(target.size());
  int gain = 16384, offset = 0;
  if (plan.options.gain_offset) {
    gain = definitions::fixed_gain(gain_of(from, target));
    offset = definitions::fixed_offset(n, total(from), total(target), gain);
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < target.size(); ++i)
    sum += definitions::absolute_difference(from[i], definitions::compensated_sample(target[i], gain, offset));
  return static_cast<std::uint32_t>((sum << (10 + plan.dropped_bits)) / (n * plan.patch_scale));
}

bool has_left(const TrackPlan& plan, Size level, TrackPosition at) {
  const int side = plan.options.window;
  return definitions::has_left(definitions::window_start(at.x, side), side, level.width) ||
         definitions::has_left(definitions::window_start(at.y, side), side, level.height);
}

enum class LevelEnd { converged, iterations_spent, outside, textureless };

/// Improves the displacement of a point on one level; what it found on a level that ends outside is for the caller to
/// forget.
template <class P>
LevelEnd improve(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current, std::size_t level,
                 TrackPosition point, TrackPosition& moved) {
  const Template from = template_at(plan, previous, level, point);
  if (definitions::is_textureless(from.xx, from.xy, from.yy, plan.eigen_limit)) return LevelEnd::textureless;
  int before_x = 0, before_y = 0;
  for (int i = 0; i < plan.options.iterations; ++i) {
    const TrackPosition at{point.x + moved.x, point.y + moved.y};
    if (has_left(plan, plan.levels[level], at)) return LevelEnd::outside;
    const std::vector<int> target = patch_at(plan, current.pictures[level], at);
    const double x = mismatch(plan, from, from.dx, target), y = mismatch(plan, from, from.dy, target);
    const int step_x = definitions::step_x(from.xx, from.xy, from.yy, x, y, plan.step_unit);
    const int step_y = definitions::step_y(from.xx, from.xy, from.yy, x, y, plan.step_unit);
    moved.x += step_x;
    moved.y += step_y;
    if (definitions::is_short_step(step_x, step_y, plan.short_step)) return LevelEnd::converged;
    if (i > 0 && definitions::is_oscillation(step_x, step_y, before_x, before_y)) {
      moved.x -= definitions::half_step(step_x);
      moved.y -= definitions::half_step(step_y);
      return LevelEnd::converged;
    }
    before_x = step_x;
    before_y = step_y;
  }
  return LevelEnd::iterations_spent;
}

bool is_on(const TrackPlan& plan, TrackPosition at) {
  return definitions::is_on_picture(at.x, plan.size.width) && definitions::is_on_picture(at.y, plan.size.height);
}

TrackedPoint lost(const backend::TrackQuery& query, TrackStatus why, bool converged = false,
                  std::uint32_t residual = 0) {
  return {query.point, why, converged, residual};
}

/// One way; the guess is on the picture.
template <class P>
TrackedPoint find(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current,
                  const backend::TrackQuery& query) {
  if (!is_on(plan, query.point)) return lost(query, TrackStatus::outside);
  TrackPosition moved{definitions::level_position(query.guess.x - query.point.x, plan.top()),
                      definitions::level_position(query.guess.y - query.point.y, plan.top())};
  LevelEnd end = LevelEnd::converged;
  for (int level = plan.top(); level >= 0; --level) {
    const TrackPosition point{definitions::level_position(query.point.x, level),
                              definitions::level_position(query.point.y, level)};
    const TrackPosition start = moved;
    end = improve(plan, previous, current, static_cast<std::size_t>(level), point, moved);
    if (level == 0) break;
    if (end == LevelEnd::outside) moved = start;
    moved = {2 * moved.x, 2 * moved.y};
  }
  if (end == LevelEnd::textureless) return lost(query, TrackStatus::small_determinant);
  if (end == LevelEnd::outside) return lost(query, TrackStatus::outside);
  const TrackPosition at{query.point.x + moved.x, query.point.y + moved.y};
  if (!is_on(plan, at)) return lost(query, TrackStatus::outside);
  const bool converged = end == LevelEnd::converged;
  const std::uint32_t residual =
      residual_of(plan, patch_at(plan, previous.pictures[0], query.point), patch_at(plan, current.pictures[0], at));
  if (!converged && plan.options.must_converge) return lost(query, TrackStatus::not_converged, converged, residual);
  if (residual > plan.residual_limit) return lost(query, TrackStatus::residual, converged, residual);
  return {at, TrackStatus::tracked, converged, residual};
}

/// How far from where the point came from the way back ends, squared.
template <class P>
std::uint32_t way_back(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current,
                       const backend::TrackQuery& query, TrackPosition at) {
  const TrackedPoint back = find(plan, current, previous, {at, at});
  if (back.status != TrackStatus::tracked) return ~std::uint32_t{0};
  return definitions::squared_way_back(query.point.x, query.point.y, back.position.x, back.position.y);
}

}  // namespace

template <class P>
void lk(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current,
        std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    found[i] = find(plan, previous, current, queries[i]);
    if (plan.options.forward_backward == 0 || found[i].status != TrackStatus::tracked) continue;
    found[i].way_back = way_back(plan, previous, current, queries[i], found[i].position);
    if (found[i].way_back <= plan.back_limit) continue;
    found[i].position = queries[i].point;
    found[i].status = TrackStatus::forward_backward;
  }
}

template void lk(const TrackPlan&, const TrackFrame<std::uint8_t>&, const TrackFrame<std::uint8_t>&,
                 std::span<const backend::TrackQuery>, std::span<TrackedPoint>);
template void lk(const TrackPlan&, const TrackFrame<std::uint16_t>&, const TrackFrame<std::uint16_t>&,
                 std::span<const backend::TrackQuery>, std::span<TrackedPoint>);

}  // namespace vergence::reference
