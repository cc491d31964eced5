// SPDX-License-Identifier: Apache-2.0
// A clip encoded as the paper's program does it, frame by frame: search, reconstruction, residue; and timed.
#pragma once

#include "motion-cuda/clip.hpp"
#include "motion-cuda/device_search.hpp"

namespace vergence::studies::motion_cuda {

/// How much of a clip is searched. What is left out is taken from the reference, and times are extrapolated.
struct Effort {
  int blocks = 0;  ///< At most so many of a frame; 0: all.
  int launches =
      32768;  ///< A rung with a launch for each candidate searches blocks of the first frame alone, for so many.
  int baseline_frames = 1;  ///< The scalar program, full search.
  bool by_events = true;    ///< A second time, by the device's clock.
};

/// A cell for a variant on the device.
Cell encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant, const Effort& effort);
/// A cell for the scalar program; `step` for the step search.
Cell encode_scalar(const Clip& clip, const Truth& truth, bool step, const Effort& effort);

/// What distinguishes cells of this study; the same keys for all.
Json what_of(const Clip& clip, const Variant& variant, const std::string& device);

/// Blocks from 0 .. count - 1, at most `most`, evenly spread.
std::vector<int> spread(int count, int most);

}  // namespace vergence::studies::motion_cuda
