// SPDX-License-Identifier: Apache-2.0
// Rectification's stage of the reference: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised.
#pragma once

#include "plan/rectify/maps.hpp"
#include "vergence/image.hpp"

namespace vergence::reference {

/// P is uint8_t or uint16_t; `in` has the map's source size, `out` the map's. No value exceeds `largest`.
template <class P>
void remap(const rectify::SourceMap& map, ImageView<const P> in, ImageView<P> out, int largest);

}  // namespace vergence::reference
