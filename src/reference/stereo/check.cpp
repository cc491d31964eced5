// SPDX-License-Identifier: Apache-2.0
// Reference: the left-right check, on integer winners, at the partner's column (never at the same column).
#include <cstdint>

#include "definitions/stereo/candidate.h"
#include "definitions/stereo/left_right.h"
#include "reference/stereo/stages.hpp"

namespace vergence::reference {
namespace {

bool agree(const StereoOptions& options, int d, int other) {
  if (options.left_right_unit == StereoCheckUnit::grey)
    return definitions::agree_in_grey(d, other, options.left_right, options.disparities);
  return definitions::agree_in_pixels(d, other, options.left_right);
}

}  // namespace

template <class T>
void check(const StereoPlan& plan, ImageView<const std::int32_t> winner, ImageView<const std::int32_t> other_winner,
           ImageView<T> disparity) {
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      const int d = winner(x, y);
      if (d == no_winner) continue;
      const int partner = definitions::partner_column(x, d, plan.matches_left());
      const bool inside = partner >= 0 && partner < plan.size.width;
      const int other = inside ? other_winner(partner, y) : no_winner;
      if (other == no_winner || !agree(plan.options, d, other)) disparity(x, y) = static_cast<T>(plan.invalid);
    }
}

template void check(const StereoPlan&, ImageView<const std::int32_t>, ImageView<const std::int32_t>,
                    ImageView<std::int16_t>);
template void check(const StereoPlan&, ImageView<const std::int32_t>, ImageView<const std::int32_t>,
                    ImageView<std::int32_t>);

}  // namespace vergence::reference
