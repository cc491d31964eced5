// SPDX-License-Identifier: Apache-2.0
// The matcher of one row after the other as match.cpp sees it, and the scratch memory that it works in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/edge_buffer.hpp"
#include "cpu/stereo/layout.hpp"
#include "cpu/stereo/other_row.hpp"
#include "cpu/stereo/row_results.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/error.hpp"

namespace vergence::cpu {

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
    count_ = count;
  }
  T* get() { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// One prepared row of both pictures: `planes` runs of elements, ref_stride and other_stride elements apart; the other
/// picture mirrored (see layout.hpp).
template <class E>
struct RowPair {
  const E* ref;
  const E* other;
  std::ptrdiff_t ref_stride;
  std::ptrdiff_t other_stride;
};

/// Scratch memory of a slab (slab.hpp).
template <class S>
struct SlabScratch {
  AlignedBuffer<S> slab;
  EdgeBuffer<S> edges;
  RowResultsBuffer<S> results;
  OtherRowBuffer<S> other;
  MatchBitsBuffer bits;
  std::vector<std::int32_t> disparity;
  std::vector<std::int16_t> narrow_disparity;
  std::vector<std::uint8_t> reject, confidence;

  std::size_t bytes() const {
    return slab.bytes() + edges.bytes() + results.bytes() + other.bytes() + bits.bytes() + disparity.capacity() * 4 +
           narrow_disparity.capacity() * 2 + reject.capacity() + confidence.capacity();
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

/// A row in the working orientation of layout.hpp, valid until the next one is asked for.
template <class S>
struct MatchedRow {
  RowResults<S> results;
  const void* disparity = nullptr;  ///< In 1/16 px, of the map's type (MatchWants), invalid where rejected.
  const std::uint8_t* confidence = nullptr;
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
  /// The next row of the band: `added` enters its windows, `removed` leaves them. `rejected` is not 0 at pixels without
  /// enough texture; null where texture does not count.
  virtual MatchedRow<S> row(const RowPair<E>& added, const RowPair<E>& removed, const std::uint8_t* rejected) = 0;
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
