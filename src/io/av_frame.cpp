// SPDX-License-Identifier: Apache-2.0
// From FFmpeg's many pixel formats to grey or R, G, B, without a converter that would rescale the range.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "io/bytes.hpp"
#include "io/libav.hpp"

namespace vergence::io {
namespace {

struct Source {
  const AVFrame& frame;
  const AVPixFmtDescriptor& format;
  const std::string& name;

  bool has(unsigned flag) const { return (format.flags & flag) != 0; }
  int depth(int component) const { return format.comp[component].depth; }
  const std::uint8_t* data(int plane, int y) const {
    return frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane];
  }
};

// One row of one component as plain numbers.
void read_row(const Source& source, int component, int y, int width, std::uint16_t* row) {
  const std::uint8_t* data[4] = {source.frame.data[0], source.frame.data[1], source.frame.data[2],
                                 source.frame.data[3]};
  av_read_image_line(row, data, source.frame.linesize, &source.format, 0, y, component, width, 0);
}

// The row of one component, scaled up to 8 bits where it has fewer.
void read_scaled_row(const Source& source, int component, int y, std::uint16_t* row) {
  const int width = source.frame.width;
  read_row(source, component, y, width, row);
  if (source.depth(component) >= 8) return;
  const int most = (1 << source.depth(component)) - 1;
  for (int x = 0; x < width; ++x) row[x] = static_cast<std::uint16_t>((row[x] * 255 + most / 2) / most);
}

// A plane whose samples lie side by side in this machine's order can be copied.
template <class T>
bool is_plain_plane(const Source& source) {
  const AVComponentDescriptor& part = source.format.comp[0];
  const bool native = sizeof(T) == 1 || source.has(AV_PIX_FMT_FLAG_BE) == (std::endian::native == std::endian::big);
  return part.step == static_cast<int>(sizeof(T)) && part.offset == 0 && part.shift == 0 && native &&
         (sizeof(T) == 1) == (part.depth == 8) && !source.has(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL);
}

template <class T>
Raster read_first_component(const Source& source) {
  const int width = source.frame.width;
  const int height = source.frame.height;
  Image<T> image(width, height);
  std::vector<std::uint16_t> row(static_cast<std::size_t>(width));
  const bool invert = source.frame.format == AV_PIX_FMT_MONOWHITE;
  const bool plain = is_plain_plane<T>(source);
  for (int y = 0; y < height; ++y) {
    if (plain) {
      std::memcpy(image.row(y), source.data(source.format.comp[0].plane, y),
                  sizeof(T) * static_cast<std::size_t>(width));
      continue;
    }
    read_scaled_row(source, 0, y, row.data());
    for (int x = 0; x < width; ++x) {
      const auto value = row[static_cast<std::size_t>(x)];
      image(x, y) = static_cast<T>(invert ? 255 - value : value);
    }
  }
  Raster raster;
  raster.pixels = std::move(image);
  return raster;
}

template <class T>
Raster read_rgb_components(const Source& source) {
  const int width = source.frame.width;
  Image<T> image(3 * width, source.frame.height);
  std::vector<std::uint16_t> row(static_cast<std::size_t>(width));
  for (int y = 0; y < source.frame.height; ++y)
    for (int c = 0; c < 3; ++c) {
      read_scaled_row(source, c, y, row.data());
      T* out = image.row(y) + c;
      for (std::size_t x = 0; x < row.size(); ++x) out[3 * x] = static_cast<T>(row[x]);
    }
  Raster raster;
  raster.channels = 3;
  raster.pixels = std::move(image);
  return raster;
}

// A palette of greys is a grey picture: 8-bit grey BMP files are stored so.
Raster read_palette(const Source& source) {
  std::array<std::uint32_t, 256> palette{};  // 0xAARRGGBB
  std::memcpy(palette.data(), source.frame.data[1], sizeof(palette));
  const auto part = [&](std::uint8_t index, int shift) { return static_cast<std::uint8_t>(palette[index] >> shift); };
  bool grey = true;
  for (int i = 0; i < 256; ++i) {
    const auto index = static_cast<std::uint8_t>(i);
    grey = grey && part(index, 16) == part(index, 8) && part(index, 8) == part(index, 0);
  }
  Raster raster;
  raster.channels = grey ? 1 : 3;
  Image<std::uint8_t> image(raster.channels * source.frame.width, source.frame.height);
  for (int y = 0; y < image.height(); ++y) {
    const std::uint8_t* row = source.data(0, y);
    for (int x = 0; x < image.width(); ++x)
      image(x, y) = part(row[x / raster.channels], 16 - 8 * (x % raster.channels));
  }
  raster.pixels = std::move(image);
  return raster;
}

bool is_full_range(const AVFrame& frame) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  return frame.color_range == AVCOL_RANGE_JPEG || format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P ||
         format == AV_PIX_FMT_YUVJ444P || format == AV_PIX_FMT_YUVJ440P || format == AV_PIX_FMT_YUVJ411P;
}

std::uint8_t to_byte(double value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))); }

// Y, Cb, Cr to R, G, B (ITU-R BT.601, or BT.709 where the stream says so). For colours of point clouds and the like;
// matching never sees it.
Raster convert_yuv(const Source& source) {
  const AVFrame& frame = source.frame;
  const bool full = is_full_range(frame);
  const bool hd = frame.colorspace == AVCOL_SPC_BT709;
  const double kr = hd ? 0.2126 : 0.299;
  const double kb = hd ? 0.0722 : 0.114;
  const double kg = 1 - kr - kb;
  const int shift = source.depth(0) - 8;
  const int chroma_shift_x = source.format.log2_chroma_w;
  const int chroma_shift_y = source.format.log2_chroma_h;
  const int chroma_width = -(-frame.width >> chroma_shift_x);
  std::vector<std::uint16_t> luma(static_cast<std::size_t>(frame.width));
  std::vector<std::uint16_t> blue(static_cast<std::size_t>(chroma_width));
  std::vector<std::uint16_t> red(static_cast<std::size_t>(chroma_width));
  Image<std::uint8_t> image(3 * frame.width, frame.height);
  for (int y = 0; y < frame.height; ++y) {
    read_row(source, 0, y, frame.width, luma.data());
    read_row(source, 1, y >> chroma_shift_y, chroma_width, blue.data());
    read_row(source, 2, y >> chroma_shift_y, chroma_width, red.data());
    for (int x = 0; x < frame.width; ++x) {
      const auto chroma = static_cast<std::size_t>(x >> chroma_shift_x);
      const double scale_y = full ? 1.0 : 255.0 / 219.0;
      const double scale_c = full ? 1.0 : 255.0 / 224.0;
      const double l = ((luma[static_cast<std::size_t>(x)] >> shift) - (full ? 0 : 16)) * scale_y;
      const double cb = ((blue[chroma] >> shift) - 128) * scale_c;
      const double cr = ((red[chroma] >> shift) - 128) * scale_c;
      const double r = l + 2 * (1 - kr) * cr;
      const double b = l + 2 * (1 - kb) * cb;
      const double g = (l - kr * r - kb * b) / kg;
      image(3 * x, y) = to_byte(r);
      image(3 * x + 1, y) = to_byte(g);
      image(3 * x + 2, y) = to_byte(b);
    }
  }
  Raster raster;
  raster.channels = 3;
  raster.pixels = std::move(image);
  return raster;
}

GreyPicture read_plane(const Source& source, int component, Size size, bool wide) {
  GreyPicture picture;
  picture.depth = wide ? Depth::u16 : Depth::u8;
  picture.max_value = (1 << source.depth(component)) - 1;
  if (wide)
    picture.u16 = Image<std::uint16_t>(size);
  else
    picture.u8 = Image<std::uint8_t>(size);
  std::vector<std::uint16_t> row(static_cast<std::size_t>(size.width));
  for (int y = 0; y < size.height; ++y) {
    read_row(source, component, y, size.width, row.data());
    for (int x = 0; x < size.width; ++x) {
      const std::uint16_t value = row[static_cast<std::size_t>(x)];
      if (wide)
        picture.u16(x, y) = value;
      else
        picture.u8(x, y) = static_cast<std::uint8_t>(value);
    }
  }
  return picture;
}

ChromaFormat chroma_of(const AVPixFmtDescriptor& format) {
  if (format.nb_components < 3 || (format.flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0)
    return ChromaFormat::none;
  if (format.comp[1].depth != format.comp[0].depth || format.comp[0].depth < 8) return ChromaFormat::none;
  if (format.log2_chroma_w == 1 && format.log2_chroma_h == 1) return ChromaFormat::c420;
  if (format.log2_chroma_w == 1 && format.log2_chroma_h == 0) return ChromaFormat::c422;
  if (format.log2_chroma_w == 0 && format.log2_chroma_h == 0) return ChromaFormat::c444;
  return ChromaFormat::none;
}

void require_known(const Source& source) {
  const unsigned strange = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
  const bool xyz = std::strncmp(source.format.name, "xyz", 3) == 0;
  bool fits = !source.has(strange) && !xyz;
  for (int c = 0; c < source.format.nb_components; ++c) fits = fits && source.depth(c) <= 16;
  // Luminance and chrominance of fewer than 8 bits do not occur outside old packed video.
  const bool rgb_or_bits = source.has(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM);
  if (!rgb_or_bits) fits = fits && source.depth(0) >= 8;
  if (!fits)
    fail_read(ErrorCode::unsupported, source.name,
              fmt::format("its pixel format {} is not known here: convert it to 8- or 16-bit grey or RGB",
                          source.format.name));
}

}  // namespace

Raster frame_to_raster(const AVFrame& frame, Want want, const std::string& name) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (format == nullptr)
    fail_read(ErrorCode::bad_data, name, "the decoder gave no pixels: copy or create the file again");
  const Source source{frame, *format, name};
  require_known(source);
  const int depth = std::max(8, source.depth(0));
  const bool wide = depth > 8;
  Raster raster;
  if (source.has(AV_PIX_FMT_FLAG_PAL))
    raster = read_palette(source);
  else if (source.has(AV_PIX_FMT_FLAG_RGB))
    raster = wide ? read_rgb_components<std::uint16_t>(source) : read_rgb_components<std::uint8_t>(source);
  else if (format->nb_components >= 3 && want == Want::colour)
    raster = convert_yuv(source);
  else
    raster = wide ? read_first_component<std::uint16_t>(source) : read_first_component<std::uint8_t>(source);
  raster.max_value = std::holds_alternative<Image<std::uint8_t>>(raster.pixels) ? 255 : (1 << depth) - 1;
  raster.picture = true;
  raster.alpha = source.has(AV_PIX_FMT_FLAG_ALPHA) && !source.has(AV_PIX_FMT_FLAG_PAL);  // every palette could have it
  return raster;
}

void take_chroma(const AVFrame& from, YuvFrame& to) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(from.format));
  if (format == nullptr) return;
  to.full_range = is_full_range(from);
  to.chroma = chroma_of(*format);
  if (to.chroma == ChromaFormat::none) return;
  const std::string unnamed;
  const Source source{from, *format, unnamed};
  const Size size{-(-from.width >> format->log2_chroma_w), -(-from.height >> format->log2_chroma_h)};
  const bool wide = format->comp[0].depth > 8;
  to.cb = read_plane(source, 1, size, wide);
  to.cr = read_plane(source, 2, size, wide);
}

}  // namespace vergence::io
