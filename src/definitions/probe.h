// SPDX-License-Identifier: Apache-2.0
// One number that depends on every definition, for the bit probe: a device computes it, and the host, from this text.
#ifndef VERGENCE_DEFINITIONS_PROBE_H
#define VERGENCE_DEFINITIONS_PROBE_H

#include "definitions/postfilter/fill.h"
#include "definitions/postfilter/median.h"
#include "definitions/imgproc/separable.h"
#include "definitions/postfilter/speckle.h"
#include "definitions/language.h"
#include "definitions/motion/block.h"
#include "definitions/motion/confidence.h"
#include "definitions/motion/elimination.h"
#include "definitions/motion/interpolate.h"
#include "definitions/motion/order.h"
#include "definitions/motion/overlap.h"
#include "definitions/motion/pattern.h"
#include "definitions/motion/pyramid.h"
#include "definitions/motion/rate.h"
#include "definitions/motion/second_best.h"
#include "definitions/motion/satd.h"
#include "definitions/motion/step.h"
#include "definitions/motion/tz.h"
#include "definitions/rectify/bilinear.h"
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/census.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/left_right.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "definitions/stereo/xsobel.h"
#include "definitions/track/corner.h"
#include "definitions/track/gradient.h"
#include "definitions/track/position.h"
#include "definitions/track/pyramid.h"
#include "definitions/track/sample.h"
#include "definitions/track/scale.h"

VERGENCE_DEFINITIONS_BEGIN

/// Continues a hash: every bit of the value reaches later ones.
VERGENCE_DEFINITION uint64 mix(uint64 hash, int64 value) {
  uint64 mixed = (hash ^ VERGENCE_AS(uint64, value)) * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 29);
}

VERGENCE_DEFINITION uint64 yes(uint64 hash, bool answer) { return mix(hash, answer ? 1 : 0); }

/// Costs, order, blocks and samples of motion.
VERGENCE_DEFINITION uint64 probe_motion_costs(uint64 hash, int a, int b, int c, int d) {
  int x = (a & 1023) - 512, y = (b & 1023) - 512, side = (c & 63) + 1, k = d & 7, quarters = d & 3;
  uint64 cost = VERGENCE_AS(uint64, a) * 3, other = VERGENCE_AS(uint64, b) * 3;
  hash = mix(mix(hash, block_count(a, side)), block_extent(a / side, side, a + k));
  hash = mix(yes(hash, is_inside(x, side, y, 512)), padded(x, side));
  hash = mix(hash, motion_confidence(cost, other, k == 0, other + 1, VERGENCE_AS(uint64, c)));
  hash = mix(hash, VERGENCE_AS(int64, sad_bound(x) + ssd_bound(VERGENCE_AS(int64, x) * y * 1000, side)));
  hash = mix(hash, VERGENCE_AS(int64, satd_bound(y, k == 0 ? 8 : k < 4 ? 4 : 1)));
  hash = yes(yes(hash, is_eliminated(cost, x, y, other, y, x)), is_better_vector(cost, x, y, cost, y, x));
  hash = yes(mix(hash, motion_place(x, y)), may_be_second_best_vector(x, y, x + k - 3, y + quarters - 1));
  hash = mix(hash, VERGENCE_AS(int64, motion_rate(a << 10, vector_bits(4 * x, 4 * y, y, x))));
  hash = mix(mix(hash, whole_pixels(x)), satd_tile(k, side, (b & 63) + 1, (a & 63) + 1));
  hash = mix(hash, hadamard_sign(k, a & 7, b & 7, c & 7));
  int depth = interpolation_depth((c & 65535) | 1);
  hash = mix(hash, 64 * luma_tap(quarters, k) + chroma_tap(k, quarters) + first_shift(depth));
  hash = mix(hash, sample_from(a - b, depth, c & 65535));
  hash = yes(hash, is_inside_quarters(side, k + 1, x, 300));
  hash = mix(hash, overlap_neighbour(k, side) * overlap_weight(k, side));
  return mix(hash, overlap_mean(VERGENCE_AS(int64, a) * side, side, k + 1));
}

/// Where the searches of motion go.
VERGENCE_DEFINITION uint64 probe_motion_walks(uint64 hash, int a, int b, int c, int d) {
  int k = a & 7, side = (b & 63) + 1, farthest = (c & 511) + 1, merged = d % 3 + 1, i = d & 1;
  int distance = 1 << (d & 7), point = a % tz_count(distance), plain = step_plain_rounds(farthest);
  int x = c % 3 - 1, y = x == 0 ? 1 : b % 3 - 1;
  hash = mix(mix(hash, large_diamond_x(k) * 16 + large_diamond_y(k)), hexagon_x(k % 6) * 16 + hexagon_y(k % 6));
  hash = mix(mix(hash, half_side(a)), half_pixel(a & 255, b & 255, c & 255, d & 255));
  hash = mix(hash, coarse_start(a & 1023, side, k % 5, farthest + 64) + coarse_extent(a & 1023, side, k % 5, farthest));
  hash = mix(hash, coarse_range(-farthest, k % 5) * pyramid_reach());
  int round = b % step_rounds(plain, merged);
  hash = mix(hash, step_spacing(plain, merged, round) * 64 + step_reach(plain, merged, round));
  hash = mix(hash, (tz_x(distance, point) * 1024 + tz_y(distance, point)) * tz_raster());
  hash = mix(hash, tz_farthest(k % 3, farthest) * 64 + tz_cell(side, k % 5) + tz_cell_x(k % 5) * 8 + tz_cell_y(k % 5));
  hash = mix(hash, tz_parent(a & 1023, side, merged * 4) + step_merged(plain, merged, round));
  return mix(hash, tz_distance(distance, point) * 16 + tz_missing_x(x, y, i) * 4 + tz_missing_y(x, y, i));
}

/// Positions, samples, levels and corners of tracks.
VERGENCE_DEFINITION uint64 probe_tracks(uint64 hash, int a, int b, int c, int d) {
  int side = (a & 63) + 2, at = b - c, x = c & 1023, y = d & 1023, window = 2 * (d & 31) + 1, pixel = (b & 65535) | 1;
  hash = mix(mix(hash, whole_position(at) * position_units()), position_fraction(at) + (x << position_bits()));
  hash = yes(mix(hash, level_position(at, d & 7)), is_on_picture(a & 65535, side));
  hash = yes(mix(hash, moved_onto_picture(at, side)), has_left(window_start(at, window), window, side));
  hash = mix(hash, mirrored(c % (3 * side - 2) - side + 1, side));
  int here = weight_here(x, y), right = weight_right(x, y), below = weight_below(x, y), both = weight_both(x, y);
  hash = mix(mix(mix(mix(hash, here), right), below), both);
  int depth = track_depth(pixel), shift = gradient_shift(depth), sum = here * (a & 255) + both * (b & 255);
  hash = mix(hash, patch_from(sum, patch_shift(depth)) * patch_scale(depth));
  hash = mix(hash, gradient_from(sum - right * (c & 255)));
  hash = mix(hash, dropped_bits(pixel) * 16 + corner_shift(depth));
  int smooth = gradient_smooth(a & 4095, b & 4095, c & 4095);
  hash = mix(hash, gradient(smooth, gradient_smooth(d & 4095, c & 4095, b & 4095), shift));
  hash = mix(hash, pyramid_pixel(pyramid_weight(a & 3) * (b & 65535)));
  int64 xx = VERGENCE_AS(int64, a) * 1021, yy = VERGENCE_AS(int64, b) * 1009, xy = VERGENCE_AS(int64, c - d) * 1013;
  return mix(mix(hash, eigen_spread(xx, xy, yy)), harris_score(xx, xy, yy, (d & 15) + 1));
}

/// Small filters, those in floating point too: multiplied by a power of two, floats become whole numbers.
VERGENCE_DEFINITION uint64 probe_filters(uint64 hash, int a, int b, int c, int d) {
  int side = (a & 31) + 1, sobel = d & 1;
  hash = mix(hash, filter_source(b % 199 - 99, side, d & 3));
  hash = mix(hash, blur_pixel(16 * blur_sum(a & 255, b & 255, c & 255, d & 255, a & 127)));
  hash = mix(hash, smooth_sum(a & 255, b & 255, c & 255, sobel ? 1 : 3, sobel ? 2 : 10));
  hash = mix(yes(hash, has_source(a - b)), source_place(a - b));
  hash = mix(hash, bilinear(a & 65535, b & 65535, c & 65535, d & 65535, b & 1023, c & 1023, 65535 - (d & 255)));
  float e = VERGENCE_AS(float, a) * 0.0137f, f = VERGENCE_AS(float, b) * -0.0191f, g = VERGENCE_AS(float, c) * 0.0113f;
  float h = VERGENCE_AS(float, d) * 0.0173f, scale = 16777216.0f;
  hash = mix(hash, VERGENCE_AS(int64, blur_float(e, f, g, h, f) * scale));
  return mix(hash, VERGENCE_AS(int64, smooth_float(f, g, h, sobel ? 1.0f : 3.0f, sobel ? 2.0f : 10.0f) * scale));
}

/// Of four numbers 0 .. 2^20 - 1.
VERGENCE_DEFINITION uint64 probe_definitions(int a, int b, int c, int d) {
  int pixel = a & 255, other = b & 255, third = c & 255, fourth = d & 255, shift = (a - b) >> 7;
  int64 cost = VERGENCE_AS(int64, a) * b, before = cost + c, after = cost + d;
  int second_taps = (pixel & 15) + 1, taps = (other & 15) + 1;
  uint64 cheap = VERGENCE_AS(uint64, a < b ? a : b), dear = cheap + VERGENCE_AS(uint64, c);
  uint64 hash = mix(mix(1, shift), floor_divide(VERGENCE_AS(int64, a) - b, c + 1));
  hash = mix(hash, vfit(shift, before, cost, after));
  hash = mix(hash, vfit(-shift, before, before, after));
  hash = mix(hash, vfit_small(shift, a & 65535, b & 65535, c & 65535));
  hash = mix(hash, parabola(shift, before, cost, after));
  hash = mix(hash, parabola(-shift, cost, before, after));
  hash = yes(hash, is_cheaper(VERGENCE_AS(uint64, before), VERGENCE_AS(uint64, taps), VERGENCE_AS(uint64, after),
                              VERGENCE_AS(uint64, second_taps)));
  hash = yes(hash, is_ambiguous(cheap, VERGENCE_AS(uint64, taps), dear, VERGENCE_AS(uint64, taps), fourth));
  hash = yes(hash, is_as_cheap(VERGENCE_AS(uint64, pixel), VERGENCE_AS(uint64, taps), VERGENCE_AS(uint64, other),
                               VERGENCE_AS(uint64, second_taps)));
  hash = yes(hash, is_ambiguous_small(pixel << 8, (pixel << 8) + (other << 5), fourth));
  hash = yes(hash, is_tied(pixel & 3, other & 3));
  hash = yes(hash, edge_took_second_best(shift, shift + (pixel & 3), shift + 1, third & 7));
  hash = mix(hash, confidence(cheap, VERGENCE_AS(uint64, taps), dear, VERGENCE_AS(uint64, taps)));
  hash = yes(yes(hash, agree_in_pixels(shift, pixel, other)), agree_in_grey(shift, pixel, third, other + 1));
  hash = mix(yes(hash, may_be_second_best(pixel, other)), partner_column(shift, pixel, third > 127));
  hash = mix(hash, VERGENCE_AS(int64, ssd_tap(VERGENCE_AS(uint64, a), VERGENCE_AS(uint64, b))));
  hash = mix(hash, VERGENCE_AS(int64, hamming_tap(VERGENCE_AS(uint64, before) << 17, VERGENCE_AS(uint64, after))));
  hash = mix(hash, VERGENCE_AS(int64, census_term(pixel, other, census_bit(d % 4 + 1, c % 3 - 1, 9, 7))));
  hash = mix(hash, xsobel(pixel, other, third, fourth, other, third, (fourth & 63) + 1) + texture_tap(pixel, other));
  hash = mix(hash, mirrored_row(d % 9 - 1, 8) + 16 * median_rank(taps));
  hash = mix(yes(hash, is_nearer(pixel, shift, other, third)), fill_background(shift, other, third));
  hash = mix(hash, fill_mean(VERGENCE_AS(int64, a) - b, taps));
  hash = mix(hash, fill_mean_all(VERGENCE_AS(int64, b) - a, 2 * taps + 1));
  hash = yes(yes(hash, is_same_region(shift, pixel, third, fourth)), is_speckle(a, b));
  hash = probe_motion_walks(probe_motion_costs(hash, a, b, c, d), a, b, c, d);
  return probe_filters(probe_tracks(hash, a, b, c, d), a, b, c, d);
}

VERGENCE_DEFINITIONS_END

#endif
