// SPDX-License-Identifier: Apache-2.0
// The stages of stereo on the CPU: SIMD through Google Highway with run-time dispatch, threads through core/parallel.hpp.
// Each gives the bytes of the function of the same name in reference/stages.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/context.hpp"
#include "stereo/match_maps.hpp"
#include "stereo/plan.hpp"

namespace vergence::cpu {

/// Scratch memory of one matcher; grows on first use, is then reused: nothing is allocated per frame.
class MatchScratch;

template <class P, class T>
void match(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
           ImageView<const P> right, const MatchMaps<T>& maps);

struct SpeckleScratch {
  std::vector<std::int32_t> a, b, c, d;
};
template <class T>
void speckle(const StereoPlan& plan, Context& context, SpeckleScratch& scratch, ImageView<T> disparity);
template <class T>
void median(const StereoPlan& plan, Context& context, ImageView<const T> in, ImageView<T> out);
struct FillScratch {
  std::vector<std::int32_t> a, b, c, d;
};
template <class T>
void fill(const StereoPlan& plan, Context& context, FillScratch& scratch, ImageView<const T> in, ImageView<T> out);

}  // namespace vergence::cpu
