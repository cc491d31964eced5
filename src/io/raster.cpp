// SPDX-License-Identifier: Apache-2.0
// Reading a file by its first bytes; from its numbers to grey, colour, exact values or a float map.
#include "io/raster.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

#include "io/bytes.hpp"
#include "io/codec.hpp"
#include "io/codec_check.hpp"
#include "io/flo.hpp"
#include "io/npy.hpp"
#include "io/pnm.hpp"

namespace vergence::io {
namespace {

// The stated weights; equal channels keep their value exactly, since the weights add up to 32768.
template <class T>
T luma(const T* rgb) {
  return static_cast<T>((9798u * rgb[0] + 19235u * rgb[1] + 3735u * rgb[2] + 16384u) >> 15);
}

template <class T>
Image<T> luma_image(const Image<T>& colour) {
  Image<T> grey(colour.width() / 3, colour.height());
  for (int y = 0; y < grey.height(); ++y)
    for (int x = 0; x < grey.width(); ++x) grey(x, y) = luma(colour.row(y) + 3 * x);
  return grey;
}

// Signed, 32-bit and float numbers that are whole and fit 16 bits are a picture too.
template <class T>
Image<std::uint16_t> whole_numbers(const Image<T>& from, const std::string& name) {
  Image<std::uint16_t> grey(from.size());
  for (int y = 0; y < from.height(); ++y)
    for (int x = 0; x < from.width(); ++x) {
      const auto value = static_cast<double>(from(x, y));  // exact for every type
      if (!(value >= 0 && value <= 65535 && value == static_cast<std::uint16_t>(value)))
        fail_read(ErrorCode::bad_data, name,
                  fmt::format("value {} at ({}, {}) is no grey value: a picture holds whole numbers 0..65535{}", value,
                              x, y, value > 0 && value < 1 ? ": multiply those of 0 .. 1 by 255 and round them" : ""));
      grey(x, y) = static_cast<std::uint16_t>(value);
    }
  return grey;
}

template <class T>
GreyPicture grey_of(Image<T>& image, int channels, int max_value, const std::string& name) {
  GreyPicture grey;
  grey.max_value = max_value;
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    grey.u8 = channels == 3 ? luma_image(image) : std::move(image);
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    grey.depth = Depth::u16;
    grey.u16 = channels == 3 ? luma_image(image) : std::move(image);
  } else {
    grey.depth = Depth::u16;
    grey.max_value = 65535;
    Image<std::uint16_t> whole = whole_numbers(image, name);
    grey.u16 = channels == 3 ? luma_image(whole) : std::move(whole);
  }
  return grey;
}

template <class T>
Image<Rgb> rgb_of(const Image<T>& image, int channels, int max_value) {
  Image<Rgb> colour(image.width() / channels, image.height());
  const auto most = static_cast<std::uint32_t>(max_value);
  const auto scale = [most](T value) { return static_cast<std::uint8_t>((value * 255u + most / 2) / most); };
  for (int y = 0; y < colour.height(); ++y)
    for (int x = 0; x < colour.width(); ++x) {
      const int first = channels * x;
      const int step = channels == 3 ? 1 : 0;
      colour(x, y) = {scale(image(first, y)), scale(image(first + step, y)), scale(image(first + 2 * step, y))};
    }
  return colour;
}

Raster from_flow(const Image<FlowVector>& flow) {
  Image<float> numbers(2 * flow.width(), flow.height());
  for (int y = 0; y < flow.height(); ++y)
    for (int x = 0; x < flow.width(); ++x) {
      numbers(2 * x, y) = flow(x, y).u;
      numbers(2 * x + 1, y) = flow(x, y).v;
    }
  Raster raster;
  raster.channels = 2;
  raster.pixels = std::move(numbers);
  return raster;
}

// Colour files whose channels agree everywhere hold one number per pixel.
Raster require_one_channel(Raster raster, const std::string& name) {
  if (raster.channels == 1) return raster;
  std::visit(
      [&](auto& image) {
        std::remove_reference_t<decltype(image)> single(image.width() / raster.channels, image.height());
        for (int y = 0; y < single.height(); ++y)
          for (int x = 0; x < single.width(); ++x) {
            const auto* from = image.row(y) + raster.channels * x;
            for (int c = 1; c < raster.channels; ++c)
              if (from[c] != from[0])
                fail_read(ErrorCode::bad_data, name,
                          fmt::format("it has {} channels that differ at ({}, {}): a map has one number per pixel",
                                      raster.channels, x, y));
            single(x, y) = from[0];
          }
        image = std::move(single);
      },
      raster.pixels);
  raster.channels = 1;
  return raster;
}

}  // namespace

namespace {

Raster read_any(const std::string& path, Want want, const char* kinds) {
  ByteReader reader(path);
  const std::string start = reader.peek(start_bytes);
  if (looks_like_pnm(start)) return read_pnm(reader);
  if (looks_like_pfm(start)) return read_pfm(reader);
  if (looks_like_npy(start)) return read_npy(reader).raster;
  if (looks_like_flo(start)) return from_flow(read_flo(reader));
  if (const auto codec = picture_codec(start)) return decode_picture(reader, *codec, want);
  refuse_other_kinds(start, path);
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored))
    fail_read(ErrorCode::bad_data, path,
              "no picture came out of this pipe: give PNG, JPEG, TIFF, BMP, PNM, PFM or NPY; video is read from files "
              "and from standard input only");
  fail_read(ErrorCode::bad_data, path,
            fmt::format("it is not a picture that can be read: give PNG, JPEG, TIFF, BMP, PNM, PFM{}", kinds));
}

}  // namespace

Raster read_raster(const std::string& path, Want want, const char* kinds) {
  try {
    return read_any(path, want, kinds);
  } catch (const std::bad_alloc&) {
    fail_read(ErrorCode::out_of_memory, path, "no memory to hold it: free memory or give a smaller file");
  }
}

bool is_picture_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored)) return true;  // it can be read once only, and no video is read from it
  ByteReader reader(path);
  const std::string start = reader.peek(start_bytes);
  refuse_other_kinds(start, path);
  if (picture_codec(start) == PictureCodec::jpeg) {
    constexpr std::uint64_t most_of_a_picture = 1 << 28;
    if (reader.remaining() > most_of_a_picture) return false;
    const std::vector<std::uint8_t> bytes = reader.read_all();
    return !is_motion_jpeg(bytes, path);
  }
  return looks_like_pnm(start) || looks_like_pfm(start) || looks_like_npy(start) || picture_codec(start).has_value();
}

GreyPicture to_grey(Raster raster, const std::string& name) {
  if (raster.channels == 2) fail_read(ErrorCode::bad_data, name, "it is a flow field, not a picture: give a picture");
  return std::visit([&](auto& image) { return grey_of(image, raster.channels, raster.max_value, name); },
                    raster.pixels);
}

Image<Rgb> to_rgb(const Raster& raster, const std::string& name) {
  if (const auto* narrow = std::get_if<Image<std::uint8_t>>(&raster.pixels))
    return rgb_of(*narrow, raster.channels, raster.max_value);
  if (const auto* wide = std::get_if<Image<std::uint16_t>>(&raster.pixels))
    return rgb_of(*wide, raster.channels, raster.max_value);
  fail_read(
      ErrorCode::unsupported, name,
      fmt::format("its numbers are of type {}, which have no colour: give an 8- or 16-bit picture", raster.type()));
}

RawValues to_values(const Raster& raster) {
  RawValues values;
  values.type = raster.type();
  values.channels = raster.channels;
  values.alpha = raster.alpha;
  std::visit(
      [&](const auto& image) {
        values.values = Image<double>(image.size());
        for (int y = 0; y < image.height(); ++y)
          for (int x = 0; x < image.width(); ++x) values.values(x, y) = static_cast<double>(image(x, y));
      },
      raster.pixels);
  return values;
}

Image<float> to_float_map(Raster raster, const std::string& name, const FloatMapOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("scale {} is not allowed: give a positive number", options.scale));
  raster = require_one_channel(std::move(raster), name);
  const bool none = !options.unknown.has_value() && !raster.picture;
  const double unknown = none ? std::numeric_limits<double>::quiet_NaN() : options.unknown.value_or(0.0);
  return std::visit(
      [&](const auto& image) {
        Image<float> map(image.size());
        for (int y = 0; y < map.height(); ++y)
          for (int x = 0; x < map.width(); ++x) {
            const auto value = static_cast<double>(image(x, y));
            const bool known = std::isfinite(value) && value != unknown;  // NaN equals nothing
            map(x, y) = known ? static_cast<float>(value / options.scale) : std::numeric_limits<float>::infinity();
          }
        return map;
      },
      raster.pixels);
}

}  // namespace vergence::io

namespace vergence {

GreyPicture read_grey(const std::string& path) { return io::to_grey(io::read_raster(path, io::Want::grey), path); }

Image<Rgb> read_rgb(const std::string& path) { return io::to_rgb(io::read_raster(path, io::Want::colour), path); }

RawValues read_values(const std::string& path) {
  return io::to_values(io::read_raster(path, io::Want::grey, ", NPY or FLO"));
}

Image<float> read_float_map(const std::string& path, const FloatMapOptions& options) {
  std::error_code problem;
  if (std::filesystem::is_regular_file(path, problem) &&
      io::picture_codec(io::ByteReader(path).peek(16)) == io::PictureCodec::jpeg)
    io::fail_read(ErrorCode::unsupported, path,
                  "it is a JPEG, whose compression changes the numbers of a map: give PNG, PFM or NPY");
  return io::to_float_map(io::read_raster(path, io::Want::grey), path, options);
}

namespace {

[[noreturn]] void unknown_ending(const std::string& path, const char* allowed) {
  io::fail_write(ErrorCode::unsupported, path, fmt::format("the format follows the ending: use {}", allowed));
}

template <class T>
void write_grey(const std::string& path, ImageView<const T> grey) {
  if (grey.empty()) io::fail_write(ErrorCode::invalid_argument, path, "the picture is empty: give at least 1x1 pixels");
  const std::string ending = io::extension(path);
  if (ending == ".png") return io::write_png(path, grey);
  if (ending == ".pgm") return io::write_pgm(path, grey);
  if (ending == ".npy") return write_npy(path, grey);
  unknown_ending(path, ".png, .pgm or .npy");
}

}  // namespace

void write_picture(const std::string& path, ImageView<const std::uint8_t> grey) { write_grey(path, grey); }
void write_picture(const std::string& path, ImageView<const std::uint16_t> grey) { write_grey(path, grey); }
void write_picture(const std::string& path, ImageView<const Rgb> colour) {
  if (colour.empty())
    io::fail_write(ErrorCode::invalid_argument, path, "the picture is empty: give at least 1x1 pixels");
  const std::string ending = io::extension(path);
  if (ending == ".png") return io::write_png(path, colour);
  if (ending == ".ppm") return io::write_ppm(path, colour);
  unknown_ending(path, ".png or .ppm");
}

}  // namespace vergence
