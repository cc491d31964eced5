// SPDX-License-Identifier: Apache-2.0
// Rectification on the CPU: SIMD, bands of rows on threads, the bytes of reference/rectify/stages.hpp.
#pragma once

#include "cpu/context.hpp"
#include "plan/rectify/maps.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

template <class P>
void remap(Context& context, const rectify::SourceMap& map, ImageView<const P> in, ImageView<P> out, int largest);

}  // namespace vergence::cpu
