// SPDX-License-Identifier: Apache-2.0
// Rectification on the CPU: SIMD, bands of rows on threads, the bytes of reference/rectify/stages.hpp.
#pragma once

#include "cpu/context.hpp"
#include "cpu/rectify/blocks.hpp"
#include "plan/rectify/maps.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// `blocks` are made of `map` for P, unless its source is narrower or lower than two pixels: then they are not read.
template <class P>
void remap(Context& context, const rectify::SourceMap& map, const RemapBlocks& blocks, ImageView<const P> in,
           ImageView<P> out, int largest);

}  // namespace vergence::cpu
