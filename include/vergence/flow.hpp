// SPDX-License-Identifier: Apache-2.0
// Dense flow: where each pixel of a frame went.
#pragma once

#include <cmath>

namespace vergence {

/// Displacement of a pixel in px; unknown where a component's magnitude exceeds 1e9 or is not a number.
struct FlowVector {
  float u = 0;
  float v = 0;
};
inline bool is_known(FlowVector flow) { return std::abs(flow.u) <= 1e9F && std::abs(flow.v) <= 1e9F; }

}  // namespace vergence
