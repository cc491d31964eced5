// SPDX-License-Identifier: Apache-2.0
// What a thread of semi-global matching does with whole rows. The types of pixels and those of costs meet in virtual
// functions of a row: code for each pair of them would be much to compile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "cpu/stereo/masked_row.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/rows.hpp"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/sgm_memory.hpp"
#include "cpu/stereo/texture.hpp"

namespace vergence::cpu {

/// The plan with the view whose paths are summed as its reference.
inline StereoPlan sums_plan_of(const StereoPlan& plan) {
  StereoPlan sums_plan = plan;
  sums_plan.options.reference = plan.sums_view;
  return sums_plan;
}
/// The layout of rows that are wider than the picture by half a window on both sides.
inline MatchLayout widened(const StereoPlan& plan, MatchLayout layout) {
  layout.width += 2 * plan.rx;
  layout.ry = plan.ry;
  return layout;
}
/// The layout of the map's own candidates: in the other view than that of the sums, a pixel without a partner has none.
inline MatchLayout own_layout(const StereoPlan& plan, MatchLayout layout) {
  layout.skip = layout.skip || plan.options.reference != plan.sums_view;
  return layout;
}

/// What a thread reads of the pictures.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  /// Grey levels of row y of the view whose paths are summed, mirrored as band.hpp says.
  virtual void grey(int y, std::uint16_t* out) const = 0;
  /// See TextureRows.
  virtual const std::uint8_t* without_texture(int y) = 0;
  virtual std::size_t bytes() const = 0;
};
template <class E>
class MatchedRows : public PictureRows {
 public:
  /// See PreparedRows.
  virtual RowPair<E> row(int y) = 0;
};

template <class P, class F, class E>
class MatchedRowsOf final : public MatchedRows<E> {
 public:
  MatchedRowsOf(const StereoPlan& plan, const MatchLayout& layout)
      : plan_(plan),
        sums_plan_(sums_plan_of(plan)),
        wide_(widened(plan, layout)),
        rows_(sums_plan_, wide_, plan.rx),
        texture_(plan) {}

  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right) {
    rows_.begin(context, left, right);
    texture_.begin(context, plan_.matches_left() ? left : right);
    guide_ = sums_plan_.matches_left() ? left : right;
  }
  void grey(int y, std::uint16_t* out) const override {
    const P* const row = guide_.row(y);
    if (sums_plan_.matches_left())
      std::copy_n(row, guide_.width(), out);
    else
      std::reverse_copy(row, row + guide_.width(), out);
  }
  const std::uint8_t* without_texture(int y) override { return texture_.without(y); }
  RowPair<E> row(int y) override { return rows_.row(y); }
  std::size_t bytes() const override { return rows_.bytes() + texture_.bytes(); }

 private:
  const StereoPlan& plan_;
  const StereoPlan sums_plan_;
  const MatchLayout wide_;
  PreparedRows<P, F, E> rows_;
  TextureRows<P> texture_;
  ImageView<const P> guide_;
};

/// What one thread needs: costs of rows, and disparities from sums.
template <class L, class S>
class SgmWorker : public MatchScratch::Worker {
 public:
  SgmWorker(const StereoPlan& plan, const Context& context, const MatchLayout& layout)
      : height_(plan.size.height),
        masks_(plan),
        matcher_(make_sums_matcher<S>(plan, context, own_layout(plan, layout))) {
    for (auto& row : grey_) row.resize(static_cast<std::size_t>(plan.size.width));
  }

  void begin(const MatchWants& wants) {
    held_.fill(-1);
    matcher_->begin(wants);
  }

  /// Costs of picture rows [first, last); row `first` goes to row `at` of `out`.
  virtual void make_costs(int first, int last, PathRows<L>& out, int at) = 0;

  /// Grey levels of row y, the nearest one in the picture; see PictureRows. The rows beside it stay valid.
  const std::uint16_t* grey(int y) {
    y = std::clamp(y, 0, height_ - 1);
    const auto slot = static_cast<std::size_t>(y) % held_.size();
    if (held_[slot] != y) pictures().grey(y, grey_[slot].data());
    held_[slot] = y;
    return grey_[slot].data();
  }

  MatchedRow<S> decide(int y, const S* sums, bool diagonal) {
    return matcher_->row(sums, diagonal, masks_.notes(y, pictures().without_texture(y)));
  }

  std::size_t bytes() const override {
    return masks_.bytes() + matcher_->bytes() + grey_.size() * grey_[0].capacity() * sizeof(std::uint16_t);
  }

 protected:
  virtual PictureRows& pictures() = 0;

  const int height_;

 private:
  std::array<std::vector<std::uint16_t>, 3> grey_;
  std::array<int, 3> held_{-1, -1, -1};
  MaskRows masks_;
  std::unique_ptr<SumsMatcher<S>> matcher_;
};

/// E is what is matched.
template <class E, class L, class S>
class SgmWorkerOf final : public SgmWorker<L, S> {
 public:
  SgmWorkerOf(const StereoPlan& plan, const Context& context, const MatchLayout& layout,
              std::unique_ptr<MatchedRows<E>> rows)
      : SgmWorker<L, S>(plan, context, layout),
        layout_(layout),
        sums_plan_(sums_plan_of(plan)),
        sums_masks_(sums_plan_),
        ry_(plan.ry),
        single_(plan.rx == 0 && plan.ry == 0),
        rows_(std::move(rows)),
        costs_(make_candidate_costs<E, L>(sums_plan_of(plan), context, layout, widened(plan, layout))) {}

  MatchedRows<E>& rows() { return *rows_; }

  void make_costs(int first, int last, PathRows<L>& out, int at) override {
    make_all_costs(first, last, out, at);
    for (int y = first; y < last; ++y) remove_masked(y, out.row(at + y - first).costs);
  }

  std::size_t bytes() const override {
    return SgmWorker<L, S>::bytes() + rows_->bytes() + costs_->bytes() + sums_masks_.bytes();
  }

 private:
  void make_all_costs(int first, int last, PathRows<L>& out, int at) {
    if (single_) {
      for (int y = first; y < last; ++y) costs_->single(rows_->row(y), out.row(at + y - first).costs);
      return;
    }
    const auto row = [&](int y) { return rows_->row(std::clamp(y, 0, this->height_ - 1)); };
    costs_->clear();
    for (int y = first - ry_; y < first + ry_; ++y) costs_->change(row(y), nullptr);
    for (int y = first; y < last; ++y) {
      const RowPair<E> enters = row(y + ry_);
      if (y == first) {
        costs_->change(enters, nullptr);
      } else {
        const RowPair<E> leaves = row(y - 1 - ry_);
        costs_->change(enters, &leaves);
      }
      costs_->slide(out.row(at + y - first).costs);
    }
  }

  /// Pixels that show nothing have no candidates, and are none.
  void remove_masked(int y, L* costs) {
    const RowNotes notes = sums_masks_.notes(y, nullptr);
    if (notes.own_mask == nullptr) return;
    const std::ptrdiff_t padded = layout_.padded;
    for (int x = 0; x < layout_.width; ++x) {
      if (notes.own_mask[x] == 0) std::fill_n(costs + x * padded, padded, no_candidate<L>);
      if (notes.other_mask[x] != 0) continue;
      // Column x of the other picture is candidate k of pixel x + dmin + k.
      const int last = std::min(layout_.count - 1, layout_.width - 1 - x - layout_.dmin);
      for (int k = std::max(0, -x - layout_.dmin); k <= last; ++k)
        costs[(x + layout_.dmin + k) * padded + k] = no_candidate<L>;
    }
  }

  PictureRows& pictures() override { return *rows_; }

  const MatchLayout layout_;
  const StereoPlan sums_plan_;
  MaskRows sums_masks_;
  const int ry_;
  const bool single_;
  std::unique_ptr<MatchedRows<E>> rows_;
  std::unique_ptr<CandidateCosts<E, L>> costs_;
};

}  // namespace vergence::cpu
