// SPDX-License-Identifier: Apache-2.0
// `match` of the device cpu, for tests: every SIMD target, one to three threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/stages.hpp"
#include "stage/cpu_devices.hpp"
#include "stage/match_run.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {

struct MatchBackend {
  /// A pair, and with the same scratch memory the pair with its pictures exchanged.
  template <class P, class T>
  void run(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps,
           const MatchMaps<T>& exchanged) {
    cpu::Context context(threads, target);
    cpu::MatchScratch scratch;
    cpu::match<P, T>(plan, context, scratch, left, right, maps);
    cpu::match<P, T>(plan, context, scratch, right, left, exchanged);
  }
  std::string name;
  std::int64_t target;
  int threads;
  unsigned wanted;  ///< Maps that are asked for.
};

/// The last run of each target asks for fewer maps, on as many threads as the seed says.
inline std::vector<MatchBackend> match_backends(const StereoCase& one, unsigned possible) {
  const int drawn = static_cast<int>(one.seed % 3) + 1;
  const unsigned some = static_cast<unsigned>(one.seed) & possible;
  std::vector<MatchBackend> backends;
  for (const std::int64_t target : cpu::simd_targets())
    for (const auto& [threads, wanted] :
         {std::pair(1, possible), std::pair(2, possible), std::pair(3, possible), std::pair(drawn, some)})
      backends.push_back({cpu::simd_name(target) + ", threads " + std::to_string(threads), target, threads, wanted});
  return backends;
}

/// First and last seed of each test.
inline std::vector<std::pair<int, int>> match_seeds() { return {{500, 559}, {20000, 20119}, {20120, 20239}}; }
/// The largest picture of a seed: some wide, others high.
inline Size largest_of_seed(int seed) { return seed < 1000 ? Size{200, 12} : Size{72, 30}; }

}  // namespace vergence::test
