// SPDX-License-Identifier: Apache-2.0
// Launches of match_rows.cl: which settings it serves, and its launch configuration.
#include "gpu/stereo/match_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/columns.h"
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {
namespace {

constexpr int most_candidates = 512;                     ///< All vectors of a pixel are written out in the program.
constexpr std::size_t most_kept = std::size_t{1} << 19;  ///< Bytes of a band's costs of taps: second-level caches.
constexpr std::size_t most_late = std::size_t{1} << 16;  ///< Bytes that wait for a row's end, on a thread's stack.
constexpr std::size_t token = 16;                        ///< Of a buffer that the kernel does not use.

/// Each band begins with rows of the windows of its first row; a few bands for each core leave none without work for
/// long.
int usual_band(const StereoPlan& plan, const Properties& properties) {
  return std::clamp(plan.size.height / (4 * std::max(properties.compute_units, 1)), 32, 128);
}
bool counts_bits(StereoCost cost) { return cost != StereoCost::sad && cost != StereoCost::ssd; }

/// A candidate of a pixel is one of its partner where nothing but pictures' pixels is compared. The other view's
/// winners know no masks.
bool finds_both_views(const StereoPlan& plan, bool winner_only) {
  const auto late = static_cast<std::size_t>(plan.rx * ROWS_LANES * ROWS_VECTORS(plan.options.disparities)) *
                    (plan.max_cost >= 0xFFFF ? 4 : 2);
  return !winner_only && plan.options.left_right >= 0 && plan.masks == nullptr &&
         plan.options.outside == StereoOutside::skip && late <= most_late;
}

}  // namespace

bool MatchRows::serves(const StereoPlan& plan, const Properties& properties) {
  return properties.is_cpu && plan.max_cost < 0xFFFFFFFF && plan.options.disparities <= most_candidates;
}

MatchRows::MatchRows(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, Defines common,
                     std::size_t word_bytes, bool winner_only)
    : size_(plan.size), roi_(plan.roi), both_views_(finds_both_views(plan, winner_only)) {
  Device& device = programs.device();
  const int band = tuning.band_rows > 0 ? tuning.band_rows : usual_band(plan, device.properties());
  const int count = plan.options.disparities;
  const int strip = both_views_ ? std::max(tuning.band_columns, count + plan.rx) : tuning.band_columns;
  const bool long_sums = plan.max_cost >= 0xFFFF;
  const std::size_t sum_bytes = long_sums ? 4 : 2;
  const auto kept = ROWS_LANES * static_cast<std::size_t>(ROWS_KEPT(count, strip, plan.rx, plan.ry));
  const bool keeps = counts_bits(plan.options.cost) && kept <= most_kept;
  common.set("WORDS", sixteen_of(word_bytes))
      .set("BAND", band)
      .set("STRIP", strip)
      .set("LONG_SUMS", long_sums ? 1 : 0)
      .set("BOTH_VIEWS", both_views_ ? 1 : 0)
      .set("KEEPS_TAPS", keeps ? 1 : 0);
  kernel_ = &programs.kernel("stereo/match_rows.cl", common, "match_rows");
  bands_ = groups_for(plan.size.height, band);
  const auto columns = ROWS_LANES * static_cast<std::size_t>(ROWS_SCRATCH(count, strip, plan.rx));
  const auto bests = 2 * static_cast<std::size_t>(band) * static_cast<std::size_t>(ROWS_BESTS(count, plan.size.width));
  scratch_ = device.allocate(bands_ * columns * sum_bytes);
  kept_ = device.allocate(keeps ? bands_ * kept : token);
  bests_ = device.allocate(both_views_ ? bands_ * bests * sum_bytes : token);
}

void MatchRows::run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
                    const MatchOutputs& outputs, Buffer& other_winner) const {
  const std::array<Argument, 12> arguments{mine,
                                           theirs,
                                           *scratch_,
                                           *kept_,
                                           *bests_,
                                           textureless,
                                           outputs.disparity,
                                           outputs.winner,
                                           other_winner,
                                           outputs.confidences,
                                           outputs.costs,
                                           match_arguments(size_, roi_)};
  queue.launch(*kernel_, {bands_, 1, 1}, {1, 1, 1}, arguments);
}

}  // namespace vergence::gpu
