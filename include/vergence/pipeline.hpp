// SPDX-License-Identifier: Apache-2.0
// Streams of frames over several devices: stages that work at the same time, frames dealt out to devices by their
// speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vergence/device.hpp"

namespace vergence {

/// One who does a stage's work, one frame at a time, on a device. It has objects of its own (a StereoMatcher, a
/// MotionEstimator), since an object of the library may be used by one thread at a time.
struct PipelineWorker {
  /// The name of its device. Workers of one name are one device, which so takes several frames at a time.
  std::string device;
  /// Does it to the frame in a slot. What the stage reads must be left as it is: where a device fails, another worker
  /// does the same frame again. Error(device) says that the device is lost, anything else ends the stream.
  std::function<void(int slot)> work;
};

/// A stage of a stream. With one worker frames come in order, each after the one before it has left the stage, so that
/// the stage may carry something on from frame to frame. With several, each takes a frame when it is free: faster ones
/// take more. A worker so slow that all others would wait for its frame at last, the slots being full, gets none.
struct PipelineStage {
  std::string name;  ///< For reports: "prepare".
  std::vector<PipelineWorker> workers;
};

/// What happens when a device fails in the middle of a stream.
enum class OnDeviceLoss {
  stop,   ///< The stream ends with Error(device) that names device and frame.
  go_on,  ///< Other devices of the stage redo its frames and go on without it; none is lost. Where none is left: stop.
};

struct PipelineOptions {
  OnDeviceLoss on_device_loss = OnDeviceLoss::stop;
  std::int64_t first_frame = 0;  ///< The number that errors give the first frame.
};

/// What one device did in one stage.
struct PipelineShare {
  std::string stage;
  std::string device;
  std::int64_t frames = 0;
  double busy_ms = 0;  ///< Sum over its workers.
  bool lost = false;
  std::string reason;  ///< Why it is lost.
};

struct PipelineReport {
  std::int64_t frames = 0;
  double seconds = 0;      ///< From the first read to the last write.
  int most_in_flight = 0;  ///< Frames that were under way at the same time.
  std::vector<PipelineShare> shares;
};

/// Passes frames through stages that work at the same time: read(slot) gets the next frame into a slot, or returns
/// false at the end; write(slot) takes it out. Both are called in the order of the frames, one call at a time, from any
/// thread. A frame stays in its slot, 0 .. `slots` - 1, all the way, so the caller keeps `slots` places for pictures
/// and results, and memory is bounded however slow the writer is.
///
/// What is written does not depend on the number of slots, workers or devices, nor on who took which frame, as long as
/// the workers of a stage give the same bits, which those of this library do.
///
/// The first error of any call ends the stream: no further call begins, those under way are waited for, and it is
/// rethrown. Frames before it may be missing; what was written is whole. Throws Error(invalid_argument) where `slots`
/// is not 1 .. 4096 or a stage has no worker.
PipelineReport run_pipeline(int slots, const std::function<bool(int slot)>& read, std::span<const PipelineStage> stages,
                            const std::function<void(int slot)>& write, const PipelineOptions& options = {});

/// Slots for these stages, where one takes `bytes`: as many as keep all workers busy (for each one at work and one that
/// waits, one that is read and one that is written), and more as long as they are small in all (256 MiB, 256 slots):
/// then slow workers help fast ones, who have slots to go on with meanwhile.
int pipeline_slots(std::span<const PipelineStage> stages, std::size_t bytes);

/// A device for PointFlow and PointTracker, which carry frames and points from call to call: it works on `first`, and
/// from the moment when that fails with Error(device) on `fallback`, which redoes the call that failed: no point is
/// lost and the bits are the same. `on_loss`, where given, is told why, once. Computes tracks and nothing else.
Device with_failover(const Device& first, const Device& fallback,
                     std::function<void(const std::string& reason)> on_loss = {});

}  // namespace vergence
