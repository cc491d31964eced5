// SPDX-License-Identifier: Apache-2.0
// Costs of candidates for semi-global matching: of single pixels, or of windows by running sums.
#define HWY_WANT_AVX3_DL  // bits are counted
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/sgm_costs.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/dispatch.hpp"
#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/window_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Costs of a vector of candidates that fit a byte.
template <int kPlanes>
struct ByteTap {
  using Element = uint8_t;
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const Cursor<uint8_t>& at, int k) {
    if constexpr (kPlanes == 0) {
      return AbsDiff8(hn::Set(d, *at.ref), hn::LoadU(d, at.other + k));
    } else {
      auto sum = hn::Zero(d);
      for (int p = 0; p < kPlanes; ++p) {
        const auto word = hn::Set(d, at.ref[p * at.ref_stride]);
        sum = hn::Add(sum, PopCount8(hn::Xor(word, hn::LoadU(d, at.other + p * at.other_stride + k))));
      }
      return sum;
    }
  }
};

/// The costs of all candidates of a pixel.
template <class Tap, class L>
HWY_INLINE void TapCosts(const Cursor<typename Tap::Element>& at, int padded, L* HWY_RESTRICT out) {
  if constexpr (sizeof(L) == 1) {
    const hn::ScalableTag<uint8_t> d;
    for (int k = 0; k < padded; k += static_cast<int>(hn::Lanes(d))) hn::Store(Tap::Cost(d, at, k), d, out + k);
  } else {
    for (int k = 0; k < padded; ++k) out[k] = static_cast<L>(Tap::Scalar(at, k));
  }
}

template <class Tap, class L>
class Costs final : public CandidateCosts<typename Tap::Element, L> {
  using E = typename Tap::Element;

 public:
  Costs(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide)
      : layout_(layout), wide_(wide), skip_(plan.options.outside == StereoOutside::skip), rx_(plan.rx) {
    if (plan.rx == 0 && plan.ry == 0) return;
    columns_.resize(static_cast<size_t>(wide.width) * static_cast<size_t>(layout.padded));
    window_.resize(static_cast<size_t>(layout.padded));
    taps_.reserve(static_cast<size_t>(layout.padded));
  }

  void single(const RowPair<E>& row, L* out) override {
    const std::ptrdiff_t stride = layout_.padded;
    for (int x = 0; x < layout_.width; ++x)
      TapCosts<Tap, L>(Cursor<E>(row, x, layout_.position(x, 0)), layout_.padded, out + x * stride);
    RemoveOutside(out);
  }

  void clear() override { std::fill(columns_.begin(), columns_.end(), L{0}); }

  void change(const RowPair<E>& plus, const RowPair<E>* minus) override {
    L* column = columns_.data();
    L* const taps = taps_.get();
    for (int x = 0; x < wide_.width; ++x, column += layout_.padded) {
      TapCosts<Tap, L>(Cursor<E>(plus, x, wide_.position(x, 0)), layout_.padded, taps);
      for (int k = 0; k < layout_.padded; ++k) column[k] = static_cast<L>(column[k] + taps[k]);
      if (minus == nullptr) continue;
      TapCosts<Tap, L>(Cursor<E>(*minus, x, wide_.position(x, 0)), layout_.padded, taps);
      for (int k = 0; k < layout_.padded; ++k) column[k] = static_cast<L>(column[k] - taps[k]);
    }
  }

  void slide(L* out) override {
    const int padded = layout_.padded;
    const std::ptrdiff_t stride = layout_.padded;
    L* HWY_RESTRICT window = window_.data();
    std::fill(window_.begin(), window_.end(), L{0});
    const auto column = [&](int x) { return columns_.data() + static_cast<std::ptrdiff_t>(x) * padded; };
    for (int x = 0; x < 2 * rx_; ++x) AddTo(window, column(x), padded);
    for (int x = 0; x < layout_.width; ++x) {
      AddTo(window, column(x + 2 * rx_), padded);
      std::copy_n(window, padded, out + x * stride);
      const L* HWY_RESTRICT leaves = column(x);
      for (int k = 0; k < padded; ++k) window[k] = static_cast<L>(window[k] - leaves[k]);
    }
    RemoveOutside(out);
  }

  size_t bytes() const override { return (columns_.capacity() + window_.capacity()) * sizeof(L) + taps_.bytes(); }

 private:
  static HWY_INLINE void AddTo(L* HWY_RESTRICT window, const L* HWY_RESTRICT column, int count) {
    for (int k = 0; k < count; ++k) window[k] = static_cast<L>(window[k] + column[k]);
  }

  /// What is no candidate gets no cost: the padding, and partners outside the other picture.
  void RemoveOutside(L* out) const {
    const std::ptrdiff_t stride = layout_.padded;
    const L none = no_candidate<L>;
    if (layout_.padded > layout_.count)
      for (int x = 0; x < layout_.width; ++x)
        std::fill(out + x * stride + layout_.count, out + x * stride + layout_.padded, none);
    if (!skip_) return;
    const auto clip = [&](int x) {
      L* const costs = out + x * stride;
      const int first = std::min(layout_.first_inside(x), layout_.count), last = std::max(layout_.last_inside(x), -1);
      std::fill(costs, costs + first, none);
      std::fill(costs + last + 1, costs + layout_.count, none);
    };
    const int from = std::clamp(layout_.first_interior(), 0, layout_.width);
    const int to = std::clamp(layout_.last_interior() + 1, from, layout_.width);
    for (int x = 0; x < from; ++x) clip(x);
    for (int x = to; x < layout_.width; ++x) clip(x);
  }

  const MatchLayout layout_, wide_;
  const bool skip_;
  const int rx_;
  std::vector<L> columns_, window_;
  AlignedBuffer<L> taps_;
};

template <class E, class L>
using Made = std::unique_ptr<CandidateCosts<E, L>>;

template <class Tap, class L>
HWY_INLINE Made<typename Tap::Element, L> Make(const StereoPlan& plan, const MatchLayout& layout,
                                               const MatchLayout& wide) {
  return std::make_unique<Costs<Tap, L>>(plan, layout, wide);
}

Made<uint8_t, uint8_t> Bytes8(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  if (layout.planes == 3) return Make<ByteTap<3>, uint8_t>(plan, layout, wide);
  if (layout.planes == 4) return Make<ByteTap<4>, uint8_t>(plan, layout, wide);
  if (layout.planes == 8) return Make<ByteTap<8>, uint8_t>(plan, layout, wide);
  return Make<ByteTap<0>, uint8_t>(plan, layout, wide);
}
template <class L>
HWY_INLINE Made<uint8_t, L> BytesWide(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  if (layout.planes == 3) return Make<CensusTap<3>, L>(plan, layout, wide);
  if (layout.planes == 4) return Make<CensusTap<4>, L>(plan, layout, wide);
  if (layout.planes == 8) return Make<CensusTap<8>, L>(plan, layout, wide);
  if (plan.options.cost == StereoCost::ssd) return Make<WideTap<uint8_t, true>, L>(plan, layout, wide);
  return Make<WideTap<uint8_t, false>, L>(plan, layout, wide);
}
template <class L>
HWY_INLINE Made<uint16_t, L> WordsWide(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  if (plan.options.cost == StereoCost::ssd) return Make<WideTap<uint16_t, true>, L>(plan, layout, wide);
  return Make<WideTap<uint16_t, false>, L>(plan, layout, wide);
}
Made<uint8_t, uint16_t> Bytes16(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return BytesWide<uint16_t>(plan, layout, wide);
}
Made<uint8_t, uint32_t> Bytes32(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return BytesWide<uint32_t>(plan, layout, wide);
}
Made<uint16_t, uint16_t> Words16(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return WordsWide<uint16_t>(plan, layout, wide);
}
Made<uint16_t, uint32_t> Words32(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return WordsWide<uint32_t>(plan, layout, wide);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

#define VERGENCE_SGM_COSTS(name, E, L)                                                                             \
  HWY_EXPORT(name);                                                                                                \
  template <>                                                                                                      \
  std::unique_ptr<CandidateCosts<E, L>> make_candidate_costs(const StereoPlan& plan, const Context& context,       \
                                                             const MatchLayout& layout, const MatchLayout& wide) { \
    return VERGENCE_DISPATCH(name, context.target)(plan, layout, wide);                                            \
  }
VERGENCE_SGM_COSTS(Bytes8, std::uint8_t, std::uint8_t)
VERGENCE_SGM_COSTS(Bytes16, std::uint8_t, std::uint16_t)
VERGENCE_SGM_COSTS(Bytes32, std::uint8_t, std::uint32_t)
VERGENCE_SGM_COSTS(Words16, std::uint16_t, std::uint16_t)
VERGENCE_SGM_COSTS(Words32, std::uint16_t, std::uint32_t)
#undef VERGENCE_SGM_COSTS

}  // namespace vergence::cpu
#endif  // HWY_ONCE
