// SPDX-License-Identifier: Apache-2.0
// Pixels that may become points: columns of products that go down with the rows, scores on vectors, three rows of which
// tell the peaks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "cpu/track/stages.hpp"
#include "definitions/track/corner.h"
#include "definitions/track/eigen.h"

#define VERGENCE_SIMD_FILE "cpu/track/corners.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds the products of a row of gradients to the columns' sums, or takes them away.
void AddProducts(const int16_t* HWY_RESTRICT dx, const int16_t* HWY_RESTRICT dy, int shift, bool add, int width,
                 int32_t* HWY_RESTRICT xx, int32_t* HWY_RESTRICT xy, int32_t* HWY_RESTRICT yy) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto a = hn::ShiftRightSame(hn::PromoteTo(d, hn::LoadU(d16, dx + x)), shift);
    const auto b = hn::ShiftRightSame(hn::PromoteTo(d, hn::LoadU(d16, dy + x)), shift);
    const auto put = [&](hn::VFromD<decltype(d)> product, int32_t* sum) {
      const auto old = hn::LoadU(d, sum + x);
      hn::StoreU(add ? hn::Add(old, product) : hn::Sub(old, product), d, sum + x);
    };
    put(hn::Mul(a, a), xx);
    put(hn::Mul(a, b), xy);
    put(hn::Mul(b, b), yy);
  }
}

/// Adds the products of a row of gradients, and takes those of an older row away: of squares with one product.
void MoveProducts(const GradientRow& in, const GradientRow& out, int shift, int width, int32_t* HWY_RESTRICT xx,
                  int32_t* HWY_RESTRICT xy, int32_t* HWY_RESTRICT yy) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> d16;
  using V = hn::VFromD<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto load = [&](const int16_t* row) {
      return hn::ShiftRightSame(hn::PromoteTo(d, hn::LoadU(d16, row + x)), shift);
    };
    const V a = load(in.dx), b = load(in.dy), old_a = load(out.dx), old_b = load(out.dy);
    const auto put = [&](V change, int32_t* sum) { hn::StoreU(hn::Add(hn::LoadU(d, sum + x), change), d, sum + x); };
    put(hn::Mul(hn::Add(a, old_a), hn::Sub(a, old_a)), xx);
    put(hn::Sub(hn::Mul(a, b), hn::Mul(old_a, old_b)), xy);
    put(hn::Mul(hn::Add(b, old_b), hn::Sub(b, old_b)), yy);
  }
}

template <class V>
HWY_INLINE V SumAcross(const int32_t* p, int reach) {
  const hn::DFromV<V> d;
  V sum = hn::LoadU(d, p);
  for (int k = 1; k <= reach; ++k) sum = hn::Add(sum, hn::Add(hn::LoadU(d, p - k), hn::LoadU(d, p + k)));
  return sum;
}

/// Twice the smaller eigenvalues of `width` pixels, from the columns' sums.
void EigenScores(const int32_t* HWY_RESTRICT xx, const int32_t* HWY_RESTRICT xy, const int32_t* HWY_RESTRICT yy,
                 int reach, int width, double* HWY_RESTRICT out) {
  const hn::ScalableTag<int32_t> d;
  const hn::Half<decltype(d)> half;
  const hn::RepartitionToWide<decltype(d)> d64;
  const hn::RebindToFloat<decltype(d64)> df;
  using V32 = hn::VFromD<decltype(d)>;
  using Part = hn::VFromD<decltype(half)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // Products of numbers that lie in the lower halves of 64 bits: below 2^62.
  const auto square = [&](Part v) {
    const auto wide = hn::BitCast(d, hn::PromoteTo(d64, v));
    return hn::MulEven(wide, wide);
  };
  const auto put = [&](Part difference, Part twice, Part total, double* to) {
    const auto spread = hn::Add(square(difference), square(twice));
    hn::StoreU(hn::Sub(hn::PromoteTo(df, total), hn::Sqrt(hn::ConvertTo(df, spread))), df, to);
  };
  for (int x = 0; x < width; x += lanes) {
    const V32 a = SumAcross<V32>(xx + x, reach), b = SumAcross<V32>(xy + x, reach), c = SumAcross<V32>(yy + x, reach);
    const V32 difference = hn::Sub(a, c), twice = hn::Add(b, b), total = hn::Add(a, c);
    put(hn::LowerHalf(half, difference), hn::LowerHalf(half, twice), hn::LowerHalf(half, total), out + x);
    put(hn::UpperHalf(half, difference), hn::UpperHalf(half, twice), hn::UpperHalf(half, total), out + x + lanes / 2);
  }
}

/// The best of scores[first, last).
double BestScore(const double* scores, int first, int last) {
  const hn::ScalableTag<double> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto best = hn::Zero(d);
  int x = first;
  for (; x + lanes <= last; x += lanes) best = hn::Max(best, hn::LoadU(d, scores + x));
  double result = hn::GetLane(hn::MaxOfLanes(d, best));
  for (; x < last; ++x) result = std::max(result, scores[x]);
  return result;
}

/// The largest of each score and those beside it; scores[-1] and scores[width] are read, too.
void BestAcross(const double* HWY_RESTRICT scores, int width, double* HWY_RESTRICT out) {
  const hn::ScalableTag<double> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes)
    hn::StoreU(hn::Max(hn::LoadU(d, scores + x), hn::Max(hn::LoadU(d, scores + x - 1), hn::LoadU(d, scores + x + 1))),
               d, out + x);
}

/// Columns of [first, last) whose score is above `least` and no less than its neighbours', which `above`, `beside` and
/// `below` have the best of; returns how many.
int Peaks(const double* scores, const double* above, const double* beside, const double* below, int first, int last,
          double least, int32_t* HWY_RESTRICT columns) {
  const hn::ScalableTag<double> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int count = 0;
  for (int x = first; x < last; x += lanes) {
    const auto score = hn::LoadU(d, scores + x);
    const auto around = hn::Max(hn::LoadU(d, beside + x), hn::Max(hn::LoadU(d, above + x), hn::LoadU(d, below + x)));
    const auto peak = hn::And(hn::Gt(score, hn::Set(d, least)), hn::Ge(score, around));
    if (hn::AllFalse(d, peak)) continue;
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, peak, bits);
    for (int k = 0; k < lanes && x + k < last; ++k)
      if ((bits[0] >> k & 1) != 0) columns[count++] = x + k;
  }
  return count;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(AddProducts);
VERGENCE_SIMD_EXPORT(MoveProducts);
VERGENCE_SIMD_EXPORT(EigenScores);
VERGENCE_SIMD_EXPORT(BestScore);
VERGENCE_SIMD_EXPORT(BestAcross);
VERGENCE_SIMD_EXPORT(Peaks);

namespace {

/// Beside the picture, in elements: what vectors and the largest block read.
constexpr std::size_t pad = 32;

/// Scores row by row, on one thread.
class CornerRows {
 public:
  CornerRows(const TrackPlan& plan, const Context& context, std::vector<std::int32_t>& sums,
             std::vector<double>& scores, const TrackPlane<std::int16_t>& dx, const TrackPlane<std::int16_t>& dy)
      : plan_(plan), context_(context), dx_(dx), dy_(dy), pitch_(static_cast<std::size_t>(plan.size.width) + 2 * pad) {
    sums.assign(3 * pitch_, 0);
    scores.assign(6 * pitch_, 0);
    sums_ = sums.data();
    scores_ = scores.data();
  }

  /// Makes the scores of row y; rows are asked for in order, and the last three are kept.
  void make(int y) {
    const int reach = plan_.options.block / 2;
    if (next_ != y) {
      for (int v = y - reach; v <= y + reach; ++v) add(v, true);
    } else {
      move(y + reach, y - reach - 1);
    }
    next_ = y + 1;
    score(reach, row(y));
    VERGENCE_DISPATCH(BestAcross, context_.target)(row(y), plan_.size.width, best_across(y));
  }
  double* row(int y) { return scores_ + static_cast<std::size_t>(y % 3) * pitch_ + pad; }
  /// The best of each score of a row and those beside it.
  double* best_across(int y) { return row(y) + 3 * pitch_; }

 private:
  void score(int reach, double* out) {
    if (plan_.options.corner == TrackCorner::shi_tomasi) {
      VERGENCE_DISPATCH(EigenScores, context_.target)
      (column(0), column(1), column(2), reach, plan_.size.width, out);
      return;
    }
    for (int x = 0; x < plan_.size.width; ++x) {
      std::int64_t sum[3] = {};
      for (int k = 0; k < 3; ++k)
        for (int u = -reach; u <= reach; ++u) sum[k] += column(k)[x + u];
      out[x] = static_cast<double>(definitions::harris_score(sum[0], sum[1], sum[2], plan_.options.harris_k));
    }
  }
  std::int32_t* column(int k) { return sums_ + static_cast<std::size_t>(k) * pitch_ + pad; }
  void add(int y, bool plus) {
    if (y < 0 || y >= plan_.size.height) return;
    VERGENCE_DISPATCH(AddProducts, context_.target)
    (dx_.at(0, y), dy_.at(0, y), plan_.corner_shift, plus, plan_.size.width, column(0), column(1), column(2));
  }

  /// Row `in` comes, row `out` goes.
  void move(int in, int out) {
    if (in >= plan_.size.height || out < 0) {
      add(in, true);
      add(out, false);
      return;
    }
    VERGENCE_DISPATCH(MoveProducts, context_.target)
    ({dx_.at(0, in), dy_.at(0, in)}, {dx_.at(0, out), dy_.at(0, out)}, plan_.corner_shift, plan_.size.width, column(0),
     column(1), column(2));
  }

  const TrackPlan& plan_;
  const Context& context_;
  const TrackPlane<std::int16_t>&dx_, &dy_;
  std::size_t pitch_;
  std::int32_t* sums_ = nullptr;
  double* scores_ = nullptr;
  int next_ = -1;
};

/// Corners of rows [first, last); returns the best score where corners may be.
double find_corners(const TrackPlan& plan, const Context& context, CornerRows& rows, ImageView<const std::uint8_t> mask,
                    int first, int last, double best, std::vector<std::int32_t>& columns,
                    std::vector<backend::Corner>& found) {
  const int left = std::max(plan.roi.x, 1), right = std::min(plan.roi.x + plan.roi.width, plan.size.width - 1);
  if (first >= last || left >= right) return best;
  columns.resize(static_cast<std::size_t>(right - left) + pad);
  rows.make(first - 1);
  rows.make(first);
  for (int y = first; y < last; ++y) {
    rows.make(y + 1);
    const double* const scores = rows.row(y);
    if (mask.empty())
      best = std::max(best, VERGENCE_DISPATCH(BestScore, context.target)(scores, left, right));
    else
      for (int x = left; x < right; ++x)
        if (mask(x, y) != 0) best = std::max(best, scores[x]);
    const int count = VERGENCE_DISPATCH(Peaks, context.target)(scores, rows.best_across(y - 1), rows.best_across(y),
                                                               rows.best_across(y + 1), left, right,
                                                               plan.options.quality * best, columns.data());
    for (int i = 0; i < count; ++i) {
      const int x = columns[static_cast<std::size_t>(i)];
      if (mask.empty() || mask(x, y) != 0) found.push_back({scores[x], x, y});
    }
  }
  return best;
}

}  // namespace

template <class P>
void corners(const TrackPlan& plan, Context& context, TrackScratch& scratch, const TrackPlanes<P>& frame,
             ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) {
  constexpr int worth_a_thread = 64;  // rows
  const int top = std::max(plan.roi.y, 1), bottom = std::min(plan.roi.y + plan.roi.height, plan.size.height - 1);
  for (auto& found : scratch.found) found.clear();
  std::fill(scratch.best.begin(), scratch.best.end(), 0.0);
  context.threads.rows(std::max(bottom - top, 0), worth_a_thread, [&](int first, int last, int worker) {
    const auto index = static_cast<std::size_t>(worker);
    CornerRows rows(plan, context, scratch.sums[index], scratch.scores[index], frame.dx[0], frame.dy[0]);
    scratch.best[index] = find_corners(plan, context, rows, mask, top + first, top + last, scratch.best[index],
                                       scratch.columns[index], scratch.found[index]);
  });
  const double least = plan.options.quality * *std::max_element(scratch.best.begin(), scratch.best.end());
  corners.clear();
  for (const auto& found : scratch.found)
    std::copy_if(found.begin(), found.end(), std::back_inserter(corners),
                 [&](const backend::Corner& corner) { return corner.score > least; });
}
template void corners(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint8_t>&,
                      ImageView<const std::uint8_t>, std::vector<backend::Corner>&);
template void corners(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint16_t>&,
                      ImageView<const std::uint8_t>, std::vector<backend::Corner>&);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
