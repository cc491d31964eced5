// SPDX-License-Identifier: Apache-2.0
// Runs MotionEstimator over a clip, and copies memory to and fro.
#include "motion-cuda/ours.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "common/bench.hpp"
#include "motion-cuda/device_search.hpp"
#include "motion-cuda/encode.hpp"
#include "vergence/motion.hpp"

namespace vergence::studies::motion_cuda {
namespace {

using Vectors = std::vector<Image<MotionVector>>;

/// What one device makes of a clip.
struct Run {
  std::vector<Times> frames;
  Vectors vectors;
  std::uint64_t residue = 0;
  double search_ms = 0, predict_ms = 0;
};

Run run_on(const Device& device, const Clip& clip, const MotionOptions& options, int rounds) {
  MotionEstimator estimator(device, clip.size(), options);
  estimator.measure(false);
  Image<std::uint8_t> prediction(clip.size());
  Run run;
  for (int i = 0; i < clip.steps(); ++i) {
    const FramePair pair = clip.pair(i);
    Image<MotionVector> vectors(estimator.blocks());
    MotionOutput maps;
    maps.vectors = vectors;
    const auto search = [&] { estimator.compute({pair.current, pair.reference}, maps); };
    const auto predict = [&] { estimator.predict(pair.reference, vectors, prediction); };
    if (i == 0) search(), predict();  // kernels are compiled, memory is touched
    double searching = 1e30, predicting = 1e30;
    for (int round = 0; round < rounds; ++round) {
      searching = std::min(searching, milliseconds(search));
      predicting = std::min(predicting, milliseconds(predict));
    }
    Times times;
    times.wall = searching + predicting;
    run.search_ms += searching / clip.steps();
    run.predict_ms += predicting / clip.steps();
    estimator.measure(true);
    search();
    if (const std::optional<DeviceTimes> device_times = estimator.times()) {
      times.upload = device_times->upload_ms;
      times.kernel = device_times->kernel_ms;
      times.download = device_times->download_ms;
    }
    estimator.measure(false);
    run.frames.push_back(times);
    run.residue += exact::residue(pair.current, prediction);
    run.vectors.push_back(std::move(vectors));
  }
  return run;
}

std::int64_t count_differing(const Vectors& expected, const Vectors& got) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (int y = 0; y < expected[i].height(); ++y)
      for (int x = 0; x < expected[i].width(); ++x) count += expected[i](x, y) != got[i](x, y) ? 1 : 0;
  return count;
}

}  // namespace

std::vector<OurSearch> our_searches(const Geometry& geometry) {
  MotionOptions options;
  options.block = {geometry.block, geometry.block};
  options.range_x = options.range_y = {-geometry.reach, geometry.reach - 1};
  std::vector<OurSearch> all{{"ours full", options}};
  options.search = MotionSearch::step;
  all.push_back({"ours step 3x3", options});
  options.step_grid = MotionStepGrid::g7x7;
  all.push_back({"ours step 7x7", options});
  options.step_grid = MotionStepGrid::g13x13;
  all.push_back({"ours step 13x13", options});
  options.step_grid = MotionStepGrid::g15x15;
  all.push_back({"ours step 15x15", options});
  options.step_grid = MotionStepGrid::g3x3;
  options.search = MotionSearch::tz;
  all.push_back({"ours tz", options});
  return all;
}

std::vector<Cell> encode_ours(const std::string& device, const Clip& clip, int rounds) {
  DeviceOptions one_thread;
  one_thread.threads = 1;
  struct Worker {
    const char* name;
    Device device;
  };
  const std::vector<Worker> workers{
      {"one core", Device("cpu", one_thread)}, {"all cores", Device("cpu")}, {"device", Device(device)}};
  std::vector<Cell> cells;
  for (const OurSearch& ours : our_searches(clip.geometry)) {
    // A block of the paper's size must fit, and so must the range.
    MotionOptions options = ours.options;
    options.range_x.first = std::max(options.range_x.first, -clip.size().width);
    options.range_x.last = std::min(options.range_x.last, clip.size().width);
    options.range_y.first = std::max(options.range_y.first, -clip.size().height);
    options.range_y.last = std::min(options.range_y.last, clip.size().height);
    Vectors expected;
    for (const Worker& worker : workers) {
      Run run = run_on(worker.device, clip, options, rounds);
      Cell cell;
      Variant variant;
      variant.rung = ours.name;
      cell.what = what_of(clip, variant, worker.name);
      cell.what["group"] = "-";
      cell.counts = {{"search", options.search == MotionSearch::full ? "full" : "step"},
                     {"frames", clip.steps()},
                     {"search_ms", run.search_ms},
                     {"reconstruct_ms", run.predict_ms},
                     {"residue", run.residue}};
      cell.runs = std::move(run.frames);
      if (expected.empty())
        expected = std::move(run.vectors);
      else
        cell.differing = count_differing(expected, run.vectors);
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

Json transfers(const gpu::Opened& opened, std::size_t largest, int rounds) {
  gpu::Device& device = *opened.device;
  const auto queue = device.make_queue();
  const auto buffer = device.allocate(largest);
  Json rows = Json::array();
  for (std::size_t bytes = 1024; bytes <= largest; bytes *= 4) {
    Json row{{"bytes", bytes}};
    for (const bool pinned : {false, true}) {
      HostMemory memory(device, bytes, pinned);
      double up = 1e30, down = 1e30;
      const gpu::Rows whole = packed_rows(bytes, 1);
      for (int round = 0; round <= rounds; ++round) {
        const double sent = milliseconds([&] {
          queue->upload(*buffer, whole, memory.as<std::byte>());
          queue->finish();
        });
        const double fetched = milliseconds([&] { queue->download(*buffer, whole, memory.as<std::byte>()); });
        if (round == 0) continue;  // staging memory is made
        up = std::min(up, sent);
        down = std::min(down, fetched);
      }
      const bool has = !pinned || memory.is_pinned();
      row[pinned ? "pinned_up_ms" : "pageable_up_ms"] = has ? Json(up) : Json(nullptr);
      row[pinned ? "pinned_down_ms" : "pageable_down_ms"] = has ? Json(down) : Json(nullptr);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace vergence::studies::motion_cuda
