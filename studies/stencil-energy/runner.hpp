// SPDX-License-Identifier: Apache-2.0
// Runs variants on the study's device: searches for the best launch configuration, measures, compares.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stencil-energy/effort.hpp"
#include "stencil-energy/variant.hpp"

namespace vergence::studies::stencil_energy {

/// The fastest that a search found, without unrolling and with.
struct Best {
  std::optional<Variant> plain, unrolled;
  double plain_ms = 0, unrolled_ms = 0;
  /// The faster of the two.
  const std::optional<Variant>& either() const {
    return plain && (!unrolled || plain_ms <= unrolled_ms) ? plain : unrolled;
  }
};

class Runner {
 public:
  Runner(Bench& bench, const Effort& effort, Joules& joules);
  /// Works with these from now on; they outlive that.
  void take(const Pictures& pictures);

  /// Milliseconds of a run by the device's clock, least of search_runs; negative where the device cannot. Rows of
  /// `found` say what was tried.
  double look(const Variant& variant, Json& found);
  /// Searches unroll, group and strip: all of them, or groups and strips first, then unrolls.
  Best best(const Variant& way, const std::vector<int>& strips, const Choices& choices, bool all, Json& found);
  Cell measure(const Variant& variant, bool with_energy);

 private:
  void launch(const Variant& variant, int runs);
  void prepare(const Variant& variant);
  std::int64_t differing(const Variant& variant);
  const Built& built(const Variant& variant, const Pass& pass);
  void measure_times(Cell& cell, const Variant& variant, int runs);
  /// Runs within a launch: many for pictures so small that launches would be all that is timed.
  int repeats() const;

  Bench& bench_;
  const Effort& effort_;
  Joules& joules_;
  const Pictures* pictures_ = nullptr;
  std::unique_ptr<gpu::Buffer> in_, between_, out_;
  std::vector<float> result_;
  std::map<std::string, Built> programs_;
  int key_ = 0;
};

/// What the device can do at most: operations (rounded one by one; fused) and bytes per second.
Json device_limits(Bench& bench);
/// What is counted of a run, and GFlop/s from its time.
Json counts_of(int points, Size size, double share, double bytes_per_pixel, double run_ms);

}  // namespace vergence::studies::stencil_energy
