// SPDX-License-Identifier: Apache-2.0
// `match` of every GPU device, for tests: in several launch configurations, with guard bytes behind maps in device
// memory.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu_devices.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/stereo/match.hpp"
#include "stage/gpu_devices.hpp"
#include "stage/match_run.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {

/// Memory of a device; nobody may touch the bytes after it.
class GuardedBuffer {
 public:
  GuardedBuffer(gpu::Device& device, gpu::Queue& queue, std::size_t bytes)
      : queue_(queue), bytes_(bytes), buffer_(device.allocate(bytes + guard)) {
    queue.fill(*buffer_, guard_value);
  }
  gpu::Buffer& operator*() const { return *buffer_; }

  template <class T>
  void write(ImageView<const T> from) {
    const std::size_t row = static_cast<std::size_t>(from.width()) * sizeof(T);
    queue_.upload(*buffer_, {0, row, from.stride(), row, static_cast<std::size_t>(from.height())}, from.data());
  }
  /// Of several maps one after the other, the one with this number; nothing where `to` is empty.
  template <class T>
  void read(ImageView<T> to, std::size_t number = 0) {
    if (to.empty()) return;
    const std::size_t row = static_cast<std::size_t>(to.width()) * sizeof(T);
    const auto rows = static_cast<std::size_t>(to.height());
    queue_.download(*buffer_, {number * row * rows, row, to.stride(), row, rows}, to.data());
  }
  void expect_guards(const char* which) {
    std::vector<std::uint8_t> after(guard);
    queue_.download(*buffer_, {bytes_, guard, static_cast<std::ptrdiff_t>(guard), guard, 1}, after.data());
    for (std::size_t i = 0; i < guard; ++i) ASSERT_EQ(int{after[i]}, int{guard_value}) << which << ", guard byte " << i;
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr std::uint8_t guard_value = 0xA5;
  gpu::Queue& queue_;
  std::size_t bytes_;
  std::unique_ptr<gpu::Buffer> buffer_;
};

struct MatchBackend {
  /// A pair, and with the same kernels and buffers the pair with its pictures exchanged.
  template <class P, class T>
  void run(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps,
           const MatchMaps<T>& exchanged) {
    gpu::Programs programs(device);
    const auto queue = device->make_queue();
    const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    GuardedBuffer l(*device, *queue, pixels * sizeof(P)), r(*device, *queue, pixels * sizeof(P));
    GuardedBuffer d(*device, *queue, pixels * sizeof(T)), c(*device, *queue, pixels), k(*device, *queue, 16 * pixels);
    std::shared_ptr<const gpu::SourceBuffers> masks;
    if (plan.masks != nullptr) masks = std::make_shared<const gpu::SourceBuffers>(plan, *device, *queue);
    gpu::Match match(plan, programs, {sizeof(T) == 4, (wanted & confidence) != 0, (wanted & cost) != 0}, tuning,
                     {nullptr, masks});
    const auto one = [&](ImageView<const P> first, ImageView<const P> second, const MatchMaps<T>& to) {
      l.write(first);
      r.write(second);
      match.run(*queue, *l, *r, *d, *c, *k);
      d.read(to.disparity);
      c.read(to.confidence);
      k.read(to.cost);
      k.read(to.second_cost, 1);
      k.read(to.cost_before, 2);
      k.read(to.cost_after, 3);
      d.expect_guards("disparity");
      c.expect_guards("confidence");
      k.expect_guards("costs");
    };
    one(left, right, maps);
    one(right, left, exchanged);
  }
  std::string name;
  std::shared_ptr<gpu::Device> device;
  gpu::MatchTuning tuning;
  unsigned wanted;  ///< Maps that are asked for: all costs or none.
};

inline MatchBackend match_backend(const GpuDevice& gpu, const gpu::MatchTuning& tuning, std::uint64_t seed,
                                  unsigned possible) {
  unsigned wanted = seed % 3 != 0 ? unsigned{confidence} : 0U;
  if (seed / 2 % 2 == 0) wanted |= all & ~confidence;  // with each launch configuration of match_backends()
  return {gpu.name + ", group " + std::to_string(tuning.group) + ", rows " + std::to_string(tuning.rows) +
              (tuning.local_columns ? "" : ", global columns") + ", strips of " + std::to_string(tuning.strip_own) +
              " and " + std::to_string(tuning.strip_rows) + ", lanes " + std::to_string(tuning.path_lanes) + " of " +
              std::to_string(tuning.path_own) + (tuning.path_pairs ? ", in pairs" : ""),
          gpu.device, tuning, wanted & possible};
}

/// A launch configuration for each device, by the seed.
inline std::vector<MatchBackend> match_backends(const StereoCase& one, unsigned possible) {
  // The first is the default on GPUs; on processors the second and the fourth are match_rows.cl, over several bands and
  // strips.
  gpu::MatchTuning tunings[] = {{64, 32, true}, {32, 8, true, 1}, {128, 64, true, 2}, {64, 16, false, 8}};
  tunings[1].bands = tunings[3].bands = true;
  tunings[1].band_rows = 8;
  tunings[1].band_columns = 13;
  tunings[3].band_rows = 19;
  tunings[3].band_columns = 40;
  // On processors the default is one work-item for all candidates.
  tunings[1].path_own = 8;
  tunings[2].path_lanes = 4;
  tunings[3].path_lanes = tunings[3].path_own = 16;
  // Two costs in a word, on every device.
  tunings[1].path_pairs = tunings[3].path_pairs = true;
  tunings[1].census_tiles = tunings[3].census_tiles = true;
  tunings[1].pair_own = 8;
  tunings[1].path_parts = 3;
  tunings[1].path_warm = one.seed / 4 % 2 == 0 ? 16 : 0;  // without any all parts are mended
  tunings[3].pair_own = 16;
  tunings[3].pair_strips = one.seed / 4 % 2;  // as large frames have it
  std::string reasons;
  std::vector<MatchBackend> backends;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    const gpu::MatchTuning usual = gpu::default_match_tuning(gpu.device->properties());
    tunings[0].path_pairs = usual.path_pairs;
    tunings[0].census_tiles = usual.census_tiles;
    backends.push_back(match_backend(gpu, tunings[one.seed % 4], one.seed, possible));
  }
  return backends;
}

/// First and last seed of each test: one seed, because compilers for processors take a second or two for each; and, on
/// machines with a GPU, as many as VERGENCE_GPU_CASES says.
inline std::vector<std::pair<int, int>> match_seeds() {
  std::vector<std::pair<int, int>> seeds;
  for (int seed = 1; seed <= 8; ++seed) seeds.emplace_back(seed, seed);
  if (const int last = cases_to_run(8, 1'000'000); last > 8) seeds.emplace_back(9, last);
  return seeds;
}
inline Size largest_of_seed(int /*seed*/) { return {48, 40}; }

}  // namespace vergence::test
