// SPDX-License-Identifier: Apache-2.0
// The matcher for NVIDIA's warps, match_strip.cl: SAD and SSD of byte pixels where all candidates of a pixel sum
// equally many taps: under rules that see to it, or in the columns away from the sides.
#pragma once

#include <array>
#include <memory>

#include "gpu/stereo/match.hpp"
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {

/// One view.
class MatchStrip {
 public:
  /// Whether the device and the settings allow it. `winner_only`: nothing but integer winners are asked for.
  static bool serves(const StereoPlan& plan, const Properties& properties, const MatchWants& wants, bool winner_only);
  /// The columns that are served, in the working orientation: most of them, else none.
  static Columns columns(const StereoPlan& plan);

  MatchStrip(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
             bool matches_left, bool winner_only);

  void run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
           const MatchOutputs& outputs) const;

 private:
  /// Sums of squares over windows, of one picture.
  struct Squares {
    const Kernel* kernel = nullptr;
    std::unique_ptr<Buffer> sums;
    int left = 0, width = 0;
  };
  Defines defines(const StereoPlan& plan, const MatchWants& wants, bool matches_left, bool winner_only) const;
  void make_squares(const StereoPlan& plan, Programs& programs, bool matches_left, Squares& squares) const;
  void sum_squares(Queue& queue, const Buffer& picture, const Squares& squares) const;

  Size size_;
  Rect roi_;
  Columns served_;
  int rx_ = 0, own_ = 8, of_warp_ = 16, warps_ = 1, order_bits_ = 0, rows_ = 1, chunks_ = 2, chunk_ = 4, registers_ = 0;
  bool full_ = false;
  const Kernel* kernel_ = nullptr;
  Squares mine_, theirs_;
};

}  // namespace vergence::gpu
