// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on the CPU: what its parts share. L is the type of a cost along one path, S that of a sum over
// the paths.
//
// Costs along paths lie pixel by pixel, MatchLayout::padded candidates of a pixel side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "cpu/context.hpp"
#include "cpu/stereo/band.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// Stands where there is no candidate: larger than every cost along a path. Penalties are added with saturation, or,
/// in 32 bits, without overflow: the plan keeps costs and penalties below 2^31.
template <class L>
inline constexpr L no_candidate = std::numeric_limits<L>::max();
template <>
inline constexpr std::uint32_t no_candidate<std::uint32_t> = 0x80000000u;

/// The costs of a row along one path, and the least of each pixel. Pixels -1 and `width` exist and have no candidates.
template <class L>
struct PathRow {
  L* costs = nullptr;  ///< Candidate 0 of pixel 0.
  L* least = nullptr;
};

/// One row of both horizontal paths.
template <class L, class S>
struct HorizontalStep {
  const L* costs;  ///< Of the candidates, laid out as along a path.
  L p1;
  const L *p2_from_left, *p2_from_right;  ///< Of each pixel.
  PathRow<L> from_left, from_right;       ///< Their costs are set.
  S* sums;                                ///< Width times padded: set to the sum of both, if there are no other paths.
  bool gaps = false;                      ///< Pixels of the row lack candidates anywhere, not at its ends alone.
};
template <class L, class S>
void step_horizontally(const Context& context, const MatchLayout& layout, const HorizontalStep<L, S>& step);

/// One row of the paths that come from the row before: one of them, or three.
template <class L, class S>
struct VerticalStep {
  struct Path {
    int dx;             ///< The pixel before lies at x - dx.
    PathRow<L> before;  ///< Of the row before; no candidates where there is none.
    PathRow<L> after;   ///< Of this row.
    const L* p2;        ///< Of each pixel.
  };
  const L* costs;
  L p1;
  std::array<Path, 3> paths;
  int count;    ///< Of the paths: 1 or 3.
  bool starts;  ///< Paths may start anywhere: there is no row before, or its pixels lack candidates.
  /// Null where they are not wanted. Else set to what is found and `others`, or, where there are none, what is found is
  /// added to them.
  S* sums;
  /// Costs of this row along paths walked before: with sums three beside one path, none or two beside three.
  std::array<const L*, 3> others;
  int other_count;
};
/// Pixels [first, last).
template <class L, class S>
void step_vertically(const Context& context, const MatchLayout& layout, const VerticalStep<L, S>& step, int first,
                     int last);

/// The costs of the candidates of rows that follow each other.
template <class E, class L>
class CandidateCosts {
 public:
  virtual ~CandidateCosts() = default;
  /// A row of windows of one pixel.
  virtual void single(const RowPair<E>& row, L* out) = 0;
  /// Larger windows: `plus` enters the windows; `minus` leaves them, where it is not null.
  virtual void clear() = 0;
  virtual void change(const RowPair<E>& plus, const RowPair<E>* minus) = 0;
  virtual void slide(L* out) = 0;
  virtual std::size_t bytes() const = 0;
};
/// `wide` is the layout of the rows, which are wider than the picture by half a window on both sides.
template <class E, class L>
std::unique_ptr<CandidateCosts<E, L>> make_candidate_costs(const StereoPlan& plan, const Context& context,
                                                           const MatchLayout& layout, const MatchLayout& wide);

/// From the sums of a row to its disparities.
template <class S>
class SumsMatcher {
 public:
  virtual ~SumsMatcher() = default;
  virtual void begin(const MatchWants& wants) = 0;
  /// `sums`: width times padded. `diagonal`: they are those of the other view.
  virtual MatchedRow<S> row(const S* sums, bool diagonal, const RowNotes& notes) = 0;
  virtual std::size_t bytes() const = 0;
};
template <class S>
std::unique_ptr<SumsMatcher<S>> make_sums_matcher(const StereoPlan& plan, const Context& context,
                                                  const MatchLayout& layout);

}  // namespace vergence::cpu
