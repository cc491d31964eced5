// SPDX-License-Identifier: Apache-2.0
// Streams of frames over several devices: stages that work at the same time, frames dealt out to devices by their
// speed. Read track.hpp first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "vergence/device.hpp"

namespace vergence {

/// A worker of a stage: does the stage's work on a device, one frame at a time. Each worker needs objects of its own
/// (a StereoMatcher, a MotionEstimator), since an object of the library may be used by one thread at a time, and the
/// workers of a stage work at the same time, each on one frame, on any thread.
struct PipelineWorker {
  /// The name of its device. Workers with the same name share that device, which then works on several frames at once.
  std::string device;
  /// Does the stage's work for the frame in a slot. It must not change what the stage reads: where a device fails,
  /// another worker does the same frame again. Error(device) means that the device is lost. Any other exception ends
  /// the stream.
  std::function<void(int slot)> work;
  /// Its work is done by the processor's cores, which feed the other devices, too. Those of the devices `cpu` and
  /// `reference` are known without it; an OpenCL device that is the processor is not. Where all are the processor, both
  /// begin idle beside `cpu`.
  bool on_host = false;
  /// Device::numa_node(): while a thread does this work, it runs on that node's cores; -1: on any. Has no effect where
  /// the machine has one node, the system forbids it, or the environment has VERGENCE_NUMA=off.
  int numa_node = -1;
  /// Device::description(): devices of one kind (`cuda`, ...) and one model are taken for equally fast until they have
  /// been timed; one of another model waits until a trial would cost little. Empty: of the same model as the others.
  std::string model{};
};

/// A stage of a stream. A stage with one worker gets the frames in order, one after the other, so it may keep state
/// from frame to frame. With several workers each takes a frame when it is free, so faster workers take more frames. A
/// frame keeps its slot while it is worked on. If one worker is so slow that the others would fill all other slots and
/// then wait for it, it gets no frames, nor where the stream, if it ended now, would wait for it. Of devices of several
/// kinds `cuda` begins, others are tried when a frame that takes 32 times as long would cost 3 % of the time. Workers
/// of the processor beside those of other devices begin idle; they are tried now and then, at a cost of about 1 % of
/// the frames, and as many of them take part as make the stream faster.
struct PipelineStage {
  std::string name;  ///< For reports: "prepare".
  std::vector<PipelineWorker> workers;
};

/// What happens when a device fails in the middle of a stream.
enum class OnDeviceLoss {
  stop,   ///< The stream ends with Error(device) that names device and frame.
  go_on,  ///< The stage's other devices redo its frames; no frame is lost. If no device is left: as `stop`.
};

struct PipelineOptions {
  OnDeviceLoss on_device_loss = OnDeviceLoss::stop;
  std::int64_t first_frame = 0;  ///< Number of the stream's first frame in error messages.
};

/// What one device did in one stage.
struct PipelineShare {
  std::string stage;
  std::string device;
  std::int64_t frames = 0;
  double busy_ms = 0;  ///< Sum over its workers.
  bool lost = false;
  std::string reason;  ///< Why it is lost; empty where it is not.
  /// Why it did not get all the frames that it could do, with its speed and that of the others where they are known;
  /// empty where it did, or is lost.
  std::string held_back;
};

struct PipelineReport {
  std::int64_t frames = 0;
  double seconds = 0;      ///< From the first read to the last write, also of a stream without frames.
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
///
/// ```cpp
/// std::vector<int> in(4), out(4);  // a place for each slot
/// int next = 0, sum = 0;
/// const auto square = [&](int slot) { out[slot] = in[slot] * in[slot]; };
/// const std::vector<PipelineStage> stages{{"square", {{"cpu", square}}}};
/// run_pipeline(4, [&](int slot) { return (in[slot] = next++) < 100; }, stages, [&](int slot) { sum += out[slot]; });
/// ```
PipelineReport run_pipeline(int slots, const std::function<bool(int slot)>& read, std::span<const PipelineStage> stages,
                            const std::function<void(int slot)>& write, const PipelineOptions& options = {});

/// How many slots these stages need if one slot takes `bytes`. At least two per worker (one at work, one waiting) and
/// two more (one being read, one being written), so that all workers stay busy. More slots let slow workers help fast
/// ones, so their number grows up to 256 as long as all together take at most 256 MiB.
int pipeline_slots(std::span<const PipelineStage> stages, std::size_t bytes);

/// Places for results that are chosen when a result comes home, and not when its frame begins: the place that was given
/// back last is taken first, while the processor's caches still hold it. A frame in flight on a GPU takes up a place
/// for a fraction of its time then, so that few places are in use. With frames that fill the links of several GPUs,
/// results in many places pass through the machine's memory, which becomes the bottleneck. Any thread may call it.
///
/// ```cpp
/// constexpr Size size{1920, 1080};
/// const Device device("cuda:0");
/// StereoMatcher matcher(device, size, stereo_preset("fast").options);
/// const DeviceImage map(device.allocate(2 * 1920 * 1080), PixelType::i16, size);
/// std::vector<Image<std::int16_t>> maps;  // pinned (Device::pin), as many as the stream has slots
/// RecentPlaces places(8);
/// std::vector<int> place_of(8);  // by slot
/// const auto work = [&](int slot, const StereoInput& pair) {
///   matcher.compute(pair, {.disparity = map});  // the map stays on the GPU
///   map.read_in_turn([&]() -> HostRows {
///     Image<std::int16_t>& home = maps[place_of[slot] = places.take()];
///     return {home.data(), home.stride()};
///   });
/// };
/// const auto write = [&](int slot) { places.give_back(place_of[slot]); };  // once the map was written
/// ```
class RecentPlaces {
 public:
  /// Numbers 0 .. places - 1. Throws Error(invalid_argument) where there is not at least one.
  explicit RecentPlaces(int places);
  /// Throws Error(invalid_argument) where all are taken: as many as the stream has slots are always enough.
  int take();
  /// Throws Error(invalid_argument) for a place that is not taken.
  void give_back(int place);

 private:
  std::mutex mutex_;
  std::vector<int> free_;
  std::vector<bool> taken_;
};

/// A device with failover for PointFlow and PointTracker, which keep frames and points from call to call. It works on
/// `first` until that fails with Error(device). Then `fallback` repeats the call that failed and does all later ones:
/// no point is lost and the bits are the same. `on_loss`, where given, is called once with the reason, by the
/// thread whose call failed. If `fallback` fails too, that Error(device) is thrown. The device computes tracks and
/// nothing else; what `fallback` refuses is refused when the object is made.
///
/// ```cpp
/// const Device safe = with_failover(Device("cuda:0"), Device("cpu"));
/// PointTracker tracker(safe, {640, 480});
/// const Image<std::uint8_t> frame({640, 480}, 0);
/// tracker.next(frame);
/// ```
Device with_failover(const Device& first, const Device& fallback,
                     std::function<void(const std::string& reason)> on_loss = {});

}  // namespace vergence
