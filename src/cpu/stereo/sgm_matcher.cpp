// SPDX-License-Identifier: Apache-2.0
// From sums over the paths to disparities: the same slabs as for window sums.
#include <algorithm>
#include <cstdint>

#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/slab.hpp"

namespace vergence::cpu {
namespace {

template <class S>
class Sums final : public SumsMatcher<S> {
 public:
  Sums(const StereoPlan& plan, const Context& context, const MatchLayout& layout)
      : layout_(layout), slab_(make_slab<S>(plan, context, layout)) {}

  void begin(const MatchWants& wants) override { slab_->begin(wants); }

  MatchedRow<S> row(const S* sums, bool diagonal, const RowNotes& notes) override {
    slab_->begin_row(notes);
    for (int x = 0; x < layout_.width; x += MatchLayout::chunk) {
      const int count = std::min(MatchLayout::chunk, layout_.width - x);
      if (diagonal)
        for (int i = 0; i < count; ++i) take_other(sums, x + i, slab_->row(i));
      else
        take(sums, x, count);
      slab_->chunk(x, count, layout_.padded);
    }
    return slab_->finish(notes.rejected);
  }

  std::size_t bytes() const override { return slab_->bytes(); }

 private:
  void take(const S* sums, int first, int count) {
    slab_->take(sums + static_cast<std::ptrdiff_t>(first) * layout_.padded, count, layout_.padded);
    if (!layout_.skip) return;
    const int end = first + count, from = std::clamp(layout_.first_interior(), first, end);
    for (int x = first; x < from; ++x) remove_outside(x, slab_->row(x - first));
    for (int x = std::clamp(layout_.last_interior() + 1, from, end); x < end; ++x)
      remove_outside(x, slab_->row(x - first));
  }
  void remove_outside(int x, S* out) const {
    const int first = std::min(layout_.first_inside(x), layout_.count), last = std::max(layout_.last_inside(x), -1);
    std::fill(out, out + first, none<S>);
    std::fill(out + last + 1, out + layout_.count, none<S>);
  }
  /// Pixel x of the other view, mirrored, and its candidate k are the pixel of the sums that the candidate means.
  void take_other(const S* sums, int x, S* out) const {
    for (int k = 0; k < layout_.count; ++k) {
      const int column = layout_.width - 1 - x + layout_.dmin + k;
      const bool inside = column >= 0 && column < layout_.width;
      out[k] = inside ? sums[static_cast<std::ptrdiff_t>(column) * layout_.padded + k] : none<S>;
    }
    std::fill(out + layout_.count, out + layout_.padded, none<S>);
  }

  const MatchLayout layout_;
  const std::unique_ptr<Slab<S>> slab_;
};

}  // namespace

template <class S>
std::unique_ptr<SumsMatcher<S>> make_sums_matcher(const StereoPlan& plan, const Context& context,
                                                  const MatchLayout& layout) {
  return std::make_unique<Sums<S>>(plan, context, layout);
}
template std::unique_ptr<SumsMatcher<std::uint16_t>> make_sums_matcher(const StereoPlan&, const Context&,
                                                                       const MatchLayout&);
template std::unique_ptr<SumsMatcher<std::uint32_t>> make_sums_matcher(const StereoPlan&, const Context&,
                                                                       const MatchLayout&);
template std::unique_ptr<SumsMatcher<std::uint64_t>> make_sums_matcher(const StereoPlan&, const Context&,
                                                                       const MatchLayout&);

}  // namespace vergence::cpu
