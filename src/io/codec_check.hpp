// SPDX-License-Identifier: Apache-2.0
// Is a compressed picture file complete? Decoders conceal missing ends; this looks at the file's own structure first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vergence::io {

enum class PictureCodec { png, jpeg, tiff, bmp };

/// The codec whose files start so, if it is one of ours.
std::optional<PictureCodec> picture_codec(std::string_view start);
const char* codec_name(PictureCodec codec);
/// Error(unsupported) for pictures that begin as ours do, or as video does, and are read neither as one nor the other.
void refuse_other_pictures(std::string_view start, const std::string& name);

/// What the file's structure tells.
struct CodecFacts {
  std::int64_t width = 0;  ///< 0 where it was not found
  std::int64_t height = 0;
  std::size_t bytes = 0;      ///< Length up to the picture's end; what follows is not the picture's.
  std::size_t colours = 256;  ///< Of the palette of a BMP or TIFF, where its header tells.
};

/// Throws Error(bad_data) where the structure is broken or ends too early.
CodecFacts check_structure(PictureCodec codec, std::span<const std::uint8_t> bytes, const std::string& name);

/// Takes out of a TIFF's directory what does not bear on the pixels: asked to be strict, FFmpeg refuses any tag that it
/// does not know, and it knows neither the unit of the resolution nor the sample format. Throws Error(unsupported) for
/// samples that are signed or float. The structure must have been checked.
void tidy_tiff(std::span<std::uint8_t> bytes, const std::string& name);

}  // namespace vergence::io
