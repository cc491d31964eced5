// SPDX-License-Identifier: Apache-2.0
// From window costs to a matched row, whatever the costs were summed from: a slab of MatchLayout::chunk pixels is
// searched for winners, and the whole row is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cpu/context.hpp"
#include "cpu/stereo/band.hpp"
#include "cpu/stereo/layout.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// The costs of all candidates of MatchLayout::chunk pixels, and what is found in them. The code is compiled once for
/// each SIMD target and type of sums, whatever the sums are of.
template <class S>
class Slab {
 public:
  Slab(const StereoPlan& plan, const MatchLayout& layout)
      : begin_(layout.partial ? 0 : layout.rx),
        end_(layout.width - begin_),
        check_(plan.options.left_right >= 0),
        stride_(layout.slab_stride()) {
    scratch_.slab.reserve(MatchLayout::chunk * static_cast<std::size_t>(stride_));
    first_ = scratch_.slab.get() + MatchLayout::slab_pad;
  }
  virtual ~Slab() = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  /// Begins a band.
  virtual void begin(const MatchWants& wants) = 0;
  virtual void begin_row() = 0;
  /// Pixels [x0, x0 + count), whose `lanes` first candidates are in the slab.
  virtual void chunk(int x0, int count, int lanes) = 0;
  /// The row after its last chunk. `rejected` as in RowMatcher::row.
  virtual MatchedRow<S> finish(const std::uint8_t* rejected) = 0;

  /// Candidate 0 of pixel i of the chunk.
  S* row(int i) const { return first_ + i * stride_; }
  /// Pixels whose window the border rule allows: [begin, end).
  int begin_pixel() const { return begin_; }
  int end_pixel() const { return end_; }
  /// True if the other view looks for its partners in the slab.
  bool check() const { return check_; }
  /// See EdgeBuffer::outside.
  const S* outside() const { return scratch_.edges.outside(); }
  std::size_t bytes() const { return scratch_.bytes(); }

 protected:
  const int begin_, end_;
  const bool check_;
  const std::ptrdiff_t stride_;
  S* first_;  ///< Candidate 0 of the first pixel.
  SlabScratch<S> scratch_;
};

/// Defined for sums of 16, 32 and 64 bits.
template <class S>
std::unique_ptr<Slab<S>> make_slab(const StereoPlan& plan, const Context& context, const MatchLayout& layout);

}  // namespace vergence::cpu
