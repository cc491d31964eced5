// SPDX-License-Identifier: Apache-2.0
// The tiles of candidates of exhaustive searches, and what their kernels are told of them.
#pragma once

#include <cstddef>

#include "gpu/program.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::gpu {

/// A tile is a group's: columns x slabs work-items, or a few more, and each has `tall` rows of candidates.
struct Tiles {
  int columns = 0, slabs = 0, tall = 0, tiles_x = 0, tiles_y = 0;
  int group() const { return (columns * slabs + 31) / 32 * 32; }
  int count() const { return tiles_x * tiles_y; }
};

/// Bytes of local memory that compilers may take beside what a kernel declares in arrays: single words, alignment.
constexpr std::size_t local_slack = 64;

/// The first column of candidates that is computed: words of the reference begin at multiples of 4.
int first_column(MotionRange x);
/// Bytes of the window of the reference for panels of a block (shared/motion/exhaustive.h).
std::size_t window_bytes(const Tiles& tiles, int panel_words, int panel_rows);
/// Words of a row of it that are read.
int window_words(const Tiles& tiles, int panel_words);

/// What every exhaustive search is told of its candidates: PAD, LAMBDA, FIRST_X .. LAST_Y.
Defines candidate_defines(const MotionOptions& options);
/// What window.h and the kernels around it are told.
void set_tiles(Defines& defines, const Tiles& tiles);

}  // namespace vergence::gpu
