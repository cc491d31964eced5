// SPDX-License-Identifier: Apache-2.0
// The reference stages of stereo: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised. T is the type of a disparity map (int16_t, int32_t), P that of a pixel (uint8_t, uint16_t).
#pragma once

#include "plan/stereo/match_maps.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::reference {

/// The picture that is matched: x-Sobel as the plan says, or the pixels themselves, in 16 bits.
template <class P>
void prefilter(const StereoPlan& plan, ImageView<const P> picture, ImageView<std::uint16_t> out);

/// Winner, uniqueness, texture and sub-pixel of every pixel of plan.roi, all other pixels invalid; then `check` where
/// the plan asks for it. Pictures are unfiltered.
template <class P, class T>
void match(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps);

/// Left-right check: makes pixels of `disparity` invalid whose integer `winner` disagrees with the other view's. Both
/// winner maps hold px, or no_winner.
template <class T>
void check(const StereoPlan& plan, ImageView<const std::int32_t> winner, ImageView<const std::int32_t> other_winner,
           ImageView<T> disparity);

}  // namespace vergence::reference
