// SPDX-License-Identifier: Apache-2.0
// `match` on every GPU device gives the bytes of the reference: all maps, seeded cases, several ways of cutting the
// work.
#include "gpu/stereo/match.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/gpu_devices.hpp"
#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"
#include "verify/random.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence {
namespace {

constexpr std::size_t guard = 64;  ///< Bytes after each map that nobody may touch.
constexpr std::uint8_t guard_value = 0xA5;

/// A map in device memory with guard bytes behind it.
struct DeviceMap {
  DeviceMap(gpu::Device& device, gpu::Queue& queue, std::size_t bytes)
      : size(bytes), buffer(device.allocate(bytes + guard)) {
    queue.fill(*buffer, guard_value);
  }
  std::vector<std::uint8_t> read(gpu::Queue& queue) const {
    std::vector<std::uint8_t> bytes(size + guard);
    queue.download(*buffer, {0, bytes.size(), static_cast<std::ptrdiff_t>(bytes.size()), bytes.size(), 1},
                   bytes.data());
    return bytes;
  }
  std::size_t size;
  std::unique_ptr<gpu::Buffer> buffer;
};

template <class T>
void append(std::vector<std::uint8_t>& bytes, const Image<T>& image) {
  for (int y = 0; y < image.height(); ++y) {
    const auto* const row = reinterpret_cast<const std::uint8_t*>(image.row(y));
    bytes.insert(bytes.end(), row, row + static_cast<std::size_t>(image.width()) * sizeof(T));
  }
}

void expect_equal(std::vector<std::uint8_t> expected, const std::vector<std::uint8_t>& got, const char* map,
                  const std::string& where) {
  const std::size_t size = expected.size();
  expected.resize(size + guard, guard_value);
  ASSERT_EQ(expected.size(), got.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(int{expected[i]}, int{got[i]}) << map << (i < size ? ", byte " : ", guard byte ") << i << "\n" << where;
}

template <class P, class T>
void run_case(const StereoCase& one, ImageView<const P> left, ImageView<const P> right, const gpu::MatchTuning& tuning,
              const test::GpuDevice& gpu, gpu::Programs& programs) {
  const StereoPlan plan = make_stereo_plan(one.size, one.options);
  const std::string where = gpu.name + ", group " + std::to_string(tuning.group) + ", rows " +
                            std::to_string(tuning.rows) + (tuning.local_columns ? "" : ", global columns") +
                            ", strips of " + std::to_string(tuning.strip_own) + " and " +
                            std::to_string(tuning.strip_rows) + "\n" + describe(one);
  const bool costs = plan.max_cost < no_cost && one.seed % 2 == 0, confidence = one.seed % 3 != 0;
  Image<T> disparity(one.size);
  Image<std::uint8_t> sure(one.size);
  Image<std::uint32_t> cost[4] = {Image<std::uint32_t>(one.size), Image<std::uint32_t>(one.size),
                                  Image<std::uint32_t>(one.size), Image<std::uint32_t>(one.size)};
  MatchMaps<T> maps;
  maps.disparity = disparity;
  if (confidence) maps.confidence = sure;
  if (costs) {
    maps.cost = cost[0], maps.second_cost = cost[1], maps.cost_before = cost[2], maps.cost_after = cost[3];
  }
  reference::match<P, T>(plan, left, right, maps);

  const auto queue = gpu.device->make_queue();
  const std::size_t pixels = static_cast<std::size_t>(one.size.width) * static_cast<std::size_t>(one.size.height);
  const DeviceMap l(*gpu.device, *queue, pixels * sizeof(P)), r(*gpu.device, *queue, pixels * sizeof(P));
  const DeviceMap d(*gpu.device, *queue, pixels * sizeof(T)), c(*gpu.device, *queue, pixels),
      k(*gpu.device, *queue, 16 * pixels);
  const std::size_t row = static_cast<std::size_t>(one.size.width) * sizeof(P);
  const auto upload = [&](const DeviceMap& to, ImageView<const P> from) {
    queue->upload(*to.buffer, {0, row, from.stride(), row, static_cast<std::size_t>(one.size.height)}, from.data());
  };
  upload(l, left);
  upload(r, right);
  gpu::Match match(plan, programs, {sizeof(T) == 4, confidence, costs}, tuning);
  match.run(*queue, *l.buffer, *r.buffer, *d.buffer, *c.buffer, *k.buffer);
  std::vector<std::uint8_t> expected;
  append(expected, disparity);
  expect_equal(expected, d.read(*queue), "disparity", where);
  if (confidence) {
    expected.clear();
    append(expected, sure);
    expect_equal(expected, c.read(*queue), "confidence", where);
  }
  if (costs) {
    expected.clear();
    for (const auto& image : cost) append(expected, image);
    expect_equal(expected, k.read(*queue), "costs", where);
  }
}

void run_seed(int seed, const test::GpuDevice& gpu, gpu::Programs& programs) {
  // The first is the default on GPUs; on processors the second and the fourth are match_rows.cl, over several bands and
  // strips.
  gpu::MatchTuning tunings[] = {{64, 32, true}, {32, 8, true, 1}, {128, 64, true, 2}, {64, 16, false, 8}};
  tunings[1].bands = tunings[3].bands = true;
  tunings[1].band_rows = 8;
  tunings[1].band_columns = 13;
  tunings[3].band_rows = 19;
  tunings[3].band_columns = 40;
  const StereoCase one = make_stereo_case(static_cast<std::uint64_t>(seed), {48, 40});
  const gpu::MatchTuning& tuning = tunings[seed % 4];
  if (one.options.depth == Depth::u8 && seed % 5 != 0 && !make_stereo_plan(one.size, one.options).wide)
    run_case<std::uint8_t, std::int16_t>(one, one.left8, one.right8, tuning, gpu, programs);
  else if (one.options.depth == Depth::u8)
    run_case<std::uint8_t, std::int32_t>(one, one.left8, one.right8, tuning, gpu, programs);
  else
    run_case<std::uint16_t, std::int32_t>(one, one.left16, one.right16, tuning, gpu, programs);
}

/// A test for each seed, because compilers for processors take a second or two for each case.
class GpuMatchSeeds : public testing::TestWithParam<int> {};

TEST_P(GpuMatchSeeds, EqualReference) {
  std::string reasons;
  const std::vector<test::GpuDevice> devices = test::gpu_devices(reasons);
  if (devices.empty()) GTEST_SKIP() << reasons;
  for (const test::GpuDevice& gpu : devices) {
    gpu::Programs programs(gpu.device);
    run_seed(GetParam(), gpu, programs);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seed, GpuMatchSeeds, testing::Range(1, 9), testing::PrintToStringParamName());

/// On machines with a GPU: as many as VERGENCE_GPU_CASES says.
TEST(GpuMatch, ManySeedsEqualReference) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  if (cases == nullptr) GTEST_SKIP() << "VERGENCE_GPU_CASES is not set: GpuMatchSeeds runs a few";
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    gpu::Programs programs(gpu.device);
    for (int seed = 1; seed <= std::atoi(cases); ++seed) {
      run_seed(seed, gpu, programs);
      if (HasFatalFailure()) return;
    }
  }
}

/// Settings that match_strip.cl and match_warp.cl take, and pictures wider than their strips.
StereoCase make_strip_case(std::uint64_t seed) {
  Random random(seed);
  StereoCase one;
  one.seed = seed;
  one.size = {random.within(9, 560), random.within(7, 60)};
  StereoOptions& o = one.options;
  o.cost = random.within(0, 2) > 0 ? StereoCost::sad : StereoCost::ssd;
  const int largest = random.within(0, 1) == 0 ? 2 : 12;
  o.window = {2 * random.within(0, largest) + 1, 2 * random.within(0, largest) + 1};
  o.window.width = std::min(o.window.width, (one.size.width - 1) / 2 * 2 + 1);
  o.window.height = std::min(o.window.height, (one.size.height - 1) / 2 * 2 + 1);
  o.prefilter = random.within(0, 1) == 0 ? StereoPrefilter::none : StereoPrefilter::xsobel;
  o.disparities = random.within(1, std::min(200, one.size.width));
  o.min_disparity = random.within(-20, 20);
  o.reference = random.within(0, 1) == 0 ? StereoView::left : StereoView::right;
  o.tie = random.within(0, 1) == 0 ? StereoTie::lowest : StereoTie::highest;
  o.outside = static_cast<StereoOutside>(random.within(0, 2));
  o.border = static_cast<StereoBorder>(random.within(0, 1));
  o.subpixel = random.within(0, 1) == 0;
  o.uniqueness_ratio = 10 * random.within(0, 1);
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

TEST(GpuMatch, StripCasesEqualReference) {
  std::string reasons;
  const std::vector<test::GpuDevice> devices = test::gpu_devices(reasons);
  const char* const more = std::getenv("VERGENCE_GPU_CASES");
  const int cases = more != nullptr ? std::atoi(more) : 6;
  bool any = false;
  for (const test::GpuDevice& gpu : devices) {
    if (!gpu.device->properties().is_nvidia) continue;
    any = true;
    gpu::Programs programs(gpu.device);
    for (int seed = 1; seed <= cases; ++seed) {
      const StereoCase one = make_strip_case(static_cast<std::uint64_t>(seed));
      gpu::MatchTuning tuning;
      tuning.strip_rows = seed % 18;  // 0: chosen
      tuning.strip_candidates = seed % 3 == 0 ? 8 : 16;
      tuning.warps = seed % 4 != 0;
      tuning.warp_columns = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 32 : 16;
      tuning.warp_rows = seed % 19;
      tuning.strip_own = seed % 2 == 0 ? 8 : 4;
      run_case<std::uint8_t, std::int16_t>(one, one.left8, one.right8, tuning, gpu, programs);
      if (HasFatalFailure()) return;
    }
  }
  if (!any) GTEST_SKIP() << "no NVIDIA device: match_strip.cl and match_warp.cl run on these alone";
}

}  // namespace
}  // namespace vergence
