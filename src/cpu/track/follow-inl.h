// SPDX-License-Identifier: Apache-2.0
// Points followed several at a time on one thread: a round compares the windows of all, solves their equations in one
// go, and moves each on. One point alone would wait at every step for its sums, a division and a jump. Compiled once
// per target.

#if defined(VERGENCE_CPU_TRACK_FOLLOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_TRACK_FOLLOW_INL_H_
#undef VERGENCE_CPU_TRACK_FOLLOW_INL_H_
#else
#define VERGENCE_CPU_TRACK_FOLLOW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/track/stages.hpp"
#include "cpu/track/template-inl.h"
#include "definitions/track/solve.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The equations of definitions/track/solve.h for several points, in its order of operations.
class Equations {
 public:
  static constexpr size_t kMost = TrackWindows::most_points;

  Equations() { std::fill_n(determinant_, kMost, 1.0); }  // those without a point are solved as well

  void SetLeft(size_t i, const TemplateSums& sums) {
    xx_[i] = static_cast<double>(sums.xx);
    xy_[i] = static_cast<double>(sums.xy);
    yy_[i] = static_cast<double>(sums.yy);
    determinant_[i] = definitions::determinant(sums.xx, sums.xy, sums.yy);
  }
  void SetRight(size_t i, Mismatch sums) {
    x_[i] = sums.x;
    y_[i] = sums.y;
  }
  void Copy(size_t from, size_t to) {
    for (double* const one : {xx_, xy_, yy_, determinant_}) one[to] = one[from];
    for (int32_t* const one : {step_x_, step_y_}) one[to] = one[from];
  }

  HWY_INLINE void Solve(size_t count, double unit) {
    const hn::CappedTag<double, kMost> d;
    const hn::Rebind<int32_t, decltype(d)> d32;
    for (size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto a = hn::Load(d, xx_ + i), b = hn::Load(d, xy_ + i), c = hn::Load(d, yy_ + i);
      const auto x = hn::Load(d, x_ + i), y = hn::Load(d, y_ + i), determinant = hn::Load(d, determinant_ + i);
      const auto units = [&](auto sum) {
        const auto most = hn::Set(d, 67108864.0);
        const auto scaled = hn::Add(hn::Mul(hn::Div(sum, determinant), hn::Set(d, unit)), hn::Set(d, 0.5));
        return hn::DemoteTo(d32, hn::Max(hn::Min(hn::Floor(scaled), most), hn::Neg(most)));
      };
      hn::Store(units(hn::Sub(hn::Mul(c, x), hn::Mul(b, y))), d32, step_x_ + i);
      hn::Store(units(hn::Sub(hn::Mul(a, y), hn::Mul(b, x))), d32, step_y_ + i);
    }
  }
  TrackPosition Step(size_t i) const { return {step_x_[i], step_y_[i]}; }

 private:
  alignas(64) double xx_[kMost] = {}, xy_[kMost] = {}, yy_[kMost] = {},
                     determinant_[kMost], x_[kMost] = {}, y_[kMost] = {};
  alignas(64) int32_t step_x_[kMost] = {}, step_y_[kMost] = {};
};

template <class P, size_t kCap, bool kTwoRows, int kSide>
class Follower {
 public:
  Follower(const LkTask<P>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count)
      : task_(task), plan_(task.plan), templates_(task.plan), queries_(queries), found_(found), count_(count) {}

  void Run() {
    const auto most = static_cast<size_t>(TrackWindows::points(plan_.options.window));
    size_t active = 0;
    for (; active < most; ++active) {
      points_[active].samples = templates_.SamplesOf(task_.windows, active);
      if (!Fetch(points_[active]) || !GoOn(active, Enter(active))) break;
    }
    while (active > 0) {
      for (size_t i = 0; i < active; ++i) equations_.SetRight(i, Compare(points_[i]));
      equations_.Solve(active, plan_.step_unit);
      for (size_t i = 0; i < active;) {
        if (GoOn(i, Move(points_[i], equations_.Step(i)))) {
          ++i;
        } else if (--active > i) {
          points_[i] = points_[active];  // which has not been moved yet
          equations_.Copy(active, i);
        }
      }
    }
  }

 private:
  /// How a level ended, if it did.
  enum class End { none, converged, iterations_spent, outside, textureless };

  /// A point on its way.
  struct Point {
    int index = 0;  ///< Of its query.
    bool is_back = false;
    TrackedPoint there;   ///< What was found, while the way back is checked.
    TrackPosition start;  ///< Where it comes from: of the frame `from`.
    int level = 0, iteration = 0;
    TrackPosition on_level, entered, moved, before;
    TemplateGainOffset gain_offset;
    TemplateSamples samples;
  };
  const TrackPlanes<P>& From(const Point& p) const { return p.is_back ? task_.current : task_.previous; }
  const TrackPlanes<P>& To(const Point& p) const { return p.is_back ? task_.previous : task_.current; }

  bool IsOn(TrackPosition at) const {
    return definitions::is_on_picture(at.x, plan_.size.width) && definitions::is_on_picture(at.y, plan_.size.height);
  }
  bool HasLeft(Size level, TrackPosition at) const {
    const int side = plan_.options.window;
    return definitions::has_left(definitions::window_start(at.x, side), side, level.width) ||
           definitions::has_left(definitions::window_start(at.y, side), side, level.height);
  }

  /// Takes the next query whose point is on the picture: false if there is none.
  bool Fetch(Point& p) {
    while (next_ < count_) {
      const backend::TrackQuery& query = queries_[next_];
      p.index = next_++;
      p.is_back = false;
      if (IsOn(query.point)) {
        Begin(p, query.point, query.guess);
        return true;
      }
      found_[p.index] = {query.point, TrackStatus::outside, false, 0};
    }
    return false;
  }
  void Begin(Point& p, TrackPosition start, TrackPosition guess) {
    p.start = start;
    p.level = plan_.top();
    p.moved = {definitions::level_position(guess.x - start.x, p.level),
               definitions::level_position(guess.y - start.y, p.level)};
  }

  /// Begins a level.
  End Enter(size_t i) {
    Point& p = points_[i];
    p.entered = p.moved;
    p.on_level = {definitions::level_position(p.start.x, p.level), definitions::level_position(p.start.y, p.level)};
    const TemplateSums sums = templates_.Make(From(p), p.level, p.on_level, p.samples);
    if (definitions::is_textureless(sums.xx, sums.xy, sums.yy, plan_.eigen_limit)) return End::textureless;
    if (plan_.options.gain_offset) p.gain_offset = templates_.GainOffset(p.samples);
    equations_.SetLeft(i, sums);
    p.iteration = 0;
    return Check(p);
  }
  /// Whether there is something to compare.
  End Check(const Point& p) const {
    const TrackPosition at{p.on_level.x + p.moved.x, p.on_level.y + p.moved.y};
    return HasLeft(plan_.levels[static_cast<size_t>(p.level)], at) ? End::outside : End::none;
  }
  HWY_INLINE Mismatch Compare(const Point& p) const {
    const TrackPlane<P>& plane = To(p).pictures[static_cast<size_t>(p.level)];
    const TrackPosition at{p.on_level.x + p.moved.x, p.on_level.y + p.moved.y};
    return plan_.options.gain_offset ? templates_.CompareCompensated(plane, at, p.samples, p.gain_offset)
                                     : templates_.Compare(plane, at, p.samples);
  }
  End Move(Point& p, TrackPosition step) const {
    p.moved.x += step.x;
    p.moved.y += step.y;
    if (definitions::is_short_step(step.x, step.y, plan_.short_step)) return End::converged;
    if (p.iteration > 0 && definitions::is_oscillation(step.x, step.y, p.before.x, p.before.y)) {
      p.moved.x -= definitions::half_step(step.x);
      p.moved.y -= definitions::half_step(step.y);
      return End::converged;
    }
    p.before = step;
    if (++p.iteration == plan_.options.iterations) return End::iterations_spent;
    return Check(p);
  }

  /// Goes on to the next level, to the way back or to another query until there is something to compare: false if all
  /// queries are answered.
  bool GoOn(size_t i, End end) {
    Point& p = points_[i];
    while (end != End::none) {
      if (p.level > 0) {
        if (end == End::outside) p.moved = p.entered;
        p.moved = {2 * p.moved.x, 2 * p.moved.y};
        --p.level;
      } else if (!Finish(p, end)) {
        return false;
      }
      end = Enter(i);
    }
    return true;
  }

  /// Ends a way and begins another: false if there is none.
  bool Finish(Point& p, End end) {
    const TrackedPoint result = Result(p, end);
    if (p.is_back) {
      const TrackPosition origin = queries_[p.index].point;
      p.there.way_back = result.status == TrackStatus::tracked
                             ? definitions::squared_way_back(origin.x, origin.y, result.position.x, result.position.y)
                             : ~uint32_t{0};
      if (p.there.way_back > plan_.back_limit) {
        p.there.position = origin;
        p.there.status = TrackStatus::forward_backward;
      }
      found_[p.index] = p.there;
    } else if (plan_.options.forward_backward > 0 && result.status == TrackStatus::tracked) {
      p.there = result;
      p.is_back = true;
      Begin(p, result.position, result.position);
      return true;
    } else {
      found_[p.index] = result;
    }
    return Fetch(p);
  }
  TrackedPoint Result(const Point& p, End end) const {
    const auto lost = [&](TrackStatus why, bool converged, uint32_t residual) {
      return TrackedPoint{p.start, why, converged, residual};
    };
    if (end == End::textureless) return lost(TrackStatus::small_determinant, false, 0);
    if (end == End::outside) return lost(TrackStatus::outside, false, 0);
    const TrackPosition at{p.start.x + p.moved.x, p.start.y + p.moved.y};
    if (!IsOn(at)) return lost(TrackStatus::outside, false, 0);
    const bool converged = end == End::converged;
    const uint32_t residual = templates_.Residual(To(p).pictures[0], at, p.samples);
    if (!converged && plan_.options.must_converge) return lost(TrackStatus::not_converged, converged, residual);
    if (residual > plan_.residual_limit) return lost(TrackStatus::residual, converged, residual);
    return {at, TrackStatus::tracked, converged, residual};
  }

  const LkTask<P>& task_;
  const TrackPlan& plan_;
  Templates<P, kCap, kTwoRows, kSide> templates_;
  Equations equations_;
  Point points_[TrackWindows::most_points];
  const backend::TrackQuery* queries_;
  TrackedPoint* found_;
  int count_, next_ = 0;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_TRACK_FOLLOW_INL_H_
