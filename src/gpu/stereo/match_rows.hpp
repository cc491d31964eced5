// SPDX-License-Identifier: Apache-2.0
// The matcher for CPUs that OpenCL offers as devices, match_rows.cl: every setting whose sums fit 32 bits.
#pragma once

#include <memory>

#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

/// One view, or both.
class MatchRows {
 public:
  /// Whether the device and the settings allow it.
  static bool serves(const StereoPlan& plan, const Properties& properties);

  /// `common`: the #defines that match.cl has, too.
  MatchRows(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, Defines common,
            std::size_t word_bytes, bool winner_only);

  /// Whether the other view's winners are found from the same sums.
  bool both_views() const { return both_views_; }

  /// `other_winner`: of both views.
  void run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
           const MatchOutputs& outputs, Buffer& other_winner) const;

 private:
  Size size_;
  Rect roi_;
  bool both_views_ = false;
  std::size_t bands_ = 1;
  const Kernel* kernel_ = nullptr;
  /// Of all bands: columns' sums, costs of taps, and the other view's least costs.
  std::unique_ptr<Buffer> scratch_, kept_, bests_;
};

}  // namespace vergence::gpu
