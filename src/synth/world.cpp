// SPDX-License-Identifier: Apache-2.0
// Where moving things are at a frame.
#include "synth/world.hpp"

namespace vergence::synth {

Pose moved(const Pose& start, const Motion& motion, int frame) {
  const double t = frame;
  const Vec3 step{motion.travel.x * sine(motion.rate.x * t), motion.travel.y * sine(motion.rate.y * t),
                  motion.travel.z * sine(motion.rate.z * t)};
  const double turns = motion.swing * sine(motion.swing_rate * t) + motion.spin * t;
  if (turns == 0) return {start.place + step, start.turn};
  return {start.place + step, start.turn * rotation(motion.axis, turns)};
}

}  // namespace vergence::synth
