// SPDX-License-Identifier: Apache-2.0
// The entry point `match` on a GPU: prepared pictures, census words and texture, winners of one view or of both, and
// the left-right check between them.
#pragma once

#include <memory>

#include "gpu/program.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::gpu {

/// What a frame wants besides disparities; each choice is a kernel of its own.
struct MatchWants {
  bool wide = false;  ///< int32 disparities.
  bool confidence = false;
  bool costs = false;
};

/// The launch configuration: changes speed and nothing else.
struct MatchTuning {
  int group = 64;             ///< Columns that a group has sums of, at most its largest size.
  int rows = 16;              ///< Rows that a group slides its windows down.
  bool local_columns = true;  ///< Columns' sums in local memory, where they fit.
  int split = 4;              ///< Work-items of a column, which share its candidates; 1 where memory asks so.
  bool strips = true;         ///< match_strip.cl, where the device and the settings allow it.
  int strip_own = 0;          ///< Columns of a work-item of it, 4 or 8; 0 = what suits the picture.
  int strip_rows = 0;         ///< Rows of a group of it; 0 = what suits the picture.
  int strip_candidates = 0;   ///< Of a warp of it, 8 or 16; 0 = what suits the cost.
  int strip_registers = 0;    ///< Of a work-item of it; 0 = what suits the kernel.
  bool warps = true;          ///< match_warp.cl, where the device and the settings allow it.
  int warp_columns = 0;       ///< Columns of a warp of it, 8, 16 or 32; 0 = what suits the window.
  int warp_rows = 0;          ///< Rows of a group of it; 0 = what suits the picture.
  int warp_side_rows = 0;     ///< The same at the picture's sides.
  int warp_registers = 0;     ///< Of a work-item of it; 0 = what suits the kernel.
  bool sides = true;          ///< match_strip.cl where only columns at the sides ask for another kernel.
  bool bands = false;         ///< match_rows.cl, where the device is a CPU and the settings allow it.
  int band_rows = 0;          ///< Of a work-item of it; 0 = what suits picture and device.
  int band_columns = 256;     ///< That it slides down together.
  bool census_tiles = false;  ///< Census words by groups with their pixels in local memory, where pixels are bytes.
  bool path_pairs = false;    ///< packed_paths.cl, where the settings allow it.
  int path_lanes = 0;         ///< paths.cl: most work-items that share a pixel, up to 32; 0 = what suits the device.
  int path_own = 0;           ///< Candidates of each, 4, 8 or 16, where so many lanes are enough; 0 = what suits.
  int pair_own = 0;           ///< packed_paths.cl: candidates of a work-item, 4, 8 or 16; 0 = what suits.
  int path_parts = 0;         ///< Of it: parts of a line of rows, columns' about as long; 0 = what suits.
  int path_warm = 64;         ///< Steps that each takes before its own, a multiple of 16.
  int pair_strips = 0;        ///< STRIPS_AHEAD of kernels/stereo/packed_strips.h; 0 = what suits.
};
MatchTuning default_match_tuning(const Properties& properties);

/// Where the match of one view goes.
struct MatchOutputs {
  Buffer& disparity;
  Buffer& winner;
  Buffer& confidences;
  Buffer& costs;
};

struct SourceBuffers;

class Match {
 public:
  /// What several matchers of a plan share.
  struct Shared {
    std::shared_ptr<const Buffer> volumes;       ///< Of SGM: what make_path_volumes() makes; null: it makes its own.
    std::shared_ptr<const SourceBuffers> masks;  ///< Due before run(), where the plan has masks.
  };
  Match(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
        const Shared& shared);
  ~Match();

  /// Pictures in the caller's pixels, without gaps between rows. `confidences` holds a byte a pixel, `costs` four
  /// planes of 32 bits: winner, second, before, after; buffers that are not wanted may be any.
  void run(Queue& queue, const Buffer& left, const Buffer& right, Buffer& disparity, Buffer& confidences,
           Buffer& costs);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence::gpu
