// SPDX-License-Identifier: Apache-2.0
// One number that depends on every definition, for the bit probe: a device computes it, and the host, from this text.
#ifndef VERGENCE_DEFINITIONS_PROBE_H
#define VERGENCE_DEFINITIONS_PROBE_H

#include "definitions/filter/fill.h"
#include "definitions/filter/median.h"
#include "definitions/filter/speckle.h"
#include "definitions/language.h"
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/census.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/left_right.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "definitions/stereo/xsobel.h"

VERGENCE_DEFINITIONS_BEGIN

/// Continues a hash: every bit of the value reaches later ones.
VERGENCE_DEFINITION uint64 mix(uint64 hash, int64 value) {
  uint64 mixed = (hash ^ VERGENCE_AS(uint64, value)) * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 29);
}

VERGENCE_DEFINITION uint64 yes(uint64 hash, bool answer) { return mix(hash, answer ? 1 : 0); }

/// Of four numbers 0 .. 2^20 - 1.
VERGENCE_DEFINITION uint64 probe_definitions(int a, int b, int c, int d) {
  int pixel = a & 255, other = b & 255, third = c & 255, fourth = d & 255, shift = (a - b) >> 7;
  int64 cost = VERGENCE_AS(int64, a) * b, before = cost + c, after = cost + d;
  int rival_taps = (pixel & 15) + 1, taps = (other & 15) + 1;
  uint64 cheap = VERGENCE_AS(uint64, a < b ? a : b), dear = cheap + VERGENCE_AS(uint64, c);
  uint64 hash = mix(mix(1, shift), floor_divide(VERGENCE_AS(int64, a) - b, c + 1));
  hash = mix(hash, vfit(shift, before, cost, after));
  hash = mix(hash, vfit(-shift, before, before, after));
  hash = mix(hash, parabola(shift, before, cost, after));
  hash = mix(hash, parabola(-shift, cost, before, after));
  hash = yes(hash, is_cheaper(VERGENCE_AS(uint64, before), VERGENCE_AS(uint64, taps), VERGENCE_AS(uint64, after),
                              VERGENCE_AS(uint64, rival_taps)));
  hash = yes(hash, is_ambiguous(cheap, VERGENCE_AS(uint64, taps), dear, VERGENCE_AS(uint64, taps), fourth));
  hash = mix(hash, confidence(cheap, VERGENCE_AS(uint64, taps), dear, VERGENCE_AS(uint64, taps)));
  hash = yes(yes(hash, agree_in_pixels(shift, pixel, other)), agree_in_grey(shift, pixel, third, other + 1));
  hash = mix(yes(hash, is_rival(pixel, other)), partner_column(shift, pixel, third > 127));
  hash = mix(hash, VERGENCE_AS(int64, ssd_tap(VERGENCE_AS(uint64, a), VERGENCE_AS(uint64, b))));
  hash = mix(hash, VERGENCE_AS(int64, hamming_tap(VERGENCE_AS(uint64, before) << 17, VERGENCE_AS(uint64, after))));
  hash = mix(hash, VERGENCE_AS(int64, census_term(pixel, other, census_bit(d % 4 + 1, c % 3 - 1, 9, 7))));
  hash = mix(hash, xsobel(pixel, other, third, fourth, other, third, (fourth & 63) + 1) + texture_tap(pixel, other));
  hash = mix(hash, mirrored_row(d % 9 - 1, 8) + 16 * median_rank(taps));
  hash = mix(yes(hash, is_nearer(pixel, shift, other, third)), fill_background(shift, other, third));
  hash = mix(hash, fill_mean(VERGENCE_AS(int64, a) - b, taps));
  hash = mix(hash, fill_mean_all(VERGENCE_AS(int64, b) - a, 2 * taps + 1));
  return yes(yes(hash, is_same_region(shift, pixel, third, fourth)), is_speckle(a, b));
}

VERGENCE_DEFINITIONS_END

#endif
