// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on a GPU: path_walk.hpp sums costs along paths into volumes, path_winners.cl makes maps of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "gpu/stereo/match.hpp"
#include "gpu/stereo/path_walk.hpp"

namespace vergence::gpu {

class MatchPaths {
 public:
  /// `word_bytes`: of what taps compare.
  MatchPaths(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
             std::size_t word_bytes, std::shared_ptr<const Buffer> volumes);

  /// Of both pictures; not looked at where the plan has none.
  struct Masks {
    const Buffer& left;
    const Buffer& right;
    const Buffer& of(StereoView view) const { return view == StereoView::left ? left : right; }
  };
  /// Fills the volumes. `other_winner`: as find() takes it next.
  void sum(Queue& queue, const PathWalk::Pictures& pictures, const Masks& masks, Buffer& other_winner) const;
  /// Maps of the plan's view from the volumes, and what check.cl needs of the other view, where there is a left-right
  /// check: integer winners, or keys where both views are found in one pass.
  void find(Queue& queue, const Buffer& textureless, const Masks& masks, const MatchOutputs& outputs,
            Buffer& other_winner) const;
  /// For check.cl.
  Defines add_to(Defines defines) const {
    return defines.set("KEYS_OF_PATHS", both_views_ ? 1 : 0).set("ORDER_BITS", order_bits_);
  }

 private:
  /// `masks`: of the map's own view and of the other one.
  void launch_winners(Queue& queue, const Kernel& kernel, const Buffer& textureless, const MatchOutputs& outputs,
                      Buffer& other_keys, std::array<const Buffer*, 2> masks) const;
  const Kernel* make_winners(const StereoPlan& plan, Programs& programs, const MatchWants& wants, bool other_view,
                             std::size_t word_bytes) const;

  Size size_;
  Rect roi_;
  StereoView view_, sums_view_;
  PathWalk walk_;
  bool adds_pairs_;  ///< path_winners.cl adds two numbers at a time.
  TeamShape shape_;
  int pixels_;      ///< Of a team of path_winners.cl.
  int order_bits_;  ///< Of its keys; 0: a sum and an order do not fit 32 bits.
  bool both_views_ = false;
  const Kernel *winners_ = nullptr, *other_winners_ = nullptr;
  std::shared_ptr<const Buffer> volumes_;
  std::unique_ptr<Buffer> none_;
};

}  // namespace vergence::gpu
