// SPDX-License-Identifier: Apache-2.0
// The stereo matcher beside its peers. A benchmark is called CASE/SIZE/THREADS/WHO; those that differ in WHO alone do
// the same work and are compared with each other, run by run, by scripts/bench. The pair is the built-in scene.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "synth/scene.hpp"
#include "vergence/stereo.hpp"

#ifdef VERGENCE_BENCH_OPENCV
#include "opencv_peers.hpp"
#endif

namespace vergence::bench {
namespace {

using Map = Image<std::int16_t>;

constexpr Size qvga_like{434, 383}, vga{640, 480}, kitti{1242, 375}, full_hd{1920, 1080};
constexpr Size all_sizes[] = {qvga_like, vga, kitti, full_hd};

struct Pair {
  Image<std::uint8_t> left, right;
};

/// Textured everywhere but for a few surfaces, disparities up to 60 of the 64 searched (240 of 256).
const Pair& pair_of(Size size, int disparities) {
  static std::map<std::pair<int, int>, Pair> pairs;
  Pair& pair = pairs[{size.width, disparities}];
  if (pair.left.empty()) {
    synth::SceneOptions options;
    options.size = size;
    options.max_disparity = disparities * 15 / 16;
    options.noise_sigma = 2;
    options.samples = 1;
    synth::SceneFrame frame = synth::Scene(options).render(0);
    pair = {std::move(frame.left), std::move(frame.right)};
  }
  return pair;
}

/// A program that is timed in a case: it prepares, then computes into a map each time it is called.
using Work = std::function<void(Map&)>;
using Maker = std::function<Work(const Pair&, Size, int threads)>;
struct Contestant {
  std::string name;
  Maker make;
};
struct Case {
  std::string name;
  Size size;
  int disparities = 64;
  std::vector<Contestant> contestants;
  /// Where the first two must give the same values before anybody is timed; empty: they do different things.
  Rect equal{};
};

std::string simd() {
  // VERGENCE_BENCH_SIMD=AVX2 runs that target instead of the best one.
  const char* const wanted = std::getenv("VERGENCE_BENCH_SIMD");
  return wanted == nullptr ? std::string() : std::string(wanted);
}

Contestant ours(const std::string& name, const StereoOptions& options) {
  return {name, [options](const Pair& pair, Size size, int threads) -> Work {
            const auto matcher = std::make_shared<StereoMatcher>(Device("cpu", {threads, simd()}), size, options);
            return [matcher, &pair](Map& map) { matcher->compute({pair.left, pair.right}, {.disparity = map}); };
          }};
}

#ifdef VERGENCE_BENCH_OPENCV
Contestant opencv(const std::string& name, const std::function<cv::Ptr<cv::StereoMatcher>()>& create) {
  return {name, [create](const Pair& pair, Size, int threads) -> Work {
            cv::setNumThreads(threads);
            const cv::Ptr<cv::StereoMatcher> matcher = create();
            return [matcher, &pair](Map& map) {
              cv::Mat out = mat(map);
              matcher->compute(mat(pair.left), mat(pair.right), out);
            };
          }};
}
#endif

void add_block_matcher(std::vector<Contestant>& contestants, [[maybe_unused]] const StereoOptions& options) {
#ifdef VERGENCE_BENCH_OPENCV
  contestants.push_back(opencv("StereoBM", [options] { return block_matcher(options); }));
#endif
  contestants.shrink_to_fit();
}

/// The preset opencv-bm against StereoBM: equal values.
Case against_block_matcher(const std::string& name, Size size, const StereoOptions& options) {
  Case one{name, size, options.disparities, {ours("vergence", options)}, {}};
  add_block_matcher(one.contestants, options);
#ifdef VERGENCE_BENCH_OPENCV
  one.equal = defined(options, size);
#endif
  return one;
}

StereoOptions block(int window) {
  StereoOptions options = stereo_preset("opencv-bm").options;
  options.window = {window, window};
  return options;
}

/// Winner only, of raw pixels.
StereoOptions plain(StereoCost cost, int window, int disparities = 64) {
  StereoOptions options = stereo_preset("fast").options;
  options.cost = cost;
  options.window = {window, window};
  options.disparities = disparities;
  return options;
}

/// Semi-global matching, checked and refined, without postfilters.
StereoOptions paths(int count, StereoCost cost) {
  StereoOptions options;
  options.cost = cost;
  options.aggregate = StereoAggregate::sgm;
  options.paths = count;
  options.speckle_size = 0;
  return options;
}

#ifdef VERGENCE_BENCH_OPENCV
/// Semi-global matching against StereoSGBM with the documentation's penalties and blocks of 5x5.
void add_semi_global(std::vector<Case>& cases) {
  StereoOptions theirs;
  theirs.window = {5, 5};
  theirs.speckle_size = 0;
  const auto peer = [&](const std::string& name, int mode) {
    return opencv(name, [theirs, mode] { return semi_global_matcher(theirs, mode); });
  };
  for (const Size size : {vga, full_hd}) {
    for (const auto& [cost, name] : {std::pair{StereoCost::census_symmetric_9x7, "census-symmetric-9x7"},
                                     {StereoCost::census_5x5, "census-5x5"},
                                     {StereoCost::census_9x7, "census-9x7"}})
      cases.push_back({"sgm-4-paths-" + std::string(name),
                       size,
                       64,
                       {ours("vergence", paths(4, cost)), peer("StereoSGBM-HH4", cv::StereoSGBM::MODE_HH4),
                        peer("StereoSGBM-3WAY", cv::StereoSGBM::MODE_SGBM_3WAY)},
                       {}});
    cases.push_back(
        {"sgm-8-paths",
         size,
         64,
         {ours("vergence", paths(8, StereoCost::census_9x7)), peer("StereoSGBM-HH", cv::StereoSGBM::MODE_HH)},
         {}});
  }
}
#endif

std::vector<Case> cases_against_opencv() {
  std::vector<Case> cases;
  for (const Size size : all_sizes)
    for (const int window : {5, 9, 15, 21})
      cases.push_back(against_block_matcher("bm-" + std::to_string(window), size, block(window)));
  for (const Size size : all_sizes)
    for (const int window : {5, 9, 15, 21}) {
      StereoOptions options = block(window);
      options.texture_threshold = options.uniqueness_ratio = 0;
      cases.push_back(against_block_matcher("bm-" + std::to_string(window) + "-nothing-rejected", size, options));
    }
  for (const Size size : {kitti, full_hd}) {
    StereoOptions options = block(9);
    options.disparities = 256;
    cases.push_back(against_block_matcher("bm-9-256-disparities", size, options));
  }
#ifdef VERGENCE_BENCH_OPENCV
  StereoOptions options;
  options.window = {5, 5};
  for (const auto& [name, mode] : {std::pair{"StereoSGBM-3WAY", cv::StereoSGBM::MODE_SGBM_3WAY},
                                   {"StereoSGBM", cv::StereoSGBM::MODE_SGBM},
                                   {"StereoSGBM-HH", cv::StereoSGBM::MODE_HH}}) {
    const int way = mode;
    cases.push_back({"quality-window-" + std::string(name),
                     vga,
                     64,
                     {ours("vergence", stereo_preset("quality-window").options),
                      opencv(name, [options, way] { return semi_global_matcher(options, way); })},
                     {}});
  }
  add_semi_global(cases);
#endif
  return cases;
}

std::vector<Case> cases_among_ours() {
  std::vector<Case> cases;
  for (const Size size : all_sizes)
    cases.push_back({"sad-5", size, 64, {ours("vergence", plain(StereoCost::sad, 5))}, {}});
  cases.push_back({"sad-5-256-disparities", full_hd, 256, {ours("vergence", plain(StereoCost::sad, 5, 256))}, {}});
  for (const Size size : {vga, full_hd}) {
    const Contestant sad = ours("sad", plain(StereoCost::sad, 9));
    cases.push_back({"ssd-9", size, 64, {ours("ssd", plain(StereoCost::ssd, 9)), sad}, {}});
    cases.push_back({"census-5x5-9", size, 64, {ours("census-5x5", plain(StereoCost::census_5x5, 9)), sad}, {}});
    cases.push_back({"census-9x7-9", size, 64, {ours("census-9x7", plain(StereoCost::census_9x7, 9)), sad}, {}});
    StereoOptions checked = plain(StereoCost::sad, 9);
    checked.left_right = 1;
    cases.push_back(
        {"left-right", size, 64, {ours("checked", checked), ours("unchecked", plain(StereoCost::sad, 9))}, {}});
    cases.push_back({"default", size, 64, {ours("default", StereoOptions{}), sad}, {}});
    cases.push_back(
        {"quality-window", size, 64, {ours("quality-window", stereo_preset("quality-window").options), sad}, {}});
  }
  // Sums of x-Sobel pixels stay within 16 bits for all of these; of raw ones, those of 21 x 21 do not.
  StereoOptions small = plain(StereoCost::sad, 5);
  small.prefilter = StereoPrefilter::xsobel;
  for (const Size size : {vga, full_hd})
    for (const int window : {3, 9, 15, 21, 31}) {
      StereoOptions options = small;
      options.window = {window, window};
      cases.push_back(
          {"window-" + std::to_string(window), size, 64, {ours("larger", options), ours("window-5", small)}, {}});
    }
  cases.push_back({"window-21-wide-sums",
                   vga,
                   64,
                   {ours("larger", plain(StereoCost::sad, 21)), ours("window-5", plain(StereoCost::sad, 5))},
                   {}});
  return cases;
}

/// Empty, or what is wrong.
std::string check_equal(const Case& one, int threads) {
  if (one.equal.empty()) return {};
  const Pair& pair = pair_of(one.size, one.disparities);
  [[maybe_unused]] Map a(one.size), b(one.size);
  one.contestants[0].make(pair, one.size, threads)(a);
  one.contestants[1].make(pair, one.size, threads)(b);
#ifdef VERGENCE_BENCH_OPENCV
  const int different = differences(a, b, one.equal);
  if (different > 0) return std::to_string(different) + " pixels differ from the peer's";
#endif
  return {};
}

void run(benchmark::State& state, const Case& one, const Contestant& contestant, int threads) {
  const std::string wrong = check_equal(one, threads);
  if (!wrong.empty()) return state.SkipWithError(wrong.c_str());
  const Work work = contestant.make(pair_of(one.size, one.disparities), one.size, threads);
  Map map(one.size);
  for (int i = 0; i < 3; ++i) work(map);  // memory is touched, caches and clocks are warm
  for (auto _ : state) work(map);
  // Candidates times pixels per second of wall time, whether or not a candidate lies inside the other picture.
  const double evaluations = static_cast<double>(one.size.width) * one.size.height * one.disparities;
  state.counters["GDE/s"] = benchmark::Counter(evaluations * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

bool register_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all = cases_against_opencv();
    for (Case& one : cases_among_ours()) all.push_back(std::move(one));
    return all;
  }();
  for (const Case& one : cases)
    for (const int threads : {1, 2})
      for (const Contestant& contestant : one.contestants) {
        const std::string name = one.name + "/" + std::to_string(one.size.width) + "x" +
                                 std::to_string(one.size.height) + "/" + std::to_string(threads) + "/" +
                                 contestant.name;
        // The process's CPU time, so that work handed to other threads counts.
        benchmark::RegisterBenchmark(
            name.c_str(),
            [&one, &contestant, threads](benchmark::State& state) { run(state, one, contestant, threads); })
            ->Unit(benchmark::kMillisecond)
            ->MeasureProcessCPUTime()
            ->UseRealTime();
      }
#ifdef VERGENCE_BENCH_OPENCV
  benchmark::AddCustomContext("OpenCV", CV_VERSION);
#else
  benchmark::AddCustomContext("OpenCV", "absent: no peers");
#endif
  const std::vector<std::string> targets = Device::simd_targets();
  benchmark::AddCustomContext("SIMD", simd().empty() && !targets.empty() ? targets.front() : simd());
  return true;
}
[[maybe_unused]] const bool registered = register_cases();

}  // namespace
}  // namespace vergence::bench
