// SPDX-License-Identifier: Apache-2.0
// The stages of stereo on the CPU: SIMD through Google Highway with run-time dispatch, threads through
// core/parallel.hpp. Each gives the bytes of the function of the same name in reference/stereo/stages.hpp.
#pragma once

#include "cpu/context.hpp"
#include "plan/stereo/match_maps.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// Scratch memory of one matcher; grows on first use, is then reused: nothing is allocated per frame.
class MatchScratch;

template <class P, class T>
void match(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
           ImageView<const P> right, const MatchMaps<T>& maps);

/// The same where the plan sums paths (semi-global matching): sgm.cpp. F is a pixel after the prefilter, E what is
/// matched, as in PreparedRows.
template <class P, class F, class E, class T>
void match_paths(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
                 ImageView<const P> right, const MatchMaps<T>& maps);

}  // namespace vergence::cpu
