// SPDX-License-Identifier: Apache-2.0
// Motion along a video with frames in flight. Read motion.hpp first, track.hpp next.
#pragma once

#include <memory>

#include "vergence/motion.hpp"

namespace vergence {

/// A frame that was given to MotionStream::enqueue.
///
/// ```cpp
/// MotionStream stream(Device("cpu"), {640, 480});
/// Image<MotionVector> field(stream.blocks());
/// Image<std::uint8_t> frame({640, 480}, 0);
/// PendingMotion done = stream.enqueue(frame, {.vectors = field});
/// bool measured = done.wait();  // now the field is whole; false: the first frame
/// ```
class PendingMotion {
 public:
  /// Nothing to wait for.
  PendingMotion() = default;
  /// The frame's maps are whole when this returns true; false, and nothing was written, for the first frame of a video,
  /// which has no reference. Throws what went wrong, once; waiting again does nothing. Frames may be waited for in any
  /// order, by the stream's thread.
  bool wait();

 private:
  friend class MotionStream;
  struct State;
  explicit PendingMotion(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
  bool measured_ = false;
};

/// Finds what a MotionSequence finds whose reference is the previous frame, but returns while the device still works.
/// Frames are not copied on the host. On a GPU each frame is uploaded once, while others are searched. It stays there,
/// with its coarse levels and its vectors, for the next one. Construction checks the settings and allocates. Threads,
/// errors and moves are as with MotionEstimator.
///
/// ```cpp
/// MotionStream stream(Device("cpu"), {640, 480});
/// Image<MotionVector> field(stream.blocks());
/// Image<std::uint8_t> first({640, 480}, 0), second({640, 480}, 0);
/// stream.enqueue(first, {});
/// bool measured = stream.enqueue(second, {.vectors = field}).wait();
/// ```
class MotionStream {
 public:
  /// Throws as MotionEstimator does.
  MotionStream(const Device& device, Size size, const MotionOptions& options = {});
  MotionStream(MotionStream&&) noexcept;
  MotionStream& operator=(MotionStream&&) noexcept;
  /// Waits for all frames.
  ~MotionStream();

  /// Takes the next frame and returns as soon as the device knows of it. The frame stays as it is until the one after
  /// it was waited for: devices in host memory read it again, GPUs read pinned memory (Device::pin) where it lies. The
  /// maps stay where they are until the frame was waited for or the stream is gone. Up
  /// to most_in_flight frames are under way on a GPU; one more waits for the oldest. Devices in host memory finish the
  /// frame before this returns. Throws as MotionEstimator::compute does; a frame that is refused counts as not given.
  PendingMotion enqueue(const PictureRef& frame, const MotionOutput& output);
  static constexpr int most_in_flight = 4;

  /// Starts anew, as after a scene cut: waits for all frames, and the next one is the first.
  void restart();
  Size size() const;
  /// Blocks per row and column: the size of every view of MotionOutput.
  Size blocks() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence
