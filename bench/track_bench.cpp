// SPDX-License-Identifier: Apache-2.0
// Tracks and filters on the CPU beside OpenCV's, interleaved: each figure is the least of many short runs, in ms, so
// that it holds on a busy machine too. Usage: track_bench [FRAME1 FRAME2]... (pictures of 8 bits; without any, the
// built-in scene at 640x480 and 1920x1080). Both sides use so many threads as VERGENCE_BENCH_THREADS says (default 1);
// VERGENCE_BENCH_SIMD=AVX2 runs that target.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <string>
#include <vector>

#include "synth/scene.hpp"
#include "vergence/filter.hpp"
#include "vergence/io.hpp"
#include "vergence/track.hpp"

namespace vergence::bench {
namespace {

struct Pair {
  Image<std::uint8_t> previous, current;
};

Pair scene(Size size) {
  synth::SceneOptions options;
  options.size = size;
  options.samples = 1;
  options.noise_sigma = 2;
  options.frames = 2;
  const synth::Scene made(options);
  return {made.render(0).left, made.render(1).left};
}

cv::Mat mat(Image<std::uint8_t>& picture) {
  return {picture.height(), picture.width(), CV_8UC1, picture.data(), static_cast<std::size_t>(picture.stride())};
}
cv::Mat mat(Image<float>& picture) {
  return {picture.height(), picture.width(), CV_32FC1, picture.data(), static_cast<std::size_t>(picture.stride())};
}

using Work = std::function<void()>;
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Both in turn, so that they meet the same machine.
void compare(const std::string& what, const Work& ours, const Work& theirs, int runs = 40) {
  double our_best = std::numeric_limits<double>::max(), their_best = our_best;
  for (int i = 0; i < runs; ++i) {
    our_best = std::min(our_best, milliseconds(ours));
    their_best = std::min(their_best, milliseconds(theirs));
  }
  std::printf("%-44s %9.3f %9.3f %8.2fx\n", what.c_str(), our_best, their_best, their_best / our_best);
  std::fflush(stdout);
}

int threads() {
  const char* const text = std::getenv("VERGENCE_BENCH_THREADS");
  return text == nullptr ? 1 : std::atoi(text);
}
Device device() {
  const char* const simd = std::getenv("VERGENCE_BENCH_SIMD");
  return Device("cpu", {threads(), simd == nullptr ? "" : simd});
}

/// Following alone: pyramids and gradients exist.
void compare_lk(Pair& pair, int window, std::size_t count) {
  std::vector<cv::Point2f> points, found;
  cv::goodFeaturesToTrack(mat(pair.previous), points, static_cast<int>(count), 0.0001, 3);
  std::vector<TrackPosition> positions;
  for (const cv::Point2f& point : points) positions.push_back(to_position(point.x, point.y));
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;  // as the peers
  options.window = window;
  options.levels = 3;
  PointFlow flow(device(), pair.previous.size(), options);
  flow.push(pair.previous);
  flow.push(pair.current);
  std::vector<TrackedPoint> answers(points.size());
  const cv::Size size(window, window);
  std::vector<cv::Mat> from, to;
  cv::buildOpticalFlowPyramid(mat(pair.previous), from, size, 3);
  cv::buildOpticalFlowPyramid(mat(pair.current), to, size, 3);
  std::vector<unsigned char> status;
  std::vector<float> errors;
  compare(
      "LK, window " + std::to_string(window) + ", " + std::to_string(points.size()) + " points",
      [&] { flow.track(positions, answers); },
      [&] { cv::calcOpticalFlowPyrLK(from, to, points, found, status, errors, size, 3); });
}

void compare_stages(Pair& pair) {
  PointFlow flow(device(), pair.previous.size());
  std::vector<cv::Mat> levels;
  compare(
      "pyramid and gradients, 3 levels", [&] { flow.push(pair.previous); },
      [&] {
        cv::buildOpticalFlowPyramid(mat(pair.previous), levels, {21, 21}, 3);
      });
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;  // as the peers
  options.quality = 0.001;
  options.min_distance = 5;
  PointFlow corners(device(), pair.previous.size(), options);
  corners.push(pair.previous);
  std::vector<cv::Point2f> points;
  std::size_t found = 0;
  compare(
      "2000 corners", [&] { found = corners.corners(2000).size(); },
      [&] { cv::goodFeaturesToTrack(mat(pair.previous), points, 2000, 0.001, 5); }, 15);
  std::printf("  (found %zu and %zu)\n", found, points.size());
}

void compare_filters(Pair& pair) {
  const Size size = pair.previous.size();
  PictureFilter filter(device(), size);
  Image<float> floats(size), out(size), dx(size), dy(size);
  Image<std::uint8_t> bytes(size);
  Image<std::int16_t> sx(size), sy(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) floats(x, y) = pair.previous(x, y);
  cv::Mat theirs, other;
  compare(
      "blur, float", [&] { filter.blur(floats, out.view()); },
      [&] {
        cv::GaussianBlur(mat(floats), theirs, {5, 5}, 1.1);
      });
  compare(
      "  and a plain copy", [&] { filter.blur(floats, out.view()); }, [&] { mat(floats).copyTo(theirs); });
  compare(
      "blur, bytes", [&] { filter.blur(pair.previous, bytes.view()); },
      [&] {
        cv::GaussianBlur(mat(pair.previous), theirs, {5, 5}, 1.1);
      });
  compare(
      "Sobel, both, bytes", [&] { filter.sobel(pair.previous, sx.view(), sy.view()); },
      [&] {
        cv::Sobel(mat(pair.previous), theirs, CV_16S, 1, 0);
        cv::Sobel(mat(pair.previous), other, CV_16S, 0, 1);
      });
  compare(
      "Sobel, both, float", [&] { filter.sobel(floats, dx.view(), dy.view()); },
      [&] {
        cv::Sobel(mat(floats), theirs, CV_32F, 1, 0);
        cv::Sobel(mat(floats), other, CV_32F, 0, 1);
      });
}

/// A frame of a tracking program: blur, gradients of the blurred frame, following 500 points.
void compare_loop(Pair& pair) {
  const Size size = pair.previous.size();
  std::vector<cv::Point2f> points, found;
  cv::goodFeaturesToTrack(mat(pair.previous), points, 500, 0.0001, 3);
  std::vector<TrackPosition> positions;
  for (const cv::Point2f& point : points) positions.push_back(to_position(point.x, point.y));
  PictureFilter filter(device(), size);
  TrackOptions options;
  options.max_residual = options.forward_backward = 0;  // as the peer
  PointFlow flow(device(), size, options);
  Image<std::uint8_t> blurred(size);
  filter.blur(pair.previous, blurred.view());
  flow.push(blurred);
  std::vector<TrackedPoint> answers(points.size());
  Pair* const both = &pair;
  bool odd = false;
  cv::Mat before, now, dx, dy;
  cv::GaussianBlur(mat(pair.previous), before, {5, 5}, 1.1);
  std::vector<unsigned char> status;
  std::vector<float> errors;
  bool their_odd = false;
  compare(
      "blur, gradients, LK on " + std::to_string(points.size()) + " points",
      [&] {
        odd = !odd;
        filter.blur(odd ? both->current : both->previous, blurred.view());
        flow.push(blurred);  // its gradients are those of level 0
        flow.track(positions, answers);
      },
      [&] {
        their_odd = !their_odd;
        cv::GaussianBlur(mat(their_odd ? both->current : both->previous), now, {5, 5}, 1.1);
        cv::Sobel(now, dx, CV_32F, 1, 0);
        cv::Sobel(now, dy, CV_32F, 0, 1);
        cv::calcOpticalFlowPyrLK(before, now, points, found, status, errors, {21, 21}, 3);
        std::swap(before, now);
      });
}

void run(Pair& pair) {
  const Size size = pair.previous.size();
  std::printf("%dx%d, %s, %d threads             ours ms  OpenCV ms    ratio\n", size.width, size.height,
              device().description().c_str(), threads());
  for (const int window : {21, 15, 9, 7, 31})
    for (const std::size_t count : {std::size_t{500}, std::size_t{2000}})
      if (count == 500 || window == 21 || window == 9) compare_lk(pair, window, count);
  compare_stages(pair);
  compare_filters(pair);
  compare_loop(pair);
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) try {
  using namespace vergence;
  cv::setNumThreads(bench::threads());
  std::printf("OpenCV %s\n", CV_VERSION);
  std::vector<bench::Pair> pairs;
  for (int i = 1; i + 1 < argc; i += 2)
    pairs.push_back(
        {read_grey(argv[static_cast<std::size_t>(i)]).u8, read_grey(argv[static_cast<std::size_t>(i) + 1]).u8});
  if (pairs.empty())
    for (const Size size : {Size{640, 480}, Size{1920, 1080}}) pairs.push_back(bench::scene(size));
  for (bench::Pair& pair : pairs) bench::run(pair);
  return 0;
} catch (const vergence::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
