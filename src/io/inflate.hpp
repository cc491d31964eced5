// SPDX-License-Identifier: Apache-2.0
// Unpacking of zlib streams (RFC 1950 and 1951), for looks at packed data: small, in constant memory, not fast.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace vergence::io {

/// Gives what `packed` holds, piece by piece, until `take` returns false. False where the stream is damaged, ends too
/// early or has another checksum.
bool inflate(std::span<const std::uint8_t> packed, const std::function<bool(std::span<const std::uint8_t>)>& take);

}  // namespace vergence::io
