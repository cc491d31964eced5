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
/// Bytes of a file's start that tell what it is.
constexpr std::size_t start_bytes = 16;
/// Error(unsupported), with what it is, for files that are read neither as picture nor as video.
void refuse_other_kinds(std::string_view start, const std::string& name);
/// Whether another JPEG of its size lies right behind the first one, as in a stream of Motion JPEG. Throws as
/// check_structure.
bool is_motion_jpeg(std::span<const std::uint8_t> bytes, const std::string& name);

/// What the file's structure tells.
struct CodecFacts {
  std::int64_t width = 0;  ///< 0 where it was not found
  std::int64_t height = 0;
  std::size_t bytes = 0;      ///< Length up to the picture's end; what follows is not the picture's.
  std::size_t colours = 256;  ///< Of the palette of a BMP or TIFF, where its header tells.
};

/// Throws Error(bad_data) where the structure is broken or ends too early. With `codes` the coded pixels of a JPEG are
/// counted, too, which takes a few instructions for each.
CodecFacts check_structure(PictureCodec codec, std::span<const std::uint8_t> bytes, const std::string& name,
                           bool codes = true);

/// Takes out of a TIFF's directory what does not bear on the pixels: asked to be strict, FFmpeg refuses any tag that it
/// does not know, and it knows neither the unit of the resolution nor the sample format. Throws Error(unsupported) for
/// samples that are signed or float. The structure must have been checked.
void tidy_tiff(std::span<std::uint8_t> bytes, const std::string& name);

}  // namespace vergence::io
