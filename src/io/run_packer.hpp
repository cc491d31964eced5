// SPDX-License-Identifier: Apache-2.0
// Packing to zlib streams (RFC 1950 and 1951) by Huffman codes and runs of one byte alone: for filtered maps, which are
// mostly zeros, several times as fast as looking for matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vergence::io {

/// What packing so many bytes takes at most.
std::size_t most_packed_runs(std::size_t bytes);
/// The bytes' zlib stream at `to`; returns its length.
std::size_t pack_runs(std::span<const std::uint8_t> bytes, std::uint8_t* to);

}  // namespace vergence::io
