// SPDX-License-Identifier: Apache-2.0
// What all matchers are told of a matcher's settings, once. The launch code gives a #define for each; where it gives
// none, the default stands, and what has no default must be given.
//
//   RX, RY         half the window's width and height, px, from 0 on
//   COUNT          candidates of a pixel, from 1 on
//   DMIN           disparity of the first candidate, px
//   COST           COST_SAD, COST_SSD or COST_HAMMING
//   MATCHES_LEFT   1: the reference is the left picture, 0: the right one
//   WHOLE_WINDOWS  1: only pixels whose window lies inside the picture count
//   OUTSIDE        OUTSIDE_SKIP, OUTSIDE_ZERO or OUTSIDE_CLAMP: what lies beyond the other picture's border
//   TIE_HIGHEST    1: of equal costs the highest disparity wins, 0: the lowest
//   MAP            type of disparities: short or int
//   INVALID        the disparity that says there is none
#include "gpu/shared/stereo/settings.h"
#if !defined(RX) || !defined(RY) || !defined(COUNT) || !defined(DMIN) || !defined(COST) || !defined(MATCHES_LEFT)
#error "a matcher needs RX, RY, COUNT, DMIN, COST and MATCHES_LEFT"
#endif
#if !defined(WHOLE_WINDOWS) || !defined(OUTSIDE) || !defined(TIE_HIGHEST) || !defined(MAP) || !defined(INVALID)
#error "a matcher needs WHOLE_WINDOWS, OUTSIDE, TIE_HIGHEST, MAP and INVALID"
#endif
#ifndef SUMS_PATHS
#define SUMS_PATHS 0  // 1: costs are sums over the paths of semi-global matching, all of equally many taps
#endif
#ifndef RATIO
#define RATIO 0  // uniqueness, percent, 0 (off) to 1000
#endif
#ifndef REJECT_TIES
#define REJECT_TIES 0  // 1: pixels get no disparity where the tie rule says so (definitions/stereo/ties.h)
#endif
#ifndef TEXTURE
#define TEXTURE 0  // 1: pixels of too little texture get no disparity
#endif
#ifndef SUBPIXEL
#define SUBPIXEL 0  // 1: disparities of 1/16 px by the costs of the winner's neighbours
#endif
#ifndef CONFIDENCE
#define CONFIDENCE 0  // 1: writes confidences
#endif
#ifndef COSTS
#define COSTS 0  // 1: writes the costs of the winner, the second best and the winner's neighbours
#endif

#define NO_WINNER (-2147483647 - 1)  // in maps of integer winners: the pixel has none
#define NO_COST 0xFFFFFFFFu          // in maps of costs
#define SUBPIXELS 16                 // disparities count 1/16 px
// What is asked for besides the winner.
#define NEEDS_SECOND (RATIO > 0 || CONFIDENCE || COSTS)
#define NEEDS_NEIGHBOURS (SUBPIXEL || COSTS)
