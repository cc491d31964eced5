// SPDX-License-Identifier: Apache-2.0
// The matcher of one row after the other as match.cpp sees it, the numbers that its parts share, and what it finds.
//
// The matcher always works as if the left picture were the reference: for the right one both rows are mirrored on the
// way in and the result on the way out. Candidates are counted k = d - min_disparity and lie side by side in memory and
// in vector lanes. The row of the other picture is stored mirrored, so that the partner of pixel x for candidate k
// stands at position W - 1 - x + k: one contiguous load serves all candidates of a pixel, ascending.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "core/large_pages.hpp"
#include "cpu/context.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/error.hpp"

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
  /// Candidates that the border rules allow, where those outside are none: [first, last].
  int first_candidate(int x) const { return std::max(0, x - dmin - (width - 1 - (partial ? 0 : rx))); }
  int last_candidate(int x) const { return std::min(count - 1, x - dmin - (partial ? 0 : rx)); }
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
  /// Pixels that lack candidates, or have some whose windows are clipped; and margins where windows must be whole.
  bool is_edge(int x) const {
    return x < first_interior() || x > last_interior() || (!partial && (x < rx || x >= width - rx));
  }
};

/// Memory on a 64-byte boundary that only grows; uninitialised.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  ~AlignedBuffer() { ::operator delete (data_, std::align_val_t{64}); }
  void reserve(std::size_t count) {
    if (count <= count_) return;
    ::operator delete (data_, std::align_val_t{64});
    data_ = nullptr;
    count_ = 0;
    data_ = count < PTRDIFF_MAX / sizeof(T)
                ? static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}, std::nothrow))
                : nullptr;
    if (data_ == nullptr)
      throw Error(ErrorCode::out_of_memory,
                  "no memory for " + std::to_string(count * sizeof(T) >> 20) +
                      " MiB of running sums: use fewer disparities, a narrower picture or fewer threads");
    ask_for_large_pages(data_, count * sizeof(T));
    count_ = count;
  }
  T* get() { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// One prepared row of both pictures: `planes` runs of elements, ref_stride and other_stride elements apart; the other
/// picture mirrored.
template <class E>
struct RowPair {
  const E* ref;
  const E* other;
  std::ptrdiff_t ref_stride;
  std::ptrdiff_t other_stride;
};

/// "No cost": larger than every window cost, as the plan sees to it.
template <class S>
inline constexpr S none = std::numeric_limits<S>::max();

/// Costs from the candidate before the winner on, as they lie side by side in a slab: one load and one store take them
/// all.
template <class S>
struct NearCosts {
  S before;  ///< Costs of candidate - 1 and + 1; none where they do not count.
  S at;
  S after;
  S beyond;  ///< Not used; completes a whole load.
};

/// One entry per pixel, from some pixel of a row on.
template <class S>
struct RowResults {
  std::int32_t* candidate;  ///< Winner.
  std::int32_t* far_end;    ///< The other end of the candidates that cost as little; only set where it was asked for.
  S* cost;                  ///< Its cost; none where the pixel has no candidate.
  NearCosts<S>* near;       ///< And those beside it.
  S* second;                ///< Best cost more than one candidate away; none where there is none.
  std::int32_t* taps;       ///< Columns summed in cost and in second: only set where the pixel is not interior.
  std::int32_t* second_taps;

  RowResults from(int x) const {
    return {candidate + x, far_end + x, cost + x, near + x, second + x, taps + x, second_taps + x};
  }
};

/// What is asked of every row besides its disparities.
struct MatchWants {
  bool second = false;           ///< The second-best candidate.
  bool only_uniqueness = false;  ///< It serves the uniqueness rule alone.
  bool confidence = false;
  bool neighbours = false;          ///< The costs beside the winner's.
  bool narrow_disparities = false;  ///< 16 bits, not 32.
};

/// A row in the working orientation, valid until the next one is asked for.
template <class S>
struct MatchedRow {
  RowResults<S> results;
  const void* disparity = nullptr;  ///< In 1/16 px, of the map's type (MatchWants), invalid where rejected.
  const std::uint8_t* confidence = nullptr;
};

/// What else is known of a row's pixels.
struct RowNotes {
  const std::uint8_t* rejected = nullptr;  ///< Not 0 at pixels without enough texture; null where that does not count.
  /// 0 at pixels of the map's own picture and of the other one that show nothing, mirrored as the rows are; both null
  /// where all show something.
  const std::uint8_t* own_mask = nullptr;
  const std::uint8_t* other_mask = nullptr;
};

/// Matches the rows of a band from top to bottom, with one kind of window sums and the instructions of one SIMD target.
template <class E, class S>
class RowMatcher {
 public:
  virtual ~RowMatcher() = default;
  /// Begins a band. `inside` as in PreparedRows.
  virtual void begin(const MatchWants& wants, const std::uint8_t* inside) = 0;
  /// The rows of the band's first window but its last, which enters with row().
  virtual void enter(const RowPair<E>& added, const RowPair<E>& zeros) = 0;
  /// The next row of the band: `added` enters its windows, `removed` leaves them.
  virtual MatchedRow<S> row(const RowPair<E>& added, const RowPair<E>& removed, const RowNotes& notes) = 0;
  virtual std::size_t bytes() const = 0;
};

/// Defined for bytes with sums of 16, 32 and 64 bits, and for 16-bit pixels with sums of 32 and 64.
template <class E, class S>
std::unique_ptr<RowMatcher<E, S>> make_row_matcher(const StereoPlan& plan, const Context& context,
                                                   const MatchLayout& layout);

/// Census words, with sums of 16 and 32 bits.
template <class S>
std::unique_ptr<RowMatcher<std::uint8_t, S>> make_census_matcher(const StereoPlan& plan, const Context& context,
                                                                 const MatchLayout& layout);

/// SAD and census with sums of 64 bits: windows so large that one SIMD target for all devices is enough.
template <class E>
std::unique_ptr<RowMatcher<E, std::uint64_t>> make_long_matcher(const StereoPlan& plan, const Context& context,
                                                                const MatchLayout& layout);

/// Candidates in whole blocks of the target's vectors, for sums of 16 bits.
int padded_for_short_sums(const Context& context, int count);
/// The same for sums of type S.
template <class S>
int padded_candidates(const Context& context, int count) {
  constexpr int block = MatchLayout::wide_unit;
  if constexpr (sizeof(S) == 2)
    return padded_for_short_sums(context, count);
  else
    return (count + block - 1) / block * block;
}

}  // namespace vergence::cpu
