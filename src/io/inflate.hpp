// SPDX-License-Identifier: Apache-2.0
// Unpacking of zlib streams (RFC 1950 and 1951) piece by piece, for looks at packed data, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace vergence::io {

/// Gives what `packed` holds, piece by piece, until `take` returns false. False where the stream is damaged, ends too
/// early or has another checksum; what stands before the damage has been given then.
bool inflate(std::span<const std::uint8_t> packed, const std::function<bool(std::span<const std::uint8_t>)>& take);

}  // namespace vergence::io
