// SPDX-License-Identifier: Apache-2.0
// What cells.cl and elimination.cl share with their launches: scalars, and sizes.
#ifndef VERGENCE_GPU_SHARED_MOTION_ELIMINATION_H
#define VERGENCE_GPU_SHARED_MOTION_ELIMINATION_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

/// rows of cells.cl
typedef struct {
  int plane_pitch;    // sums from row to row
  int plane_words;    // from one shifted plane to the next
  int width, height;  // of the reference, in px
  int pitch;          // px from row to row
} CellRowsArguments;
VERGENCE_SHARED_SIZE(CellRowsArguments, 20)

/// elimination
typedef struct {
  int width, height;             // of the frames, in px
  int pitch;                     // px from row to row
  int plane_pitch, plane_words;  // as for rows
  int across;                    // blocks of a row
  int predicted;                 // 1: predictions count; 0: all are zero
} EliminationArguments;
VERGENCE_SHARED_SIZE(EliminationArguments, 28)

VERGENCE_SHARED_END

/// Rows of a work-item of the kernel `cells`.
#define CELLS_STRIP_ROWS 16
/// A block has 4x4 cells of 2x2 parts each.
#define CELLS_PER_SIDE 4
#define PARTS_PER_SIDE 8
/// Work-items that pass words among them: a warp.
#define ELIMINATION_TEAM 32
/// Local memory of a group, in bytes: the block's pixels, masks of a row's words and sums of cells and parts; the list
/// of candidates; a key of each team and what counts them.
#define ELIMINATION_BLOCK_BYTES(block_width, block_height) \
  ((block_width) * (block_height) + (block_width) + 4 * (16 + 64 + 32))
#define ELIMINATION_LIST_BYTES(most_left) (4 * (most_left))
#define ELIMINATION_TEAM_BYTES(group) (8 * ((group) / ELIMINATION_TEAM) + 8)

#endif
