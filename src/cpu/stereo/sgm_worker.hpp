// SPDX-License-Identifier: Apache-2.0
// What a thread of semi-global matching does with whole rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/rows.hpp"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/sgm_memory.hpp"
#include "cpu/stereo/texture.hpp"

namespace vergence::cpu {

/// What one thread needs: costs of rows, and disparities from sums.
template <class P, class F, class E, class L, class S>
class SgmWorker : public MatchScratch::Worker {
 public:
  /// `sums_plan` has the view whose paths are summed as its reference.
  SgmWorker(const StereoPlan& plan, const StereoPlan& sums_plan, const Context& context, const MatchLayout& layout,
            const MatchLayout& wide, const MatchLayout& own)
      : ry_(plan.ry),
        height_(plan.size.height),
        sums_plan_(sums_plan),
        wide_(wide),
        rows_(sums_plan_, wide_, plan.rx),
        texture_(plan),
        costs_(make_candidate_costs<E, L>(sums_plan, context, layout, wide)),
        matcher_(make_sums_matcher<S>(plan, context, own)),
        single_(plan.rx == 0 && plan.ry == 0) {}

  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right, bool matches_left,
             const MatchWants& wants) {
    rows_.begin(context, left, right);
    texture_.begin(context, matches_left ? left : right);
    matcher_->begin(wants);
  }

  /// Costs of picture rows [first, last); row `first` goes to row `at` of `out`.
  void make_costs(int first, int last, PathRows<L>& out, int at) {
    if (single_) {
      for (int y = first; y < last; ++y) costs_->single(rows_.row(y), out.row(at + y - first).costs);
      return;
    }
    const auto row = [&](int y) { return rows_.row(std::clamp(y, 0, height_ - 1)); };
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

  MatchedRow<S> decide(int y, const S* sums, bool diagonal) {
    return matcher_->row(sums, diagonal, texture_.without(y));
  }

  std::size_t bytes() const override { return rows_.bytes() + texture_.bytes() + costs_->bytes() + matcher_->bytes(); }

 private:
  const int ry_, height_;
  const StereoPlan sums_plan_;
  const MatchLayout wide_;
  PreparedRows<P, F, E> rows_;
  TextureRows<P> texture_;
  std::unique_ptr<CandidateCosts<E, L>> costs_;
  std::unique_ptr<SumsMatcher<S>> matcher_;
  const bool single_;
};

}  // namespace vergence::cpu
