// SPDX-License-Identifier: Apache-2.0
// The numbers that the parts of the CPU matcher share.
//
// The matcher always works as if the left picture were the reference: for the right one both rows are mirrored on the
// way in and the result on the way out. Candidates are counted k = d - min_disparity and lie side by side in memory and
// in vector lanes. The row of the other picture is stored mirrored, so that the partner of pixel x for candidate k
// stands at position W - 1 - x + k: one contiguous load serves all candidates of a pixel, ascending.
#pragma once

#include <algorithm>
#include <cstddef>

#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

struct MatchLayout {
  int width, height;
  int rx, ry;
  int dmin;      ///< Smallest disparity.
  int count;     ///< Candidates.
  int padded;    ///< Candidates rounded up to whole vectors.
  int planes;    ///< Bytes of a census word; 1 otherwise.
  bool skip;     ///< Candidates outside the other picture are none.
  bool partial;  ///< Windows are clipped at the border.

  /// Pixels of one round of the inner loops.
  static constexpr int chunk = 32;
  /// Candidates are summed by as many at a time in sums of 32 and 64 bits: whole vectors on every target.
  static constexpr int wide_unit = 64;
  /// Columns of costs kept around a pixel's candidates and always holding "no cost".
  static constexpr int slab_pad = 64;

  int slab_stride() const { return padded + 2 * slab_pad; }
  /// Length of a mirrored row: every position that a pixel and a padded candidate can name, and a vector more.
  int other_length() const { return width + padded + slab_pad; }
  /// Column of the other picture at a position.
  int partner(int position) const { return width - 1 - dmin - position; }
  int position(int x, int k) const { return width - 1 - x + k; }

  /// Candidates whose column is inside the other picture: [first, last].
  int first_inside(int x) const { return std::max(0, x - dmin - (width - 1)); }
  int last_inside(int x) const { return std::min(count - 1, x - dmin); }
  /// Candidates whose window is clipped no more than the pixel's own: [first, last]; the unbounded ones forget that
  /// there are only `count` candidates.
  int unbounded_first_full(int x) const { return x - dmin - (width - 1 - std::min(rx, width - 1 - x)); }
  int unbounded_last_full(int x) const { return x - dmin - std::min(rx, x); }
  int first_full(int x) const { return std::max(0, unbounded_first_full(x)); }
  int last_full(int x) const { return std::min(count - 1, unbounded_last_full(x)); }

  /// Columns of the window that lie in both pictures when x meets partner.
  int taps(int x, int other) const {
    return std::min({rx, x, other}) + 1 + std::min({rx, width - 1 - x, width - 1 - other});
  }
  /// Columns of the window inside the picture of x itself.
  int own_taps(int x) const { return taps(x, x); }

  /// Pixels from first_interior() to last_interior() have all candidates, all full.
  int first_interior() const {
    const int largest = dmin + count - 1;
    return skip && largest > 0 ? std::min(width, largest + rx) : 0;
  }
  int last_interior() const { return skip && dmin < 0 ? std::max(-1, width - 1 - rx + dmin) : width - 1; }
  /// Pixels that need edges-inl.h.
  bool is_edge(int x) const {
    return x < first_interior() || x > last_interior() || (!partial && (x < rx || x >= width - rx));
  }
};

}  // namespace vergence::cpu
