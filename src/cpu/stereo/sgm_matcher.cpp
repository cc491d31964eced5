// SPDX-License-Identifier: Apache-2.0
// From sums over the paths to disparities: the same slabs as for window sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/sgm_matcher.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/slab-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class S>
class Sums final : public SumsMatcher<S> {
 public:
  Sums(const StereoPlan& plan, const MatchLayout& layout) : layout_(layout), slab_(plan, layout) {}

  void begin(const MatchWants& wants) override { slab_.Begin(wants); }

  MatchedRow<S> row(const S* sums, bool diagonal, const uint8_t* rejected) override {
    slab_.BeginRow();
    for (int x = 0; x < layout_.width; x += MatchLayout::chunk) {
      const int count = std::min(MatchLayout::chunk, layout_.width - x);
      for (int i = 0; i < count; ++i) diagonal ? TakeOther(sums, x + i, slab_.Row(i)) : Take(sums, x + i, slab_.Row(i));
      slab_.SharedChunk(x, count, layout_.padded);
    }
    return slab_.Finish(rejected);
  }

  size_t bytes() const override { return slab_.bytes(); }

 private:
  void Take(const S* sums, int x, S* out) const {
    const S* from = sums + static_cast<std::ptrdiff_t>(x) * layout_.padded;
    std::copy_n(from, layout_.padded, out);
    RemoveOutside(x, out);
  }
  /// Pixel x of the other view, mirrored, and its candidate k are the pixel of the sums that the candidate means.
  void TakeOther(const S* sums, int x, S* out) const {
    for (int k = 0; k < layout_.count; ++k) {
      const int column = layout_.width - 1 - x + layout_.dmin + k;
      const bool inside = column >= 0 && column < layout_.width;
      out[k] = inside ? sums[static_cast<std::ptrdiff_t>(column) * layout_.padded + k] : none<S>;
    }
    std::fill(out + layout_.count, out + layout_.padded, none<S>);
  }
  void RemoveOutside(int x, S* out) const {
    if (!layout_.skip || !layout_.is_edge(x)) return;
    const int first = std::min(layout_.first_inside(x), layout_.count), last = std::max(layout_.last_inside(x), -1);
    std::fill(out, out + first, none<S>);
    std::fill(out + last + 1, out + layout_.count, none<S>);
  }

  const MatchLayout layout_;
  Slab<S> slab_;
};

std::unique_ptr<SumsMatcher<uint16_t>> Sums16(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<Sums<uint16_t>>(plan, layout);
}
std::unique_ptr<SumsMatcher<uint32_t>> Sums32(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<Sums<uint32_t>>(plan, layout);
}
std::unique_ptr<SumsMatcher<uint64_t>> Sums64(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<Sums<uint64_t>>(plan, layout);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

#define VERGENCE_SGM_SUMS(name, S)                                                                  \
  HWY_EXPORT(name);                                                                                 \
  template <>                                                                                       \
  std::unique_ptr<SumsMatcher<S>> make_sums_matcher(const StereoPlan& plan, const Context& context, \
                                                    const MatchLayout& layout) {                    \
    return VERGENCE_DISPATCH(name, context.target)(plan, layout);                                   \
  }
VERGENCE_SGM_SUMS(Sums16, std::uint16_t)
VERGENCE_SGM_SUMS(Sums32, std::uint32_t)
VERGENCE_SGM_SUMS(Sums64, std::uint64_t)
#undef VERGENCE_SGM_SUMS

}  // namespace vergence::cpu
#endif  // HWY_ONCE
