// SPDX-License-Identifier: Apache-2.0
// The closer look at a doubtful pair: where its points really match.
#pragma once

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Mean and mean absolute deviation, in 1/16 grey levels.
struct Levels {
  int mean = 0;
  int deviation = 0;
};
Levels levels(Picture picture);
/// The picture with the levels of another one: cameras differ in gain and offset, and not every cost minds.
Image<std::uint8_t> with_levels(Picture picture, const Levels& own, const Levels& wanted);

/// Searches for points of the left picture in the right one, in other rows and beyond the range, and says which problem
/// explains what was found. `by_chance`: the matches of the first look are no better than those of chance.
/// `beyond`: some of its points that do not match within the range do so beyond it.
void look_closely(Picture left, Picture right, const StereoOptions& options, bool by_chance, PairFindings& findings,
                  bool beyond = false);

}  // namespace vergence::inspect
