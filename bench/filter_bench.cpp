// SPDX-License-Identifier: Apache-2.0
// The filters of disparity maps on the device cpu, beside OpenCV's where it has one, on the map of the built-in scene
// at 1920x1080 (as the matcher leaves it), and on maps that are all valid or all noise. The first argument of a
// benchmark is the number of threads.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <random>

#include "cpu/context.hpp"
#include "cpu/postfilter/stages.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/stages.hpp"
#include "synth/scene.hpp"
#include "vergence/stereo.hpp"

#ifdef VERGENCE_BENCH_OPENCV
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace vergence {
namespace {

constexpr Size size{1920, 1080};
constexpr std::int16_t invalid = -16;

StereoPlan plan_of(StereoOptions options) {
  options.disparities = 192;
  return make_stereo_plan(size, options);
}

/// What the matcher finds in the built-in scene, unfiltered.
const Image<std::int16_t>& scene_map() {
  static const Image<std::int16_t> map = [] {
    synth::SceneOptions options;
    options.size = size;
    options.noise_sigma = 2;
    options.samples = 1;
    const synth::SceneFrame frame = synth::Scene(options).render(0);
    Image<std::int16_t> disparity(size);
    cpu::Context context(0, cpu::simd_targets().front());
    cpu::MatchScratch scratch;
    MatchMaps<std::int16_t> maps;
    maps.disparity = disparity;
    cpu::match<std::uint8_t, std::int16_t>(plan_of({}), context, scratch, frame.left, frame.right, maps);
    return disparity;
  }();
  return map;
}

/// The same without small regions.
const Image<std::int16_t>& clean_map() {
  static const Image<std::int16_t> map = [] {
    Image<std::int16_t> disparity = scene_map().clone();
    cpu::Context context(0, cpu::simd_targets().front());
    cpu::SpeckleScratch scratch;
    cpu::speckle<std::int16_t>(plan_of({}), context, scratch, disparity);
    return disparity;
  }();
  return map;
}

/// Every pixel valid, no order in it.
const Image<std::int16_t>& noise_map() {
  static const Image<std::int16_t> map = [] {
    Image<std::int16_t> noise(size);
    std::mt19937 random(1);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) noise(x, y) = static_cast<std::int16_t>(random() % 3000);
    return noise;
  }();
  return map;
}

/// Every pixel valid, as in the scene.
const Image<std::int16_t>& full_map() {
  static const Image<std::int16_t> map = [] {
    Image<std::int16_t> filled(size);
    cpu::Context context(0, cpu::simd_targets().front());
    cpu::FillScratch scratch;
    cpu::fill<std::int16_t>(plan_of({.fill = StereoFill::background}), context, scratch, clean_map(), filled);
    return filled;
  }();
  return map;
}

using Source = const Image<std::int16_t>& (*)();

std::int64_t target() {
  // VERGENCE_BENCH_SIMD=AVX2 runs that target, for example to count instructions where valgrind knows no newer one.
  const char* const wanted = std::getenv("VERGENCE_BENCH_SIMD");
  for (const std::int64_t one : cpu::simd_targets())
    if (wanted != nullptr && cpu::simd_name(one) == wanted) return one;
  return cpu::simd_targets().front();
}

void describe(benchmark::State& state, const Image<std::int16_t>& map) {
  std::int64_t holes = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) holes += map(x, y) == invalid ? 1 : 0;
  state.counters["holes_percent"] = 100.0 * static_cast<double>(holes) / (size.width * size.height);
}

void copy(const Image<std::int16_t>& from, Image<std::int16_t>& to) {
  for (int y = 0; y < size.height; ++y) std::memcpy(to.row(y), from.row(y), sizeof(std::int16_t) * size.width);
}

void speckle(benchmark::State& state, Source source) {
  cpu::Context context(static_cast<int>(state.range(0)), target());
  cpu::SpeckleScratch scratch;
  const StereoPlan plan = plan_of({});
  Image<std::int16_t> map(size);
  for (auto _ : state) {
    state.PauseTiming();
    copy(source(), map);
    state.ResumeTiming();
    cpu::speckle<std::int16_t>(plan, context, scratch, map);
  }
  describe(state, source());
}
BENCHMARK_CAPTURE(speckle, scene, scene_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speckle, noise, noise_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void median(benchmark::State& state, int window, Source source) {
  cpu::Context context(static_cast<int>(state.range(0)), target());
  const StereoPlan plan = plan_of({.median = window});
  Image<std::int16_t> out(size);
  for (auto _ : state) cpu::median<std::int16_t>(plan, context, source(), out);
  describe(state, source());
}
BENCHMARK_CAPTURE(median, 3_scene, 3, clean_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(median, 3_full, 3, full_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(median, 5_scene, 5, clean_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(median, 5_full, 5, full_map)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void fill(benchmark::State& state, StereoFill way, int window) {
  cpu::Context context(static_cast<int>(state.range(0)), target());
  cpu::FillScratch scratch;
  const StereoPlan plan = plan_of({.fill = way, .fill_window = window});
  Image<std::int16_t> out(size);
  for (auto _ : state) cpu::fill<std::int16_t>(plan, context, scratch, clean_map(), out);
  describe(state, clean_map());
}
BENCHMARK_CAPTURE(fill, background, StereoFill::background, 11)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fill, nearest, StereoFill::nearest, 11)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fill, mean_11, StereoFill::mean, 11)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fill, mean_255, StereoFill::mean, 255)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fill, mean_all_11, StereoFill::mean_all, 11)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

#ifdef VERGENCE_BENCH_OPENCV

cv::Mat header(const Image<std::int16_t>& map) {
  return cv::Mat(size.height, size.width, CV_16S, const_cast<std::int16_t*>(map.data()),
                 static_cast<std::size_t>(map.stride()));
}

void opencv_filter_speckles(benchmark::State& state, Source source) {
  cv::setNumThreads(1);
  cv::Mat map, buffer;
  for (auto _ : state) {
    state.PauseTiming();
    header(source()).copyTo(map);
    state.ResumeTiming();
    cv::filterSpeckles(map, invalid, 100, 16, buffer);
  }
}
BENCHMARK_CAPTURE(opencv_filter_speckles, scene, scene_map)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(opencv_filter_speckles, noise, noise_map)->Unit(benchmark::kMillisecond);

void opencv_median_blur(benchmark::State& state, int window) {
  cv::setNumThreads(static_cast<int>(state.range(0)));
  const cv::Mat map = header(full_map());
  cv::Mat out;
  for (auto _ : state) cv::medianBlur(map, out, window);
}
BENCHMARK_CAPTURE(opencv_median_blur, 3_full, 3)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(opencv_median_blur, 5_full, 5)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

#endif

}  // namespace
}  // namespace vergence
