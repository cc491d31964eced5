// SPDX-License-Identifier: Apache-2.0
// The first half of semi-global matching on a GPU: costs of windows, and costs along paths, into volumes
// (gpu/shared/stereo/paths.h). Two kernels walk: packed_paths.cl where two costs fit a word, else paths.cl.
#pragma once

#include <cstddef>
#include <memory>

#include "gpu/program.hpp"
#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

/// How work-items share a pixel's candidates.
struct TeamShape {
  int lanes, own, teams;
  int group() const { return lanes * teams; }
};
/// Of paths.cl and path_winners.cl.
TeamShape team_shape(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning);

/// What paths.h is told. `word_bytes`: of what taps compare;
Defines path_defines(const StereoPlan& plan, const TeamShape& shape, std::size_t word_bytes,
                     const Properties& properties);

class PathWalk {
 public:
  PathWalk(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, std::size_t word_bytes);

  /// What taps compare, of the view whose paths are summed and of the other one, and the first view's picture.
  struct Pictures {
    const Buffer& mine;
    const Buffer& theirs;
    const Buffer& guide;
  };
  /// Masks of these views; not looked at where the plan has none.
  struct Masks {
    const Buffer& mine;
    const Buffer& theirs;
  };
  /// Fills the volumes, and `keys`, if any, with the largest numbers.
  void run(Queue& queue, const Pictures& pictures, const Masks& masks, const Buffer& volumes, Buffer* keys) const;
  /// Whether packed_paths.cl walks, which has its own order of candidates in volumes.
  bool is_packed() const { return packed_; }

  /// Of packed_paths.cl: steps of the parts of a line.
  struct Parts {
    int row_steps, column_steps;
  };

 private:
  void choose_packed(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning, bool given);

  Size size_;
  int paths_, p1_, p2_, p2_slope_, places_;
  bool packed_;
  TeamShape shape_{};
  Parts parts_{};
  std::size_t groups_ = 0;
  bool parted_ = false;
  std::unique_ptr<Buffer> parts_done_, seam_levels_;  ///< Of kernels/stereo/packed_seams.h.
  const Kernel *costs_ = nullptr, *walk_ = nullptr, *mends_ = nullptr;
};

}  // namespace vergence::gpu
