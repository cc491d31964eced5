// SPDX-License-Identifier: Apache-2.0
// What a file holds, before it becomes grey, colour or float: numbers of one type, channels side by side.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "io/picture_notes.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::io {

struct Raster {
  /// width * channels columns. Channels are 1 (grey) or 3 (red, green, blue).
  std::variant<Image<std::uint8_t>, Image<std::uint16_t>, Image<std::int16_t>, Image<std::uint32_t>,
               Image<std::int32_t>, Image<float>, Image<double>>
      pixels;
  int channels = 1;
  /// Largest value that the format allows; meant for the unsigned types of 8 and 16 bits.
  int max_value = 0;
  /// True for pictures, in which a stored 0 usually means "unknown"; false for arrays (NPY, PFM, .flo).
  bool picture = false;
  bool alpha = false;  ///< The file has an alpha channel, which is not among the pixels.
  PictureNotes notes = {};

  Size size() const {
    return std::visit([this](const auto& image) { return Size{image.width() / channels, image.height()}; }, pixels);
  }
  const char* type() const {
    static constexpr const char* names[] = {"u8", "u16", "i16", "u32", "i32", "f32", "f64"};
    return names[pixels.index()];
  }
};

/// Should a colour that a file stores as YUV come as its Y alone or as red, green and blue?
enum class Want { grey, colour };

/// Reads any picture or array file, recognised by its first bytes.
/// `kinds` ends the list of formats in messages.
Raster read_raster(const std::string& path, Want want, const char* kinds = " or NPY");

/// Whether the file is a picture, and not a video, by its first bytes. Throws Error for what is neither.
bool is_picture_file(const std::string& path);

GreyPicture to_grey(Raster raster, const std::string& name);
Image<Rgb> to_rgb(const Raster& raster, const std::string& name);
RawValues to_values(const Raster& raster);
Image<float> to_float_map(Raster raster, const std::string& name, const FloatMapOptions& options);

}  // namespace vergence::io
