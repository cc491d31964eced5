// SPDX-License-Identifier: Apache-2.0
// The stages of a video whose frames are searched several at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cli/stream_option.hpp"
#include "motion/lane.hpp"
#include "vergence/motion_stream.hpp"

namespace vergence::cli {

using FramePointer = std::shared_ptr<const YuvFrame>;

/// A frame on its way, with the one that it is measured against.
struct MotionSlot {
  std::int64_t index = 0;  ///< Of the frame in the video.
  FramePointer frame, reference;
  FoundMotion found;
  double ms = 0;  ///< Of the search, where devices share the frames.
  PendingMotion pending;
  std::int64_t given = 0;  ///< How many frames were given to the stream, this one included.
};
using MotionSlotAt = std::function<MotionSlot&(int slot)>;

/// What all searches of a run have in common.
struct MotionJob {
  Size size;
  MotionOptions options;
  MotionWants wants;
};

/// Devices take frames in turn, by their speed, first to search and then to score them. Fields must not carry on.
std::vector<PipelineStage> shared_motion_stages(const std::vector<StreamDevice>& devices, const MotionJob& job,
                                                const MotionSlotAt& at);

/// One device has several frames in flight, each uploaded once and measured against the one before; `first` is the one
/// before the first slot's. Others are scored meanwhile. Fields may carry on; there is no search back.
std::vector<PipelineStage> flight_motion_stages(const Device& device, const MotionJob& job, const YuvFrame& first,
                                                const MotionSlotAt& at);

}  // namespace vergence::cli
