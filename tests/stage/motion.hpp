// SPDX-License-Identifier: Apache-2.0
// Motion of a backend gives the bytes of the reference: every search and map, seeded cases and cases that a seed would
// rarely meet. Each failure prints the case; seeds are printed too. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "stage/suite.hpp"
#include "vergence/motion.hpp"
#include "verify/motion_run.hpp"

namespace vergence {
namespace {

/// Skips, with the reasons, where the backend has no device.
class SUITE : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    if (test::devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  }
};

std::vector<Device> devices(std::uint64_t turn = 0) {
  std::string reasons;
  return test::devices_under_test(turn, reasons);
}

/// On every device, with all maps and with those alone that let `full` leave candidates out: test::MotionConfiguration
/// says which of them the backend has time for.
void expect_equal(const MotionCase& one) {
  MotionRunOptions options{.padding = 3};
  const MotionRun expected = run_motion(Device("reference"), one, options);
  options.exchanged = true;  // nothing of an earlier search may be left
  for (const test::MotionConfiguration& configuration : test::motion_configurations(one)) {
    options.all_maps = configuration.all_maps;
    const MotionRun got = run_motion(configuration.device, one, options);
    const std::string text = first_difference(expected, got);
    if (text.empty()) continue;
    ADD_FAILURE() << describe(one) << "; " << configuration.name << ", all maps " << configuration.all_maps << ": "
                  << text;
    return;
  }
}

/// The parameter is a range of seeds: see motion_seeds().
class SUITE_OF_SEEDS : public testing::TestWithParam<std::pair<int, int>> {};
TEST_P(SUITE_OF_SEEDS, EqualReference) {
  std::string reasons;
  if (test::devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  const auto [first, last] = GetParam();
  std::printf("seeds %d .. %d\n", first, last);
  for (int seed = first; seed <= last && !HasFailure(); ++seed)
    expect_equal(make_motion_case(static_cast<std::uint64_t>(seed)));
}
VERGENCE_INSTANTIATE_SUITE(Seed, SUITE_OF_SEEDS, testing::ValuesIn(test::motion_seeds()),
                           [](const auto& range) { return std::to_string(range.param.first); });

/// What brute force (which the second best needs) or elimination finds.
struct Found {
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost, second;
};
template <class P>
Found search(const Device& device, const Image<P>& current, const Image<P>& reference, const MotionOptions& options,
             ImageView<const MotionVector> previous, bool brute) {
  MotionEstimator estimator(device, current.size(), options);
  Found found{Image<MotionVector>(estimator.blocks()), Image<std::uint64_t>(estimator.blocks()),
              Image<std::uint64_t>(estimator.blocks())};
  MotionOutput maps{.vectors = found.vectors, .cost = found.cost};
  if (brute) maps.second_j = found.second;
  estimator.compute({current, reference, previous}, maps);
  return found;
}

std::string where(const char* what, int number, const Device& device) {
  return std::string(what) + " " + std::to_string(number) + ", " + device.description();
}

void expect_same(const Image<MotionVector>& expected, const Image<MotionVector>& got, const std::string& where) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      ASSERT_EQ(expected(x, y), got(x, y)) << where << ", block " << x << "," << y;
}
void expect_same(const Found& expected, const Found& got, const std::string& where) {
  for (int y = 0; y < expected.vectors.height(); ++y)
    for (int x = 0; x < expected.vectors.width(); ++x) {
      ASSERT_EQ(expected.vectors(x, y), got.vectors(x, y)) << where << ", block " << x << "," << y;
      ASSERT_EQ(expected.cost(x, y), got.cost(x, y)) << where << ", block " << x << "," << y;
    }
}

/// Blocks and ranges larger than seeded cases have: whole vectors, and levels of elimination.
TEST_F(SUITE, LargeBlocks) {
  std::uint64_t seed = 1;
  std::vector<MotionCase> cases;
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
      cases.push_back(one);
    }
  const int count = test::cases_to_run(1, static_cast<int>(cases.size()));
  for (int i = 0; i < count && !HasFailure(); ++i) expect_equal(cases[static_cast<std::size_t>(i)]);
}

/// A pattern that repeats, a little brighter: many candidates cost the same, and all of it shows in their bounds. The
/// search starts from a far one, so that the shortest must be found among equals, in each direction.
TEST_F(SUITE, TiesUnderElimination) {
  for (int turn = 0; turn < test::cases_to_run(1, 16); ++turn) {
    // Bounds that equal the cost: all differences of the larger blocks have one sign. One column of candidates alone
    // there, so that no other keeps its vector.
    const bool is_large = turn >= 8;
    const Size size = is_large ? Size{72, 70} : Size{40, 36};
    const int period_x = 5 + turn % 3, period_y = is_large ? period_x : turn < 4 ? 6 : 4;
    const int move_x = is_large ? 0 : turn % 2 * 2, move_y = 1 + turn / 2 % 2;
    const auto pixel = [&](int x, int y) {
      return (static_cast<unsigned>(x % period_x * 16 + y % period_y) * 2654435761u) >> 25;
    };
    Image<std::uint8_t> current(size), reference(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        const int more = !is_large ? 3 : x % 16 == 0 && y % 16 == 0 ? 0 : 1;
        current(x, y) = static_cast<std::uint8_t>(static_cast<int>(pixel(x + move_x, y + move_y)) + more);
      }
    MotionOptions options;
    options.block = is_large ? Size{32, 32} : Size{16, 16};
    options.range_y = {-16, 16};
    options.range_x = is_large ? MotionRange{0, 0} : options.range_y;
    const int far_x = is_large ? 0 : 4 * (move_x - (turn % 4 < 2 ? period_x : 0));
    const int far_y = 4 * (move_y + (turn % 4 < 2 ? period_y : -2 * period_y));
    const Image<MotionVector> far(3, 3, {static_cast<std::int16_t>(far_x), static_cast<std::int16_t>(far_y)});
    const Found expected = search(Device("reference"), current, reference, options, far, true);
    for (const Device& device : devices())
      ASSERT_NO_FATAL_FAILURE(
          expect_same(expected, search(device, current, reference, options, far, false), where("turn", turn, device)));
  }
}

TEST_F(SUITE, TheUpperOfEquallyShortVectorsWins) {
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
  const Image<MotionVector> start(3, 3, {-4, -4});
  for (const Device& device : devices())
    EXPECT_EQ(search(device, current, reference, options, start, false).vectors(1, 1), (MotionVector{0, -8}))
        << device.description();
}

/// Elimination against brute force, which the second best needs, in frames too large for the reference: rows of
/// candidates that are left by bounds, computed one by one, and given to brute force.
TEST_F(SUITE, EliminationFindsWhatBruteForceFinds) {
  const Size size{203, 131};
  constexpr Size blocks[] = {{8, 12}, {32, 32}, {16, 16}, {32, 32}, {16, 16}, {32, 32}, {64, 64}, {48, 36}, {64, 32}};
  for (int seed = 1; seed <= test::cases_to_run(1, 9); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Image<std::uint8_t> current(size), reference(size);
    const int grain = random.within(1, 12), noise = seed % 3 * 20;
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
    options.block = blocks[static_cast<std::size_t>(seed) - 1];
    options.lambda = seed > 4 ? 1 << 17 : 0;
    // The one case that every device runs is small enough for PoCL.
    if (seed == 1) options.range_x = options.range_y = {-24, 24};
    for (const Device& device : devices())
      ASSERT_NO_FATAL_FAILURE(expect_same(search(device, current, reference, options, {}, true),
                                          search(device, current, reference, options, {}, false),
                                          where("seed", seed, device)));
  }
}

/// Coarse levels larger than seeded cases have: more columns of candidates than a vector, cells of all sizes, flat
/// ground, where many candidates cost the same.
TEST_F(SUITE, TestZonesOnLargeLevels) {
  const Size size{203, 131};
  for (int seed = 1; seed <= test::cases_to_run(1, 4); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Image<std::uint8_t> current(size), reference(size);
    const int grain = 1 + seed * 3, noise = seed % 2 * 4;
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
    const Found expected = search(Device("reference"), current, reference, options, {}, false);
    for (const Device& device : devices(1))
      ASSERT_NO_FATAL_FAILURE(
          expect_same(expected, search(device, current, reference, options, {}, false), where("seed", seed, device)));
  }
}

/// As users meet it, with frames and maps of any stride.
TEST_F(SUITE, TheEstimatorReadsAndWritesThroughAnyStride) {
  MotionCase one = make_motion_case(4);
  one.size = {37, 26};
  one.options = {};
  one.options.block = {12, 8};
  one.options.range_x = one.options.range_y = {-9, 9};
  const MotionFrames<std::uint8_t> frames = make_motion_frames<std::uint8_t>(one);
  const auto inside = [](const Image<std::uint8_t>& frame) {
    Image<std::uint8_t> larger({frame.width() + 7, frame.height() + 5}, 77);
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x) larger(x + 3, y + 2) = frame(x, y);
    return larger;
  };
  const Image<std::uint8_t> current = inside(frames.current), reference = inside(frames.reference);
  const Rect place{3, 2, one.size.width, one.size.height};
  MotionEstimator definition(Device("reference"), one.size, one.options);
  Image<MotionVector> expected(definition.blocks());
  MotionOutput maps;
  maps.vectors = expected;
  definition.compute({frames.current, frames.reference}, maps);
  for (const Device& device : devices()) {
    MotionEstimator estimator(device, one.size, one.options);
    Image<MotionVector> found({expected.width() + 4, expected.height() + 1}, MotionVector{111, 222});
    maps.vectors = found.view().crop({2, 1, expected.width(), expected.height()});
    estimator.compute({current.view().crop(place), reference.view().crop(place)}, maps);
    for (int y = 0; y < found.height(); ++y)
      for (int x = 0; x < found.width(); ++x) {
        const bool is_block = x >= 2 && x < 2 + expected.width() && y >= 1;
        ASSERT_EQ(found(x, y), is_block ? expected(x - 2, y - 1) : (MotionVector{111, 222})) << x << "," << y;
      }
    EXPECT_EQ(estimator.times().has_value(), test::measures_times) << device.description();
  }
}

/// A sequence leaves the last frame on the device as the next one's reference, unless something came between.
TEST_F(SUITE, SequencesEqualTheReferenceWhateverComesBetween) {
  const Size size{53, 41};
  MotionOptions options{.search = MotionSearch::tz, .levels = 1, .block = {16, 16}};
  options.range_x = options.range_y = {-9, 9};
  Random random(7);
  std::vector<Image<std::uint8_t>> frames;
  for (int i = 0; i < 5; ++i) {
    frames.emplace_back(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        frames.back()(x, y) =
            static_cast<std::uint8_t>(i == 0 || y == 0 ? random.within(0, 255) : frames[frames.size() - 2](x, y - 1));
  }
  for (const Device& device : devices()) {
    MotionSequence expected(Device("reference"), size, options), got(device, size, options);
    Image<MotionVector> expected_field(expected.estimator().blocks()), field(expected_field.size());
    const auto step = [&](const Image<std::uint8_t>& frame) {
      MotionOutput maps;
      maps.vectors = expected_field;
      const bool measured = expected.next(frame, maps);
      maps.vectors = field;
      ASSERT_EQ(got.next(frame, maps), measured);
      if (measured) expect_same(expected_field, field, device.description());
    };
    for (const Image<std::uint8_t>& frame : frames) step(frame);
    MotionOutput maps;
    maps.vectors = field;
    got.estimator().compute({frames[0], frames[3]}, maps);  // which the device holds now
    step(frames[1]);
    const Image<std::uint8_t> small(Size{5, 5});
    EXPECT_THROW(got.next(small, maps), Error);
    step(frames[2]);
    expected.restart();
    got.restart();
    for (int i : {3, 1, 4}) step(frames[static_cast<std::size_t>(i)]);
  }
}

}  // namespace
}  // namespace vergence
