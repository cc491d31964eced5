// SPDX-License-Identifier: Apache-2.0
// Packets of MPEG-TS that the end of a file cut off.
#pragma once

#include <cstdint>

#include "io/libav.hpp"

namespace vergence::io {

/// Where the last packet of a file of so many bytes ends, or should end: above `size` where it was cut off. Files that
/// do not consist of packets end where they end. Changes the place in `bytes`, which can be sought in.
std::int64_t end_of_packets(AVIOContext* bytes, std::int64_t size);

}  // namespace vergence::io
