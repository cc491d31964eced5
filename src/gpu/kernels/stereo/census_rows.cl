// SPDX-License-Identifier: Apache-2.0
// Census words of two pictures where work-items are loops on a CPU (OpenCL alone: its vectors are used). A work-item
// takes a few rows and compares neighbours of 16 pixels at once.
//
//   PREPARED, WORD, CENSUS_W, CENSUS_H, SYMMETRIC  census_word.h
//   PIXELS, WORDS  16 of them
//   BAND           rows of a work-item
#include "gpu/shared/picture.h"
#include "stereo/census_word.h"
#if !defined(PIXELS) || !defined(WORDS) || !defined(BAND)
#error "census_rows needs PIXELS, WORDS and BAND"
#endif
#define BYTES ((TAPS + 7) / 8)  // of a word

typedef WORDS __attribute__((aligned(sizeof(WORD)))) LooseWords;

// One bit more of 16 words: is the neighbour brighter? Bits of those that are not are counted down from 0.
static ALWAYS_INLINE uchar16 with_bit(uchar16 bits, PIXELS neighbour, PIXELS other) {
  return bits + bits + as_uchar16(convert_char16(max(neighbour, other) == other));
}

// Of pixels x .. x + 15, whose neighbours lie within these rows.
static ALWAYS_INLINE WORDS words_at(__global const PREPARED* const* rows, int x) {
  uchar16 bytes[8];
  UNROLL for (int i = 0; i < 8; ++i) bytes[i] = 0;
  const PIXELS centre = vload16(0, rows[ABOVE] + x);
  UNROLL for (int tap = 0; tap < TAPS; ++tap) {
    const int raster = SYMMETRIC || tap < TAPS / 2 ? tap : tap + 1, row = raster / CENSUS_W;
    const int dx = raster % CENSUS_W - LEFT, byte = (TAPS - 1 - tap) / 8;
    const PIXELS neighbour = vload16(0, rows[row] + x + dx);
    const PIXELS other = SYMMETRIC ? vload16(0, rows[CENSUS_H - 1 - row] + x - dx) : centre;
    bytes[byte] = with_bit(bytes[byte], neighbour, other);
  }
  UNROLL for (int i = 0; i < BYTES; ++i)
    bytes[i] += (uchar)(i < BYTES - 1 ? 255 : (1 << (TAPS - 8 * (BYTES - 1))) - 1);  // bits of those that are
  const uint16 low = upsample(upsample(bytes[3], bytes[2]), upsample(bytes[1], bytes[0]));
#if !SYMMETRIC && CENSUS_W * CENSUS_H > 33
  return upsample(upsample(upsample(bytes[7], bytes[6]), upsample(bytes[5], bytes[4])), low);
#else
  return low;
#endif
}

// The first picture's bands have number 0 in the second dimension.
__kernel WORK_GROUP(1, 1) void census_rows(__global const PREPARED* restrict first, __global WORD* restrict first_out,
                                           __global const PREPARED* restrict second, __global WORD* restrict second_out,
                                           const PictureArguments arguments) {
  __global const PREPARED* restrict in = get_group_id(1) == 0 ? first : second;
  __global WORD* restrict out = get_group_id(1) == 0 ? first_out : second_out;
  const int width = arguments.width, height = arguments.height;
  const int top = (int)get_group_id(0) * BAND, bottom = min(top + BAND, height);
  const int end = width >= 16 + 2 * LEFT ? width - LEFT : LEFT;  // of the columns in whole vectors
  for (int y = top; y < bottom; ++y) {
    __global const PREPARED* rows[CENSUS_H];
    for (int i = 0; i < CENSUS_H; ++i) rows[i] = in + (int64)clamp(y + i - ABOVE, 0, height - 1) * width;
    __global WORD* const words = out + (int64)y * width;
    for (int x = LEFT; x < end; x += 16) {
      const int at = min(x, end - 16);  // the last vector overlaps
      *(__global LooseWords*)(words + at) = words_at(rows, at);
    }
    for (int x = 0; x < width; ++x) {
      if (x == LEFT) x = end;
      if (x < width) words[x] = census_word(in, x, y, width, height);
    }
  }
}
