// SPDX-License-Identifier: Apache-2.0
// What the entry point `match` writes.
#pragma once

#include <cstdint>
#include <limits>

#include "vergence/image.hpp"

namespace vergence {

/// "This pixel has no candidate."
inline constexpr std::int32_t no_winner = std::numeric_limits<std::int32_t>::min();

/// Maps of the picture's size; only `disparity` must be given, an empty view is not wanted.
template <class T>
struct MatchMaps {
  ImageView<T> disparity;              ///< 1/16 px, plan.invalid where rejected or without candidate
  ImageView<std::uint8_t> confidence;  ///< as StereoOutput::confidence, 0 where `disparity` is invalid
  ImageView<std::uint32_t> cost, second_cost, cost_before, cost_after;  ///< as in StereoOutput
};

}  // namespace vergence
