// SPDX-License-Identifier: Apache-2.0
// The filters of disparity maps on every GPU device, for tests: maps lie in device memory with guard bytes behind them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu_devices.hpp"
#include "gpu/postfilter/stages.hpp"
#include "support/filter_maps.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

/// A map in device memory; nobody may touch the bytes after it.
template <class T>
class GuardedDeviceMap {
 public:
  GuardedDeviceMap(gpu::Device& device, gpu::Queue& queue, Size size)
      : queue_(queue),
        row_(static_cast<std::size_t>(size.width) * sizeof(T)),
        rows_(static_cast<std::size_t>(size.height)),
        buffer_(device.allocate(row_ * rows_ + guard)) {
    queue_.fill(*buffer_, guard_value);
  }
  gpu::Buffer& buffer() { return *buffer_; }
  void write(ImageView<const T> map) { queue_.upload(*buffer_, {0, row_, map.stride(), row_, rows_}, map.data()); }
  void read(ImageView<T> map, const char* which) {
    queue_.download(*buffer_, {0, row_, map.stride(), row_, rows_}, map.data());
    std::vector<std::uint8_t> after(guard);
    queue_.download(*buffer_, {row_ * rows_, guard, static_cast<std::ptrdiff_t>(guard), guard, 1}, after.data());
    for (std::size_t i = 0; i < guard; ++i) ASSERT_EQ(int{after[i]}, int{guard_value}) << which << ", guard byte " << i;
  }
  /// Whether it still holds `map`.
  void expect(ImageView<const T> map, const char* which) {
    Image<T> actual(map.size());
    read(actual, which);
    ASSERT_EQ(first_difference<T>(map, actual), "") << which;
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr std::uint8_t guard_value = 0xA5;
  gpu::Queue& queue_;
  std::size_t row_, rows_;
  std::unique_ptr<gpu::Buffer> buffer_;
};

/// A device with its programs and a queue.
struct GpuFilters {
  explicit GpuFilters(GpuDevice gpu) : name(std::move(gpu.name)), device(std::move(gpu.device)) {}

  template <class T>
  void run_speckle(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    GuardedDeviceMap<T> map(*device, *queue, plan.size);
    map.write(in);
    gpu::Speckle(plan, programs, sizeof(T) == 4).run(*queue, map.buffer());
    map.read(out, "speckle");
  }
  template <class T>
  void run_source(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    GuardedDeviceMap<T> map(*device, *queue, plan.size);
    map.write(in);
    const gpu::SourceBuffers masks(plan, *device, *queue);
    gpu::SourceStage(plan, programs, sizeof(T) == 4).run(*queue, map.buffer(), masks);
    map.read(out, "source");
  }
  template <class T>
  void run_median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    const gpu::Properties& properties = device->properties();
    GuardedDeviceMap<T> from(*device, *queue, plan.size), to(*device, *queue, plan.size);
    from.write(in);
    gpu::Median(plan, programs, sizeof(T) == 4, false).run(*queue, from.buffer(), to.buffer());
    to.read(out, "median");
    if (sizeof(T) == 2 && (!properties.is_nvidia || properties.has_packed_minimum)) {
      GuardedDeviceMap<T> of_pairs(*device, *queue, plan.size);
      gpu::Median(plan, programs, false, true).run(*queue, from.buffer(), of_pairs.buffer());
      of_pairs.expect(out, "the median of pairs");
    }
    from.expect(in, "the input of median");
  }
  template <class T>
  void run_fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    GuardedDeviceMap<T> from(*device, *queue, plan.size), to(*device, *queue, plan.size);
    from.write(in);
    gpu::FillStage fill(plan, programs, sizeof(T) == 4);
    fill.run(*queue, from.buffer(), to.buffer());
    fill.run(*queue, from.buffer(), to.buffer());  // nothing is left over from the first time
    to.read(out, "fill");
    from.expect(in, "the input of fill");
  }

  /// Around the widths of words and groups, and around the heights of groups and strips.
  static std::vector<Size> small_sizes() {
    return {{1, 1},  {1, 37},   {2, 5},  {37, 1},  {65, 2},   {31, 9},  {32, 33},
            {33, 4}, {63, 131}, {64, 8}, {65, 65}, {129, 17}, {257, 5}, {300, 40}};
  }
  static constexpr std::array<int, 3> median_windows{0, 3, 5};  ///< 0 copies.
  static constexpr int rounds = 6;                              ///< Over the small sizes.
  /// One for each type: each value has kernels of its own, which take time to compile.
  static int min_disparity(int /*drawn*/, std::size_t bytes) { return bytes == 4 ? -100 : 0; }

  std::string name;
  std::shared_ptr<gpu::Device> device;
  gpu::Programs programs{device};
  std::unique_ptr<gpu::Queue> queue = device->make_queue();
};

using Filters = GpuFilters;
using FilterDevices = std::vector<std::unique_ptr<Filters>>;

/// Every device; none, with the reasons, where there is none. Threads are the processor's alone.
inline FilterDevices filter_devices(const std::vector<int>& /*threads*/, std::string& reasons) {
  FilterDevices devices;
  for (GpuDevice& gpu : gpu_devices(reasons)) devices.push_back(std::make_unique<GpuFilters>(std::move(gpu)));
  return devices;
}

}  // namespace vergence::test
