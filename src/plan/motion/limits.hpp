// SPDX-License-Identifier: Apache-2.0
// How far motion can be searched.
#pragma once

namespace vergence {

/// Longest displacement that is tried, in px; definitions/motion/order.h counts on it.
inline constexpr int most_motion_px = 512;

}  // namespace vergence
