// SPDX-License-Identifier: Apache-2.0
// Names as in the PNG specification (ISO/IEC 15948).
#include "io/plain_png.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "io/bytes.hpp"
#include "io/libav.hpp"

namespace vergence::io {
namespace {

constexpr std::uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr std::uint8_t grey = 0, colour = 2;
enum Filter : std::uint8_t { none, sub, up, average, paeth };

constexpr std::uint32_t type_of(const char (&name)[5]) {
  std::uint32_t type = 0;
  for (int i = 0; i < 4; ++i) type = type << 8 | static_cast<std::uint8_t>(name[i]);
  return type;
}

struct FreePacker {
  void operator()(libdeflate_compressor* one) const { libdeflate_free_compressor(one); }
  void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

std::uint32_t big_endian(const std::uint8_t* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return ByteReader::from_order(value, std::endian::big);
}

struct Chunk {
  std::uint32_t type = 0;
  std::span<const std::uint8_t> data;
};

/// Takes the chunk at the start of `rest`. Nothing where it is not whole, or its sum is wrong.
std::optional<Chunk> take_chunk(std::span<const std::uint8_t>& rest) {
  constexpr std::size_t around = 12;  // length, type and sum
  if (rest.size() < around || big_endian(rest.data()) > rest.size() - around) return std::nullopt;
  const std::size_t length = big_endian(rest.data());
  const Chunk chunk{big_endian(rest.data() + 4), rest.subspan(8, length)};
  if (libdeflate_crc32(0, rest.data() + 4, 4 + length) != big_endian(rest.data() + 8 + length)) return std::nullopt;
  rest = rest.subspan(12 + length);
  return chunk;
}

/// Whether a chunk that comes before the pixels, or anywhere, says nothing about them and is as it should be.
bool is_harmless(const Chunk& chunk, bool before_pixels) {
  const std::size_t length = chunk.data.size();
  switch (chunk.type) {
    case type_of("tEXt"):
      return !chunk.data.empty() && std::memchr(chunk.data.data() + 1, 0, length - 1) != nullptr;
    case type_of("tIME"):
      return length == 7;
    case type_of("gAMA"):
      return before_pixels && length == 4;
    case type_of("sRGB"):
      return before_pixels && length == 1 && chunk.data[0] < 4;
    case type_of("cHRM"):
      return before_pixels && length == 32;
    case type_of("pHYs"):
      return before_pixels && length == 9;
    default:
      return false;
  }
}

/// Of a header that names one of the usual kinds.
std::optional<PngForm> form_of(const Chunk& header) {
  if (header.type != type_of("IHDR") || header.data.size() != 13) return std::nullopt;
  const std::uint32_t width = big_endian(header.data.data()), height = big_endian(header.data.data() + 4);
  const std::uint8_t depth = header.data[8], kind = header.data[9];
  const bool known = (depth == 8 || depth == 16) && (kind == grey || kind == colour);
  if (!known || header.data[10] != 0 || header.data[11] != 0 || header.data[12] != 0) return std::nullopt;
  if (width == 0 || height == 0 || !fits_av(width, height)) return std::nullopt;
  return PngForm{{static_cast<int>(width), static_cast<int>(height)}, kind == grey ? 1 : 3, depth / 8};
}

std::uint8_t nearest_of(int left, int above, int corner) {
  const int to_left = std::abs(above - corner), to_above = std::abs(left - corner),
            to_corner = std::abs(left + above - 2 * corner);
  const int better = to_above < to_left ? above : left;
  return static_cast<std::uint8_t>(to_corner < std::min(to_left, to_above) ? corner : better);
}

/// `step` is that from a pixel's byte to the next one's. `above` is nothing but zeros for the first row.
template <std::size_t step>
bool unfilter(std::uint8_t filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes) {
  const auto add = [row](std::size_t x, int value) { row[x] = static_cast<std::uint8_t>(row[x] + value); };
  switch (filter) {
    case none:
      return true;
    case sub:
      for (std::size_t x = step; x < bytes; ++x) add(x, row[x - step]);
      return true;
    case up:
      for (std::size_t x = 0; x < bytes; ++x) add(x, above[x]);
      return true;
    case average:
      for (std::size_t x = 0; x < step; ++x) add(x, above[x] / 2);
      for (std::size_t x = step; x < bytes; ++x) add(x, (row[x - step] + above[x]) / 2);
      return true;
    case paeth:
      for (std::size_t x = 0; x < step; ++x) add(x, above[x]);
      for (std::size_t x = step; x < bytes; ++x) add(x, nearest_of(row[x - step], above[x], above[x - step]));
      return true;
    default:
      return false;
  }
}

template <class T, std::size_t step>
std::optional<Raster> raster_of(std::uint8_t* packed, const PngForm& form) {
  const std::size_t bytes = form.row_bytes();
  Image<T> image(form.size.width * form.channels, form.size.height);
  const std::vector<std::uint8_t> zeros(bytes);
  const std::uint8_t* above = zeros.data();
  for (int y = 0; y < image.height(); ++y, packed += 1 + bytes) {
    std::uint8_t* const row = packed + 1;
    if (!unfilter<step>(packed[0], row, above, bytes)) return std::nullopt;
    above = row;
    std::memcpy(image.row(y), row, bytes);
    if constexpr (sizeof(T) > 1)
      for (int x = 0; x < image.width(); ++x) image(x, y) = ByteReader::from_order(image(x, y), std::endian::big);
  }
  Raster raster;
  raster.pixels = std::move(image);
  raster.channels = form.channels;
  raster.max_value = sizeof(T) == 1 ? 255 : 65535;
  raster.picture = true;
  return raster;
}

std::optional<Raster> raster_of(std::uint8_t* packed, const PngForm& form) {
  if (form.bytes == 1)
    return form.channels == 1 ? raster_of<std::uint8_t, 1>(packed, form) : raster_of<std::uint8_t, 3>(packed, form);
  return form.channels == 1 ? raster_of<std::uint16_t, 2>(packed, form) : raster_of<std::uint16_t, 6>(packed, form);
}

/// Bytes that nobody sets before they are written.
std::unique_ptr<std::uint8_t[]> unset_bytes(std::size_t count) {
  return std::unique_ptr<std::uint8_t[]>(new std::uint8_t[count]);
}

/// The packed pixels of a PNG that holds nothing doubtful.
std::optional<std::vector<std::uint8_t>> pixels_of(std::span<const std::uint8_t> chunks) {
  std::vector<std::uint8_t> pixels;
  while (!chunks.empty()) {
    const std::optional<Chunk> chunk = take_chunk(chunks);
    if (!chunk) return std::nullopt;
    if (chunk->type == type_of("IEND")) return pixels;
    if (chunk->type == type_of("IDAT"))
      pixels.insert(pixels.end(), chunk->data.begin(), chunk->data.end());
    else if (!is_harmless(*chunk, pixels.empty()))
      return std::nullopt;
  }
  return std::nullopt;
}

void put_big_endian(std::uint8_t* to, std::uint32_t value) {
  value = ByteReader::from_order(value, std::endian::big);
  std::memcpy(to, &value, sizeof(value));
}

/// Of `length` bytes that stand already behind the place of length and type. The place behind the chunk.
std::uint8_t* end_chunk(std::uint8_t* start, std::uint32_t type, std::size_t length) {
  put_big_endian(start, static_cast<std::uint32_t>(length));
  put_big_endian(start + 4, type);
  put_big_endian(start + 8 + length, libdeflate_crc32(0, start + 4, 4 + length));
  return start + 12 + length;
}

}  // namespace

std::optional<Raster> read_plain_png(std::span<const std::uint8_t> png) {
  std::span<const std::uint8_t> chunks = png.subspan(std::min(png.size(), sizeof(signature)));
  const std::optional<Chunk> header = take_chunk(chunks);
  const std::optional<PngForm> form = header ? form_of(*header) : std::nullopt;
  if (!form) return std::nullopt;
  const std::optional<std::vector<std::uint8_t>> pixels = pixels_of(chunks);
  if (!pixels) return std::nullopt;
  const std::size_t all = (1 + form->row_bytes()) * static_cast<std::size_t>(form->size.height);
  constexpr std::size_t most_packed = 1032;  // to 1: what the format can do, so that a small file takes no large memory
  if (all / most_packed > pixels->size()) return std::nullopt;
  const std::unique_ptr<std::uint8_t[]> rows = unset_bytes(all);
  const std::unique_ptr<libdeflate_decompressor, FreePacker> unpacker(libdeflate_alloc_decompressor());
  if (!unpacker) throw std::bad_alloc();
  std::size_t taken = 0;
  // Without a place for what it gives, it is content with exactly this many.
  if (libdeflate_zlib_decompress_ex(unpacker.get(), pixels->data(), pixels->size(), rows.get(), all, &taken, nullptr) !=
          LIBDEFLATE_SUCCESS ||
      taken != pixels->size())
    return std::nullopt;
  return raster_of(rows.get(), *form);
}

std::vector<std::uint8_t> make_png(const PngForm& form, const std::function<void(std::uint8_t* row, int y)>& copy_row) {
  // The least that packs by matches: a third of the time of zlib's least, for files of about the same size.
  constexpr int level = 1;
  const std::size_t bytes = form.row_bytes(), all = (1 + bytes) * static_cast<std::size_t>(form.size.height);
  const std::unique_ptr<std::uint8_t[]> rows = unset_bytes(all);
  std::vector<std::uint8_t> above(bytes), row(bytes);
  for (int y = 0; y < form.size.height; ++y) {
    std::uint8_t* const to = rows.get() + static_cast<std::size_t>(y) * (1 + bytes);
    copy_row(row.data(), y);
    to[0] = up;
    for (std::size_t x = 0; x < bytes; ++x) to[1 + x] = static_cast<std::uint8_t>(row[x] - above[x]);
    std::swap(row, above);
  }
  const std::unique_ptr<libdeflate_compressor, FreePacker> packer(libdeflate_alloc_compressor(level));
  if (!packer) throw std::bad_alloc();
  const std::size_t most = libdeflate_zlib_compress_bound(packer.get(), all);
  std::vector<std::uint8_t> png(sizeof(signature) + 25 + 12 + most + 12);
  std::uint8_t* at = std::copy(std::begin(signature), std::end(signature), png.data());
  put_big_endian(at + 8, static_cast<std::uint32_t>(form.size.width));
  put_big_endian(at + 12, static_cast<std::uint32_t>(form.size.height));
  at[16] = static_cast<std::uint8_t>(8 * form.bytes);
  at[17] = form.channels == 1 ? grey : colour;
  at = end_chunk(at, type_of("IHDR"), 13);
  at = end_chunk(at, type_of("IDAT"), libdeflate_zlib_compress(packer.get(), rows.get(), all, at + 8, most));
  at = end_chunk(at, type_of("IEND"), 0);
  png.resize(static_cast<std::size_t>(at - png.data()));
  return png;
}

}  // namespace vergence::io
