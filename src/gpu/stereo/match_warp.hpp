// SPDX-License-Identifier: Apache-2.0
// The matcher for NVIDIA's warps that sees all candidates of a pixel at once, match_warp.cl: SAD of byte pixels with
// second-best candidates, sub-pixel positions, the other view's winners, or partial windows that skip candidates; and
// census.
#pragma once

#include <memory>

#include "gpu/stereo/match.hpp"
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {

class MatchWarp {
 public:
  /// Whether the device and the settings allow it.
  static bool serves(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning, bool winner_only);

  MatchWarp(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
            bool matches_left, bool winner_only, Columns inner = {});

  /// Whether it brings the other view's winners too: then `keys` and `last_costs` hold what check.cl needs.
  bool both_views() const { return both_views_; }
  const Buffer& keys() const { return *keys_; }
  const Buffer& last_costs() const { return *last_costs_; }
  /// For check.cl.
  Defines add_to(Defines defines) const;

  void run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
           const MatchOutputs& outputs) const;

 private:
  void count_strips(const StereoPlan& plan);

  Size size_;
  Rect roi_;
  Columns inner_;  ///< What another kernel serves, in the working orientation; finds_both_views() is false then.
  Defines shape_;  ///< What check.cl must know as well.
  int warps_ = 4, columns_ = 16, rows_ = 1, side_rows_ = 1;
  int strips_ = 1, front_ = 0, back_ = 0;  ///< Of a row: see shared::MatchWarpArguments.
  bool both_views_ = false;
  const Kernel* kernel_ = nullptr;
  std::unique_ptr<Buffer> keys_, last_costs_;
};

}  // namespace vergence::gpu
