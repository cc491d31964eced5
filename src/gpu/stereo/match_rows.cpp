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

constexpr int most_candidates = 512;  ///< All vectors of a pixel are written out in the program.

const char* words_of(std::size_t bytes) {
  return bytes == 1 ? "uchar16" : bytes == 2 ? "ushort16" : bytes == 4 ? "uint16" : "ulong16";
}

}  // namespace

bool MatchRows::serves(const StereoPlan& plan, const Properties& properties) {
  return properties.is_cpu && plan.max_cost < 0xFFFFFFFF && plan.options.disparities <= most_candidates;
}

MatchRows::MatchRows(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, Defines common,
                     std::size_t word_bytes)
    : size_(plan.size), roi_(plan.roi) {
  Device& device = programs.device();
  const int band = tuning.band_rows, strip = tuning.band_columns;
  const bool long_sums = plan.max_cost >= 0xFFFF;
  common.set("WORDS", words_of(word_bytes)).set("BAND", band).set("STRIP", strip).set("LONG_SUMS", long_sums ? 1 : 0);
  kernel_ = &programs.kernel("stereo/match_rows.cl", common, "match_rows");
  bands_ = groups_for(plan.size.height, band);
  const int sums = ROWS_LANES * ROWS_SCRATCH(plan.options.disparities, strip, plan.rx);
  scratch_ = device.allocate(bands_ * static_cast<std::size_t>(sums) * (long_sums ? 4 : 2));
}

void MatchRows::run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
                    const MatchOutputs& outputs) const {
  const std::array<Argument, 9> arguments{mine,
                                          theirs,
                                          *scratch_,
                                          textureless,
                                          outputs.disparity,
                                          outputs.winner,
                                          outputs.confidences,
                                          outputs.costs,
                                          match_arguments(size_, roi_)};
  queue.launch(*kernel_, {bands_, 1, 1}, {1, 1, 1}, arguments);
}

}  // namespace vergence::gpu
