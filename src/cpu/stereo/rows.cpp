// SPDX-License-Identifier: Apache-2.0
// A ring of prepared rows for each picture.
#include "cpu/stereo/rows.hpp"

#include <algorithm>
#include <type_traits>

namespace vergence::cpu {
namespace {

constexpr int nothing = -1;  ///< A slot that holds no row.

}  // namespace

template <class P, class E>
void FilteredRows<P, E>::begin(const Context& context, ImageView<const P> picture) {
  context_ = &context;
  picture_ = picture;
  stride_ = plan_->size.width + 2 * pad;
  memory_.resize(static_cast<std::size_t>(stride_ * kept));
  held_.assign(kept, nothing);
}

template <class P, class E>
const E* FilteredRows<P, E>::row(int y) {
  const auto slot = static_cast<std::size_t>(y % kept);
  E* out = memory_.data() + static_cast<std::ptrdiff_t>(slot) * stride_ + pad;
  if (held_[slot] != y) {
    make(y, out);
    std::fill(out - pad, out, out[0]);
    std::fill(out + plan_->size.width, out + plan_->size.width + pad, out[plan_->size.width - 1]);
    held_[slot] = y;
  }
  return out;
}

template <class P, class E>
void FilteredRows<P, E>::make(int y, E* out) {
  const int width = plan_->size.width, height = plan_->size.height;
  if (filter_ == StereoPrefilter::none) {
    std::copy_n(picture_.row(y), width, out);
    return;
  }
  const int cap = plan_->options.prefilter_cap;
  if constexpr (sizeof(E) == 1) {
    if (filter_ == StereoPrefilter::xsobel_opencv && height % 2 == 1 && y == height - 1) {
      std::fill_n(out, width, static_cast<E>(cap));
      return;
    }
    const int above = height == 1 ? 0 : (y == 0 ? 1 : y - 1);
    const int below = height == 1 ? 0 : (y == height - 1 ? height - 2 : y + 1);
    xsobel_row<P>(*context_, picture_.row(above), picture_.row(y), picture_.row(below), width, cap, out);
  }
}

int census_planes(StereoCost cost) {
  switch (cost) {
    case StereoCost::census_5x5:
      return 3;
    case StereoCost::census_symmetric_9x7:
      return 4;
    case StereoCost::census_9x7:
      return 8;
    default:
      return 1;
  }
}

template <class P, class F, class E>
PreparedRows<P, F, E>::PreparedRows(const StereoPlan& plan, const MatchLayout& layout, int margin)
    : plan_(&plan),
      layout_(&layout),
      first_(plan, plan.options.prefilter),
      second_(plan, plan.options.prefilter),
      slots_(2 * layout.ry + 2),
      margin_(margin),
      ref_stride_(layout.width + MatchLayout::slab_pad),
      other_stride_(layout.other_length()),
      ref_step_(ref_stride_ * layout.planes),
      other_step_(other_stride_ * layout.planes) {}

template <class P, class F, class E>
void PreparedRows<P, F, E>::begin(const Context& context, ImageView<const P> left, ImageView<const P> right) {
  context_ = &context;
  const bool left_reference = plan_->matches_left();
  first_.begin(context, left_reference ? left : right);
  second_.begin(context, left_reference ? right : left);
  ref_.resize(static_cast<std::size_t>(ref_step_ * (slots_ + 1)));  // new elements are 0
  other_.resize(static_cast<std::size_t>(other_step_ * (slots_ + 1)));
  words_.resize(static_cast<std::size_t>(ref_step_));
  if (margin_ > 0) margins_.resize(static_cast<std::size_t>(ref_step_));
  inside_.resize(static_cast<std::size_t>(layout_->other_length()));
  for (int p = 0; p < layout_->other_length(); ++p) {
    const int column = layout_->partner(p);
    inside_[static_cast<std::size_t>(p)] = !layout_->skip || (column >= 0 && column < layout_->width) ? 255 : 0;
  }
  held_.assign(static_cast<std::size_t>(slots_), nothing);
}

template <class P, class F, class E>
RowPair<E> PreparedRows<P, F, E>::row(int y) {
  const bool outside = y < 0 || y >= layout_->height;
  const int slot = outside ? slots_ : y % slots_;
  E* ref = ref_.data() + slot * ref_step_;
  E* other = other_.data() + slot * other_step_;
  if (!outside && held_[static_cast<std::size_t>(slot)] != y) {
    make(y, ref, other);
    held_[static_cast<std::size_t>(slot)] = y;
  }
  return {ref, other, ref_stride_, other_stride_};
}

template <class P, class F, class E>
void PreparedRows<P, F, E>::make(int y, E* ref, E* other) {
  const E* row = widened(matched(first_, y), false);
  for (int p = 0; p < layout_->planes; ++p) place_ref(row + p * ref_stride_, ref + p * ref_stride_);
  row = widened(matched(second_, y), plan_->options.outside == StereoOutside::zero);
  for (int p = 0; p < layout_->planes; ++p) place_other(row + p * ref_stride_, other + p * other_stride_);
}

template <class P, class F, class E>
const E* PreparedRows<P, F, E>::matched(FilteredRows<P, F>& rows, int y) {
  const StereoCost cost = plan_->options.cost;
  if constexpr (std::is_same_v<F, E>) {
    if (cost == StereoCost::sad || cost == StereoCost::ssd) return rows.row(y);
  }
  if constexpr (sizeof(E) == 1) {
    const F* neighbours[7];
    for (int i = 0; i < 7; ++i) neighbours[i] = rows.row(std::clamp(y + i - 3, 0, layout_->height - 1));
    census_row<F>(*context_, neighbours, layout_->width - 2 * margin_, cost, words_.data(), ref_stride_);
    return words_.data();
  } else {
    return rows.row(y);
  }
}

template <class P, class F, class E>
const E* PreparedRows<P, F, E>::widened(const E* row, bool zeros) {
  if (margin_ == 0) return row;
  const int width = layout_->width - 2 * margin_;
  for (int p = 0; p < layout_->planes; ++p) {
    const E* in = row + p * ref_stride_;
    E* out = margins_.data() + p * ref_stride_;
    std::fill_n(out, margin_, zeros ? E{0} : in[0]);
    std::copy_n(in, width, out + margin_);
    std::fill_n(out + margin_ + width, margin_, zeros ? E{0} : in[width - 1]);
  }
  return margins_.data();
}

template <class P, class F, class E>
void PreparedRows<P, F, E>::place_ref(const E* in, E* out) const {
  if (plan_->matches_left())
    std::copy_n(in, layout_->width, out);
  else
    std::reverse_copy(in, in + layout_->width, out);
}

template <class P, class F, class E>
void PreparedRows<P, F, E>::place_other(const E* in, E* out) const {
  const int width = layout_->width, length = layout_->other_length(), dmin = layout_->dmin;
  const int first = std::clamp(-dmin, 0, length), last = std::clamp(width - dmin, 0, length);  // positions inside
  // Position p is column W - 1 - dmin - p of the working orientation; seen from the right picture that is column dmin +
  // p.
  if (plan_->matches_left())
    std::reverse_copy(in + width - dmin - last, in + width - dmin - first, out + first);
  else
    std::copy(in + dmin + first, in + dmin + last, out + first);
  const bool clamp = plan_->options.outside == StereoOutside::clamp;
  const E before = plan_->matches_left() ? in[width - 1] : in[0];  // small positions lie right of the picture
  const E after = plan_->matches_left() ? in[0] : in[width - 1];
  std::fill(out, out + first, clamp ? before : E{0});
  std::fill(out + last, out + length, clamp ? after : E{0});
}

template <class P, class F, class E>
std::size_t PreparedRows<P, F, E>::bytes() const {
  return first_.bytes() + second_.bytes() + (ref_.capacity() + other_.capacity() + margins_.capacity()) * sizeof(E) +
         words_.capacity() + inside_.capacity() + held_.capacity() * sizeof(int);
}

template class FilteredRows<std::uint8_t, std::uint8_t>;
template class FilteredRows<std::uint16_t, std::uint8_t>;
template class FilteredRows<std::uint16_t, std::uint16_t>;
template class PreparedRows<std::uint8_t, std::uint8_t, std::uint8_t>;
template class PreparedRows<std::uint16_t, std::uint8_t, std::uint8_t>;
template class PreparedRows<std::uint16_t, std::uint16_t, std::uint16_t>;
template class PreparedRows<std::uint16_t, std::uint16_t, std::uint8_t>;

}  // namespace vergence::cpu
