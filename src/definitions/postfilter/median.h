// SPDX-License-Identifier: Apache-2.0
// The median rule: which of the sorted valid values of a window is the median.
#ifndef VERGENCE_DEFINITIONS_FILTER_MEDIAN_H
#define VERGENCE_DEFINITIONS_FILTER_MEDIAN_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Index into the values sorted upwards, counted from 0: the middle, the lower of two middles. count > 0.
VERGENCE_DEFINITION int median_rank(int count) { return (count - 1) / 2; }

VERGENCE_DEFINITIONS_END

#endif
