// SPDX-License-Identifier: Apache-2.0
// What the exhaustive searches share with their launches: scalars, and the window of the reference in local memory.
#ifndef VERGENCE_GPU_SHARED_MOTION_EXHAUSTIVE_H
#define VERGENCE_GPU_SHARED_MOTION_EXHAUSTIVE_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

/// full_sad.cl: all blocks of one size.
typedef struct {
  int width, height;  // of the frames, in px
  int pitch;          // px from row to row
  int across;         // blocks of a row
  int predicted;      // 1: predictions count; 0: all are zero
} FullSadArguments;
VERGENCE_SHARED_SIZE(FullSadArguments, 20)

/// all_sizes.cl: all blocks of four sizes.
typedef struct {
  int width, height;  // of the frames, in px
  int pitch;          // px from row to row
  int predicted;      // a bit for each size, the smallest first: its predictions count
  int sixteen;        // 16, as a factor that the compiler does not know
} AllSizesArguments;
VERGENCE_SHARED_SIZE(AllSizesArguments, 20)

/// choose.cl
typedef struct {
  int blocks;
  int predicted;  // 1: predictions count; 0: all are zero
} ChooseArguments;
VERGENCE_SHARED_SIZE(ChooseArguments, 8)

VERGENCE_SHARED_END

// The window (kernels/motion/window.h): the pixels that `columns` columns and `slabs` x `tall` rows of candidates meet,
// with a panel of the block of `panel_words` words of four pixels and `panel_rows` rows. It lies there four times,
// shifted by 0 to 3 pixels. All sizes are counted in words.

/// The first column of candidates that is computed: words of the reference begin at multiples of 4 px. `first_x` is not
/// positive.
#define WINDOW_ORIGIN_X(first_x) (-((3 - (first_x)) / 4 * 4))
/// Words of a row that are read.
#define WINDOW_READ_WORDS(columns, panel_words) (((columns)-1) / 4 + (panel_words))
/// From one copy of a row to the next: 8 more than a multiple of 16, so that the copies lie in different banks.
#define WINDOW_COPY_WORDS(columns, panel_words) ((WINDOW_READ_WORDS(columns, panel_words) + 7) / 16 * 16 + 8)
/// From row to row.
#define WINDOW_ROW_WORDS(columns, panel_words) (4 * WINDOW_COPY_WORDS(columns, panel_words))
#define WINDOW_ROW_COUNT(slabs, tall, panel_rows) ((slabs) * (tall) + (panel_rows)-1)

// Most rows of candidates of a work-item: registers hold their sums, and the lowest 4 bits of a key say which row.
#define MOST_TALL 16

// all_sizes.cl

/// Side of the square whose blocks a group has, in px: of the largest blocks.
#define ALL_SIZES_SQUARE 64
/// Blocks of all sizes in a square: 64 of 8 px, 16 of 16, 4 of 32 and one of 64.
#define ALL_SIZES_BLOCKS 85
/// Words and rows of a panel, a quarter of the square.
#define ALL_SIZES_PANEL_WORDS 8
#define ALL_SIZES_PANEL_ROWS 32

#endif
