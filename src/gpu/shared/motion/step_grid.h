// SPDX-License-Identifier: Apache-2.0
// Local memory of a group of step_grid.cl, in words.
#ifndef VERGENCE_GPU_SHARED_MOTION_STEP_GRID_H
#define VERGENCE_GPU_SHARED_MOTION_STEP_GRID_H

/// Rounds that the kernel can do: SIDE_0 to SIDE_4.
#define STEP_GRID_MOST_ROUNDS 5
/// The block's pixels: `columns` words of a row.
#define STEP_GRID_BLOCK_WORDS(columns, block_height) ((columns) * (block_height))
/// What work-items tell each other: two words each.
#define STEP_GRID_AGREEMENT_WORDS(group) (2 * (group))
/// A sum of each column of words for each point of the largest grid.
#define STEP_GRID_SUM_WORDS(columns, most_side) ((most_side) * (most_side) * (columns))

#endif
