// SPDX-License-Identifier: Apache-2.0
// PBM, PGM and PPM (P1..P6), after the Netpbm format pages.
#include "io/pnm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace vergence::io {
namespace {

bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Skips blanks and comments; returns the first byte after them, -1 at the end.
int next_token(ByteReader& reader) {
  int c = reader.get();
  while (is_space(c) || c == '#') {
    if (c == '#')
      while (c != '\n' && c != '\r' && c != -1) c = reader.get();
    else
      c = reader.get();
  }
  return c;
}

// A whole number of at most `most`; the byte after it is swallowed, as the raw formats want after maxval, and told in
// `behind`; a comment there up to its line end.
std::uint32_t read_number(ByteReader& reader, std::uint32_t most, const char* what, int* behind = nullptr) {
  int c = next_token(reader);
  if (c < '0' || c > '9')
    fail_read(ErrorCode::bad_data, reader.name(),
              c == -1 ? fmt::format("it ends where {} should be: the file is truncated, copy or create it again", what)
                      : fmt::format("{} is not a number: the file is damaged", what));
  std::uint64_t value = 0;
  while (c >= '0' && c <= '9') {
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > most) fail_read(ErrorCode::bad_data, reader.name(), fmt::format("{} exceeds {}", what, most));
    c = reader.get();
  }
  if (c != -1 && !is_space(c) && c != '#')
    fail_read(ErrorCode::bad_data, reader.name(), fmt::format("{} is followed by something that is no blank", what));
  if (behind != nullptr) *behind = c;
  if (c == '#')
    while (c != '\n' && c != '\r' && c != -1) c = reader.get();
  return static_cast<std::uint32_t>(value);
}

struct Header {
  int width = 0;
  int height = 0;
  int channels = 1;
  std::uint32_t maxval = 1;
  int behind = 0;  // the byte that ended its last number, '#' for a comment
};

std::uint64_t raster_bytes(const Header& header, char kind) {
  const auto width = static_cast<std::uint64_t>(header.width);
  const std::uint64_t samples = width * static_cast<std::uint64_t>(header.channels);
  const std::uint64_t row = kind == '4' ? (width + 7) / 8 : samples * (header.maxval > 255 ? 2 : 1);
  return row * static_cast<std::uint64_t>(header.height);
}

// Exactly one blank ends the header, and the first sample may look like another. Two of them, as in a header with CR
// LF, or the blank that the format wants behind a comment, are told by the file's length alone.
void end_header(ByteReader& reader, const Header& header, char kind) {
  if (reader.remaining() != raster_bytes(header, kind) + 1) return;
  const int next = static_cast<unsigned char>(reader.peek(1)[0]);
  if ((header.behind == '\r' && next == '\n') || (header.behind == '#' && is_space(next))) reader.get();
}

// Bytes behind the samples that begin no further picture mean that the samples began elsewhere. `first`: the byte after
// the header; where it is no blank, blanks at the end are harmless.
void require_end(ByteReader& reader, int first) {
  const std::uint64_t left = reader.remaining();
  if (left == 0) return;
  const std::string rest = reader.peek(16);
  const std::size_t word = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
  if (is_space(first) ? word == 0 && looks_like_pnm(rest)
                      : looks_like_pnm(rest.substr(word)) || (word == rest.size() && left == rest.size()))
    return;
  fail_read(
      ErrorCode::bad_data, reader.name(),
      fmt::format("{} byte{} left over behind the picture: one blank ends the header, neither CR LF nor a comment, "
                  "or its size is wrong: create it again",
                  left, left == 1 ? " is" : "s are"));
}

// Numbers behind those of a plain picture mean that it has another size than its header says.
void require_plain_end(ByteReader& reader) {
  const int c = next_token(reader);
  if (c == -1) return;
  std::string further(1, static_cast<char>(c));
  if (looks_like_pnm(further.append(reader.peek(2)))) return;
  fail_read(ErrorCode::bad_data, reader.name(),
            "more follows behind its last sample: its size is wrong, or the file is damaged: create it again");
}

[[noreturn]] void fail_sample(const ByteReader& reader, std::uint32_t value, int column, int y, const Header& header,
                              bool raw) {
  const bool fits_exchanged =
      raw && header.maxval > 255 && value <= 65535 && ((value & 255) << 8 | value >> 8) <= header.maxval;
  fail_read(ErrorCode::bad_data, reader.name(),
            fmt::format("pixel ({}, {}) is {}, above the header's maximum of {}: {}", column / header.channels, y,
                        value, header.maxval,
                        fits_exchanged ? "write the upper byte of each sample first, or the file is damaged"
                                       : "the file is damaged"));
}

template <class T>
Image<T> read_plain(ByteReader& reader, const Header& header) {
  Image<T> image(header.width * header.channels, header.height);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const std::uint32_t value = read_number(reader, 65535, "a sample");
      if (value > header.maxval) fail_sample(reader, value, x, y, header, false);
      image(x, y) = static_cast<T>(value);
    }
  return image;
}

template <class T>
Image<T> read_raw(ByteReader& reader, const Header& header) {
  Image<T> image(header.width * header.channels, header.height);
  for (int y = 0; y < image.height(); ++y) {
    T* row = image.row(y);
    reader.read(row, sizeof(T) * static_cast<std::size_t>(image.width()));
    for (int x = 0; x < image.width(); ++x) {
      row[x] = ByteReader::from_order(row[x], std::endian::big);
      if (row[x] > header.maxval) fail_sample(reader, row[x], x, y, header, true);
    }
  }
  return image;
}

Image<std::uint8_t> read_plain_bits(ByteReader& reader, const Header& header) {
  Image<std::uint8_t> image(header.width, header.height);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const int c = next_token(reader);  // digits may stand without blanks
      if (c != '0' && c != '1')
        fail_read(ErrorCode::bad_data, reader.name(),
                  c == -1 ? std::string("it ends too early: the file is truncated, copy or create it again")
                          : fmt::format("pixel ({}, {}) is neither 0 nor 1: the file is damaged", x, y));
      image(x, y) = c == '1' ? 0 : 255;
    }
  return image;
}

Image<std::uint8_t> read_raw_bits(ByteReader& reader, const Header& header) {
  std::vector<std::uint8_t> packed((static_cast<std::size_t>(header.width) + 7) / 8);
  Image<std::uint8_t> image(header.width, header.height);
  for (int y = 0; y < image.height(); ++y) {
    reader.read(packed.data(), packed.size());
    for (int x = 0; x < image.width(); ++x)
      image(x, y) = (packed[static_cast<std::size_t>(x) / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255;
  }
  return image;
}

// Checks that the promised samples can be there before anything is allocated for them.
void require_samples(const ByteReader& reader, const Header& header, char kind) {
  const auto width = static_cast<std::uint64_t>(header.width);
  const auto height = static_cast<std::uint64_t>(header.height);
  const auto channels = static_cast<std::uint64_t>(header.channels);
  if (kind == '4') {
    require_pixels(reader, width, height, 1, 0);
    require_pixels(reader, (width + 7) / 8, height, 1, 1);
  } else {
    require_pixels(reader, width, height, channels, kind > '4' && header.maxval > 255 ? 2 : 1);
  }
}

}  // namespace

bool looks_like_pnm(std::string_view start) {
  return start.size() >= 3 && start[0] == 'P' && start[1] >= '1' && start[1] <= '6' &&
         (is_space(static_cast<unsigned char>(start[2])) || start[2] == '#');
}

Raster read_pnm(ByteReader& reader) {
  char magic[2];
  reader.read(magic, 2);
  const char kind = magic[1];
  constexpr std::uint32_t largest = std::numeric_limits<int>::max();
  Header header;
  header.width = static_cast<int>(read_number(reader, largest, "the width"));
  header.height = static_cast<int>(read_number(reader, largest, "the height", &header.behind));
  header.channels = kind == '3' || kind == '6' ? 3 : 1;
  const bool bits = kind == '1' || kind == '4';
  if (!bits) header.maxval = read_number(reader, 65535, "the maximum value", &header.behind);
  if (header.maxval == 0) fail_read(ErrorCode::bad_data, reader.name(), "its maximum value is 0: it must be 1..65535");
  require_samples(reader, header, kind);
  if (kind >= '4') end_header(reader, header, kind);
  const int first = static_cast<unsigned char>(reader.peek(1)[0]);

  Raster raster;
  raster.picture = true;
  raster.channels = header.channels;
  raster.max_value = bits ? 255 : static_cast<int>(header.maxval);
  if (kind == '1')
    raster.pixels = read_plain_bits(reader, header);
  else if (kind == '4')
    raster.pixels = read_raw_bits(reader, header);
  else if (header.maxval > 255)
    raster.pixels = kind < '4' ? read_plain<std::uint16_t>(reader, header) : read_raw<std::uint16_t>(reader, header);
  else
    raster.pixels = kind < '4' ? read_plain<std::uint8_t>(reader, header) : read_raw<std::uint8_t>(reader, header);
  if (kind >= '4')
    require_end(reader, first);
  else
    require_plain_end(reader);
  return raster;
}

void write_pgm(AtomicFile& file, ImageView<const std::uint8_t> grey) {
  file.write(fmt::format("P5\n{} {}\n255\n", grey.width(), grey.height()));
  for (int y = 0; y < grey.height(); ++y) file.write(grey.row(y), static_cast<std::size_t>(grey.width()));
}

void write_pgm(const std::string& path, ImageView<const std::uint8_t> grey) {
  AtomicFile file(path);
  write_pgm(file, grey);
  file.commit();
}

void write_pgm(const std::string& path, ImageView<const std::uint16_t> grey) {
  AtomicFile file(path);
  file.write(fmt::format("P5\n{} {}\n65535\n", grey.width(), grey.height()));
  std::vector<std::uint16_t> row(static_cast<std::size_t>(grey.width()));
  for (int y = 0; y < grey.height(); ++y) {
    for (std::size_t x = 0; x < row.size(); ++x) row[x] = ByteReader::from_order(grey.row(y)[x], std::endian::big);
    file.write(row.data(), row.size() * sizeof(row[0]));
  }
  file.commit();
}

void write_ppm(const std::string& path, ImageView<const Rgb> colour) {
  static_assert(sizeof(Rgb) == 3);
  AtomicFile file(path);
  file.write(fmt::format("P6\n{} {}\n255\n", colour.width(), colour.height()));
  for (int y = 0; y < colour.height(); ++y)
    file.write(colour.row(y), sizeof(Rgb) * static_cast<std::size_t>(colour.width()));
  file.commit();
}

}  // namespace vergence::io
