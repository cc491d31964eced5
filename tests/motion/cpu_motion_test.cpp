// SPDX-License-Identifier: Apache-2.0
// Motion on the CPU gives the bytes of the reference: every search and map, every SIMD target of this machine, one to
// three threads, seeded cases and cases that a seed would rarely meet. Each failure prints the case; so are seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cpu/context.hpp"
#include "motion/plan.hpp"
#include "vergence/motion.hpp"
#include "verify/motion_cases.hpp"
#include "verify/random.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

/// What is written for one block size, in memory that notices writes outside the maps.
struct Maps {
  GuardedMap<MotionVector> vectors;
  GuardedMap<std::uint64_t> cost, j, second;
  GuardedMap<std::uint8_t> confidence;

  explicit Maps(Size blocks)
      : vectors(blocks, 3), cost(blocks, 1), j(blocks, 0), second(blocks, 2), confidence(blocks, 5) {}
  MotionMaps views(ImageView<const MotionVector> previous, bool with_second, bool vectors_alone) {
    MotionMaps maps;
    maps.vectors = vectors.view();
    maps.previous = previous;
    if (vectors_alone) return maps;
    maps.cost = cost.view();
    maps.j = j.view();
    if (with_second) maps.second_j = second.view();
    maps.confidence = confidence.view();
    return maps;
  }
};

std::string text_of(MotionVector v) { return std::to_string(v.dx) + "," + std::to_string(v.dy); }
template <class V>
std::string text_of(V value) {
  return std::to_string(value);
}

template <class V>
std::string difference_of(const char* name, const GuardedMap<V>& expected, const GuardedMap<V>& got) {
  if (!got.intact()) return std::string("memory around ") + name + " was changed";
  const auto a = expected.view(), b = got.view();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (!(a(x, y) == b(x, y)))
        return std::string(name) + " at " + std::to_string(x) + "," + std::to_string(y) + " is " + text_of(b(x, y)) +
               ", must be " + text_of(a(x, y));
  return {};
}

std::string first_difference(const Maps& expected, const Maps& got, bool vectors_alone) {
  std::string text = difference_of("vectors", expected.vectors, got.vectors);
  if (vectors_alone) return text;
  if (text.empty()) text = difference_of("cost", expected.cost, got.cost);
  if (text.empty()) text = difference_of("j", expected.j, got.j);
  if (text.empty()) text = difference_of("second_j", expected.second, got.second);
  if (text.empty()) text = difference_of("confidence", expected.confidence, got.confidence);
  return text;
}

struct Asked {
  bool second = true;
  bool vectors_alone = false;
};

template <class P>
std::vector<Maps> run(const Device& device, const MotionCase& one, const GuardedMap<P>& current,
                      const GuardedMap<P>& reference, const Asked& asked) {
  MotionEstimator estimator(device, one.size, one.options);
  std::vector<Maps> results;
  std::vector<Image<MotionVector>> previous;
  const int sizes = one.options.all_sizes ? 4 : 1;
  for (int i = 0; i < sizes; ++i) {
    results.emplace_back(estimator.blocks_of_size(i));
    previous.push_back(make_previous_field(one, estimator.blocks_of_size(i)));
  }
  const bool second = asked.second && one.options.search == MotionSearch::full;
  MotionEstimator::SizeMaps maps;
  // Twice, the first time with the frames exchanged: nothing of it may be left.
  for (const bool exchanged : {true, false}) {
    for (int i = 0; i < sizes; ++i) {
      const auto at = static_cast<std::size_t>(i);
      maps[at] = results[at].views(
          one.seed % 2 == 0 ? ImageView<const MotionVector>(previous[at].view()) : ImageView<const MotionVector>(),
          second, asked.vectors_alone);
    }
    const auto& from = exchanged ? reference : current;
    const auto& to = exchanged ? current : reference;
    if (sizes == 4)
      estimator.compute_sizes(from.view(), to.view(), maps);
    else
      estimator.compute(from.view(), to.view(), maps[0]);
  }
  return results;
}

template <class P>
void compare(const MotionCase& one, const Image<P>& current_frame, const Image<P>& reference_frame) {
  const GuardedMap<P> current(current_frame.view(), 1), reference(reference_frame.view(), 4);
  const std::vector<Maps> expected = run(Device("reference"), one, current, reference, {});
  int turn = static_cast<int>(one.seed % 3);
  for (const std::int64_t target : cpu::simd_targets())
    for (const Asked asked : {Asked{true, false}, Asked{false, turn == 1}}) {
      const int threads = turn++ % 3 + 1;
      const Device device("cpu", {threads, cpu::simd_name(target)});
      const std::vector<Maps> got = run(device, one, current, reference, asked);
      for (std::size_t i = 0; i < got.size(); ++i) {
        std::string text = difference_of("vectors", expected[i].vectors, got[i].vectors);
        if (text.empty() && asked.second) text = first_difference(expected[i], got[i], asked.vectors_alone);
        if (text.empty() && !asked.second && !asked.vectors_alone) {
          text = difference_of("cost", expected[i].cost, got[i].cost);
          if (text.empty()) text = difference_of("j", expected[i].j, got[i].j);
        }
        if (text.empty()) continue;
        ADD_FAILURE() << describe(one) << "; target " << cpu::simd_name(target) << ", threads " << threads
                      << ", second " << asked.second << ", size " << i << ": " << text;
        return;
      }
    }
}

void expect_equal(const MotionCase& one) {
  if (one.options.depth == Depth::u8) {
    const MotionFrames<std::uint8_t> frames = make_motion_frames<std::uint8_t>(one);
    compare(one, frames.current, frames.reference);
  } else {
    const MotionFrames<std::uint16_t> frames = make_motion_frames<std::uint16_t>(one);
    compare(one, frames.current, frames.reference);
  }
}

TEST(CpuMotion, SeededCases) {
  for (std::uint64_t seed = 1; seed <= 160 && !HasFailure(); ++seed) expect_equal(make_motion_case(seed));
}

/// Blocks and ranges larger than seeded cases have: whole vectors, and levels of elimination.
TEST(CpuMotion, LargeBlocks) {
  std::uint64_t seed = 1;
  for (const Size block : {Size{16, 16}, Size{32, 32}, Size{64, 64}, Size{24, 12}, Size{8, 32}, Size{60, 20}})
    for (const MotionBorder border : {MotionBorder::inside, MotionBorder::pad}) {
      MotionCase one = make_motion_case(seed++);
      one.size = {70, 66};
      one.options = {};
      one.options.block = block;
      one.options.border = border;
      one.options.range_x = {-20, 15};
      one.options.range_y = {-7, 10};
      one.options.lambda = seed % 2 == 0 ? 70000 : 0;
      expect_equal(one);
      if (HasFailure()) return;
    }
}

/// A pattern that repeats, a little brighter: many candidates cost the same, and all of it shows in their bounds. The
/// search starts from a far one, so that the shortest must be found among equals, in each direction.
TEST(CpuMotion, TiesUnderElimination) {
  const Size size{40, 36};
  for (int turn = 0; turn < 8; ++turn) {
    const int period_x = 5 + turn % 3, period_y = turn < 4 ? 6 : 4, move_x = turn % 2 * 2, move_y = 1 + turn / 2 % 2;
    const auto pixel = [&](int x, int y) {
      return (static_cast<unsigned>(x % period_x * 16 + y % period_y) * 2654435761u) >> 25;
    };
    Image<std::uint8_t> current(size), reference(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        current(x, y) = static_cast<std::uint8_t>(pixel(x + move_x, y + move_y) + 3);
      }
    MotionOptions options;
    options.block = {16, 16};
    options.range_x = options.range_y = {-16, 16};
    MotionEstimator expected(Device("reference"), size, options);
    const int far_x = 4 * (move_x - (turn % 4 < 2 ? period_x : 0));
    const int far_y = 4 * (move_y + (turn % 4 < 2 ? period_y : -2 * period_y));
    const Image<MotionVector> far(expected.blocks(),
                                  {static_cast<std::int16_t>(far_x), static_cast<std::int16_t>(far_y)});
    Maps one(expected.blocks());
    expected.compute(current, reference, one.views(far, true, false));
    for (const std::int64_t target : cpu::simd_targets()) {
      MotionEstimator estimator(Device("cpu", {1, cpu::simd_name(target)}), size, options);
      Maps other(estimator.blocks());
      estimator.compute(current, reference, other.views(far, false, false));
      ASSERT_EQ(difference_of("vectors", one.vectors, other.vectors), "")
          << "turn " << turn << ", target " << cpu::simd_name(target);
    }
  }
}

TEST(CpuMotion, TheUpperOfEquallyShortVectorsWins) {
  // Every (dx, dy) with dx + dy = 2 mod 4 costs nothing; the search starts from (-1, -1), and (0, -2) is as short. The
  // blocks at the left are white, so that they have nothing to hand on.
  Image<std::uint8_t> current(48, 48), reference(48, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) {
      reference(x, y) = static_cast<std::uint8_t>((x + y) % 4 * 50);
      current(x, y) = static_cast<std::uint8_t>(x < 16 ? 255 : (x + y + 2) % 4 * 50);
    }
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  for (const std::int64_t target : cpu::simd_targets()) {
    MotionEstimator estimator(Device("cpu", {1, cpu::simd_name(target)}), {48, 48}, options);
    const Image<MotionVector> start(estimator.blocks(), {-4, -4});
    Maps found(estimator.blocks());
    estimator.compute(current, reference, found.views(start, false, false));
    EXPECT_EQ(found.vectors.view()(1, 1), (MotionVector{0, -8})) << cpu::simd_name(target);
  }
}

/// Elimination against brute force, which the second best needs, in frames too large for the reference: rows of
/// candidates that are left by bounds, computed one by one, and given to brute force.
TEST(CpuMotion, EliminationFindsWhatBruteForceFinds) {
  const Size size{203, 131};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    Image<std::uint8_t> current(size), reference(size);
    const int grain = random.within(1, 12), noise = static_cast<int>(seed % 3) * 20;
    const auto pixel = [&](int x, int y) {  // squares of any grey, less to eliminate the smaller they are
      const unsigned cell = static_cast<unsigned>(y / grain * 1000 + x / grain) * 2654435761u;
      return static_cast<int>(cell >> 25) + random.within(0, noise);
    };
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        current(x, y) = static_cast<std::uint8_t>(pixel(x + (x < 90 ? 9 : 31), y + 11));
      }
    MotionOptions options;
    options.block = seed % 2 == 0 ? Size{32, 32} : seed == 1 ? Size{8, 12} : Size{16, 16};
    options.lambda = seed > 4 ? 1 << 17 : 0;
    for (const std::int64_t target : cpu::simd_targets()) {
      const Device device("cpu", {1, cpu::simd_name(target)});
      MotionEstimator estimator(device, size, options);
      Maps brute(estimator.blocks()), eliminated(estimator.blocks());
      estimator.compute(current, reference, brute.views({}, true, false));
      estimator.compute(current, reference, eliminated.views({}, false, false));
      std::string text = difference_of("vectors", brute.vectors, eliminated.vectors);
      if (text.empty()) text = difference_of("cost", brute.cost, eliminated.cost);
      ASSERT_EQ(text, "") << "seed " << seed << ", target " << cpu::simd_name(target);
    }
  }
}

/// Coarse levels larger than seeded cases have: more columns of candidates than a vector, cells of all sizes, flat
/// ground, where many candidates cost the same.
TEST(CpuMotion, TestZonesOnLargeLevels) {
  const Size size{203, 131};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    Image<std::uint8_t> current(size), reference(size);
    const int grain = 1 + static_cast<int>(seed) * 3, noise = static_cast<int>(seed % 2) * 4;
    const auto pixel = [&](int x, int y) {
      const unsigned cell = static_cast<unsigned>(y / grain * 1000 + x / grain) * 2654435761u;
      return (x + y < 150 ? static_cast<int>(cell >> 25) : 99) + random.within(0, noise);
    };
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        current(x, y) = static_cast<std::uint8_t>(pixel(x + (x < 90 ? 9 : 37), y + 11));
      }
    MotionOptions options;
    options.search = MotionSearch::tz;
    options.levels = seed == 1 ? 1 : 2;
    options.block = seed == 2 ? Size{32, 32} : Size{16, 16};
    options.range_x = {-70, 70};
    options.border = seed % 2 == 0 ? MotionBorder::inside : MotionBorder::pad;
    MotionEstimator definition(Device("reference"), size, options);
    Maps expected(definition.blocks());
    definition.compute(current, reference, expected.views({}, false, false));
    for (const std::int64_t target : cpu::simd_targets()) {
      MotionEstimator estimator(Device("cpu", {2, cpu::simd_name(target)}), size, options);
      Maps found(estimator.blocks());
      estimator.compute(current, reference, found.views({}, false, false));
      std::string text = difference_of("vectors", expected.vectors, found.vectors);
      if (text.empty()) text = difference_of("cost", expected.cost, found.cost);
      ASSERT_EQ(text, "") << "seed " << seed << ", target " << cpu::simd_name(target);
    }
  }
}

template <class P>
void expect_equal_predictions(const MotionCase& one) {
  const MotionFrames<P> frames = make_motion_frames<P>(one);
  MotionEstimator reference(Device("reference"), one.size, one.options);
  const Image<MotionVector> vectors = make_previous_field(one, reference.blocks());
  for (const std::int64_t target : cpu::simd_targets())
    for (const MotionPlane plane :
         {MotionPlane::luma, MotionPlane::chroma_420, MotionPlane::chroma_422, MotionPlane::chroma_444}) {
      const Size size = plane_size(one.size, scale_of(plane));
      const GuardedMap<P> input(frames.reference.view().crop({0, 0, size.width, size.height}), 3);
      GuardedMap<P> expected(size, 1), got(size, 2);
      reference.predict(input.view(), vectors, expected.view(), plane);
      const int threads = static_cast<int>(one.seed % 3) + 1;
      MotionEstimator(Device("cpu", {threads, cpu::simd_name(target)}), one.size, one.options)
          .predict(input.view(), vectors, got.view(), plane);
      const std::string text = difference_of("prediction", expected, got);
      ASSERT_EQ(text, "") << describe(one) << "; target " << cpu::simd_name(target) << ", plane "
                          << static_cast<int>(plane);
    }
}

TEST(CpuMotion, Predictions) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    MotionCase one = make_motion_case(seed);
    if (one.options.all_sizes) continue;
    if (one.options.depth == Depth::u8)
      expect_equal_predictions<std::uint8_t>(one);
    else
      expect_equal_predictions<std::uint16_t>(one);
  }
}

TEST(CpuMotion, MemoryIsCounted) {
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  const MotionEstimator estimator(Device("cpu"), {64, 48}, options);
  EXPECT_GE(estimator.memory(), std::size_t{64 * 48});
}

}  // namespace
}  // namespace vergence
