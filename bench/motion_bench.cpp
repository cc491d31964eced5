// SPDX-License-Identifier: Apache-2.0
// Motion on the CPU. A benchmark is called CASE/CONTENT/THREADS/WHO; those that differ in WHO alone find the same
// vectors, which is checked before anybody is timed; 10-bits has noise in its two lowest bits. Contents: the built-in
// scene at three sizes, noise, and two neighbouring frames of each video or numbered sequence in VERGENCE_BENCH_VIDEOS
// (separated by colons). VERGENCE_BENCH_SIMD=AVX2 runs that target instead of the best one. Counter `gdiff`: 10^9
// absolute differences per second that brute force would need; `residue`: sum of the costs in grey levels per pixel.
//
// Peers, where they were found when this was configured, with blocks of 16x16 and a range of 64 px: x264's exhaustive
// search against our `full`, FFmpeg's mestimate with esa against `full`, with hexbs and epzs against `tz`. They and
// ours take turns inside one benchmark, in one thread, whose time is the peer's (of the processor); counters:
// `ours_ms`, `peer_ms` (medians), `times_faster` (ratio of the medians) and `times_faster_least` (of the least times,
// which a busy machine hurts less).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "cpu/context.hpp"
#include "cpu/motion/scratch.hpp"
#include "motion_peers.hpp"
#include "plan/motion/plan.hpp"
#include "synth/scene.hpp"
#include "vergence/io.hpp"
#include "vergence/motion.hpp"

namespace vergence::bench {
namespace {

struct Content {
  std::string name;
  Image<std::uint8_t> current, reference;
  Image<std::uint16_t> current_words{}, reference_words{};  ///< the same in 10 bits, with noise in the lowest two

  MotionPictures<std::uint8_t> pictures(std::uint8_t /*of*/) const { return {current, reference}; }
  MotionPictures<std::uint16_t> pictures(std::uint16_t /*of*/) const { return {current_words, reference_words}; }
};

Image<std::uint16_t> in_10_bits(const Image<std::uint8_t>& picture, unsigned seed) {
  Image<std::uint16_t> words(picture.size());
  Random random(seed);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      words(x, y) = static_cast<std::uint16_t>(4 * picture(x, y) + random.within(0, 3));
  return words;
}

std::string size_name(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

Content scene(Size size) {
  synth::SceneOptions options;
  options.size = size;
  options.samples = 1;
  options.noise_sigma = 2;
  options.frames = 2;
  const synth::Scene made(options);
  return {"scene-" + size_name(size), made.render(1).left, made.render(0).left};
}

Content noise(Size size) {
  Content content{"noise-" + size_name(size), Image<std::uint8_t>(size), Image<std::uint8_t>(size)};
  Random random(7);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      content.current(x, y) = static_cast<std::uint8_t>(random.within(0, 255));
      content.reference(x, y) = static_cast<std::uint8_t>(random.within(0, 255));
    }
  return content;
}

/// Frames 1 and 2: the first one of a video is often still.
Content video(const std::string& path) {
  FrameSource source(path);
  source.next();
  auto reference = source.next(), current = source.next();
  if (!reference || !current || current->depth != Depth::u8)
    throw Error(ErrorCode::invalid_argument, path + " must have three frames of 8 bits");
  const std::string name = path.substr(path.find_last_of('/') + 1) + "-" + size_name(current->size());
  return {name, std::move(current->u8), std::move(reference->u8)};
}

std::vector<Content> make_contents() {
  std::vector<Content> contents;
  for (const Size size : {Size{416, 240}, Size{832, 480}, Size{1920, 1080}}) contents.push_back(scene(size));
  for (const Size size : {Size{416, 240}, Size{1920, 1080}}) contents.push_back(noise(size));
  const char* const videos = std::getenv("VERGENCE_BENCH_VIDEOS");
  std::istringstream list(videos == nullptr ? "" : videos);
  for (std::string path; std::getline(list, path, ':');) contents.push_back(video(path));
  for (Content& one : contents) {
    one.current_words = in_10_bits(one.current, 1);
    one.reference_words = in_10_bits(one.reference, 2);
  }
  return contents;
}

/// A search that is timed: the library's own, or the exhaustive search without elimination.
template <class P>
class Contestant {
 public:
  Contestant(Size size, const MotionOptions& options, int threads, bool brute)
      : plan_(make_motion_plan(size, options)),
        context_(threads, target()),
        scratch_(plan_, context_),
        vectors_(plan_.grids.front()),
        cost_(plan_.grids.front()) {
    if (brute) scratch_.tiles = {};
  }
  void run(const Content& content) {
    MotionMaps maps;
    maps.vectors = vectors_;
    maps.cost = cost_;
    cpu::begin_motion<P>(plan_, context_, scratch_, content.pictures(P{}));
    switch (plan_.options.search) {
      case MotionSearch::full:
        return cpu::full(plan_, context_, scratch_, maps);
      case MotionSearch::tz:
        return cpu::tz(plan_, context_, scratch_, maps);
      case MotionSearch::hexagon:
        return cpu::hexagon(plan_, context_, scratch_, maps);
      case MotionSearch::diamond:
        return cpu::diamond(plan_, context_, scratch_, maps);
      case MotionSearch::step:
        return cpu::step(plan_, context_, scratch_, maps);
      case MotionSearch::hierarchical:
        return cpu::hierarchical(plan_, context_, scratch_, maps);
    }
  }
  bool equals(const Contestant& other) const {
    for (int y = 0; y < vectors_.height(); ++y)
      for (int x = 0; x < vectors_.width(); ++x)
        if (!(vectors_(x, y) == other.vectors_(x, y)) || cost_(x, y) != other.cost_(x, y)) return false;
    return true;
  }
  double residue() const {
    std::uint64_t sum = 0;
    for (int y = 0; y < cost_.height(); ++y)
      for (int x = 0; x < cost_.width(); ++x) sum += cost_(x, y);
    return static_cast<double>(sum) / (static_cast<double>(plan_.size.width) * plan_.size.height);
  }
  /// Absolute differences of brute force.
  double differences() const {
    double sum = 0;
    const MotionOptions& o = plan_.options;
    for (int row = 0; row < vectors_.height(); ++row)
      for (int column = 0; column < vectors_.width(); ++column) {
        const Rect block = cpu::block_rect(plan_.size, o.block, column, row);
        using Walk = cpu::BlockWalk<P>;
        const MotionRange x = Walk::candidates(scratch_.frame, o.range_x, block.x, block.width, plan_.size.width);
        const MotionRange y = Walk::candidates(scratch_.frame, o.range_y, block.y, block.height, plan_.size.height);
        sum += static_cast<double>(x.last - x.first + 1) * (y.last - y.first + 1) * block.width * block.height;
      }
    return sum;
  }

 private:
  static std::int64_t target() {
    const char* const wanted = std::getenv("VERGENCE_BENCH_SIMD");
    for (const std::int64_t one : cpu::simd_targets())
      if (wanted == nullptr || cpu::simd_name(one) == wanted) return one;
    throw Error(ErrorCode::not_found, "VERGENCE_BENCH_SIMD names no target of this machine");
  }
  MotionPlan plan_;
  cpu::Context context_;
  cpu::MotionScratch<P> scratch_;
  Image<MotionVector> vectors_;
  Image<std::uint64_t> cost_;
};

struct Case {
  std::string name;
  MotionOptions options;
  std::string who;
  bool brute = false;
};

MotionOptions searching(MotionSearch search, int block, int range = 64) {
  MotionOptions options;
  options.search = search;
  options.block = {block, block};
  options.range_x = options.range_y = {-range, range};
  return options;
}

std::vector<Case> make_cases() {
  std::vector<Case> cases;
  for (const int block : {32, 16}) {
    const std::string side = std::to_string(block);
    cases.push_back({"full" + side, searching(MotionSearch::full, block), "ours"});
    cases.push_back({"full" + side, searching(MotionSearch::full, block), "brute-force", true});
    for (const bool brute : {false, true}) {
      MotionOptions options = searching(MotionSearch::full, block);
      options.depth = Depth::u16;
      options.max_value = 1023;
      cases.push_back({"full" + side, options, brute ? "10-bits-brute-force" : "10-bits", brute});
    }
    cases.push_back({"tz" + side, searching(MotionSearch::tz, block), "ours"});
    cases.push_back({"hexagon" + side, searching(MotionSearch::hexagon, block), "ours"});
    cases.push_back({"diamond" + side, searching(MotionSearch::diamond, block), "ours"});
    cases.push_back({"step" + side, searching(MotionSearch::step, block), "ours"});
    cases.push_back({"hierarchical" + side, searching(MotionSearch::hierarchical, block), "ours"});
  }
  return cases;
}

template <class P>
void measure(benchmark::State& state, const Content& content, const Case& one, int threads) {
  Contestant<P> contestant(content.current.size(), one.options, threads, one.brute);
  contestant.run(content);
  if (one.options.search == MotionSearch::full && !one.brute) {
    Contestant<P> brute(content.current.size(), one.options, threads, true);
    brute.run(content);
    if (!contestant.equals(brute)) return state.SkipWithError("vectors differ from brute force's");
  }
  for (auto _ : state) contestant.run(content);
  state.counters["gdiff"] =
      benchmark::Counter(contestant.differences() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["residue"] = contestant.residue();
}

struct PeerCase {
  const char* name;  ///< Of the case of ours that it is compared with.
  MotionSearch search;
  const char* who;
};
constexpr PeerCase peer_cases[] = {{"full16", MotionSearch::full, "x264"},
                                   {"full16", MotionSearch::full, "mestimate-esa"},
                                   {"tz16", MotionSearch::tz, "mestimate-hexbs"},
                                   {"tz16", MotionSearch::tz, "mestimate-epzs"}};

std::unique_ptr<MotionPeer> make_peer(const PeerCase& one, const Content& content) {
  const std::string who = one.who;
  if (who == "x264") return make_x264_peer(content.current, content.reference);
  return make_mestimate_peer(who.substr(who.find('-') + 1), content.current, content.reference);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

void measure_peer(benchmark::State& state, const Content& content, const PeerCase& one) {
  const std::unique_ptr<MotionPeer> peer = make_peer(one, content);
  if (peer == nullptr) return state.SkipWithError("this program was built without it");
  Contestant<std::uint8_t> contestant(content.current.size(), searching(one.search, 16), 1, false);
  contestant.run(content);
  if (peer->most_runs() == 0) peer->run();
  std::vector<double> ours, all, rest, searches;
  for (auto _ : state) {
    const MotionPeer::Times times = peer->run();
    const double start = cpu_ms();
    contestant.run(content);
    ours.push_back(cpu_ms() - start);
    all.push_back(times.ms);
    rest.push_back(times.rest_ms);
    searches.push_back(times.ms - times.rest_ms);
    state.SetIterationTime(std::max(0.0, searches.back()) * 1e-3);
  }
  state.counters["ours_ms"] = median(ours);
  state.counters["peer_ms"] = median(searches);
  state.counters["times_faster"] = median(searches) / median(ours);
  state.counters["times_faster_least"] = (least(all) - least(rest)) / least(ours);
}

void register_peers(const Content& content) {
  for (const PeerCase& one : peer_cases) {
    auto* const added =
        benchmark::RegisterBenchmark((std::string(one.name) + "/" + content.name + "/1/" + one.who).c_str(),
                                     [&one, &content](benchmark::State& state) { measure_peer(state, content, one); });
    added->Unit(benchmark::kMillisecond)->UseManualTime();
    const bool once = std::string(one.who) == "mestimate-esa";
    if (once) added->Iterations(1);
  }
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<Content> contents = make_contents();
  for (const Case& one : make_cases())
    for (const Content& content : contents)
      for (const int threads : {1, 2})
        benchmark::RegisterBenchmark(
            (one.name + "/" + content.name + "/" + std::to_string(threads) + "/" + one.who).c_str(),
            [one, &content, threads](benchmark::State& state) {
              if (one.options.depth == Depth::u8)
                measure<std::uint8_t>(state, content, one, threads);
              else
                measure<std::uint16_t>(state, content, one, threads);
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->MeasureProcessCPUTime();
  for (const Content& content : contents) register_peers(content);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) { return vergence::bench::run(argc, argv); }
