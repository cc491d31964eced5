// SPDX-License-Identifier: Apache-2.0
// Prepared rows of a pair: prefiltered or turned into census words, mirrored as layout.hpp says, kept for as long as a
// window needs them. No whole prepared picture is ever stored.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/band.hpp"
#include "cpu/stereo/layout.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// One row of a picture after x-Sobel, clipped to +-cap and stored as cap + derivative; `above` and `below` are its
/// neighbours. Source: decisions follow OpenCV's StereoBM prefilter (K. Konolige, "Small vision systems", ISRR 1997,
/// for the idea).
template <class P>
void xsobel_row(const Context& context, const P* above, const P* row, const P* below, int width, int cap,
                std::uint8_t* out);

/// Rows of one picture after the prefilter, in E.
template <class P, class E>
class FilteredRows {
 public:
  static constexpr int kept = 8;  ///< Rows that stay valid after they were asked for.
  static constexpr int pad = 64;  ///< Elements before and after a row that hold its edge values.

  FilteredRows(const StereoPlan& plan, StereoPrefilter filter) : plan_(&plan), filter_(filter) {}
  void begin(const Context& context, ImageView<const P> picture);
  /// Row y, 0 <= y < height. Rows before y - kept + 1 may be gone.
  const E* row(int y);
  std::size_t bytes() const { return memory_.capacity() * sizeof(E); }

 private:
  void make(int y, E* out);

  const StereoPlan* plan_;
  StereoPrefilter filter_;
  const Context* context_ = nullptr;
  ImageView<const P> picture_;
  std::ptrdiff_t stride_ = 0;
  std::vector<E> memory_;
  std::vector<int> held_;
};

/// Census words of row y as byte planes `plane_stride` apart; rows[0..6] are y - 3 .. y + 3, clamped to the picture,
/// each padded. R. Zabih, J. Woodfill, "Non-parametric local transforms for computing visual correspondence", ECCV
/// 1994, section 3.
template <class E>
void census_row(const Context& context, const E* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride);

/// Bytes of a census word, 1 for other costs.
int census_planes(StereoCost cost);

/// The rows that a band of output rows needs, made on demand in ascending order. P is a pixel, F a pixel after the
/// prefilter, E what is matched: F itself, or a byte of a census word.
template <class P, class F, class E>
class PreparedRows {
 public:
  /// With a `margin` rows are wider than the picture by that many columns on both sides, as the layout's width says.
  /// They repeat the edge, or, in the other picture, continue with zeros where `outside` is `zero`.
  PreparedRows(const StereoPlan& plan, const MatchLayout& layout, int margin = 0);
  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right);
  /// Row y; a row outside the picture costs nothing anywhere. Rows asked for ascend, but for those a window higher that
  /// leave it again.
  RowPair<E> row(int y);
  RowPair<E> zeros() { return row(-1); }
  /// 0 at positions outside the other picture, where candidates there are none, else 255.
  const std::uint8_t* inside() const { return inside_.data(); }
  std::size_t bytes() const;

 private:
  void make(int y, E* ref, E* other);
  void place_ref(const E* in, E* out) const;
  void place_other(const E* in, E* out) const;
  /// The row of one picture as it is matched; census words in `words_`.
  const E* matched(FilteredRows<P, F>& rows, int y);
  /// The same with margins; in `margins_` where there are any.
  const E* widened(const E* row, bool zeros);

  const StereoPlan* plan_;
  const MatchLayout* layout_;
  const Context* context_ = nullptr;
  FilteredRows<P, F> first_, second_;  ///< Reference and other picture.
  int slots_;                          ///< Rows kept, and after them one row of zeros.
  int margin_;
  std::ptrdiff_t ref_stride_, other_stride_, ref_step_, other_step_;
  std::vector<E> ref_, other_;
  std::vector<std::uint8_t> words_;
  std::vector<E> margins_;
  std::vector<std::uint8_t> inside_;
  std::vector<int> held_;
};

}  // namespace vergence::cpu
