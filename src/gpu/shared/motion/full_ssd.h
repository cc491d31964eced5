// SPDX-License-Identifier: Apache-2.0
// What full_ssd.cl shares with its launches: scalars, the shape of a tile, and sizes of local memory.
#ifndef VERGENCE_GPU_SHARED_MOTION_FULL_SSD_H
#define VERGENCE_GPU_SHARED_MOTION_FULL_SSD_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

/// square_rows
typedef struct {
  int first_column;   // of the plane, where sums begin
  int plane_pitch;    // sums from row to row
  int width, height;  // of the reference, in px
  int pitch;          // px from row to row
  int count;          // pixels that a sum is of
} SquareRowsArguments;
VERGENCE_SHARED_SIZE(SquareRowsArguments, 24)

/// square_boxes
typedef struct {
  int64 offset;                   // of the plane among the boxes
  int first_column, first_row;    // of the plane, where boxes begin
  int plane_width, plane_height;  // sums
  int plane_pitch;                // sums from row to row
  int count;                      // rows that a box is of
} SquareBoxesArguments;
VERGENCE_SHARED_SIZE(SquareBoxesArguments, 32)

/// full_ssd
typedef struct {
  int width, height;              // of the frames, in px
  int pitch;                      // px from row to row
  int plane_pitch, plane_height;  // of the boxes
  int across;                     // blocks of a row
  int predicted;                  // 1: predictions count; 0: all are zero
} FullSsdArguments;
VERGENCE_SHARED_SIZE(FullSsdArguments, 28)

VERGENCE_SHARED_END

/// Candidates of a tile: columns, and rows of each of its warps.
#define FULL_SSD_COLUMNS 128
#define FULL_SSD_TALL 16
/// Pairs of the block's rows whose matrices lie in local memory at a time.
#define FULL_SSD_PAIRS 4
/// Rows of a work-item of square_boxes.
#define SQUARE_BOXES_ROWS 8

/// Pieces of 16 columns that a row of the block has as a matrix: as it is moved by up to 15 pixels, one more.
#define FULL_SSD_PIECES(block_width) ((block_width) / 16 + 1)
// Local memory of a group, in words.
/// A row of the window of the reference: what 128 columns of candidates meet.
#define FULL_SSD_WINDOW_ROW(block_width) (28 + 4 * FULL_SSD_PIECES(block_width))
#define FULL_SSD_WINDOW_ROWS(block_height, warps) (FULL_SSD_TALL * (warps) + (block_height)-1)
/// The matrices: four words of each work-item of a warp for each product.
#define FULL_SSD_FACTORS(block_width) (FULL_SSD_PAIRS * FULL_SSD_PIECES(block_width) * 128)
/// A row of the block: 16 zeros, its pixels, zeros.
#define FULL_SSD_BLOCK_ROW(block_width) (4 * FULL_SSD_PIECES(block_width) + 5)

#endif
