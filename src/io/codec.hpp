// SPDX-License-Identifier: Apache-2.0
// Compressed pictures: PNG, JPEG, TIFF and BMP in, through FFmpeg's codecs (no demuxer) or plain_png.hpp; PNG out.
#pragma once

#include "io/bytes.hpp"
#include "io/codec_check.hpp"
#include "io/raster.hpp"

namespace vergence::io {

/// Decodes the whole file; whatever the decoder complains about is an Error.
Raster decode_picture(ByteReader& reader, PictureCodec codec, Want want);

void write_png(const std::string& path, ImageView<const std::uint8_t> grey);
void write_png(const std::string& path, ImageView<const std::uint16_t> grey);
void write_png(const std::string& path, ImageView<const Rgb> colour);

}  // namespace vergence::io
