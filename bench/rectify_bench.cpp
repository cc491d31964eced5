// SPDX-License-Identifier: Apache-2.0
// Rectification on the CPU, one thread, beside cv::remap with fixed-point maps of the same places where OpenCV is
// installed, and beside stereo matching of the rectified pair. Contestants take turns; a line has the medians of the
// process's own time and, in brackets, the middle half of the runs in percent of it. Usage: rectify_bench [RUNS]
// (default 51). Environment: ONLY=TEXT takes cases whose name holds it, WIDTH=N those of that width,
// VERGENCE_BENCH_SIMD=AVX2 runs that target.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "environment.hpp"
#include "plan/rectify/plan.hpp"
#include "rectify_rig.hpp"
#include "synth/scene.hpp"
#include "vergence/error.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

#ifdef VERGENCE_BENCH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace vergence::bench {
namespace {

constexpr Size full_hd{1920, 1080};

template <class P>
struct Pair {
  Image<P> left, right;
};
template <class P>
Pair<P> scene(Size size) {
  synth::SceneOptions options;
  options.size = size;
  options.samples = 1;
  options.noise_sigma = 2;
  options.max_disparity = 120;
  synth::SceneFrame frame = synth::Scene(options).render(0);
  if constexpr (sizeof(P) == 1) {
    return {std::move(frame.left), std::move(frame.right)};
  } else {
    Pair<P> pair{Image<P>(size), Image<P>(size)};
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        pair.left(x, y) = static_cast<P>(257 * frame.left(x, y));
        pair.right(x, y) = static_cast<P>(257 * frame.right(x, y));
      }
    return pair;
  }
}

double cpu_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

using Work = std::function<void()>;
struct Times {
  double median = 0, least = 0, spread = 0;  ///< ms, ms, percent
};
Times times_of(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  const double middle = ms[ms.size() / 2];
  return {middle, ms.front(), 100 * (ms[ms.size() * 3 / 4] - ms[ms.size() / 4]) / middle};
}
/// Of both, run in turn, after three rounds that are not counted.
std::pair<Times, Times> in_turn(const Work& first, const Work& second, int runs) {
  std::vector<double> a, b;
  for (int i = -3; i < runs; ++i) {
    const double start = cpu_ms();
    first();
    const double between = cpu_ms();
    second();
    const double end = cpu_ms();
    if (i < 0) continue;
    a.push_back(between - start);
    b.push_back(end - between);
  }
  return {times_of(std::move(a)), times_of(std::move(b))};
}
void print(const std::string& what, const char* peer, const std::pair<Times, Times>& times) {
  const auto& [ours, theirs] = times;
  fmt::print("{:<34} {:8.3f} [{:2.0f} %]   {:<10} {:8.3f} [{:2.0f} %] {:7.2f} {:7.2f}\n", what, ours.median,
             ours.spread, peer, theirs.median, theirs.spread, theirs.median / ours.median, theirs.least / ours.least);
  std::fflush(stdout);
}

Device device() {
  const char* const simd = std::getenv("VERGENCE_BENCH_SIMD");
  return Device("cpu", {1, simd == nullptr ? "" : simd});
}

#ifdef VERGENCE_BENCH_OPENCV
template <class P>
cv::Mat mat(Image<P>& picture) {
  return {picture.height(), picture.width(), sizeof(P) == 1 ? CV_8UC1 : CV_16UC1, picture.data(),
          static_cast<std::size_t>(picture.stride())};
}

/// cv::remap's fixed-point maps of the same places, which it rounds to 1/32 px.
struct PeerMaps {
  explicit PeerMaps(const rectify::SourceMap& map) {
    cv::Mat x(map.x.height(), map.x.width(), CV_32F), y(x.size(), CV_32F);
    for (int v = 0; v < x.rows; ++v)
      for (int u = 0; u < x.cols; ++u) {
        x.at<float>(v, u) = static_cast<float>(map.x(u, v) < 0 ? ~map.x(u, v) : map.x(u, v)) / 1024;
        y.at<float>(v, u) = static_cast<float>(map.y(u, v)) / 1024;
      }
    cv::convertMaps(x, y, places, fractions, CV_16SC2);
  }
  cv::Mat places, fractions;
};

/// A place that is 1/64 px off each way changes the value by a sixty-fourth of what neighbours differ by.
template <class P>
void require_close(Image<P>& ours, const cv::Mat& theirs, const std::string& what) {
  const double mean = cv::norm(mat(ours), theirs, cv::NORM_L1) / static_cast<double>(theirs.total());
  if (mean <= 0.01 * (sizeof(P) == 1 ? 255 : 65535)) return;
  fmt::print(stderr, "{}: cv::remap gives another picture (mean difference {:.2f})\n", what, mean);
  std::exit(1);
}
#endif

/// One picture.
template <class P>
void compare_remap(Size size, double degrees, int runs) {
  const std::string what = fmt::format("{}x{}, u{}, {} degrees", size.width, size.height, 8 * sizeof(P), degrees);
  if (!is_wanted(what) || !is_wanted(size)) return;
  const StereoRig rig = rig_of(size, degrees);
  const RectifyOptions options{.alpha = 0};
  Pair<P> pair = scene<P>(size);
  StereoRectifier rectifier(device(), rig, options);
  Image<P> out(rectifier.size());
  const Work ours = [&] { rectifier.rectify_left(pair.left, out); };
#ifdef VERGENCE_BENCH_OPENCV
  const RectifyPlan plan = make_rectify_plan(rig, options);
  const PeerMaps maps(plan.left);
  cv::Mat in = mat(pair.left), theirs;
  const Work peer = [&] { cv::remap(in, theirs, maps.places, maps.fractions, cv::INTER_LINEAR); };
  ours();
  peer();
  require_close(out, theirs, what);
  print(what, "cv::remap", in_turn(ours, peer, runs));
#else
  print(what, "none",
        in_turn(
            ours, [] {}, runs));
#endif
}

/// Both pictures, beside matching them.
void compare_stereo(double degrees, int runs) {
  const std::string what = fmt::format("both, 1920x1080, u8, {} degrees", degrees);
  if (!is_wanted(what) || !is_wanted(full_hd)) return;
  const Pair<std::uint8_t> pair = scene<std::uint8_t>(full_hd);
  StereoRectifier rectifier(device(), rig_of(full_hd, degrees), {.alpha = 0});
  StereoOptions options = stereo_preset("default").options;
  options.disparities = 128;
  StereoMatcher matcher(device(), full_hd, options);
  Image<std::uint8_t> left(full_hd), right(full_hd);
  Image<std::int16_t> map(full_hd);
  print(what, "D 128",
        in_turn([&] { rectifier.rectify(pair.left, pair.right, left, right); },
                [&] {
                  matcher.compute({left, right}, {.disparity = map.view()});
                },
                runs));
}

void run(int runs) {
#ifdef VERGENCE_BENCH_OPENCV
  cv::setNumThreads(1);
  fmt::print("OpenCV {}\n", CV_VERSION);
#endif
  fmt::print("{}, one thread, {} runs; ms [spread]; peer's time / ours: of medians, of the least\n",
             device().description(), runs);
  for (const Size size : {Size{640, 480}, Size{1242, 375}, full_hd})
    for (const double degrees : {1., 3.}) compare_remap<std::uint8_t>(size, degrees, runs);
  for (const Size size : {Size{640, 480}, full_hd})
    for (const double degrees : {1., 3.}) compare_remap<std::uint16_t>(size, degrees, runs);
  for (const double degrees : {1., 3.}) compare_stereo(degrees, std::max(runs / 5, 3));
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) try {
  vergence::bench::run(argc > 1 ? std::max(std::atoi(argv[1]), 3) : 51);
  return 0;
} catch (const vergence::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
