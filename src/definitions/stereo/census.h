// SPDX-License-Identifier: Apache-2.0
// The census transform (Zabih and Woodfill 1994): which neighbour is which bit of a pixel's word.
#ifndef VERGENCE_DEFINITIONS_STEREO_CENSUS_H
#define VERGENCE_DEFINITIONS_STEREO_CENSUS_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The bit of the neighbour at (dx, dy) from the centre, in a neighbourhood of odd width and height: neighbours in
/// raster order, the centre left out, the last one is bit 0. Not defined for the centre.
VERGENCE_DEFINITION int census_bit(int dx, int dy, int width, int height) {
  int last = width * height - 1;
  int raster = (dy + height / 2) * width + dx + width / 2;
  int centre = last / 2;
  return last - raster - (raster < centre ? 1 : 0);
}

/// What that neighbour contributes to the word: its bit, if it is brighter than the centre.
VERGENCE_DEFINITION uint64 census_term(int neighbour, int centre, int bit) {
  return neighbour > centre ? VERGENCE_AS(uint64, 1) << bit : VERGENCE_AS(uint64, 0);
}

/// The bit of the pair of pixels at (dx, dy) and (-dx, -dy) from the centre, where (dx, dy) lies in the first half of
/// the neighbourhood in raster order: pairs in raster order, the last one is bit 0. It is set by census_term where the
/// pixel of the first half is brighter than the one of the second.
VERGENCE_DEFINITION int symmetric_census_bit(int dx, int dy, int width, int height) {
  int centre = width * height / 2;
  int raster = (dy + height / 2) * width + dx + width / 2;
  return centre - 1 - raster;
}

VERGENCE_DEFINITIONS_END

#endif
