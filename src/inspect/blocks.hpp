// SPDX-License-Identifier: Apache-2.0
// Blocks of 8x8 px in both pictures, as coarse JPEG leaves them.
#pragma once

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence::inspect {

/// Sets the problem `blocks`, where steps across every eighth column and row are far larger than the others, at the
/// same places in both pictures.
void compare_blocks(Picture left, Picture right, PairFindings& findings);

/// The same where one picture alone shows blocks, which the other one has not; sets `blocks_in_one`, too.
void find_blocks_of_one(Picture left, Picture right, PairFindings& findings);

/// As inspect_blocks.
BlockSteps block_steps(Picture picture);

}  // namespace vergence::inspect
