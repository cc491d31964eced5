// SPDX-License-Identifier: Apache-2.0
// Positions of points in 1/1024 px, and the window about a point. Every rule is for one axis.
#ifndef VERGENCE_DEFINITIONS_TRACK_POSITION_H
#define VERGENCE_DEFINITIONS_TRACK_POSITION_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Units of a position in a pixel, and the bits of its fraction.
VERGENCE_DEFINITION int position_units(void) { return 1024; }
VERGENCE_DEFINITION int position_bits(void) { return 10; }

/// The pixel at or before a position, and what is left of it.
VERGENCE_DEFINITION int whole_position(int position) { return position >> 10; }
VERGENCE_DEFINITION int position_fraction(int position) { return position & 1023; }

/// A position, or a displacement, on a level whose pixels are 2^level apart.
VERGENCE_DEFINITION int level_position(int position, int level) { return position >> level; }

/// Between the first pixel and the last one.
VERGENCE_DEFINITION bool is_on_picture(int position, int side) {
  return position >= 0 && position <= (side - 1) * 1024;
}
VERGENCE_DEFINITION int moved_onto_picture(int position, int side) {
  return position < 0 ? 0 : position > (side - 1) * 1024 ? (side - 1) * 1024 : position;
}

/// The first pixel of a window: an odd one has its point in the middle, an even one has half of its pixels before it.
VERGENCE_DEFINITION int window_start(int position, int window) { return whole_position(position) - window / 2; }

/// A window reads the pixels start .. start + window; more than one window beside the picture it has left it.
VERGENCE_DEFINITION bool has_left(int start, int window, int side) { return start < -window || start >= side; }

/// Beside the picture pixels go on mirrored about the first and the last one, which are not repeated. At most side - 1
/// pixels outside.
VERGENCE_DEFINITION int mirrored(int at, int side) { return at < 0 ? -at : at >= side ? 2 * (side - 1) - at : at; }

/// The square of the distance from a point to where its way back ended, limited to what 32 bits hold.
VERGENCE_DEFINITION unsigned squared_way_back(int x, int y, int back_x, int back_y) {
  const int64 dx = VERGENCE_AS(int64, back_x) - x, dy = VERGENCE_AS(int64, back_y) - y;
  const int64 square = dx * dx + dy * dy;
  return square > VERGENCE_AS(int64, 4294967295u) ? 4294967295u : VERGENCE_AS(unsigned, square);
}

VERGENCE_DEFINITIONS_END

#endif
