// SPDX-License-Identifier: Apache-2.0
// The stereo matcher on GPUs: times of `match` on resident pictures by the device's own clock and back to back, and
// whole frames from host memory to host memory. Every map is compared with the device `cpu` before anything is timed.
// Usage: gpu_stereo [DEVICE...]      default: every OpenCL and CUDA device
// Environment: ENERGY_SECONDS=S adds a row of energy per pair to each row of times, by S seconds of its work (at least
// 2), and one of idle power (energy_rows.hpp); ONLY=TEXT takes cases whose name holds it, WIDTH=N pictures so wide.
// In place of what is chosen else (MatchTuning): OWN, CANDS, REGS, ROWS for match_strip.cl, WARPCOLS, WARPREGS,
// WARPROWS, SIDEROWS and WARPS (0: not it) for match_warp.cl, SIDES (0: none apart), PAIRS (0: not packed_paths.cl),
// PAIROWN, PAIRSTRIPS, PATHPARTS and PATHWARM for SGM. STREAMS=N: frames in flight, in place of 2 for SGM and 4 else.
// PIN=0 leaves the memory of frames from host to host pageable.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "energy_rows.hpp"
#include "environment.hpp"
#include "gpu/devices.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/stereo/match.hpp"
#include "gpu_rounds.hpp"
#include "plan/stereo/plan.hpp"
#include "synth/scene.hpp"
#include "vergence/stereo.hpp"

namespace vergence::bench {
namespace {

using Map = Image<std::int16_t>;

struct Pair {
  Image<std::uint8_t> left, right;
};

Pair make_pair(Size size, int disparities) {
  synth::SceneOptions options;
  options.size = size;
  options.max_disparity = disparities * 15 / 16;
  options.noise_sigma = 2;
  options.samples = 1;
  synth::SceneFrame frame = synth::Scene(options).render(0);
  return {std::move(frame.left), std::move(frame.right)};
}

struct Case {
  std::string name;
  StereoOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto winner = [&](StereoCost cost, int window, int disparities) {
    StereoOptions o = stereo_preset("sad-2018").options;
    o.reference = StereoView::left;
    o.cost = cost;
    o.window = {window, window};
    o.disparities = disparities;
    return o;
  };
  for (const int window : {5, 7, 15, 21})
    all.push_back(
        {"SAD " + std::to_string(window) + "x" + std::to_string(window), winner(StereoCost::sad, window, 64)});
  for (const int window : {5, 21})
    all.push_back(
        {"SSD " + std::to_string(window) + "x" + std::to_string(window), winner(StereoCost::ssd, window, 64)});
  all.push_back({"census 9x7, 9x9", winner(StereoCost::census_9x7, 9, 64)});
  all.push_back({"sad-2018 (right reference)", stereo_preset("sad-2018").options});
  StereoOptions full;  // checked, sub-pixel, uniqueness
  full.disparities = 128;
  full.uniqueness_ratio = 10;
  full.speckle_size = 0;
  all.push_back({"SAD 9x9, D 128, checked, sub-pixel, unique", full});
  full.border = StereoBorder::invalid;
  all.push_back({"the same, whole windows", full});
  full.window = {5, 5};
  all.push_back({"SAD 5x5, D 128, checked, sub-pixel, unique, whole windows", full});
  for (const char* preset : {"default", "quality-window"}) {
    StereoOptions ties = stereo_preset(preset).options;
    ties.speckle_size = ties.median = 0;
    ties.fill = StereoFill::none;
    all.push_back({std::string("preset ") + preset + ", match alone, ties rejected", ties});
    ties.reject_ties = false;
    all.push_back({std::string("preset ") + preset + ", match alone, ties kept", ties});
  }
  for (const auto& [paths, disparities] : {std::pair{4, 64}, std::pair{4, 128}, std::pair{8, 128}}) {
    StereoOptions o;
    o.aggregate = StereoAggregate::sgm;
    o.cost = StereoCost::census_9x7;
    o.window = {0, 0};
    o.paths = paths;
    o.disparities = disparities;
    o.reject_ties = false;
    o.speckle_size = 0;
    o.median = 3;
    all.push_back({"SGM " + std::to_string(paths) + " paths, census 9x7, D " + std::to_string(disparities) +
                       ", checked, sub-pixel, median",
                   o});
  }
  return all;
}

void expect_equal(const Map& expected, const Map& got, const std::string& what) {
  for (int y = 0; y < expected.height(); ++y)
    if (std::memcmp(expected.row(y), got.row(y), static_cast<std::size_t>(expected.width()) * 2) != 0) {
      std::printf("DIFFERENT in row %d: %s\n", y, what.c_str());
      std::exit(1);
    }
}

/// What a queue needs for frames of its own: the stages of a case, and memory.
class Frame {
 public:
  Frame(gpu::Device& device, gpu::Programs& programs, const StereoPlan& plan, const gpu::MatchTuning& tuning)
      : match_(plan, programs, {}, tuning, {}) {
    const std::size_t bytes =
        2 * static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    map_ = device.allocate(bytes);
    unused_ = device.allocate(16);
    if (plan.options.median == 0) return;
    median_ = std::make_unique<gpu::Median>(plan, programs, false);
    matched_ = device.allocate(bytes);
  }

  void run(gpu::Queue& queue, const gpu::Buffer& left, const gpu::Buffer& right) {
    match_.run(queue, left, right, median_ ? *matched_ : *map_, *unused_, *unused_);
    if (median_) median_->run(queue, *matched_, *map_);
  }

  [[nodiscard]] const gpu::Buffer& map() const { return *map_; }

 private:
  gpu::Match match_;
  std::unique_ptr<gpu::Median> median_;
  std::unique_ptr<gpu::Buffer> map_, matched_, unused_;
};

int most_streams(int usual) {
  take_number("STREAMS", usual);
  return usual;
}

/// Prints microseconds a pair, with `streams` queues that each run a captured graph of several pairs.
void in_streams(const gpu::Found& found, EnergyRows& energy, gpu::Device& device, gpu::Programs& programs,
                const StereoPlan& plan, const gpu::MatchTuning& tuning, const gpu::Buffer& left,
                const gpu::Buffer& right, int streams) {
  constexpr int pairs = 20, times = 10;
  struct Stream {
    std::unique_ptr<gpu::Queue> queue;
    std::unique_ptr<Frame> frame;
  };
  std::vector<Stream> all(static_cast<std::size_t>(streams));
  for (Stream& one : all) {
    one.queue = device.make_queue();
    one.frame = std::make_unique<Frame>(device, programs, plan, tuning);
  }
  const auto round = [&] {
    for (Stream& one : all) {
      one.queue->begin_capture(1);
      for (int i = 0; i < pairs; ++i) one.frame->run(*one.queue, left, right);
      one.queue->end_capture();
    }
  };
  const auto wait = [&] {
    for (Stream& one : all) one.queue->finish();
  };
  round();
  wait();
  std::vector<double> rounds;
  for (int i = 0; i < 9; ++i)
    rounds.push_back(microseconds(
        [&] {
          for (int j = 0; j < times; ++j) round();
          wait();
        },
        1));
  const std::string name = "the same, captured graph, " + std::to_string(streams) + " streams";
  std::printf("| %s | %s | %dx%d | | %.2f | |\n", found.name.c_str(), name.c_str(), plan.size.width, plan.size.height,
              median(rounds) / (times * pairs * streams));
  energy.add(name, plan.size, times * pairs * streams, [&] {
    for (int j = 0; j < times; ++j) round();
    wait();
  });
}

/// What users run, from host to host.
std::vector<Case> whole_cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const char* preset, StereoCost cost, int window, int disparities) {
    StereoOptions o = stereo_preset(preset).options;
    o.cost = cost;
    o.window = {window, window};
    o.disparities = disparities;
    all.push_back({name + ", D " + std::to_string(disparities), o});
  };
  add("whole, fast", "fast", StereoCost::sad, 5, 64);
  all.push_back(all.back());
  all.back().name += ", whole windows";
  all.back().options.border = StereoBorder::invalid;
  add("whole, fast", "fast", StereoCost::sad, 5, 96);
  add("whole, default", "default", StereoCost::sad, 9, 64);
  add("whole, default", "default", StereoCost::sad, 9, 80);
  add("whole, default with SSD 7x7", "default", StereoCost::ssd, 7, 80);
  add("whole, default with census 5x5", "default", StereoCost::census_5x5, 9, 80);
  add("whole, default with SAD 15x15", "default", StereoCost::sad, 15, 80);
  return all;
}

bool wants_pins() {
  int pins = 1;
  take_number("PIN", pins);
  return pins != 0;
}

/// Host to host: microseconds a pair with frames in flight, and what copies alone take.
void host_to_host(const gpu::Found& found, EnergyRows& energy, Size size, const Case& one_case) {
  const StereoOptions& options = one_case.options;
  const Device device(found.name);
  constexpr int flight = StereoMatcher::most_in_flight, frames = 100;
  std::vector<Pair> pairs;
  std::vector<Map> maps;
  std::vector<std::shared_ptr<void>> pins;
  Map expected(size);
  for (int i = 0; i < flight; ++i) {
    pairs.push_back(make_pair(size, options.disparities));
    maps.emplace_back(size);
    if (!wants_pins()) continue;
    const auto bytes = [&](const auto& image) {
      return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(size.height);
    };
    pins.push_back(device.pin(pairs.back().left.row(0), bytes(pairs.back().left)));
    pins.push_back(device.pin(pairs.back().right.row(0), bytes(pairs.back().right)));
    pins.push_back(device.pin(maps.back().row(0), bytes(maps.back())));
  }
  StereoMatcher(Device("cpu"), size, options).compute({pairs[0].left, pairs[0].right}, {.disparity = expected});
  StereoMatcher matcher(device, size, options);
  std::vector<PendingStereo> waiting(flight);
  const auto round = [&] {
    for (std::size_t i = 0; i < frames; ++i) {
      const std::size_t slot = i % flight;
      waiting[slot].wait();
      waiting[slot] = matcher.enqueue({pairs[slot].left, pairs[slot].right}, {.disparity = maps[slot]});
    }
    for (PendingStereo& frame : waiting) frame.wait();
  };
  round();
  for (const Map& map : maps) expect_equal(expected, map, found.name + ", in flight");
  std::vector<double> rounds;
  for (int i = 0; i < 9; ++i) rounds.push_back(microseconds(round, 1) / frames);
  const double one = microseconds(
      [&] {
        matcher.compute({pairs[0].left, pairs[0].right}, {.disparity = maps[0]});
      },
      50);
  std::printf("| %s | %s, host to host, %s | %dx%d | one at a time %.1f | %d in flight %.1f | |\n", found.name.c_str(),
              one_case.name.c_str(), !pins.empty() && pins[0] != nullptr ? "pinned" : "pageable", size.width,
              size.height, one, flight, median(rounds));
  energy.add("host to host, in flight", size, frames, round);
}

/// The default, but for what the environment names.
gpu::MatchTuning wanted_tuning(const gpu::Device& device) {
  gpu::MatchTuning tuning = gpu::default_match_tuning(device.properties());
  take_number("OWN", tuning.strip_own);
  take_number("REGS", tuning.strip_registers);
  take_number("CANDS", tuning.strip_candidates);
  take_number("ROWS", tuning.strip_rows);
  take_number("WARPCOLS", tuning.warp_columns);
  take_number("WARPREGS", tuning.warp_registers);
  take_number("WARPROWS", tuning.warp_rows);
  take_number("SIDEROWS", tuning.warp_side_rows);
  int sides = tuning.sides ? 1 : 0, warps = tuning.warps ? 1 : 0;
  take_number("SIDES", sides);
  take_number("WARPS", warps);
  tuning.sides = sides != 0;
  tuning.warps = warps != 0;
  take_number("PAIROWN", tuning.pair_own);
  take_number("PAIRSTRIPS", tuning.pair_strips);
  take_number("PATHPARTS", tuning.path_parts);
  take_number("PATHWARM", tuning.path_warm);
  int pairs = tuning.path_pairs ? 1 : 0;
  take_number("PAIRS", pairs);
  tuning.path_pairs = pairs != 0;
  return tuning;
}

/// Whole frames of a processor's OpenCL beside the device `cpu`, taking turns, both with all threads. Times are the
/// process's on all cores, which others' work disturbs least.
void beside_cpu(const gpu::Found& found, Size size, const char* preset) {
  StereoOptions options = stereo_preset(preset).options;
  options.disparities = 64;
  const Pair pair = make_pair(size, options.disparities);
  StereoMatcher ours(Device("cpu"), size, options), theirs(Device(found.name), size, options);
  Map expected(size), got(size);
  std::vector<double> cpu, opencl, ratios, wall_ratios;
  for (int i = 0; i < 32; ++i) {
    const std::clock_t start = std::clock();
    const double cpu_wall = microseconds([&] { ours.compute({pair.left, pair.right}, {.disparity = expected}); }, 1);
    const std::clock_t between = std::clock();
    const double opencl_wall = microseconds([&] { theirs.compute({pair.left, pair.right}, {.disparity = got}); }, 1);
    const std::clock_t end = std::clock();
    if (i == 0) expect_equal(expected, got, found.name + ", preset " + preset);
    if (i < 2) continue;  // memory touched, caches warm
    constexpr double per_us = CLOCKS_PER_SEC / 1e6;
    cpu.push_back(static_cast<double>(between - start) / per_us);
    opencl.push_back(static_cast<double>(end - between) / per_us);
    ratios.push_back(opencl.back() / cpu.back());
    wall_ratios.push_back(opencl_wall / cpu_wall);
  }
  std::printf("| %s | preset %s, beside cpu | %dx%d | CPU time %.0f | of cpu %.0f | ratio %.2f, by wall time %.2f |\n",
              found.name.c_str(), preset, size.width, size.height, median(opencl), median(cpu), median(ratios),
              median(wall_ratios));
  std::fflush(stdout);
}

/// One line of the table, of a case that is first shown to be right.
void time_case(const gpu::Found& found, EnergyRows& energy, gpu::Programs& programs, gpu::Device& device,
               const Case& one, Size size) {
  const Pair pair = make_pair(size, one.options.disparities);
  const StereoPlan plan = make_stereo_plan(size, one.options);
  Map expected(size), got(size);
  StereoOptions match_only = one.options;
  match_only.speckle_size = 0;
  StereoMatcher(Device("cpu"), size, match_only).compute({pair.left, pair.right}, {.disparity = expected});
  const auto queue = device.make_queue();
  const std::size_t pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  const auto left = device.allocate(pixels), right = device.allocate(pixels);
  const auto rows = [&](const auto& image, std::size_t element) {
    const std::size_t bytes = static_cast<std::size_t>(size.width) * element;
    return gpu::Rows{0, bytes, image.stride(), bytes, static_cast<std::size_t>(size.height)};
  };
  queue->upload(*left, rows(pair.left, 1), pair.left.data());
  queue->upload(*right, rows(pair.right, 1), pair.right.data());
  const gpu::MatchTuning tuning = wanted_tuning(device);
  Frame stages(device, programs, plan, tuning);
  const auto frame = [&] { stages.run(*queue, *left, *right); };
  frame();
  queue->download(stages.map(), rows(got, 2), got.data());
  expect_equal(expected, got, found.name + ", " + one.name);

  const int times = device.properties().is_cpu ? 3 : 100;
  std::vector<double> back_to_back;
  for (int i = 0; i < 9; ++i)
    back_to_back.push_back(microseconds([&] { frame(); }, times) + microseconds([&] { queue->finish(); }, 1) / times);
  queue->measure(true);
  queue->timing();
  std::vector<double> kernels;
  for (int i = 0; i < 15; ++i) {
    frame();
    kernels.push_back(queue->timing().kernel * 1000);
  }
  queue->measure(false);
  const double evaluations = static_cast<double>(pixels) * one.options.disparities;
  std::printf("| %s | %s | %dx%d | %.1f | %.1f | %.0f |\n", found.name.c_str(), one.name.c_str(), size.width,
              size.height, median(kernels), median(back_to_back), evaluations / median(kernels) / 1000);
  energy.add(one.name, size, times, [&] {
    for (int i = 0; i < times; ++i) frame();
    queue->finish();
  });
  const bool is_sgm = one.options.aggregate == StereoAggregate::sgm;
  if ((one.name == "SAD 5x5" || is_sgm) && !device.properties().is_cpu)
    for (const int streams : {1, most_streams(is_sgm ? 2 : 4)})
      in_streams(found, energy, device, programs, plan, tuning, *left, *right, streams);
  std::fflush(stdout);
}

void run(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device) {
  gpu::Programs programs(device);
  EnergyRows energy(found);
  energy.idle();
  for (const Size size : {Size{384, 434}, Size{1242, 375}, Size{1920, 1080}}) {
    if (!is_wanted(size)) continue;
    for (const Case& one : cases()) {
      if (!is_wanted(one.name)) continue;
      time_case(found, energy, programs, *device, one, size);
    }
    for (const Case& one : whole_cases())
      if (is_wanted(one.name)) time_case(found, energy, programs, *device, one, size);
    if (device->properties().is_cpu) continue;
    if (is_wanted("host to host")) host_to_host(found, energy, size, cases().front());
    for (const Case& one : whole_cases())
      if (is_wanted(one.name)) host_to_host(found, energy, size, one);
  }
  if (!device->properties().is_cpu) return;
  for (const Size size : {Size{640, 480}, Size{1920, 1080}})
    for (const char* const preset : {"fast", "default", "quality-window", "quality"}) beside_cpu(found, size, preset);
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  std::printf(
      "| device | what | size | kernels, us | back to back, us | GDE/s by kernels |\n|---|---|---|---|---|---|\n");
  return vergence::bench::run_on_devices(argc, argv, vergence::bench::run);
}
