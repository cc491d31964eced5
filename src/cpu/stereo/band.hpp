// SPDX-License-Identifier: Apache-2.0
// A band of rows as the SIMD code sees it: where its rows come from, where its results go, and its scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Gives prepared rows; a row outside the picture costs nothing anywhere.
template <class E>
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Row y; rows asked for ascend, but for those a window higher that leave it again.
  virtual RowPair<E> row(int y) = 0;
  /// 255 at positions that lie in the other picture, 0 elsewhere.
  virtual const std::uint8_t* inside() const = 0;
};

/// Takes finished rows, in the working orientation of layout.hpp.
template <class S>
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Marks what the SIMD code does not know (texture) in `reject` before uniqueness and left-right check add theirs.
  virtual void before(int y, std::uint8_t* reject) = 0;
  /// `disparity` in 1/16 px, of the map's type (BandJob::narrow_disparities), invalid where rejected.
  virtual void row(int y, const RowResults<S>& results, const void* disparity, const std::uint8_t* confidence) = 0;
};

/// Scratch memory of one worker.
template <class S>
struct BandScratch {
  AlignedBuffer<S> columns, window, slab;
  EdgeBuffer<S> edges;
  RowResultsBuffer<S> results;
  OtherRowBuffer<S> other;
  MatchBitsBuffer bits;
  std::vector<int> starts;
  std::vector<std::int32_t> disparity;
  std::vector<std::int16_t> narrow_disparity;
  std::vector<std::uint8_t> reject, confidence;

  std::size_t bytes() const {
    return columns.bytes() + window.bytes() + slab.bytes() + edges.bytes() + results.bytes() + other.bytes() +
           bits.bytes() + disparity.capacity() * 4 + narrow_disparity.capacity() * 2 + starts.capacity() * sizeof(int) +
           reject.capacity() + confidence.capacity();
  }
};

/// What to compute: rows [first, last) of the picture.
struct BandJob {
  const StereoPlan* plan;
  const Context* context;
  int first, last;
  bool want_second;
  bool only_uniqueness;  ///< The second best serves the uniqueness rule alone.
  bool want_confidence;
  bool want_neighbours;
  bool narrow_disparities;  ///< 16 bits, not 32.
};

/// A layout for the plan with candidates padded to whole vectors of the target and the kind of sums.
MatchLayout make_layout(const StereoPlan& plan, int padded);

/// Whole blocks that `count` candidates need for sums of this kind on the target.
template <class E, class S>
int padded_candidates(const Context& context, StereoCost cost, int count);

template <class E, class S>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<E>& rows, BandScratch<S>& scratch,
              RowSink<S>& sink);

}  // namespace vergence::cpu
