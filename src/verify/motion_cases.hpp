// SPDX-License-Identifier: Apache-2.0
// Seeded motion cases: one number gives a frame size, options, two frames and a field of predictions, the same on every
// machine. Shared by the tests, by `verify` and by the fuzzer.
#pragma once

#include <cstdint>
#include <string>

#include "plan/motion/plan.hpp"
#include "vergence/image.hpp"
#include "vergence/motion.hpp"

namespace vergence {

struct MotionCase {
  std::uint64_t seed = 0;
  Size size;
  MotionOptions options;
  bool all_sizes = false;  ///< By MotionSizesEstimator, with those of the options that it has.
};
MotionPlan plan_of(const MotionCase& motion_case);

/// Settings that make_motion_plan accepts, frames of 4x4 .. `largest` px, at first small enough for the reference to
/// take milliseconds; wider ones get longer ranges. `largest` is part of what the seed means.
MotionCase make_motion_case(std::uint64_t seed, Size largest = {48, 40});

/// The frames of a case. `current` is `reference` moved by a few displacements, with noise, or something that provokes
/// ties, repeated patterns or the largest sums. P is uint8_t or uint16_t, as the options' depth says.
template <class P>
struct MotionFrames {
  Image<P> current, reference;
};
template <class P>
MotionFrames<P> make_motion_frames(const MotionCase& motion_case);

/// Predictions for a field of that size: short vectors, now and then long ones.
Image<MotionVector> make_previous_field(const MotionCase& motion_case, Size blocks);

/// "seed 17, 45x30, search full, ..." for messages.
std::string describe(const MotionCase& motion_case);

}  // namespace vergence
