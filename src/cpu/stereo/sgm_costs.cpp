// SPDX-License-Identifier: Apache-2.0
// Costs of candidates for semi-global matching: of single pixels, or of windows by running sums.
#define HWY_WANT_AVX3_DL  // bits are counted
#define VERGENCE_SIMD_FILE "cpu/stereo/sgm_costs.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/window_sums-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// Costs of single pixels [x, x + count) of a row, all candidates of a pixel side by side.
template <class E, class T>
using RowCosts = void (*)(const RowPair<E>& row, const MatchLayout& layout, int x, int count, T* out);

template <class Tap, class T>
void RowCostsOf(const RowPair<typename Tap::Element>& row, const MatchLayout& layout, int x, int count, T* out) {
  const int padded = layout.padded;
  Cursor<typename Tap::Element> at(row, x, layout.position(x, 0));
  for (; count > 0; --count, out += padded, at.Step()) TapCosts<Tap>(at, padded, out);
}

/// Windows of costs of type L; those of single pixels are made in T, which may be narrower. Which ones these are, only
/// the function knows that makes them: what sums them is compiled once for all kinds.
template <class E, class L, class T>
class Costs final : public CandidateCosts<E, L> {
 public:
  Costs(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide, RowCosts<E, T> row_costs)
      : layout_(layout),
        wide_(wide),
        skip_(plan.options.outside == StereoOutside::skip),
        rx_(plan.rx),
        row_costs_(row_costs) {
    const auto padded = static_cast<size_t>(layout.padded);
    added_.reserve(kPixels * padded);
    removed_.reserve(kPixels * padded);
    if (plan.rx == 0 && plan.ry == 0) return;
    columns_.resize(static_cast<size_t>(wide.width) * padded);
    window_.resize(padded);
  }

  void single(const RowPair<E>& row, L* out) override {
    const std::ptrdiff_t stride = layout_.padded;
    if constexpr (sizeof(T) == sizeof(L)) {
      row_costs_(row, layout_, 0, layout_.width, out);
    } else {
      for (int x = 0; x < layout_.width; x += kPixels) {
        const int count = std::min(kPixels, layout_.width - x);
        row_costs_(row, layout_, x, count, added_.get());
        std::copy_n(added_.get(), count * stride, out + x * stride);
      }
    }
    RemoveOutside(out);
  }

  void clear() override { std::fill(columns_.begin(), columns_.end(), L{0}); }

  void change(const RowPair<E>& plus, const RowPair<E>* minus) override {
    const std::ptrdiff_t stride = layout_.padded;
    for (int x = 0; x < wide_.width; x += kPixels) {
      const int pixels = std::min(kPixels, wide_.width - x);
      const std::ptrdiff_t count = pixels * stride;
      L* HWY_RESTRICT columns = columns_.data() + x * stride;
      const T* HWY_RESTRICT added = added_.get();
      const T* HWY_RESTRICT removed = removed_.get();
      row_costs_(plus, wide_, x, pixels, added_.get());
      if (minus == nullptr) {
        for (std::ptrdiff_t i = 0; i < count; ++i) columns[i] = static_cast<L>(columns[i] + added[i]);
      } else {
        row_costs_(*minus, wide_, x, pixels, removed_.get());
        for (std::ptrdiff_t i = 0; i < count; ++i)
          columns[i] = static_cast<L>(columns[i] + static_cast<L>(L{added[i]} - L{removed[i]}));
      }
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

  size_t bytes() const override {
    return (columns_.capacity() + window_.capacity()) * sizeof(L) + added_.bytes() + removed_.bytes();
  }

 private:
  static constexpr int kPixels = 16;  ///< So few that their costs stay in the first-level cache.

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
  const RowCosts<E, T> row_costs_;
  std::vector<L> columns_, window_;
  AlignedBuffer<T> added_, removed_;
};

template <class E, class L>
using Made = std::unique_ptr<CandidateCosts<E, L>>;

/// Costs that fit a byte.
template <class L>
HWY_INLINE Made<uint8_t, L> FromBytes(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  const auto row_costs = layout.planes == 3   ? RowCostsOf<CensusTap<3>, uint8_t>
                         : layout.planes == 4 ? RowCostsOf<CensusTap<4>, uint8_t>
                         : layout.planes == 8 ? RowCostsOf<CensusTap<8>, uint8_t>
                                              : RowCostsOf<SadTap<false>, uint8_t>;
  return std::make_unique<Costs<uint8_t, L, uint8_t>>(plan, layout, wide, row_costs);
}
template <class E, class L>
HWY_INLINE Made<E, L> Square(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return std::make_unique<Costs<E, L, L>>(plan, layout, wide, RowCostsOf<WideTap<E, true>, L>);
}
template <class L>
HWY_INLINE Made<uint8_t, L> FromBytesOrSquares(const StereoPlan& plan, const MatchLayout& layout,
                                               const MatchLayout& wide) {
  if (plan.options.cost == StereoCost::ssd) return Square<uint8_t, L>(plan, layout, wide);
  return FromBytes<L>(plan, layout, wide);
}
template <class L>
HWY_INLINE Made<uint16_t, L> FromWords(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  if (plan.options.cost == StereoCost::ssd) return Square<uint16_t, L>(plan, layout, wide);
  return std::make_unique<Costs<uint16_t, L, L>>(plan, layout, wide, RowCostsOf<WideTap<uint16_t, false>, L>);
}

Made<uint8_t, uint8_t> Bytes8(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return FromBytes<uint8_t>(plan, layout, wide);
}
Made<uint8_t, uint16_t> Bytes16(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return FromBytesOrSquares<uint16_t>(plan, layout, wide);
}
Made<uint8_t, uint32_t> Bytes32(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return FromBytesOrSquares<uint32_t>(plan, layout, wide);
}
Made<uint16_t, uint16_t> Words16(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return FromWords<uint16_t>(plan, layout, wide);
}
Made<uint16_t, uint32_t> Words32(const StereoPlan& plan, const MatchLayout& layout, const MatchLayout& wide) {
  return FromWords<uint32_t>(plan, layout, wide);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

#define VERGENCE_SGM_COSTS(name, E, L)                                                                             \
  VERGENCE_SIMD_EXPORT(name);                                                                                      \
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
#endif  // VERGENCE_SIMD_ONCE
