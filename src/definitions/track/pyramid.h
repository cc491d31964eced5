// SPDX-License-Identifier: Apache-2.0
// A pyramid's next level (Burt and Adelson, The Laplacian pyramid as a compact image code, IEEE Trans. Communications,
// 1983): half as wide and high, pixel m of it over pixel 2 m.
#ifndef VERGENCE_DEFINITIONS_TRACK_PYRAMID_H
#define VERGENCE_DEFINITIONS_TRACK_PYRAMID_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Weight of the pixel k - 2 away, k = 0 .. 4, across and down alike; weights sum to 16.
VERGENCE_DEFINITION int pyramid_weight(int k) { return k == 2 ? 6 : k == 1 || k == 3 ? 4 : 1; }

/// From the sum over both directions, 256 x a pixel.
VERGENCE_DEFINITION int pyramid_pixel(int sum) { return (sum + 128) >> 8; }

VERGENCE_DEFINITIONS_END

#endif
