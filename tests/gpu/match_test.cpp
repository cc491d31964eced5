// SPDX-License-Identifier: Apache-2.0
// `match` on every GPU device gives the bytes of the reference; and what only NVIDIA's devices have: match_strip.cl and
// match_warp.cl.
#include "stage/gpu_match.hpp"
#define SUITE GpuMatch
#define SUITE_OF_SEEDS GpuMatchSeeds
#include "stage/match.hpp"

namespace vergence::test {
namespace {

/// Settings that match_strip.cl, match_warp.cl and match_rows.cl take, and pictures wider than their strips.
StereoCase make_strip_case(std::uint64_t seed, Size largest_size = {560, 60}, int most_disparities = 200) {
  Random random(seed);
  StereoCase one;
  one.seed = seed;
  one.size = {random.within(9, largest_size.width), random.within(7, largest_size.height)};
  StereoOptions& o = one.options;
  constexpr StereoCost costs[] = {StereoCost::sad,
                                  StereoCost::sad,
                                  StereoCost::ssd,
                                  StereoCost::ssd,
                                  StereoCost::census_5x5,
                                  StereoCost::census_9x7,
                                  StereoCost::census_symmetric_9x7};
  o.cost = costs[random.within(0, 6)];
  const int largest = random.within(0, 1) == 0 ? 2 : 12;
  o.window = {2 * random.within(0, largest) + 1, 2 * random.within(0, largest) + 1};
  o.window.width = std::min(o.window.width, (one.size.width - 1) / 2 * 2 + 1);
  o.window.height = std::min(o.window.height, (one.size.height - 1) / 2 * 2 + 1);
  o.prefilter = random.within(0, 1) == 0 ? StereoPrefilter::none : StereoPrefilter::xsobel;
  o.disparities = random.within(1, std::min(most_disparities, one.size.width));
  if (o.cost != StereoCost::sad && std::min(most_disparities, one.size.width) >= 96 && random.within(0, 1) == 0)
    o.disparities = random.within(65, 96);  // of census three to a work-item
  o.min_disparity = random.within(-20, 20);
  o.reference = random.within(0, 1) == 0 ? StereoView::left : StereoView::right;
  o.tie = random.within(0, 1) == 0 ? StereoTie::lowest : StereoTie::highest;
  o.outside = static_cast<StereoOutside>(random.within(0, 2));
  o.border = static_cast<StereoBorder>(random.within(0, 1));
  o.subpixel = random.within(0, 1) == 0;
  o.uniqueness_ratio = 10 * random.within(0, 1);
  o.reject_ties = random.within(0, 3) > 0;
  o.texture_threshold = random.within(0, 3) == 0 ? 200 : 0;
  o.left_right = o.outside == StereoOutside::skip ? random.within(-1, 3) : -1;
  o.speckle_size = 0;
  const int kind = random.within(0, 2);  // noise, few values (ties), one value
  one.left8 = Image<std::uint8_t>(one.size);
  one.right8 = Image<std::uint8_t>(one.size);
  for (Image<std::uint8_t>* picture : {&one.left8, &one.right8})
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x)
        (*picture)(x, y) = static_cast<std::uint8_t>(kind == 0   ? random.within(0, 255)
                                                     : kind == 1 ? 85 * random.within(0, 3)
                                                                 : 7);
  return one;
}

/// On NVIDIA's devices.
TEST_F(SUITE, StripCasesEqualReference) {
  std::string reasons;
  bool any = false;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    if (!gpu.device->properties().is_nvidia) continue;
    any = true;
    for (int seed = 1; seed <= cases_to_run(6, 1'000'000) && !HasFailure(); ++seed) {
      gpu::MatchTuning tuning;
      tuning.strip_rows = seed % 18;  // 0: chosen
      tuning.strip_candidates = seed % 3 == 0 ? 8 : 16;
      tuning.warps = seed % 4 != 0;
      tuning.warp_columns = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 32 : 16;
      tuning.warp_rows = seed % 19;
      tuning.warp_side_rows = seed % 7;
      tuning.sides = seed % 5 != 0;
      tuning.strip_own = seed % 2 == 0 ? 8 : 4;
      const StereoCase one = make_strip_case(static_cast<std::uint64_t>(seed));
      const Planned planned{one, make_stereo_plan(one.size, one.options)};
      compare_on<std::uint8_t, std::int16_t>(planned, one.left8, one.right8, [&](unsigned possible) {
        return std::vector<MatchBackend>{match_backend(gpu, tuning, one.seed, possible)};
      });
    }
  }
  if (!any) GTEST_SKIP() << "no NVIDIA device: match_strip.cl and match_warp.cl run on these alone";
}

/// Where work-items are loops: both views from the same sums, in several bands and strips.
TEST_F(SUITE, RowCasesEqualReference) {
  std::string reasons;
  bool any = false;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    if (!gpu.device->properties().is_cpu) continue;
    any = true;
    for (int seed = 1; seed <= cases_to_run(3, 1'000'000) && !HasFailure(); ++seed) {
      gpu::MatchTuning tuning = gpu::default_match_tuning(gpu.device->properties());
      tuning.band_rows = 1 + seed % 23;
      tuning.band_columns = 1 + 7 * seed % 60;
      StereoCase one = make_strip_case(static_cast<std::uint64_t>(seed), {120, 16}, 40);
      one.options.outside = StereoOutside::skip;
      one.options.left_right = seed % 4;
      const Planned planned{one, make_stereo_plan(one.size, one.options)};
      compare_on<std::uint8_t, std::int16_t>(planned, one.left8, one.right8, [&](unsigned possible) {
        return std::vector<MatchBackend>{match_backend(gpu, tuning, one.seed, possible)};
      });
    }
  }
  if (!any) GTEST_SKIP() << "no processor that OpenCL offers: match_rows.cl runs on these alone";
}

/// Words of pictures of `width`, with ties and the largest differences.
template <class P>
void expect_census(int width, StereoCost cost, bool tiles, std::uint64_t seed) {
  Random random(seed);
  StereoCase one;
  one.seed = seed;
  one.size = {width, 37};
  one.options.cost = cost;
  one.options.window = {1, 1};
  one.options.disparities = 8;
  one.options.left_right = -1;
  one.options.subpixel = one.options.reject_ties = false;
  one.options.speckle_size = 0;
  constexpr int largest = sizeof(P) == 1 ? 255 : 65535;
  if (sizeof(P) == 2) one.options.depth = Depth::u16;
  Image<P> left(one.size), right(one.size);
  for (Image<P>* picture : {&left, &right})
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < width; ++x) (*picture)(x, y) = static_cast<P>(random.within(0, 3) * (largest / 3));
  const Planned planned{one, make_stereo_plan(one.size, one.options)};
  compare_on<P, std::int16_t>(planned, left, right, [&](unsigned possible) {
    std::string reasons;
    std::vector<MatchBackend> backends;
    for (const GpuDevice& gpu : gpu_devices(reasons)) {
      gpu::MatchTuning tuning = gpu::default_match_tuning(gpu.device->properties());
      tuning.census_tiles = tiles;
      backends.push_back(match_backend(gpu, tuning, seed, possible));
    }
    return backends;
  });
}

/// Census words in tiles: of groups inside the picture, whose rows are read as words where a row has whole ones.
TEST_F(SUITE, CensusInTilesEqualsReference) {
  std::uint64_t seed = 0;
  for (const int width : {392, 389})
    for (const StereoCost cost : {StereoCost::census_5x5, StereoCost::census_9x7, StereoCost::census_symmetric_9x7}) {
      if (width == 389 && cost != StereoCost::census_9x7) continue;  // kernels take a second to compile
      expect_census<std::uint8_t>(width, cost, true, ++seed);
      if (HasFailure()) return;
    }
}

/// And pixel by pixel, on processors 16 at a time: rows without whole vectors, with one, and with some.
TEST_F(SUITE, CensusInRowsEqualsReference) {
  std::uint64_t seed = 0;
  for (const int width : {23, 24, 57}) expect_census<std::uint8_t>(width, StereoCost::census_9x7, false, ++seed);
  expect_census<std::uint8_t>(21, StereoCost::census_5x5, false, ++seed);
  expect_census<std::uint8_t>(25, StereoCost::census_symmetric_9x7, false, ++seed);
  expect_census<std::uint16_t>(41, StereoCost::census_9x7, false, ++seed);
}

}  // namespace
}  // namespace vergence::test
