// SPDX-License-Identifier: Apache-2.0
// Which pixels show nothing: such a pixel has no candidates, and is none (docs/algorithms/stereo/match.md).
//
//   SOURCES  1: masks of both pictures are given; 0: all pixels show something, and masks are not looked at
#include "definitions/stereo/candidate.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#ifndef SOURCES
#define SOURCES 0
#endif

// Of masks: 0 where a pixel shows nothing.
#define ALL_SHOW 1  // it does, and so do all of the other picture that may be its partners; anything else: not all do

// Rows of the masks of the matched picture and of the other one, and whether the latter must be looked at.
typedef struct {
  __global const uchar* restrict own;
  __global const uchar* restrict other;
  bool some_lack;
} Sources;

static ALWAYS_INLINE Sources sources_of_row(__global const uchar* restrict own, __global const uchar* restrict other,
                                            int y, int width) {
  const int64 row = SOURCES ? (int64)y * width : 0;
  const Sources sources = {own + row, other + row, true};
  return sources;
}
static ALWAYS_INLINE Sources sources_of_pixel(__global const uchar* restrict own, __global const uchar* restrict other,
                                              int x, int y, int width) {
  Sources sources = sources_of_row(own, other, y, width);
  sources.some_lack = SOURCES && sources.own[x] != ALL_SHOW;
  return sources;
}
// What lies outside the picture has no mask.
static ALWAYS_INLINE bool column_shows(__global const uchar* restrict mask, int column, int width) {
  return !SOURCES || column < 0 || column >= width || mask[column] != 0;
}
// Whether the column that candidate k of pixel x names shows something; x, as below, as the picture has it.
static ALWAYS_INLINE bool partner_shows(Sources sources, int x, int k, int width) {
  return !sources.some_lack || column_shows(sources.other, partner_column(x, DMIN + k, MATCHES_LEFT), width);
}
// The candidates from the first to the last that is one.
static ALWAYS_INLINE Candidates shown_candidates(Candidates c, Sources sources, int x, int width) {
#if SOURCES
  if (!sources.some_lack) return c;
  if (sources.own[x] == 0) c.last = c.first - 1;
  while (c.first <= c.last && !partner_shows(sources, x, c.first, width)) ++c.first;
  while (c.first <= c.last && !partner_shows(sources, x, c.last, width)) --c.last;
#endif
  return c;
}
