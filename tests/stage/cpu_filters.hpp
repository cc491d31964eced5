// SPDX-License-Identifier: Apache-2.0
// The filters of disparity maps of the device cpu, for tests: every SIMD target with several numbers of threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/postfilter/stages.hpp"
#include "support/filter_maps.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

/// One SIMD target with its threads and scratch memory: tests use it for maps of many sizes in turn, as no matcher
/// would.
struct CpuFilters {
  CpuFilters(int threads, std::int64_t target)
      : context(threads, target), name(cpu::simd_name(target) + ", threads " + std::to_string(threads)) {}

  template <class T>
  void run_speckle(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    copy_map(in, out);
    cpu::speckle(plan, context, speckle, out);
  }
  template <class T>
  void run_source(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    copy_map(in, out);
    cpu::source(plan, context, out);
  }
  template <class T>
  void run_median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    cpu::median(plan, context, in, out);
  }
  template <class T>
  void run_fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    cpu::fill(plan, context, fill, in, out);
  }

  /// All from 1x1 to 40x40.
  static std::vector<Size> small_sizes() {
    std::vector<Size> sizes;
    for (int height = 1; height <= 40; ++height)
      for (int width = 1; width <= 40; ++width) sizes.push_back({width, height});
    return sizes;
  }
  static constexpr std::array<int, 2> median_windows{3, 5};
  static constexpr int rounds = 1;  ///< Over the small sizes.
  static int min_disparity(int drawn, std::size_t /*bytes*/) { return drawn; }

  cpu::Context context;
  cpu::SpeckleScratch speckle;
  cpu::FillScratch fill;
  std::string name;
};

using Filters = CpuFilters;
using FilterDevices = std::vector<std::unique_ptr<Filters>>;

/// Every SIMD target with each number of threads.
inline FilterDevices filter_devices(const std::vector<int>& threads, std::string& /*reasons*/) {
  FilterDevices devices;
  for (const std::int64_t target : cpu::simd_targets())
    for (const int count : threads) devices.push_back(std::make_unique<CpuFilters>(count, target));
  return devices;
}

}  // namespace vergence::test
