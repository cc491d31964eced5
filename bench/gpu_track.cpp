// SPDX-License-Identifier: Apache-2.0
// Tracks on GPUs: pyramid and gradients, Lucas-Kanade and corners on resident frames, by the device's own clock and
// back to back, and whole frames from host memory to host memory. What is found is compared with the device `cpu`
// before anything is timed. A line per measure: median and, in brackets, least and greatest. Usage: gpu_track
// [DEVICE...]      default: every OpenCL and CUDA device Environment: ONLY=TEXT takes measures whose name holds it.
// LANES, FOURS, REGISTERS, PASS, TILE_WIDTH, TILE_HEIGHT and THREADS change the launch configuration
// (gpu/track/tuning.hpp).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "environment.hpp"
#include "gpu/devices.hpp"
#include "gpu/track/stages.hpp"
#include "gpu_rounds.hpp"
#include "synth/scene.hpp"
#include "vergence/track.hpp"

namespace vergence::bench {
namespace {

constexpr Size full_hd{1920, 1080};

gpu::TrackTuning tuning_of(const gpu::Properties& properties) {
  gpu::TrackTuning tuning = gpu::default_track_tuning(properties);
  take_number("LANES", tuning.lanes);
  take_number("FOURS", tuning.fours);
  take_number("PASS", tuning.pass);
  take_number("TILE_WIDTH", tuning.tile_width);
  take_number("TILE_HEIGHT", tuning.tile_height);
  take_number("THREADS", tuning.threads);
  take_number("REGISTERS", tuning.registers);
  return tuning;
}

/// A camera that moves along the built-in scene.
std::vector<Image<std::uint8_t>> make_video(int frames) {
  synth::SceneOptions options;
  options.size = full_hd;
  options.samples = 1;
  options.noise_sigma = 2;
  options.frames = frames;
  const synth::Scene scene(options);
  std::vector<Image<std::uint8_t>> video;
  for (int i = 0; i < frames; ++i) video.push_back(scene.render(i).left);
  return video;
}

void print(const gpu::Found& device, const std::string& what, const char* clock, std::vector<double> times,
           const std::string& more = {}) {
  std::sort(times.begin(), times.end());
  std::printf("| %s | %s | %s | %.1f [%.1f .. %.1f] | %s |\n", device.name.c_str(), what.c_str(), clock, median(times),
              times.front(), times.back(), more.c_str());
  std::fflush(stdout);
}

void require(bool equal, const std::string& what) {
  if (equal) return;
  std::printf("DIFFERENT: %s\n", what.c_str());
  std::exit(1);
}

/// Two frames on the device.
class Resident {
 public:
  Resident(const TrackPlan& plan, const std::shared_ptr<gpu::Device>& device)
      : programs_(device),
        queue_(device->make_queue()),
        levels_(plan, *device, *queue_),
        frames_{gpu::TrackBuffers(plan, levels_, *device), gpu::TrackBuffers(plan, levels_, *device)},
        prepare_(plan, programs_, tuning_of(device->properties())),
        points_(plan, programs_, tuning_of(device->properties())) {}
  void upload(int which, const Image<std::uint8_t>& picture) {
    queue_->upload(*frames_[which].pictures,
                   {0, levels_.pitch(0), picture.stride(), static_cast<std::size_t>(picture.width()),
                    static_cast<std::size_t>(picture.height())},
                   picture.data());
    prepare_.run(*queue_, levels_, frames_[which]);
  }
  void give(const std::vector<backend::TrackQuery>& queries, gpu::Device& device) {
    count_ = queries.size();
    queries_ = device.allocate(count_ * sizeof(backend::TrackQuery));
    found_ = device.allocate(count_ * sizeof(TrackedPoint));
    queue_->upload(*queries_, all_of(queries), queries.data());
  }
  /// As a graph where the API has such a thing, as users run it.
  void prepare() {
    queue_->begin_capture(1);
    prepare_.run(*queue_, levels_, frames_[1]);
    queue_->end_capture();
  }
  void find() { points_.run(*queue_, levels_, frames_[0], frames_[1], *queries_, *found_, count_); }
  void take(std::vector<TrackedPoint>& found) {
    found.resize(count_);
    queue_->download(*found_, all_of(found), found.data());
  }
  gpu::Queue& queue() { return *queue_; }

 private:
  template <class T>
  static gpu::Rows all_of(const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    return {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1};
  }
  gpu::Programs programs_;
  std::unique_ptr<gpu::Queue> queue_;
  gpu::TrackLevels levels_;
  gpu::TrackBuffers frames_[2];
  gpu::TrackPrepare prepare_;
  gpu::TrackPoints points_;
  std::size_t count_ = 0;
  std::unique_ptr<gpu::Buffer> queries_, found_;
};

template <class Work>
void time_resident(const gpu::Found& device, const std::string& what, Resident& resident, bool is_cpu,
                   const Work& work) {
  const int times = is_cpu ? 1 : 50, rounds = is_cpu ? 3 : 15;
  for (int i = 0; i < 3; ++i) work();
  resident.queue().finish();
  const QueueTimes of_queue = time_queue(resident.queue(), work, rounds, times);
  print(device, what, "kernels, us", of_queue.kernels);
  print(device, what, "back to back, us", of_queue.back_to_back);
}

/// The best corners, or, where there are not so many, positions spread evenly.
std::vector<TrackPosition> points_in(const Image<std::uint8_t>& frame, std::size_t count) {
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;
  options.quality = 0.0001;
  options.min_distance = 3;
  PointFlow flow(Device("cpu"), frame.size(), options);
  flow.push(frame);
  std::vector<TrackPosition> points = flow.corners(count);
  for (std::uint32_t i = 0; points.size() < count; ++i)
    points.push_back({static_cast<std::int32_t>(i * 2654435761u % 1919u * 1024 + i % 1024),
                      static_cast<std::int32_t>(i * 40503u % 1079u * 1024 + i * 7 % 1024)});
  return points;
}

void time_points(const gpu::Found& device, const std::shared_ptr<gpu::Device>& open, int window, std::size_t count,
                 const std::vector<Image<std::uint8_t>>& video) {
  const std::string what =
      "LK, " + std::to_string(count) + " points, " + std::to_string(window) + "x" + std::to_string(window);
  if (!is_wanted(what)) return;
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;
  options.window = window;
  const TrackPlan plan = make_track_plan(full_hd, options);
  const std::vector<TrackPosition> points = points_in(video[0], count);
  std::vector<backend::TrackQuery> queries;
  for (const TrackPosition at : points) queries.push_back({at, at});
  std::vector<TrackedPoint> expected(count), found;
  PointFlow flow(Device("cpu"), full_hd, options);
  flow.push(video[0]);
  flow.push(video[1]);
  flow.track(points, expected);
  Resident resident(plan, open);
  resident.upload(0, video[0]);
  resident.upload(1, video[1]);
  resident.give(queries, *open);
  resident.find();
  resident.take(found);
  require(found == expected, device.name + ", " + what);
  time_resident(device, what, resident, open->properties().is_cpu, [&] { resident.find(); });
}

void time_prepare(const gpu::Found& device, const std::shared_ptr<gpu::Device>& open,
                  const std::vector<Image<std::uint8_t>>& video) {
  const std::string what = "pyramid and gradients, 4 levels";
  if (!is_wanted(what)) return;
  Resident resident(make_track_plan(full_hd, {}), open);
  resident.upload(1, video[1]);
  time_resident(device, what, resident, open->properties().is_cpu, [&] { resident.prepare(); });
}

/// Frames come from pinned memory where the API has it, and all points are followed; none is sought after the first.
void time_loop(const gpu::Found& device, std::vector<Image<std::uint8_t>>& video, bool pinned, bool is_cpu) {
  const std::string what = std::string("whole loop, 500 points, ") + (pinned ? "pinned" : "pageable") + " frames";
  if (!is_wanted(what)) return;
  const Device open(device.name);
  std::vector<std::shared_ptr<void>> pins;
  if (pinned)
    for (Image<std::uint8_t>& frame : video)
      pins.push_back(
          open.pin(frame.data(), static_cast<std::size_t>(frame.stride()) * static_cast<std::size_t>(frame.height())));
  if (pinned && pins.front() == nullptr) return;
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;
  options.quality = 0.001;
  options.refill = 1;
  PointTracker tracker(open, full_hd, options), expected(Device("cpu"), full_hd, options);
  for (const Image<std::uint8_t>& frame : video) {
    const auto ours = tracker.next(frame), theirs = expected.next(frame);
    require(ours.size() == theirs.size() && std::equal(ours.begin(), ours.end(), theirs.begin(),
                                                       [](const Track& a, const Track& b) {
                                                         return a.id == b.id && a.position == b.position &&
                                                                a.status == b.status && a.residual == b.residual;
                                                       }),
            device.name + ", " + what);
  }
  const int rounds = is_cpu ? 3 : 15, times = is_cpu ? 1 : 20;
  std::vector<double> frames;
  std::size_t alive = 0, at = 0;
  const auto next = [&] {  // to and fro
    const std::size_t period = 2 * video.size() - 2, place = at++ % period;
    alive = tracker.next(video[place < video.size() ? place : period - place]).size();
  };
  for (int i = 0; i < rounds; ++i) frames.push_back(microseconds(next, times));
  print(device, what, "a frame, us", frames,
        std::to_string(static_cast<int>(1e6 / median(frames))) + " frames/s, " + std::to_string(alive) +
            " points at the end");
}

void time_corners(const gpu::Found& device, const Image<std::uint8_t>& frame, bool is_cpu) {
  const std::string what = "2000 corners";
  if (!is_wanted(what)) return;
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;
  options.quality = 0.001;
  options.min_distance = 5;
  PointFlow flow(Device(device.name), full_hd, options), expected(Device("cpu"), full_hd, options);
  flow.push(frame);
  expected.push(frame);
  require(flow.corners(2000) == expected.corners(2000), device.name + ", " + what);
  std::vector<double> times;
  for (int i = 0; i < (is_cpu ? 3 : 15); ++i) times.push_back(microseconds([&] { flow.corners(2000); }, 1));
  print(device, what, "host to host, us", times);
}

void run(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device) {
  static std::vector<Image<std::uint8_t>> video = make_video(6);
  const bool is_cpu = device->properties().is_cpu;
  time_prepare(found, device, video);
  for (const int window : {21, 9, 31}) time_points(found, device, window, 1000, video);
  time_points(found, device, 21, 4000, video);
  time_points(found, device, 21, 65536, video);
  for (const bool pinned : {true, false}) time_loop(found, video, pinned, is_cpu);
  time_corners(found, video[0], is_cpu);
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  std::printf(
      "1920x1080, 4 levels.\n| device | what | clock | median [least .. greatest] | |\n|---|---|---|---|---|\n");
  return vergence::bench::run_on_devices(argc, argv, vergence::bench::run);
}
