// SPDX-License-Identifier: Apache-2.0
// The matcher for CPUs that OpenCL offers as devices, match_rows.cl: every setting whose sums fit 32 bits.
#pragma once

#include <memory>

#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

/// One view.
class MatchRows {
 public:
  /// Whether the device and the settings allow it.
  static bool serves(const StereoPlan& plan, const Properties& properties);

  /// `common`: the #defines that match.cl has, too.
  MatchRows(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, Defines common,
            std::size_t word_bytes);

  void run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
           const MatchOutputs& outputs) const;

 private:
  Size size_;
  Rect roi_;
  std::size_t bands_ = 1;
  const Kernel* kernel_ = nullptr;
  std::unique_ptr<Buffer> scratch_;  ///< Columns' sums of all bands.
};

}  // namespace vergence::gpu
