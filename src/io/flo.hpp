// SPDX-License-Identifier: Apache-2.0
// Middlebury's .flo: a magic number, width, height, then (u, v) pairs of binary32, little endian.
#pragma once

#include "io/bytes.hpp"
#include "io/raster.hpp"

namespace vergence::io {

bool looks_like_flo(std::string_view start);
Image<FlowVector> read_flo(ByteReader& reader);

}  // namespace vergence::io
