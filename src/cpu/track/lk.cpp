// SPDX-License-Identifier: Apache-2.0
// Points of one frame in another: windows on vectors, several to a row where they are large, points on threads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/track_stages.hpp"
#include "definitions/track/eigen.h"
#include "definitions/track/light.h"
#include "definitions/track/solve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/track/lk.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/track/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Products of two such numbers, in pairs, that 32 bits hold.
inline int RowsIn32Bits(int64_t a, int64_t b) {
  return static_cast<int>(std::clamp<int64_t>(std::numeric_limits<int32_t>::max() / (2 * a * b), 1, 64));
}

enum class LkEnd { converged, iterations_spent, outside, textureless };

template <class P, size_t kCap>
class Follower {
 public:
  using Win = Windows<kCap>;
  using D16 = typename Win::D16;

  explicit Follower(const TrackPlan& plan)
      : plan_(plan), windows_(plan.options.window), shift_(std::is_same_v<P, uint8_t> ? 9 : plan.patch_shift) {
    const int64_t largest_pixel = std::is_same_v<P, uint8_t> ? 255 : (int64_t{1} << (plan.patch_shift - 1)) - 1;
    // Weights that are rounded may sum to a little more than one.
    const int64_t largest_gradient = ((16 * largest_pixel) >> plan.gradient_shift) + 8;
    constexpr int64_t largest_patch = 8194;  // and a difference of two
    gradient_rows_ = RowsIn32Bits(largest_gradient, largest_gradient);
    mixed_rows_ = RowsIn32Bits(largest_patch, largest_gradient);
    patch_rows_ = RowsIn32Bits(largest_patch, largest_patch);
  }

  TrackedPoint Find(const TrackPlanes<P>& previous, const TrackPlanes<P>& current, TrackWindow& window,
                    const backend::TrackQuery& query) const {
    const auto lost = [&](TrackStatus why, bool converged, uint32_t residual) {
      return TrackedPoint{query.point, why, converged, residual};
    };
    if (!IsOn(query.point)) return lost(TrackStatus::outside, false, 0);
    const int top = plan_.top();
    TrackPosition moved{definitions::level_position(query.guess.x - query.point.x, top),
                        definitions::level_position(query.guess.y - query.point.y, top)};
    LkEnd end = LkEnd::converged;
    for (int level = top; level >= 0; --level) {
      const TrackPosition start = moved;
      end = Improve(previous, current, window, level, query.point, moved);
      if (level == 0) break;
      if (end == LkEnd::outside) moved = start;
      moved = {2 * moved.x, 2 * moved.y};
    }
    if (end == LkEnd::textureless) return lost(TrackStatus::small_determinant, false, 0);
    if (end == LkEnd::outside) return lost(TrackStatus::outside, false, 0);
    const TrackPosition at{query.point.x + moved.x, query.point.y + moved.y};
    if (!IsOn(at)) return lost(TrackStatus::outside, false, 0);
    const bool converged = end == LkEnd::converged;
    // The window still holds the template of level 0.
    SamplePicture(current.pictures[0], at, window.target);
    const uint32_t residual = Residual(window);
    if (!converged && plan_.options.must_converge) return lost(TrackStatus::not_converged, converged, residual);
    if (residual > plan_.residual_limit) return lost(TrackStatus::residual, converged, residual);
    return {at, TrackStatus::tracked, converged, residual};
  }

 private:
  bool IsOn(TrackPosition at) const {
    return definitions::is_on_picture(at.x, plan_.size.width) && definitions::is_on_picture(at.y, plan_.size.height);
  }
  bool HasLeft(Size level, TrackPosition at) const {
    const int side = windows_.side();
    return definitions::has_left(definitions::window_start(at.x, side), side, level.width) ||
           definitions::has_left(definitions::window_start(at.y, side), side, level.height);
  }
  template <class T>
  const T* Start(const TrackPlane<T>& plane, TrackPosition at) const {
    return plane.at(definitions::window_start(at.x, windows_.side()), definitions::window_start(at.y, windows_.side()));
  }
  static SampleWeights WeightsAt(TrackPosition at) {
    return {definitions::position_fraction(at.x), definitions::position_fraction(at.y)};
  }
  void SamplePicture(const TrackPlane<P>& plane, TrackPosition at, int16_t* out) const {
    if constexpr (std::is_same_v<P, uint8_t>)
      windows_.Sample(Start(plane, at), plane.stride(), WeightsAt(at), 9, out);
    else
      windows_.Sample(Start(plane, at), plane.stride(), WeightsAt(at), shift_, out);
  }

  /// What the window holds of a level's template beside its samples.
  struct Sums {
    int64_t xx, xy, yy;
  };
  HWY_NOINLINE Sums MakeTemplate(const TrackPlanes<P>& frame, size_t level, TrackPosition at,
                                 TrackWindow& window) const {
    SamplePicture(frame.pictures[level], at, window.patch);
    const SampleWeights weights = WeightsAt(at);
    windows_.Sample(Start(frame.dx[level], at), frame.dx[level].stride(), weights, 14, window.dx);
    windows_.Sample(Start(frame.dy[level], at), frame.dy[level].stride(), weights, 14, window.dy);
    Products<D16> xx, xy, yy;
    windows_.ForColumns([&](int x) {
      for (int y = 0; y < windows_.side();) {
        for (const int last = std::min(y + gradient_rows_, windows_.side()); y < last; ++y) {
          const auto dx = hn::Load(D16(), window.dx + y * Win::kStride + x);
          const auto dy = hn::Load(D16(), window.dy + y * Win::kStride + x);
          xx.Take(dx, dx);
          xy.Take(dx, dy);
          yy.Take(dy, dy);
        }
        xx.Widen();
        xy.Widen();
        yy.Widen();
      }
    });
    return {xx.Total(), xy.Total(), yy.Total()};
  }

  struct Mismatch {
    double x, y;
  };
  /// Sums of (I - J) x gradient.
  HWY_NOINLINE Mismatch Compare(const TrackPlane<P>& plane, TrackPosition at, const TrackWindow& window) const {
    Products<D16> sum_x, sum_y;
    const P* const start = Start(plane, at);
    const SampleWeights weights = WeightsAt(at);
    const int shift = std::is_same_v<P, uint8_t> ? 9 : shift_;
    windows_.ForColumns([&](int x) {
      int left = mixed_rows_;
      windows_.SampleColumn(start + x, plane.stride(), weights, shift, [&](int y, typename Win::V16 samples) {
        const std::ptrdiff_t place = y * Win::kStride + x;
        const auto difference = hn::Sub(hn::Load(D16(), window.patch + place), samples);
        sum_x.Take(difference, hn::Load(D16(), window.dx + place));
        sum_y.Take(difference, hn::Load(D16(), window.dy + place));
        if (--left == 0) {
          sum_x.Widen();
          sum_y.Widen();
          left = mixed_rows_;
        }
      });
      sum_x.Widen();
      sum_y.Widen();
    });
    return {static_cast<double>(sum_x.Total()), static_cast<double>(sum_y.Total())};
  }

  /// The same in the template's light.
  struct Patch {
    int64_t sum, squares, with_dx, with_dy;
  };
  Patch Describe(const int16_t* patch, const TrackWindow& window) const {
    return {windows_.Total(patch), windows_.Total(patch, patch, patch_rows_),
            windows_.Total(patch, window.dx, mixed_rows_), windows_.Total(patch, window.dy, mixed_rows_)};
  }
  int64_t Count() const { return int64_t{windows_.side()} * windows_.side(); }
  double Gain(const Patch& of_template, const Patch& of_target) const {
    return definitions::root_of(
        definitions::squared_gain(definitions::n2_variance(Count(), of_template.sum, of_template.squares),
                                  definitions::n2_variance(Count(), of_target.sum, of_target.squares)));
  }
  Mismatch CompareLit(const TrackPlane<P>& plane, TrackPosition at, TrackWindow& window, const Patch& from,
                      int64_t sum_dx, int64_t sum_dy) const {
    SamplePicture(plane, at, window.target);
    const Patch to = Describe(window.target, window);
    const double gain = Gain(from, to);
    const auto covariance = [&](int64_t products, int64_t sum, int64_t gradients) {
      return definitions::n2_covariance(Count(), products, sum, gradients);
    };
    return {definitions::lit_sum(Count(), covariance(from.with_dx, from.sum, sum_dx),
                                 covariance(to.with_dx, to.sum, sum_dx), gain),
            definitions::lit_sum(Count(), covariance(from.with_dy, from.sum, sum_dy),
                                 covariance(to.with_dy, to.sum, sum_dy), gain)};
  }

  uint32_t Residual(const TrackWindow& window) const {
    int64_t sum = 0;
    if (plan_.options.light) {
      const Patch from = Describe(window.patch, window), to = Describe(window.target, window);
      const int gain = definitions::fixed_gain(Gain(from, to));
      const int offset = definitions::fixed_offset(Count(), from.sum, to.sum, gain);
      for (int y = 0; y < windows_.side(); ++y)
        for (int x = 0; x < windows_.side(); ++x) {
          const std::ptrdiff_t at = y * Win::kStride + x;
          sum += definitions::absolute_difference(window.patch[at],
                                                  definitions::lit_sample(window.target[at], gain, offset));
        }
    } else {
      sum = windows_.Difference(window.patch, window.target);
    }
    return static_cast<uint32_t>((sum << (10 + plan_.dropped_bits)) / (Count() * plan_.patch_scale));
  }

  LkEnd Improve(const TrackPlanes<P>& previous, const TrackPlanes<P>& current, TrackWindow& window, int level,
                TrackPosition whole, TrackPosition& moved) const {
    const auto index = static_cast<size_t>(level);
    const TrackPosition point{definitions::level_position(whole.x, level), definitions::level_position(whole.y, level)};
    const Sums from = MakeTemplate(previous, index, point, window);
    if (definitions::is_textureless(from.xx, from.xy, from.yy, plan_.eigen_limit)) return LkEnd::textureless;
    const bool light = plan_.options.light;
    const Patch lit = light ? Describe(window.patch, window) : Patch{};
    const int64_t sum_dx = light ? windows_.Total(window.dx) : 0, sum_dy = light ? windows_.Total(window.dy) : 0;
    const TrackPlane<P>& plane = current.pictures[index];
    int before_x = 0, before_y = 0;
    for (int i = 0; i < plan_.options.iterations; ++i) {
      const TrackPosition at{point.x + moved.x, point.y + moved.y};
      if (HasLeft(plan_.levels[index], at)) return LkEnd::outside;
      const Mismatch sums = light ? CompareLit(plane, at, window, lit, sum_dx, sum_dy) : Compare(plane, at, window);
      const int x = definitions::step_x(from.xx, from.xy, from.yy, sums.x, sums.y, plan_.step_unit);
      const int y = definitions::step_y(from.xx, from.xy, from.yy, sums.x, sums.y, plan_.step_unit);
      moved.x += x;
      moved.y += y;
      if (definitions::is_short_step(x, y, plan_.short_step)) return LkEnd::converged;
      if (i > 0 && definitions::is_swing(x, y, before_x, before_y)) {
        moved.x -= definitions::half_step(x);
        moved.y -= definitions::half_step(y);
        return LkEnd::converged;
      }
      before_x = x;
      before_y = y;
    }
    return LkEnd::iterations_spent;
  }

  const TrackPlan& plan_;
  Win windows_;
  int shift_;
  int gradient_rows_, mixed_rows_, patch_rows_;
};

template <size_t kCap, class P>
void FollowPoints(const LkTask<P>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  const Follower<P, kCap> follower(task.plan);
  for (int i = 0; i < count; ++i) {
    const backend::TrackQuery& query = queries[i];
    found[i] = follower.Find(task.previous, task.current, task.window, query);
    if (task.plan.options.forward_backward <= 0 || found[i].status != TrackStatus::tracked) continue;
    const TrackPosition at = found[i].position;
    const TrackedPoint back = follower.Find(task.current, task.previous, task.window, {at, at});
    const int64_t x = int64_t{back.position.x} - query.point.x, y = int64_t{back.position.y} - query.point.y;
    if (back.status != TrackStatus::tracked || x * x + y * y > task.plan.back_limit)
      found[i] = {query.point, TrackStatus::forward_backward, found[i].converged, found[i].residual};
  }
}

/// Small windows have small vectors: lanes behind their last column are wasted.
template <class P>
void FollowAny(const LkTask<P>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  const int side = task.plan.options.window;
  if (side <= 8)
    FollowPoints<8>(task, queries, found, count);
  else if (side <= 16)
    FollowPoints<16>(task, queries, found, count);
  else
    FollowPoints<32>(task, queries, found, count);
}
void FollowInBytes(const LkTask<uint8_t>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  FollowAny(task, queries, found, count);
}
void FollowInWords(const LkTask<uint16_t>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  FollowAny(task, queries, found, count);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(FollowInBytes);
HWY_EXPORT(FollowInWords);

namespace {

void follow(const Context& context, const LkTask<std::uint8_t>& task, const backend::TrackQuery* queries,
            TrackedPoint* found, int count) {
  VERGENCE_DISPATCH(FollowInBytes, context.target)(task, queries, found, count);
}
void follow(const Context& context, const LkTask<std::uint16_t>& task, const backend::TrackQuery* queries,
            TrackedPoint* found, int count) {
  VERGENCE_DISPATCH(FollowInWords, context.target)(task, queries, found, count);
}

}  // namespace

template <class P>
void lk(const TrackPlan& plan, Context& context, TrackScratch& scratch, const TrackPlanes<P>& previous,
        const TrackPlanes<P>& current, std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) {
  constexpr int worth_a_thread = 16;  // points
  context.threads.rows(static_cast<int>(queries.size()), worth_a_thread, [&](int first, int last, int worker) {
    const LkTask<P> task{plan, previous, current, *scratch.windows[static_cast<std::size_t>(worker)]};
    follow(context, task, queries.data() + first, found.data() + first, last - first);
  });
}
template void lk(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint8_t>&,
                 const TrackPlanes<std::uint8_t>&, std::span<const backend::TrackQuery>, std::span<TrackedPoint>);
template void lk(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint16_t>&,
                 const TrackPlanes<std::uint16_t>&, std::span<const backend::TrackQuery>, std::span<TrackedPoint>);

}  // namespace vergence::cpu
#endif  // HWY_ONCE
