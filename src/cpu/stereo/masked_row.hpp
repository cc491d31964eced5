// SPDX-License-Identifier: Apache-2.0
// A row in which pixels of either picture show nothing: such a pixel has no candidates, and is none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu/stereo/band.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// The candidates that are left of a pixel's: [first, last].
struct FewCandidates {
  int x;
  int first;
  int last;

  /// True if so many were taken that none may be second best.
  bool may_lack_second_best(int count) const {
    const int left = last - first + 1;
    return left >= 1 && left <= 3 && left < count;
  }
};

/// Whether row y of either picture has pixels that show nothing.
inline bool row_has_holes(const StereoPlan& plan, int y) {
  if (plan.masks == nullptr || y < 0 || y >= plan.size.height) return false;
  const auto width = static_cast<std::size_t>(plan.size.width);
  return std::memchr(plan.masks->left.row(y), 0, width) != nullptr ||
         std::memchr(plan.masks->right.row(y), 0, width) != nullptr;
}

/// Masks of a row, mirrored as the rows of a plan are.
class MaskRows {
 public:
  /// `plan` outlives it.
  explicit MaskRows(const StereoPlan& plan) : plan_(&plan) {}
  RowNotes notes(int y, const std::uint8_t* rejected) {
    RowNotes notes{rejected, nullptr, nullptr};
    if (!row_has_holes(*plan_, y)) return notes;
    const bool left = plan_->matches_left();
    notes.own_mask = mirrored(left ? plan_->masks->left : plan_->masks->right, y, own_);
    notes.other_mask = mirrored(left ? plan_->masks->right : plan_->masks->left, y, other_);
    return notes;
  }
  std::size_t bytes() const { return own_.capacity() + other_.capacity(); }

 private:
  const std::uint8_t* mirrored(const Image<std::uint8_t>& mask, int y, std::vector<std::uint8_t>& memory) const {
    const std::uint8_t* const row = mask.row(y);
    if (plan_->matches_left()) return row;
    memory.resize(static_cast<std::size_t>(mask.width()));
    std::reverse_copy(row, row + mask.width(), memory.data());
    return memory.data();
  }
  const StereoPlan* plan_;
  std::vector<std::uint8_t> own_, other_;
};

/// What a slab must know of a row with holes.
template <class S>
class MaskedRow {
 public:
  /// Makes a row ready; one without masks is not masked.
  void begin(const MatchLayout& layout, const RowNotes& notes) {
    own_ = notes.own_mask;
    if (own_ == nullptr) return;
    const auto length = static_cast<std::size_t>(layout.other_length());
    holes_.resize(length);
    next_hole_.resize(length + 1);
    next_hole_[length] = layout.other_length();
    for (int p = layout.other_length() - 1; p >= 0; --p) {
      const int column = layout.partner(p);
      const bool hole = column >= 0 && column < layout.width && notes.other_mask[column] == 0;
      const auto i = static_cast<std::size_t>(p);
      holes_[i] = hole ? none<S> : S{0};
      next_hole_[i] = hole ? p : next_hole_[i + 1];
    }
    find_few(layout);
  }
  bool any() const { return own_ != nullptr; }
  /// Whether pixel x shows nothing.
  bool is_hole(int x) const { return own_[x] == 0; }
  /// Whether some of `count` positions from `position` on show nothing; none where one does, else 0, from there on.
  bool meets_hole(int position, int count) const {
    return next_hole_[static_cast<std::size_t>(position)] < position + count;
  }
  const S* holes(int position) const { return holes_.data() + position; }
  /// In the place of EdgeBuffer::few.
  const std::vector<FewCandidates>& few() const { return few_; }
  std::size_t bytes() const {
    return holes_.capacity() * sizeof(S) + next_hole_.capacity() * sizeof(int) +
           few_.capacity() * sizeof(FewCandidates);
  }

 private:
  void find_few(const MatchLayout& layout) {
    few_.clear();
    const int margin = layout.partial ? 0 : layout.rx;
    for (int x = margin; x < layout.width - margin; ++x) {
      if (is_hole(x)) continue;
      FewCandidates left{x, 0, layout.count - 1};
      if (layout.skip) left = {x, layout.first_candidate(x), layout.last_candidate(x)};
      const auto hole = [&](int k) { return holes_[static_cast<std::size_t>(layout.position(x, k))] != 0; };
      if (left.first <= left.last && meets_hole(layout.position(x, left.first), left.last - left.first + 1)) {
        while (left.first <= left.last && hole(left.first)) ++left.first;
        while (left.first <= left.last && hole(left.last)) --left.last;
      }
      if (left.may_lack_second_best(layout.count)) few_.push_back(left);
    }
  }

  const std::uint8_t* own_ = nullptr;
  std::vector<S> holes_;
  std::vector<int> next_hole_;
  std::vector<FewCandidates> few_;
};

}  // namespace vergence::cpu
