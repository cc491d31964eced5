// SPDX-License-Identifier: Apache-2.0
// Rectification on every GPU device gives the bytes of the reference.
#include "stage/gpu_devices.hpp"
#define SUITE GpuRemap
#include "stage/remap.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "gpu/rectify/remap.hpp"
#include "gpu_devices.hpp"

namespace vergence::test {
namespace {

/// A source picture of `size`, whose rows lie `pitch` pixels apart from pixel `first` of its memory on.
struct SourcePlace {
  Size size;
  int first, pitch;
};

/// All places inside, also of work-items beyond the width, as of a rig that is nearly rectified.
rectify::SourceMap inner_map(Size source, Size size, Random& random) {
  rectify::SourceMap map{Image<std::int32_t>(size), Image<std::int32_t>(size), source};
  const int scale = random.within(1000, 1040), slope = random.within(-60, 60), left = random.within(20, 60),
            top = random.within(16, 18);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      map.x(x, y) = 1024 * left + scale * x + slope * y + random.within(0, 60);
      map.y(x, y) = 1024 * top + scale * y - slope * x + random.within(0, 60);
    }
  return map;
}

template <class P>
std::unique_ptr<vergence::gpu::Buffer> uploaded(vergence::gpu::Device& device, vergence::gpu::Queue& queue,
                                                const std::vector<P>& pixels) {
  const std::size_t bytes = pixels.size() * sizeof(P);
  auto buffer = device.allocate(bytes);
  queue.upload(*buffer, {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, pixels.data());
  return buffer;
}

/// Also those that the device would not choose.
template <class P>
void expect_launches_equal(std::uint64_t seed, const GpuDevice& gpu, MapMaker make_map,
                           const vergence::gpu::RemapTuning& tuning, SourcePlace source, int width) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(tuning.pixels) + " pixels, to " +
               std::to_string(width) + ", from pitch " + std::to_string(source.pitch) + ", " + gpu.name);
  constexpr int largest = sizeof(P) == 1 ? 255 : 40000, bytes = static_cast<int>(sizeof(P));
  Random random(seed);
  const Size size{width, 21};
  const std::size_t out_row = sizeof(P) * static_cast<std::size_t>(width);
  RectifyPlan plan;
  plan.left = make_map(source.size, size, random);
  plan.right = make_map(source.size, size, random);
  const Image<P> in = drawn_picture<P>(source.size, random, largest);
  Image<P> left(size), right(size), got(size);
  reference::remap<P>(plan.left, in, left, largest);
  reference::remap<P>(plan.right, in, right, largest);
  vergence::gpu::Programs programs(gpu.device);
  const auto queue = gpu.device->make_queue();
  vergence::gpu::Remap remap(plan, programs, *queue, tuning);
  std::vector<P> in_pixels(
      static_cast<std::size_t>(source.first + source.pitch * (source.size.height - 1) + source.size.width));
  for (int y = 0; y < source.size.height; ++y)
    std::copy_n(in.row(y), source.size.width, in_pixels.begin() + source.first + source.pitch * y);
  const auto from = uploaded(*gpu.device, *queue, in_pixels);
  // Both pictures in one launch; then the right one alone, at odd places, with others' pixels before and behind rows.
  const vergence::gpu::RemapPlace there{*from, source.first, source.pitch};
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
  const auto among = uploaded(*gpu.device, *queue, pixels_there);
  const vergence::gpu::RemapPicture among_others{there, {*among, first, pitch}};
  remap.run(*queue, bytes, nullptr, &among_others, largest);
  queue->download(*among, {0, all, static_cast<std::ptrdiff_t>(all), all, 1}, pixels_there.data());
  for (int i = 0; i < std::ssize(pixels_there); ++i) {
    const int x = (i - first) % pitch, y = (i - first) / pitch;
    const bool inside = i >= first && x < width;
    ASSERT_EQ(pixels_there[static_cast<std::size_t>(i)], inside ? right(x, y) : guard) << x << ' ' << y;
  }
}

constexpr vergence::gpu::RemapTuning remap_launches[] = {{.pixels = 4}, {.pixels = 1}};

TEST(GpuRemapLaunches, EqualTheReference) {
  run_everywhere(1, 2, [](int seed, const GpuDevice& gpu) {
    for (const vergence::gpu::RemapTuning& tuning : remap_launches)
      for (const int width : {45, 128})  // of 128, work-items have no pixel beyond the row
        for (const MapMaker make_map : {MapMaker{smooth_map}, MapMaker{drawn_map}}) {
          constexpr SourcePlace source{{70, 40}, 0, 70};
          expect_launches_equal<std::uint8_t>(static_cast<std::uint64_t>(seed), gpu, make_map, tuning, source, width);
          expect_launches_equal<std::uint16_t>(static_cast<std::uint64_t>(seed), gpu, make_map, tuning, source, width);
        }
  });
}

/// At even and at odd places.
TEST(GpuRemapLaunches, EqualTheReferenceWhereAllPlacesLieInside) {
  constexpr SourcePlace sources[] = {
      {{272, 56}, 0, 272}, {{272, 56}, 16, 280}, {{272, 56}, 3, 277}, {{271, 56}, 8, 280}};
  run_everywhere(11, 12, [&](int seed, const GpuDevice& gpu) {
    for (const vergence::gpu::RemapTuning& tuning : remap_launches)
      for (const int width : {128, 199})
        for (const SourcePlace& source : sources) {
          expect_launches_equal<std::uint8_t>(static_cast<std::uint64_t>(seed), gpu, inner_map, tuning, source, width);
          expect_launches_equal<std::uint16_t>(static_cast<std::uint64_t>(seed), gpu, inner_map, tuning, source, width);
        }
  });
}

}  // namespace
}  // namespace vergence::test
