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

/// sums += path, or sums = path.
template <bool kAdd, class D, class S>
HWY_INLINE void Accumulate(D d, hn::VFromD<D> path, S* HWY_RESTRICT sums) {
  const hn::ScalableTag<S> ds;
  const auto put = [&](auto wide, S* at) HWY_ATTR { hn::Store(kAdd ? hn::Add(hn::Load(ds, at), wide) : wide, ds, at); };
  (void)d;
  if constexpr (sizeof(S) == sizeof(hn::TFromD<D>)) {
    put(path, sums);
  } else {
    const hn::Half<D> half;
    put(hn::PromoteTo(ds, hn::LowerHalf(half, path)), sums);
    put(hn::PromoteTo(ds, hn::UpperHalf(half, path)), sums + hn::Lanes(ds));
  }
}

/// One pixel of kPaths paths.
template <size_t kPaths, bool kEdge, bool kSums, class L, class S>
HWY_INLINE void StepPixel(const VerticalStep<L, S>& step, int x, int padded) {
  const hn::ScalableTag<L> d;
  using V = hn::Vec<decltype(d)>;
  const int n = static_cast<int>(hn::Lanes(d));
  const std::ptrdiff_t stride = padded;
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
  S* HWY_RESTRICT sums = kSums ? step.sums + x * stride : nullptr;
  for (int k = 0; k < padded; k += n) {
    const V cost = hn::Load(d, costs + k);
    for (size_t i = 0; i < kPaths; ++i) {
      const V next = k + n < padded ? hn::Load(d, before[i] + k + n) : none;
      const V lower = ShiftUpOne(d, same[i], behind[i]), higher = ShiftDownOne(d, same[i], next);
      const V path = StepCosts<kEdge>(d, cost, same[i], lower, higher, p1, bound[i], least[i]);
      behind[i] = same[i];
      same[i] = next;
      hn::Store(path, d, after[i] + k);
      found[i] = hn::Min(found[i], path);
      if constexpr (kSums) Accumulate<true>(d, path, sums + k);
    }
  }
  for (size_t i = 0; i < kPaths; ++i) step.paths[i].after.least[x] = hn::GetLane(LeastLane(d, found[i]));
}

/// Pixels that, with all their neighbours, have every candidate.
struct Interior {
  int first, last;
};
HWY_INLINE Interior InteriorOf(const MatchLayout& layout) {
  return {std::max(1, layout.first_interior() + 1), std::min(layout.width - 2, layout.last_interior() - 1)};
}

/// Pixels [first, last).
template <size_t kPaths, bool kEdge, bool kSums, class L, class S>
HWY_NOINLINE void StepRun(const VerticalStep<L, S>& step, int first, int last, int padded) {
  for (int x = first; x < last; ++x) StepPixel<kPaths, kEdge, kSums>(step, x, padded);
}

template <size_t kPaths, bool kSums, class L, class S>
HWY_INLINE void StepPixels(const MatchLayout& layout, const VerticalStep<L, S>& step, int first, int last) {
  const Interior interior = InteriorOf(layout);
  const int from = step.starts ? last : std::clamp(interior.first, first, last);
  const int to = step.starts ? last : std::clamp(interior.last + 1, from, last);
  StepRun<kPaths, true, kSums>(step, first, from, layout.padded);
  StepRun<kPaths, false, kSums>(step, from, to, layout.padded);
  StepRun<kPaths, true, kSums>(step, to, last, layout.padded);
}

template <class L, class S>
HWY_INLINE void Vertical(const MatchLayout& layout, const VerticalStep<L, S>& step, int first, int last) {
  if (step.count == 1)
    step.sums != nullptr ? StepPixels<1, true>(layout, step, first, last)
                         : StepPixels<1, false>(layout, step, first, last);
  else
    step.sums != nullptr ? StepPixels<3, true>(layout, step, first, last)
                         : StepPixels<3, false>(layout, step, first, last);
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
  template <class S>
  HWY_INLINE void Put(bool add, S* sums) const {
    const D d;
    if (add)
      for (size_t v = 0; v < kVectors; ++v) Accumulate<true>(d, costs[v], sums + v * hn::Lanes(d));
    else
      for (size_t v = 0; v < kVectors; ++v) Accumulate<false>(d, costs[v], sums + v * hn::Lanes(d));
  }
};

/// Both paths walk towards each other and meet in the middle: two independent chains hide each other's latency.
template <size_t kVectors, class L, class S>
HWY_INLINE void WalkChains(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  const hn::ScalableTag<L> d;
  const std::ptrdiff_t stride = layout.padded;
  const Interior interior = InteriorOf(layout);
  const auto p1 = hn::Set(d, step.p1);
  Chain<L, kVectors> right, left;
  right.Begin();
  left.Begin();
  const auto walk = [&](int i, auto edge) HWY_ATTR {
    const int x = i, z = layout.width - 1 - i;
    right.template Step<edge()>(step.costs + x * stride, p1, step.p2_from_left[x]);
    left.template Step<edge()>(step.costs + z * stride, p1, step.p2_from_right[z]);
    right.Put(x > z, step.sums + x * stride);
    left.Put(x >= z, step.sums + z * stride);
  };
  const auto is_edge = [&](int i) {
    const int z = layout.width - 1 - i;
    return i < interior.first || i > interior.last || z < interior.first || z > interior.last;
  };
  for (int i = 0; i < layout.width; ++i) is_edge(i) ? walk(i, std::true_type()) : walk(i, std::false_type());
}

/// The same for any number of vectors, by way of memory.
template <class L, class S>
HWY_INLINE void WalkRows(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  VerticalStep<L, S> steps[2];
  steps[0] = {step.costs, step.p1, {}, 1, false, step.sums};
  steps[1] = steps[0];
  steps[0].paths[0] = {1, step.from_left, step.from_left, step.p2_from_left};
  steps[1].paths[0] = {-1, step.from_right, step.from_right, step.p2_from_right};
  std::fill_n(step.sums, static_cast<std::ptrdiff_t>(layout.width) * layout.padded, S{0});
  for (int i = 0; i < layout.width; ++i)
    for (int side = 0; side < 2; ++side)
      StepPixel<1, true, true>(steps[side], side == 0 ? i : layout.width - 1 - i, layout.padded);
}

/// True if a pixel may have kVectors vectors of candidates: sums of 16 bits come in vectors, wider ones in larger
/// units.
template <size_t kVectors, class L, class S>
constexpr bool MayOccur() {
  return sizeof(S) == 2 || kVectors * HWY_MAX_BYTES / sizeof(L) % MatchLayout::wide_unit == 0;
}

template <class L, class S>
HWY_INLINE void Horizontal(const MatchLayout& layout, const HorizontalStep<L, S>& step) {
  const int vectors = layout.padded / static_cast<int>(hn::Lanes(hn::ScalableTag<L>()));
  if constexpr (MayOccur<1, L, S>())
    if (vectors == 1) return WalkChains<1>(layout, step);
  if constexpr (MayOccur<2, L, S>())
    if (vectors == 2) return WalkChains<2>(layout, step);
  if constexpr (MayOccur<4, L, S>())
    if (vectors == 4) return WalkChains<4>(layout, step);
  WalkRows(layout, step);
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
