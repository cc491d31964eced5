// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on a GPU: paths.cl sums costs along paths into volumes, path_winners.cl makes maps of them.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

/// The memory for costs at the ends of all paths, see gpu/shared/stereo/paths.h. Throws Error(out_of_memory) that says
/// how much it is and what would fit.
std::unique_ptr<Buffer> make_path_volumes(const StereoPlan& plan, Device& device);

class MatchPaths {
 public:
  /// `word_bytes`: of what taps compare.
  MatchPaths(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
             std::size_t word_bytes, std::shared_ptr<const Buffer> volumes);

  /// What taps compare, of the view whose paths are summed and of the other one, and the first view's picture.
  struct Pictures {
    const Buffer& mine;
    const Buffer& theirs;
    const Buffer& guide;
  };
  /// Fills the volumes.
  void sum(Queue& queue, const Pictures& pictures) const;
  /// Maps of the plan's view from the volumes, and what check.cl needs of the other view, where there is a left-right
  /// check: integer winners, or keys where both views are found in one pass.
  void find(Queue& queue, const Buffer& textureless, const MatchOutputs& outputs, Buffer& other_winner) const;
  /// For check.cl.
  Defines add_to(Defines defines) const {
    return defines.set("KEYS_OF_PATHS", both_views_ ? 1 : 0).set("ORDER_BITS", order_bits_);
  }

 private:
  /// How work-items share a pixel's candidates.
  struct Shape {
    int lanes, own, teams;
    int group() const { return lanes * teams; }
  };
  static Shape shape_for(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning);
  Defines defines(const StereoPlan& plan, const MatchWants& wants, bool matches_left, bool winner_only,
                  std::size_t word_bytes, const Properties& properties) const;
  void launch_winners(Queue& queue, const Kernel& kernel, const Buffer& textureless, const MatchOutputs& outputs,
                      Buffer& other_keys) const;
  const Kernel* make_winners(const StereoPlan& plan, Programs& programs, const MatchWants& wants, bool other_view,
                             std::size_t word_bytes) const;

  Size size_;
  Rect roi_;
  int paths_, p1_, p2_, p2_slope_, places_;
  Shape shape_;
  int pixels_;      ///< Of a team of path_winners.cl.
  int order_bits_;  ///< Of its keys; 0: a sum and an order do not fit 32 bits.
  bool both_views_ = false;
  const Kernel *costs_ = nullptr, *walk_ = nullptr;
  const Kernel *winners_ = nullptr, *other_winners_ = nullptr;
  std::shared_ptr<const Buffer> volumes_;
  std::unique_ptr<Buffer> none_;
};

}  // namespace vergence::gpu
