// SPDX-License-Identifier: Apache-2.0
// Rectification on every GPU device gives the bytes of the reference.
#include "stage/gpu_devices.hpp"
#define SUITE GpuRemap
#include "stage/remap.hpp"

#include <cstddef>
#include <iterator>
#include <vector>

#include "gpu/rectify/remap.hpp"
#include "gpu_devices.hpp"

namespace vergence::test {
namespace {

/// Also those that the device would not choose.
template <class P>
void expect_launches_equal(std::uint64_t seed, const GpuDevice& gpu, MapMaker make_map,
                           const vergence::gpu::RemapTuning& tuning, int width) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(tuning.pixels) + " x " +
               std::to_string(tuning.rows) + " pixels, " + gpu.name);
  constexpr int largest = sizeof(P) == 1 ? 255 : 40000, bytes = static_cast<int>(sizeof(P));
  Random random(seed);
  const Size source{70, 40}, size{width, 21};
  const std::size_t out_row = sizeof(P) * static_cast<std::size_t>(width);
  RectifyPlan plan;
  plan.left = make_map(source, size, random);
  plan.right = make_map(source, size, random);
  const Image<P> in = drawn_picture<P>(source, random, largest);
  Image<P> left(size), right(size), got(size);
  reference::remap<P>(plan.left, in, left, largest);
  reference::remap<P>(plan.right, in, right, largest);
  vergence::gpu::Programs programs(gpu.device);
  const auto queue = gpu.device->make_queue();
  const vergence::gpu::Remap remap(plan, programs, *queue, tuning);
  const std::size_t in_row = sizeof(P) * 70;
  const auto from = gpu.device->allocate(in_row * 40);
  queue->upload(*from, {0, in_row, in.stride(), in_row, 40}, in.data());
  // Both pictures in one launch; then the right one alone, at odd places, with others' pixels before and behind rows.
  const vergence::gpu::RemapPlace there{*from, 0, 70};
  const auto to = gpu.device->allocate(out_row * 21), other = gpu.device->allocate(out_row * 21);
  const vergence::gpu::RemapPicture first_picture{there, {*to, 0, width}}, second_picture{there, {*other, 0, width}};
  remap.run(*queue, bytes, &first_picture, &second_picture, largest);
  const vergence::gpu::Rows rows{0, out_row, got.stride(), out_row, 21};
  queue->download(*to, rows, got.data());
  ASSERT_EQ(first_difference<P>(left.view(), got.view()), "");
  queue->download(*other, rows, got.data());
  ASSERT_EQ(first_difference<P>(right.view(), got.view()), "");
  constexpr int first = 3;
  const int pitch = width + 2;
  const P guard = 0xA5;
  std::vector<P> pixels_there(static_cast<std::size_t>(first + pitch * 21), guard);
  const std::size_t all = pixels_there.size() * sizeof(P);
  const vergence::gpu::Rows row{0, all, static_cast<std::ptrdiff_t>(all), all, 1};
  const auto among = gpu.device->allocate(all);
  queue->upload(*among, row, pixels_there.data());
  const vergence::gpu::RemapPicture among_others{there, {*among, first, pitch}};
  remap.run(*queue, bytes, nullptr, &among_others, largest);
  queue->download(*among, row, pixels_there.data());
  for (int i = 0; i < std::ssize(pixels_there); ++i) {
    const int x = (i - first) % pitch, y = (i - first) / pitch;
    const bool inside = i >= first && x < width;
    ASSERT_EQ(pixels_there[static_cast<std::size_t>(i)], inside ? right(x, y) : guard) << x << ' ' << y;
  }
}

TEST(GpuRemapLaunches, EqualTheReference) {
  run_everywhere(1, 2, [](int seed, const GpuDevice& gpu) {
    const vergence::gpu::RemapTuning launches[] = {
        {},         {.pixels = 1}, {.short_places = true}, {.rows = 2, .short_places = true}, {.pixels = 1, .rows = 2},
        {.rows = 5}};
    for (const vergence::gpu::RemapTuning& tuning : launches)
      for (const int width : {45, 128})  // of 128, work-items have no pixel beyond the row
        for (const MapMaker make_map : {MapMaker{smooth_map}, MapMaker{drawn_map}}) {
          expect_launches_equal<std::uint8_t>(static_cast<std::uint64_t>(seed), gpu, make_map, tuning, width);
          expect_launches_equal<std::uint16_t>(static_cast<std::uint64_t>(seed), gpu, make_map, tuning, width);
        }
  });
}

}  // namespace
}  // namespace vergence::test
