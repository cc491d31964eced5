// SPDX-License-Identifier: Apache-2.0
// The left-right check, on integer winners, at the partner's column. Equal to reference/stereo/check.cpp.
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/left_right.h"
#if !defined(MAP) || !defined(INVALID) || !defined(NO_WINNER) || !defined(MATCHES_LEFT) || !defined(GREY)
#error "check needs MAP, INVALID, NO_WINNER, MATCHES_LEFT and GREY"
#endif
#if !defined(THRESHOLD) || !defined(COUNT) || !defined(CONFIDENCE) || !defined(GROUP_W) || !defined(GROUP_H)
#error "check needs THRESHOLD, COUNT, CONFIDENCE, GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void check(__global const int* restrict winner,
                                                 __global const int* restrict other_winner, __global MAP* restrict disparity,
                                                 __global uchar* restrict confidences, int width, int height) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int64 row = (int64)y * width;
  const int d = winner[row + x];
  if (d == NO_WINNER) return;
  const int p = partner_column(x, d, MATCHES_LEFT);
  const int other = p >= 0 && p < width ? other_winner[row + p] : NO_WINNER;
  const bool agree = GREY ? agree_in_grey(d, other, THRESHOLD, COUNT) : agree_in_pixels(d, other, THRESHOLD);
  if (other != NO_WINNER && agree) return;
  disparity[row + x] = (MAP)(INVALID);
  if (CONFIDENCE) confidences[row + x] = 0;
}
