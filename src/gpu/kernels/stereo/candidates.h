// SPDX-License-Identifier: Apache-2.0
// Which candidates a pixel has, whose window counts.
#include "definitions/stereo/ties.h"
#include "stereo/settings.h"

// Columns in the working orientation, in which the reference is always the left picture, and back.
#define WORKING_COLUMN(x, width) (MATCHES_LEFT ? (x) : (width)-1 - (x))

// From the first to the last one, counted from DMIN; none where the last one is below the first.
typedef struct {
  int first, last;
} Candidates;

// x: in the working orientation.
static ALWAYS_INLINE Candidates candidates_of(int x, int width) {
  Candidates c = {0, COUNT - 1};
  if (OUTSIDE == OUTSIDE_SKIP) {
    const int margin = SUMS_PATHS == 0 && WHOLE_WINDOWS ? RX : 0;
    const int nearest = x - DMIN - (width - margin - 1);  // meets the other picture's last column
    c.first = max(c.first, nearest);
    c.last = min(c.last, nearest + width - 2 * margin - 1);
  }
  return c;
}

// Whether the picture's edge cut the candidates so that none may be second best beside the k-th, the winner.
static ALWAYS_INLINE bool lacks_second_best(Candidates c, int k) {
  return edge_took_second_best(c.first, c.last, k, COUNT);
}
