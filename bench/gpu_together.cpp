// SPDX-License-Identifier: Apache-2.0
// Throughput of streams on several devices: the processor alone, each GPU alone, and both together, host memory to host
// memory; and tracks whose stages are on different devices. Each result is compared with the device `cpu`; the
// configurations take turns, and medians are printed.
// Usage: gpu_together [DEVICE...]      default: cuda:0; several GPUs are taken together, too
// Environment: ONLY=TEXT takes settings whose name holds it, WIDTH=N frames so wide, ROUND_SECONDS=S a round (default
// 0.7), ROUNDS=N (default 3), ALONE=0 leaves out the processor alone and each of several GPUs, CPU=0 the processor,
// THREADS=N of it (default: all), LANES=N frames at a time on a GPU (default 4), LATE=0 takes places for disparities
// when a frame begins, not when they come home, PIPELINE=0 gives each worker a thread in the place of the pipeline.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "environment.hpp"
#include "gpu_rounds.hpp"
#include "synth/scene.hpp"
#include "together_devices.hpp"
#include "vergence/motion.hpp"
#include "vergence/pipeline.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::bench {
namespace {

/// Frames that come again and again, places for results, and who works on a configuration.
class Work {
 public:
  virtual ~Work() = default;
  virtual std::vector<PipelineWorker> workers(const Use& use) = 0;
  /// Bytes of a slot.
  virtual std::size_t bytes() const = 0;
  /// Makes this number of places.
  virtual void make_slots(int slots, const std::vector<Use>& uses) = 0;
  /// Ends the program where the slot does not hold what the device `cpu` gives for frame number `index`.
  virtual void check(int slot, std::size_t index) const = 0;
  /// The slot's frame has been written.
  virtual void end(int slot) = 0;
};

constexpr std::size_t distinct = 6;

std::vector<Image<std::uint8_t>> make_views(Size size, int disparities, bool right) {
  std::vector<Image<std::uint8_t>> views;
  for (std::size_t i = 0; i < distinct; ++i) {
    synth::SceneOptions options;
    options.size = size;
    options.seed = i + 1;
    options.max_disparity = disparities * 15 / 16;
    options.noise_sigma = 2;
    options.samples = 1;
    synth::SceneFrame frame = synth::Scene(options).render(0);
    views.push_back(std::move(right ? frame.right : frame.left));
  }
  return views;
}

/// A view that moves: 2 px from each frame to the next one, and back again.
std::vector<Image<std::uint8_t>> make_video(Size size) {
  constexpr int step = 2, turn = static_cast<int>(distinct) / 2;
  const Size larger{size.width + step * turn, size.height + step * turn};
  const Image<std::uint8_t> whole = std::move(make_views(larger, 16, false).front());
  std::vector<Image<std::uint8_t>> frames;
  for (int i = 0; i < static_cast<int>(distinct); ++i) {
    const int at = step * (i <= turn ? i : static_cast<int>(distinct) - i);
    Image<std::uint8_t>& frame = frames.emplace_back(size);
    for (int y = 0; y < size.height; ++y) std::copy_n(whole.row(y + at) + at, size.width, frame.row(y));
  }
  return frames;
}

template <class T>
std::shared_ptr<void> pin(const Device& device, Image<T>& image) {
  return device.pin(image.row(0), static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height()));
}
/// Memory is pinned for CUDA alone.
template <class T>
void pin_all(std::vector<Image<T>>& images, const std::vector<Use>& uses, std::vector<std::shared_ptr<void>>& pins) {
  for (const Use& use : uses)
    if (use.device.kind() == "cuda") {
      for (Image<T>& image : images) pins.push_back(pin(use.device, image));
      return;
    }
}

template <class T>
void expect_equal(const Image<T>& expected, const Image<T>& got, const char* what) {
  for (int y = 0; y < expected.height(); ++y)
    if (std::memcmp(expected.row(y), got.row(y), static_cast<std::size_t>(expected.width()) * sizeof(T)) != 0) {
      std::printf("DIFFERENT in row %d: %s\n", y, what);
      std::exit(1);
    }
}

/// What both kinds have in common: two pictures in, one map of T out. `Maker` makes what computes it.
template <class T, class Maker>
class PairWork final : public Work {
 public:
  PairWork(Maker maker, int disparities)
      : maker_(std::move(maker)),
        first_(make_views(maker_.size, disparities, false)),
        second_(make_views(maker_.size, disparities, true)) {
    const auto compute = maker_.make(Device("cpu"));
    for (std::size_t i = 0; i < distinct; ++i) {
      expected_.emplace_back(maker_.map_size());
      compute(first_[i], second_[i], [this]() -> Image<T>& { return expected_.back(); });
    }
  }
  std::vector<PipelineWorker> workers(const Use& use) override {
    std::vector<PipelineWorker> all;
    for (int i = 0; i < use.lanes; ++i)
      all.push_back({use.device.name(),
                     [this, compute = maker_.make(use.device)](int slot) {
                       const auto at = static_cast<std::size_t>(slot);
                       compute(first_[frames[at] % distinct], second_[frames[at] % distinct],
                               [this, at]() -> Image<T>& {
                                 place_of_[at] = places_->take();
                                 return maps_[static_cast<std::size_t>(place_of_[at])];
                               });
                     },
                     use.device.on_processor(), use.device.numa_node()});
    return all;
  }
  std::size_t bytes() const override {
    return static_cast<std::size_t>(expected_[0].stride()) * static_cast<std::size_t>(expected_[0].height());
  }
  void make_slots(int slots, const std::vector<Use>& uses) override {
    pins_.clear();
    maps_.clear();
    for (int i = 0; i < slots; ++i) maps_.emplace_back(maker_.map_size());
    frames.assign(static_cast<std::size_t>(slots), 0);
    place_of_.assign(static_cast<std::size_t>(slots), 0);
    places_ = std::make_unique<RecentPlaces>(slots);
    pin_all(maps_, uses, pins_);
    pin_all(first_, uses, pins_);
    pin_all(second_, uses, pins_);
  }
  void check(int slot, std::size_t index) const override {
    expect_equal(expected_[index % distinct], map(static_cast<std::size_t>(slot)), "a stream's frame");
  }
  void end(int slot) override { places_->give_back(place_of_[static_cast<std::size_t>(slot)]); }

  std::vector<std::size_t> frames;  ///< Of the slots.

 private:
  const Image<T>& map(std::size_t slot) const { return maps_[static_cast<std::size_t>(place_of_[slot])]; }

  Maker maker_;
  std::vector<Image<std::uint8_t>> first_, second_;
  std::vector<Image<T>> expected_, maps_;
  std::vector<int> place_of_;  ///< Where the maps of the slots' frames are.
  std::unique_ptr<RecentPlaces> places_;
  std::vector<std::shared_ptr<void>> pins_;
};

/// Makers give what computes a map of two pictures; `home` gives the place for it, once it is needed.
struct StereoMaker {
  Size size;
  StereoOptions options;
  Size map_size() const { return size; }
  auto make(const Device& device) const {
    DeviceImage map;  // empty: the map goes to its place at once
    if (late_places() && !device.on_processor())
      map = DeviceImage(device.allocate(sizeof(std::int16_t) * static_cast<std::size_t>(size.width * size.height)),
                        PixelType::i16, size);
    return [map, matcher = std::make_shared<StereoMatcher>(device, size, options)](
               const Image<std::uint8_t>& left, const Image<std::uint8_t>& right, const auto& home) {
      if (map.empty()) {
        matcher->compute({left, right}, {.disparity = home()});
      } else {
        matcher->compute({left, right}, {.disparity = map});
        map.read_in_turn([&]() -> HostRows {
          Image<std::int16_t>& to = home();
          return {to.data(), to.stride()};
        });
      }
    };
  }
};
struct MotionMaker {
  Size size;
  MotionOptions options;
  Size map_size() const { return MotionEstimator(Device("cpu"), size, options).blocks(); }
  auto make(const Device& device) const {
    return [estimator = std::make_shared<MotionEstimator>(device, size, options)](
               const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference, const auto& home) {
      MotionOutput maps;
      maps.vectors = home();
      estimator->compute({current, reference}, maps);
    };
  }
};

struct Rate {
  double frames_per_second = 0;
  std::map<std::string, double> shares;  ///< percent of the frames
};

/// A thread for each worker, and nothing in common but a counter: what devices do without the pipeline.
template <class Pair>
Rate threads_alone(Pair& work, const std::vector<PipelineWorker>& workers, std::int64_t frames) {
  std::atomic<std::int64_t> next = 0;
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> all;
    for (std::size_t slot = 0; slot < workers.size(); ++slot)
      all.emplace_back([&, slot] {
        for (std::int64_t number = 0; (number = next++) < frames;) {
          work.frames[slot] = static_cast<std::size_t>(number);
          workers[slot].work(static_cast<int>(slot));
          work.end(static_cast<int>(slot));
        }
      });
  }
  return {static_cast<double>(frames) / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          {}};
}

/// Streams of frames through one configuration.
template <class Pair>
Rate stream(Pair& work, const std::vector<PipelineWorker>& workers, int slots, std::int64_t frames, bool check) {
  if (!check && number("PIPELINE", 1) == 0) return threads_alone(work, workers, frames);
  const PipelineStage stage{"work", workers};
  std::int64_t next = 0, written = 0;
  const PipelineReport report = run_pipeline(
      slots,
      [&](int slot) {
        if (next == frames) return false;
        work.frames[static_cast<std::size_t>(slot)] = static_cast<std::size_t>(next++);
        return true;
      },
      std::vector{stage},
      [&](int slot) {
        if (check) work.check(slot, static_cast<std::size_t>(written));
        work.end(slot);
        ++written;
      });
  Rate rate{static_cast<double>(report.frames) / report.seconds, {}};
  for (const PipelineShare& share : report.shares)
    rate.shares[share.device] = 100.0 * static_cast<double>(share.frames) / static_cast<double>(report.frames);
  return rate;
}

template <class Pair>
void run(const std::string& name, Size size, const std::vector<Configuration>& all, Pair& work) {
  const double seconds = number("ROUND_SECONDS", 0.7);
  const int rounds = static_cast<int>(number("ROUNDS", 3));
  struct Ready {
    std::vector<PipelineWorker> workers;
    int slots = 0;
    std::int64_t frames = 0;
    std::vector<double> rates;
    Rate last;
  };
  std::vector<Ready> ready;
  int most = 0;
  for (const Configuration& one : all) {
    Ready& now = ready.emplace_back();
    for (const Use& use : one.uses)
      for (PipelineWorker& worker : work.workers(use)) now.workers.push_back(std::move(worker));
    now.slots = pipeline_slots(std::vector<PipelineStage>{{"work", now.workers}}, work.bytes());
    most = std::max(most, now.slots);
  }
  work.make_slots(most, all.back().uses);
  for (Ready& now : ready) {  // warm, checked, and timed roughly
    const auto warm = static_cast<std::int64_t>(4 * now.workers.size());
    stream(work, now.workers, now.slots, warm, true);
    stream(work, now.workers, now.slots, 4 * warm, true);
    now.frames = 16 * warm;
    for (int time = 0; time < 2; ++time) {  // the first frames of a stream take longer
      const Rate rough = stream(work, now.workers, now.slots, now.frames, false);
      now.frames = std::max(static_cast<std::int64_t>(rough.frames_per_second * seconds), 2 * warm);
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (Ready& now : ready) {
      now.last = stream(work, now.workers, now.slots, now.frames, false);
      now.rates.push_back(now.last.frames_per_second);
    }
  double alone = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].together) alone = std::max(alone, median(ready[i].rates));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string shares;
    for (const auto& [device, share] : ready[i].last.shares) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%s %.0f %%", shares.empty() ? "" : ", ", device.c_str(), share);
      shares += text;
    }
    const double rate = median(ready[i].rates);
    std::printf("| %s | %dx%d | %s | %.0f | %.2f | %s |\n", name.c_str(), size.width, size.height, all[i].name.c_str(),
                rate, rate / alone, shares.c_str());
  }
  std::fflush(stdout);
}

void run_stereo(const std::vector<Configuration>& all) {
  for (const char* const preset : {"quality-window", "default", "fast"})
    for (const Size size : {Size{434, 383}, Size{1242, 375}, Size{1920, 1080}}) {
      const std::string name = std::string("stereo, ") + preset;
      if (!is_wanted(name) || !is_wanted(size)) continue;
      StereoOptions options = stereo_preset(preset).options;
      options.disparities = 64;
      PairWork<std::int16_t, StereoMaker> work({size, options}, options.disparities);
      run(name, size, all, work);
    }
}

void run_motion(const std::vector<Configuration>& all) {
  for (const char* const search : {"hexagon", "diamond", "hierarchical", "full"})
    for (const Size size : {Size{352, 288}, Size{1920, 1080}}) {
      const std::string name = std::string("motion, ") + search;
      if (!is_wanted(name) || !is_wanted(size)) continue;
      MotionOptions options;
      motion_set(options, "search", search);
      PairWork<MotionVector, MotionMaker> work({size, options}, 40);
      run(name, size, all, work);
    }
}

/// Tracks: every mapping of the two stages.
void run_tracks(const std::vector<std::string>& gpus) {
  std::vector<Device> devices{Device("cpu", {.threads = all_threads()})};
  for (const std::string& name : gpus) devices.emplace_back(name);
  for (const Size size : {Size{640, 480}, Size{1920, 1080}}) {
    if (!is_wanted("tracks") || !is_wanted(size)) continue;
    const std::vector<Image<std::uint8_t>> frames = make_video(size);
    for (const Device& prepares : devices)
      for (const Device& updates : devices) {
        PointFlow flow(prepares, size);
        PointTracker tracker(updates, size);
        constexpr int slots = 6;
        std::vector<PreparedFrame> prepared(slots);
        std::vector<std::size_t> numbers(slots);
        const bool one = &prepares == &updates;
        const PipelineWorker prepare{prepares.name(), [&](int slot) {
                                       flow.push(frames[numbers[static_cast<std::size_t>(slot)] % distinct]);
                                       flow.read(prepared[static_cast<std::size_t>(slot)]);
                                     }};
        const PipelineWorker update{updates.name(), [&](int slot) {
                                      const auto at = static_cast<std::size_t>(slot);
                                      if (one)
                                        tracker.next(frames[numbers[at] % distinct]);
                                      else
                                        tracker.next(prepared[at]);
                                    }};
        std::vector<PipelineStage> stages;
        if (!one) stages.push_back({"prepare", {prepare}});
        stages.push_back({"update", {update}});
        std::vector<double> rates;
        for (std::int64_t many = 30; rates.size() < 4;) {
          std::int64_t next = 0;
          const PipelineReport report = run_pipeline(
              slots,
              [&](int slot) {
                numbers[static_cast<std::size_t>(slot)] = static_cast<std::size_t>(next++);
                return next <= many;
              },
              stages, [](int) {});
          rates.push_back(static_cast<double>(report.frames) / report.seconds);
          many = std::max<std::int64_t>(30, static_cast<std::int64_t>(rates.back() * number("ROUND_SECONDS", 0.7)));
        }
        std::printf("| tracks, 500 points | %dx%d | prepare=%s,update=%s | %.0f | | |\n", size.width, size.height,
                    prepares.name().c_str(), updates.name().c_str(), median({rates.begin() + 1, rates.end()}));
        std::fflush(stdout);
      }
  }
}

int run_all(int argc, char** argv) try {
  std::vector<std::string> gpus(argv + 1, argv + argc);
  if (gpus.empty()) gpus.emplace_back("cuda:0");
  std::printf("| stream | size | devices | frames/s | of the best alone | frames |\n|---|---|---|---|---|---|\n");
  const std::vector<Configuration> all = configurations(gpus);
  run_stereo(all);
  run_motion(all);
  try {
    run_tracks(gpus);
  } catch (const Error& error) {
    std::printf("tracks: %s\n", error.what());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) { return vergence::bench::run_all(argc, argv); }
