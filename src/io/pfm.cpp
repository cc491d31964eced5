// SPDX-License-Identifier: Apache-2.0
// PFM: a text header, then binary32 rows, bottom first. The scale's sign tells the byte order; its size is ignored,
// because files of ground truth carry all kinds of sizes and mean their values as they stand.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "io/pnm.hpp"

namespace vergence::io {
namespace {

// A word between blanks, and the one blank after it.
std::string read_word(ByteReader& reader) {
  constexpr std::size_t longest = 64;
  std::string word;
  int c = reader.get();
  while (c == ' ' || (c >= '\t' && c <= '\r')) c = reader.get();
  while (c != -1 && c != ' ' && !(c >= '\t' && c <= '\r')) {
    word.push_back(static_cast<char>(c));
    if (word.size() > longest)
      fail_read(ErrorCode::bad_data, reader.name(), "its header is damaged: a word never ends");
    c = reader.get();
  }
  return word;
}

template <class T>
T parse(const ByteReader& reader, const std::string& word, const char* what) {
  T value{};
  const char* begin = word.data();
  const char* end = begin + word.size();
  if (word.size() > 1 && word[0] == '+') ++begin;
  const auto result = std::from_chars(begin, end, value);
  if (result.ec != std::errc() || result.ptr != end)
    fail_read(ErrorCode::bad_data, reader.name(), fmt::format("{} is not a valid number: its header is damaged", what));
  return value;
}

}  // namespace

bool looks_like_pfm(std::string_view start) {
  return start.size() >= 3 && start[0] == 'P' && (start[1] == 'f' || start[1] == 'F') &&
         (start[2] == ' ' || (start[2] >= '\t' && start[2] <= '\r'));
}

Raster read_pfm(ByteReader& reader) {
  char magic[2];
  reader.read(magic, 2);
  const auto width = parse<int>(reader, read_word(reader), "the width");
  const auto height = parse<int>(reader, read_word(reader), "the height");
  const auto scale = parse<double>(reader, read_word(reader), "the scale");
  if (width < 1 || height < 1)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("its size is {}x{}: a map has at least 1x1 values", width, height));
  if (!std::isfinite(scale) || scale == 0)
    fail_read(ErrorCode::bad_data, reader.name(),
              "its scale is not a finite number other than 0: its header is damaged");
  Raster raster;
  raster.channels = magic[1] == 'F' ? 3 : 1;
  require_pixels(reader, static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height),
                 static_cast<std::uint64_t>(raster.channels), sizeof(float));
  const std::size_t row_bytes =
      sizeof(float) * static_cast<std::size_t>(width) * static_cast<std::size_t>(raster.channels);
  const std::uint64_t pixel_bytes = row_bytes * static_cast<std::uint64_t>(height);
  // Lines may end in CR LF; then one more byte than the pixels is left.
  if (reader.remaining() == pixel_bytes + 1 && reader.peek(1) == "\n") reader.get();
  if (reader.remaining() != pixel_bytes)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("{} bytes follow the header, but {}x{} values take {}: the header or the file is damaged",
                          reader.remaining(), width, height, pixel_bytes));
  Image<float> map(width * raster.channels, height);
  for (int y = height - 1; y >= 0; --y) {
    float* row = map.row(y);
    reader.read(row, row_bytes);
    for (int x = 0; x < map.width(); ++x)
      row[x] = ByteReader::from_order(row[x], scale < 0 ? std::endian::little : std::endian::big);
  }
  raster.pixels = std::move(map);
  return raster;
}

}  // namespace vergence::io

namespace vergence {

void write_pfm(const std::string& path, ImageView<const float> map) {
  if (map.empty()) io::fail_write(ErrorCode::invalid_argument, path, "the map is empty: give at least 1x1 values");
  AtomicFile file(path);
  file.write(fmt::format("Pf\n{} {}\n-1.0\n", map.width(), map.height()));
  std::vector<float> row(static_cast<std::size_t>(map.width()));
  for (int y = map.height() - 1; y >= 0; --y) {
    for (std::size_t x = 0; x < row.size(); ++x)
      row[x] = io::ByteReader::from_order(map.row(y)[x], std::endian::little);
    file.write(row.data(), row.size() * sizeof(float));
  }
  file.commit();
}

}  // namespace vergence
