// SPDX-License-Identifier: Apache-2.0
// The portable any-map family P1..P6 and its float relative, PFM. Read by our own code because general decoders rescale
// samples to a full range, which falsifies ground truth.
#pragma once

#include "io/bytes.hpp"
#include "io/raster.hpp"

namespace vergence::io {

/// True where the bytes begin as PBM, PGM or PPM, plain or raw.
bool looks_like_pnm(std::string_view start);
/// Samples stay as they are stored, except that PBM's bits become 0 (its 1, black) and 255.
Raster read_pnm(ByteReader& reader);

bool looks_like_pfm(std::string_view start);
/// Rows come top first, although the file stores them bottom first.
Raster read_pfm(ByteReader& reader);

/// Of 8 bits where max_value is below 256. The path ends in .pgm or .ppm.
void write_pgm(const std::string& path, ImageView<const std::uint8_t> grey);
/// Appends a picture: a file may hold several, one after the other.
void write_pgm(AtomicFile& file, ImageView<const std::uint8_t> grey);
void write_pgm(const std::string& path, ImageView<const std::uint16_t> grey);
void write_ppm(const std::string& path, ImageView<const Rgb> colour);

}  // namespace vergence::io
