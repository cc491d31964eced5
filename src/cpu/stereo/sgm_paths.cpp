// SPDX-License-Identifier: Apache-2.0
// Steps along the paths of semi-global matching (definitions/stereo/sgm.h), all candidates of a pixel at once.
#define VERGENCE_SIMD_FILE "cpu/stereo/sgm_paths.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/lanes-inl.h"
#include "cpu/stereo/sgm.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Costs along a path, with a penalty or a cost added; what is no candidate stays none.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V AddCost(D d, V path, V more) {
  using L = hn::TFromD<D>;
  if constexpr (sizeof(L) <= 2)
    return hn::SaturatedAdd(path, more);
  else
    return hn::Min(hn::Add(path, more), hn::Set(d, no_candidate<L>));
}

/// The step of a vector of candidates. kEdge: the pixel before may lack candidates that this one has.
template <bool kEdge, class D, class V = hn::VFromD<D>>
HWY_INLINE V StepCosts(D d, V cost, V same, V lower, V higher, V p1, V bound, V least) {
  const V change = AddCost(d, hn::Min(lower, higher), p1);
  const V more = hn::Sub(hn::Min(hn::Min(same, change), bound), least);
  const V path = AddCost(d, cost, more);
  if constexpr (!kEdge) return path;
  return hn::IfThenElse(hn::Eq(same, hn::Set(d, no_candidate<hn::TFromD<D>>)), cost, path);
}

/// What becomes of the sums (VerticalStep::sums): nothing, or so many other paths are added.
inline constexpr int kNoSums = -1;

/// Sums of a vector of candidates: sets them to `paths` and kOthers rows of costs, or adds `paths` where there are
/// none.
template <int kOthers, size_t kPaths, class D, class S>
HWY_INLINE void PutSums(D d, const hn::VFromD<D> (&paths)[kPaths], const hn::TFromD<D>* const (&others)[3], int k,
                        S* HWY_RESTRICT sums) {
  const hn::ScalableTag<S> ds;
  const size_t n = hn::Lanes(ds);
  if constexpr (sizeof(S) == sizeof(hn::TFromD<D>)) {
    auto sum = paths[0];
    for (size_t i = 1; i < kPaths; ++i) sum = hn::Add(sum, paths[i]);
    for (int i = 0; i < kOthers; ++i) sum = hn::Add(sum, hn::Load(d, others[i] + k));
    if (kOthers == 0) sum = hn::Add(sum, hn::Load(ds, sums));
    hn::Store(sum, ds, sums);
  } else {
    const hn::Half<D> half;
    auto low = hn::PromoteTo(ds, hn::LowerHalf(half, paths[0]));
    auto high = hn::PromoteTo(ds, hn::UpperHalf(half, paths[0]));
    for (size_t i = 1; i < kPaths; ++i) {
      low = hn::Add(low, hn::PromoteTo(ds, hn::LowerHalf(half, paths[i])));
      high = hn::Add(high, hn::PromoteTo(ds, hn::UpperHalf(half, paths[i])));
    }
    for (int i = 0; i < kOthers; ++i) {
      low = hn::Add(low, hn::PromoteTo(ds, hn::Load(half, others[i] + k)));
      high = hn::Add(high, hn::PromoteTo(ds, hn::Load(half, others[i] + k + n)));
    }
    if (kOthers == 0) {
      low = hn::Add(low, hn::Load(ds, sums));
      high = hn::Add(high, hn::Load(ds, sums + n));
    }
    hn::Store(low, ds, sums);
    hn::Store(high, ds, sums + n);
  }
}

/// One pixel of kPaths paths, of kVectors vectors of candidates, or 0: of as many as `padded` takes.
template <size_t kPaths, bool kEdge, int kOthers, size_t kVectors, class L, class S>
HWY_INLINE void StepPixel(const VerticalStep<L, S>& step, int x, int padded) {
  const hn::ScalableTag<L> d;
  using V = hn::Vec<decltype(d)>;
  const int n = static_cast<int>(hn::Lanes(d));
  const int count = kVectors > 0 ? static_cast<int>(kVectors) * n : padded;
  const std::ptrdiff_t stride = count;
  const V p1 = hn::Set(d, step.p1), none = hn::Set(d, no_candidate<L>);
  const L* HWY_RESTRICT before[kPaths];
  L* HWY_RESTRICT after[kPaths];
  V least[kPaths], bound[kPaths], found[kPaths], same[kPaths], behind[kPaths];  // behind: the vector before `same`
  for (size_t i = 0; i < kPaths; ++i) {
    const auto& path = step.paths[i];
    before[i] = path.before.costs + (x - path.dx) * stride;
    after[i] = path.after.costs + x * stride;
    least[i] = hn::Set(d, path.before.least[x - path.dx]);
    bound[i] = AddCost(d, least[i], hn::Set(d, path.p2[x]));
    found[i] = behind[i] = none;
    same[i] = hn::Load(d, before[i]);
  }
  const L* HWY_RESTRICT costs = step.costs + x * stride;
  S* HWY_RESTRICT sums = kOthers != kNoSums ? step.sums + x * stride : nullptr;
  const L* others[3] = {};
  for (int i = 0; i < kOthers; ++i) others[i] = step.others[static_cast<size_t>(i)] + x * stride;
#pragma GCC unroll 4
  for (int k = 0; k < count; k += n) {
    const V cost = hn::Load(d, costs + k);
    V paths[kPaths];
    for (size_t i = 0; i < kPaths; ++i) {
      const V next = k + n < count ? hn::Load(d, before[i] + k + n) : none;
      const V lower = ShiftUpOne(d, same[i], behind[i]), higher = ShiftDownOne(d, same[i], next);
      const V path = StepCosts<kEdge>(d, cost, same[i], lower, higher, p1, bound[i], least[i]);
      behind[i] = same[i];
      same[i] = next;
      hn::Store(path, d, after[i] + k);
      found[i] = kVectors > 0 && k == 0 ? path : hn::Min(found[i], path);
      paths[i] = path;
    }
    if constexpr (kOthers != kNoSums) PutSums<kOthers>(d, paths, others, k, sums + k);
  }
  for (size_t i = 0; i < kPaths; ++i) step.paths[i].after.least[x] = hn::GetLane(LeastFirst(d, found[i]));
}

/// Pixels that, with all their neighbours, have every candidate.
struct Interior {
  int first, last;
};
HWY_INLINE Interior InteriorOf(const MatchLayout& layout) {
  return {std::max(1, layout.first_interior() + 1), std::min(layout.width - 2, layout.last_interior() - 1)};
}

/// Pixels [first, last). A step of its own, which no store of bytes can change, stays in registers.
template <size_t kPaths, bool kEdge, int kOthers, size_t kVectors, class L, class S>
HWY_NOINLINE void StepRun(const VerticalStep<L, S>& given, int first, int last, int padded) {
  const VerticalStep<L, S> step = given;
  for (int x = first; x < last; ++x) StepPixel<kPaths, kEdge, kOthers, kVectors>(step, x, padded);
}
/// The same, by the code for its number of vectors where costs are bytes.
template <size_t kPaths, bool kEdge, int kOthers, class L, class S>
HWY_INLINE void StepVectors(const VerticalStep<L, S>& step, int first, int last, int padded) {
  if constexpr (sizeof(L) == 1) {
    const int vectors = padded / static_cast<int>(hn::Lanes(hn::ScalableTag<L>()));
    if (vectors == 1) return StepRun<kPaths, kEdge, kOthers, 1>(step, first, last, padded);
    if (vectors == 2) return StepRun<kPaths, kEdge, kOthers, 2>(step, first, last, padded);
    if (vectors == 4) return StepRun<kPaths, kEdge, kOthers, 4>(step, first, last, padded);
  }
  StepRun<kPaths, kEdge, kOthers, 0>(step, first, last, padded);
}

/// Edges take a share of each row that matters for one path, which is cheap elsewhere.
template <size_t kPaths, int kOthers, class L, class S>
HWY_INLINE void StepEdge(const VerticalStep<L, S>& step, int first, int last, int padded) {
  if constexpr (kPaths == 1)
    StepVectors<kPaths, true, kOthers>(step, first, last, padded);
  else
    StepRun<kPaths, true, kOthers, 0>(step, first, last, padded);
}

template <size_t kPaths, int kOthers, class L, class S>
HWY_INLINE void StepPixels(const MatchLayout& layout, const VerticalStep<L, S>& step, int first, int last) {
  const Interior interior = InteriorOf(layout);
  const int from = step.starts ? last : std::clamp(interior.first, first, last);
  const int to = step.starts ? last : std::clamp(interior.last + 1, from, last);
  StepEdge<kPaths, kOthers>(step, first, from, layout.padded);
  StepVectors<kPaths, false, kOthers>(step, from, to, layout.padded);
  StepEdge<kPaths, kOthers>(step, to, last, layout.padded);
}

template <class L, class S>
HWY_INLINE void Vertical(const MatchLayout& layout, const VerticalStep<L, S>& step, int first, int last) {
  if (step.count == 1)
    step.sums != nullptr ? StepPixels<1, 3>(layout, step, first, last)
                         : StepPixels<1, kNoSums>(layout, step, first, last);
  else if (step.sums == nullptr)
    StepPixels<3, kNoSums>(layout, step, first, last);
  else
    step.other_count == 0 ? StepPixels<3, 0>(layout, step, first, last) : StepPixels<3, 2>(layout, step, first, last);
}

/// A horizontal path whose last pixel stays in registers: a load that spans two recent stores would wait for both.
template <class L, size_t kVectors>
struct Chain {
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;
  V costs[kVectors];
  V least;

  HWY_INLINE void Begin() {
    for (V& one : costs) one = hn::Set(D(), no_candidate<L>);
    least = hn::Zero(D());
  }
  template <bool kEdge>
  HWY_INLINE void Step(const L* HWY_RESTRICT cost, V p1, L p2) {
    const D d;
    const V none = hn::Set(d, no_candidate<L>), bound = AddCost(d, least, hn::Set(d, p2));
    V before = none, found = none;
    for (size_t v = 0; v < kVectors; ++v) {
      const V same = costs[v], after = v + 1 < kVectors ? costs[v + 1] : none;
      const V own = hn::Load(d, cost + v * hn::Lanes(d));
      costs[v] =
          StepCosts<kEdge>(d, own, same, ShiftUpOne(d, same, before), ShiftDownOne(d, same, after), p1, bound, least);
      found = hn::Min(found, costs[v]);
      before = same;
    }
    least = LeastLane(d, found);
  }
  HWY_INLINE void Put(L* HWY_RESTRICT to) const {
    for (size_t v = 0; v < kVectors; ++v) hn::Store(costs[v], D(), to + v * hn::Lanes(D()));
  }
};

/// Both paths walk towards each other and meet in the middle: two independent chains hide each other's latency.
template <size_t kVectors, class L, class S>
HWY_INLINE void WalkChains(const MatchLayout& layout, const HorizontalStep<L, S>& given) {
  const hn::ScalableTag<L> d;
  const HorizontalStep<L, S> step = given;  // which no store of bytes can change
  const auto stride = static_cast<std::ptrdiff_t>(kVectors * hn::Lanes(d));
  const int width = layout.width;
  const auto p1 = hn::Set(d, step.p1);
  Chain<L, kVectors> right, left;
  right.Begin();
  left.Begin();
  const auto walk = [&](int i, auto edge) HWY_ATTR {
    const int x = i, z = width - 1 - i;
    right.template Step<edge()>(step.costs + x * stride, p1, step.p2_from_left[x]);
    left.template Step<edge()>(step.costs + z * stride, p1, step.p2_from_right[z]);
    right.Put(step.from_left.costs + x * stride);
    left.Put(step.from_right.costs + z * stride);
  };
  // Steps at which both pixels lie in the interior.
  const Interior interior = InteriorOf(layout);
  const int from = step.gaps ? width : std::clamp(std::max(interior.first, width - 1 - interior.last), 0, width);
  const int to = std::clamp(std::min(interior.last, width - 1 - interior.first) + 1, from, width);
  for (int i = 0; i < from; ++i) walk(i, std::true_type());
  for (int i = from; i < to; ++i) walk(i, std::false_type());
  for (int i = to; i < width; ++i) walk(i, std::true_type());
}

/// The same for any number of vectors, by way of memory.
template <class L, class S>
HWY_INLINE void WalkRows(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  VerticalStep<L, S> steps[2];
  steps[0] = {step.costs, step.p1, {}, 1, false, nullptr, {}, 0};
  steps[1] = steps[0];
  steps[0].paths[0] = {1, step.from_left, step.from_left, step.p2_from_left};
  steps[1].paths[0] = {-1, step.from_right, step.from_right, step.p2_from_right};
  for (int i = 0; i < layout.width; ++i)
    for (int side = 0; side < 2; ++side)
      StepPixel<1, true, kNoSums, 0>(steps[side], side == 0 ? i : layout.width - 1 - i, layout.padded);
}

/// True if a pixel may have kVectors vectors of candidates: sums of 16 bits come in vectors, wider ones in larger
/// units.
template <size_t kVectors, class L, class S>
constexpr bool MayOccur() {
  return sizeof(S) == 2 || kVectors * HWY_MAX_BYTES / sizeof(L) % MatchLayout::wide_unit == 0;
}

/// One row of both paths, by the code for its number of vectors.
template <class L, class S>
HWY_INLINE void WalkBoth(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  const int vectors = layout.padded / static_cast<int>(hn::Lanes(hn::ScalableTag<L>()));
  if constexpr (MayOccur<1, L, S>())
    if (vectors == 1) return WalkChains<1>(layout, step);
  if constexpr (MayOccur<2, L, S>())
    if (vectors == 2) return WalkChains<2>(layout, step);
  if constexpr (MayOccur<4, L, S>())
    if (vectors == 4) return WalkChains<4>(layout, step);
  WalkRows(layout, step);
}

template <class L, class S>
HWY_INLINE void Horizontal(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  WalkBoth(layout, step);
  if (step.sums == nullptr) return;
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(layout.width) * layout.padded;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    step.sums[i] = static_cast<S>(S{step.from_left.costs[i]} + S{step.from_right.costs[i]});
}

#define VERGENCE_SGM_STEPS(name, L, S)                                                                             \
  void Horizontal##name(const MatchLayout& layout, const HorizontalStep<L, S>& step) { Horizontal(layout, step); } \
  void Vertical##name(const MatchLayout& layout, const VerticalStep<L, S>& step, int first, int last) {            \
    Vertical(layout, step, first, last);                                                                           \
  }
VERGENCE_SGM_STEPS(8, uint8_t, uint16_t)
VERGENCE_SGM_STEPS(16, uint16_t, uint32_t)
VERGENCE_SGM_STEPS(32, uint32_t, uint32_t)
VERGENCE_SGM_STEPS(64, uint32_t, uint64_t)
#undef VERGENCE_SGM_STEPS

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

#define VERGENCE_SGM_STEPS(name, L, S)                                                                               \
  VERGENCE_SIMD_EXPORT(Horizontal##name);                                                                            \
  VERGENCE_SIMD_EXPORT(Vertical##name);                                                                              \
  template <>                                                                                                        \
  void step_horizontally(const Context& context, const MatchLayout& layout, const HorizontalStep<L, S>& step) {      \
    VERGENCE_DISPATCH(Horizontal##name, context.target)(layout, step);                                               \
  }                                                                                                                  \
  template <>                                                                                                        \
  void step_vertically(const Context& context, const MatchLayout& layout, const VerticalStep<L, S>& step, int first, \
                       int last) {                                                                                   \
    VERGENCE_DISPATCH(Vertical##name, context.target)(layout, step, first, last);                                    \
  }
VERGENCE_SGM_STEPS(8, std::uint8_t, std::uint16_t)
VERGENCE_SGM_STEPS(16, std::uint16_t, std::uint32_t)
VERGENCE_SGM_STEPS(32, std::uint32_t, std::uint32_t)
VERGENCE_SGM_STEPS(64, std::uint32_t, std::uint64_t)
#undef VERGENCE_SGM_STEPS

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
