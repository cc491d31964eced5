// SPDX-License-Identifier: Apache-2.0
// A clip encoded as the paper's program does it, frame by frame: search, reconstruction, residue; and timed.
#pragma once

#include <memory>

#include "motion-cuda/clip.hpp"
#include "motion-cuda/device_search.hpp"

namespace vergence::studies::motion_cuda {

/// How much of a clip is searched. What is left out is taken from what must come out, and times are extrapolated.
struct Effort {
  int blocks = 0;            ///< At most so many of a frame; 0: all.
  bool borders = true;       ///< Blocks whose search area crosses the border, too; else the device's part alone.
  int launches = 0;          ///< The paper's rungs with a launch for each candidate: so many at most; 0: a whole frame.
  int launches_between = 1;  ///< The same of the rungs between them. At least those of one block.
  int baseline_blocks = 0;   ///< The scalar program's full search, and border blocks in plain code after the device's:
                             ///< so many of a frame, others in each; 0: all.
  double cell_ms = 0;        ///< No further frame once a rung took so long; 0: all frames.
  int event_frames = 2;      ///< Frames a second time, by the device's clock; 0: none.
};

/// What the scalar program does.
enum class Search { full, step, zones };

/// A cell that is timed frame by frame, so that several can take turns.
class Timed {
 public:
  virtual ~Timed() = default;
  /// The frames of a clip, in their order from the first one on.
  virtual void frame(int step) = 0;
  /// Of the frames so far.
  virtual Cell finish() = 0;
};
std::unique_ptr<Timed> start_encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant,
                                    const Effort& effort);
std::unique_ptr<Timed> start_scalar(const Clip& clip, const Truth& truth, Search search, Code code,
                                    const Effort& effort);

/// A cell for a variant on the device.
Cell encode(Bench& bench, const Clip& clip, const Truth& truth, const Variant& variant, const Effort& effort);
/// A cell for the scalar program.
Cell encode_scalar(const Clip& clip, const Truth& truth, Search search, Code code, const Effort& effort);

/// What distinguishes cells of this study; the same keys for all.
Json what_of(const Clip& clip, const Variant& variant, const std::string& device);

/// Blocks from 0 .. count - 1, at most `most`, evenly spread; 0: all.
std::vector<int> spread(int count, int most);
/// The same, but others for each step, and all of them after some steps.
std::vector<int> in_turn(int count, int most, int step);

}  // namespace vergence::studies::motion_cuda
