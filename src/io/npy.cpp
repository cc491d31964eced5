// SPDX-License-Identifier: Apache-2.0
// Reading and writing NPY.
#include "io/npy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace vergence::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
// NumPy itself writes headers of a few hundred bytes and refuses those beyond 10000.
constexpr std::uint32_t longest_header = 65536;

struct Header {
  std::string type;  // "u1", "i2", ... without the byte order
  std::endian order = std::endian::little;
  bool fortran = false;
  std::vector<std::uint64_t> shape;
  std::optional<int> invalid;
};

// Reads the header's text: the literal of a Python dictionary with three known keys.
class HeaderParser {
 public:
  HeaderParser(const ByteReader& reader, std::string_view text) : reader_(reader), text_(text) {}

  Header parse() {
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !has_type) {
        type();
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        header_.fortran = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        shape();
        has_shape = true;
      } else {
        damaged("it has an unknown or repeated key");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_shape) damaged("a key is missing");
    note();
    return header_;
  }

 private:
  [[noreturn]] void damaged(const char* why) const {
    fail_read(ErrorCode::bad_data, reader_.name(), fmt::format("its NPY header is damaged: {}", why));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool accept(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged("it is no dictionary");
  }
  std::string string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) damaged("a string never ends");
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  void type() {
    blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      fail_read(ErrorCode::unsupported, reader_.name(), "it holds records: save one plain array");
    const std::string text = string();
    if (text.size() < 2) damaged("its type is too short");
    header_.order = text[0] == '>' ? std::endian::big : text[0] == '=' ? std::endian::native : std::endian::little;
    header_.type = text[0] == '<' || text[0] == '>' || text[0] == '|' || text[0] == '=' ? text.substr(1) : text;
  }
  bool boolean() {
    blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    damaged("fortran_order is neither True nor False");
  }
  void shape() {
    expect('(');
    while (!accept(')')) {
      blanks();
      std::uint64_t length = 0;
      const auto result = std::from_chars(text_.data() + at_, text_.data() + text_.size(), length);
      if (result.ec != std::errc()) damaged("its shape is not a list of lengths");
      at_ = static_cast<std::size_t>(result.ptr - text_.data());
      header_.shape.push_back(length);
      if (header_.shape.size() > 32) damaged("its shape is too long");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }
  // "# invalid -16": a comment for Python, a fact for us.
  void note() {
    constexpr std::string_view word = "# invalid ";
    blanks();
    if (text_.substr(at_, word.size()) != word) return;
    int value = 0;
    const char* begin = text_.data() + at_ + word.size();
    if (std::from_chars(begin, text_.data() + text_.size(), value).ec == std::errc()) header_.invalid = value;
  }

  const ByteReader& reader_;
  std::string_view text_;
  std::size_t at_ = 0;
  Header header_;
};

Header read_header(ByteReader& reader) {
  char start[8];
  reader.read(start, 8);
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    fail_read(ErrorCode::unsupported, reader.name(),
              fmt::format("NPY version {} is unknown: save it as version 1", version));
  const std::uint32_t length = version == 1 ? reader.read_little<std::uint16_t>() : reader.read_little<std::uint32_t>();
  if (length > longest_header)
    fail_read(ErrorCode::bad_data, reader.name(), fmt::format("its NPY header claims {} bytes: it is damaged", length));
  std::string text(length, '\0');
  reader.read(text.data(), length);
  return HeaderParser(reader, text).parse();
}

template <class T>
Image<T> read_rows(ByteReader& reader, int width, int height, std::endian order) {
  Image<T> image(width, height);
  for (int y = 0; y < height; ++y) {
    T* row = image.row(y);
    reader.read(row, sizeof(T) * static_cast<std::size_t>(width));
    for (int x = 0; x < width; ++x) row[x] = ByteReader::from_order(row[x], order);
  }
  return image;
}

// Fortran order: the file holds column after column.
template <class T>
Image<T> read_columns(ByteReader& reader, int width, int height, std::endian order) {
  Image<T> image(width, height);
  std::vector<T> column(static_cast<std::size_t>(height));
  for (int x = 0; x < width; ++x) {
    reader.read(column.data(), sizeof(T) * column.size());
    for (int y = 0; y < height; ++y) image(x, y) = ByteReader::from_order(column[static_cast<std::size_t>(y)], order);
  }
  return image;
}

template <class T>
void read_pixels(ByteReader& reader, const Header& header, Raster& raster) {
  const std::uint64_t height = header.shape[0];
  const std::uint64_t width = header.shape[1];
  const auto channels = static_cast<std::uint64_t>(raster.channels);
  require_pixels(reader, width, height, channels, sizeof(T));
  const std::uint64_t bytes = height * width * channels * sizeof(T);
  if (reader.remaining() != bytes)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("{} bytes follow the header, but its shape takes {}: the header or the file is damaged",
                          reader.remaining(), bytes));
  const int columns = static_cast<int>(width * channels);
  raster.pixels = header.fortran ? read_columns<T>(reader, columns, static_cast<int>(height), header.order)
                                 : read_rows<T>(reader, columns, static_cast<int>(height), header.order);
}

/// The start of a file, up to the data, which NumPy aligns to 64 bytes.
std::string npy_header(std::string text, std::size_t least_bytes) {
  const std::size_t prefix = magic.size() + 4;
  while ((prefix + text.size() + 1) % 64 != 0 || prefix + text.size() + 1 < least_bytes) text.push_back(' ');
  text.push_back('\n');
  const char head[4] = {1, 0, static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return std::string(magic) + std::string(head, sizeof(head)) + text;
}

template <class T>
void write(const std::string& path, const char* type, ImageView<const T> map, const std::string& note) {
  if (map.empty()) fail_write(ErrorCode::invalid_argument, path, "the map is empty: give at least 1x1 values");
  AtomicFile file(path);
  file.write(npy_header(fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}{}", type,
                                    map.height(), map.width(), note),
                        0));
  std::vector<T> row(static_cast<std::size_t>(map.width()));
  for (int y = 0; y < map.height(); ++y) {
    for (std::size_t x = 0; x < row.size(); ++x) row[x] = ByteReader::from_order(map.row(y)[x], std::endian::little);
    file.write(row.data(), row.size() * sizeof(T));
  }
  file.commit();
}

std::string note_of(int invalid) { return fmt::format("  # invalid {}", invalid); }

}  // namespace

bool looks_like_npy(std::string_view start) { return start.substr(0, magic.size()) == magic; }

NpyArray read_npy(ByteReader& reader) {
  const Header header = read_header(reader);
  NpyArray array;
  array.invalid = header.invalid;
  Raster& raster = array.raster;
  const std::size_t dimensions = header.shape.size();
  if (dimensions == 3 && (header.shape[2] == 1 || header.shape[2] == 3))
    raster.channels = static_cast<int>(header.shape[2]);
  else if (dimensions != 2)
    fail_read(
        ErrorCode::unsupported, reader.name(),
        fmt::format("it is an array of {} dimensions: save one of (height, width) or (height, width, 3)", dimensions));
  if (header.fortran && dimensions == 3)
    fail_read(ErrorCode::unsupported, reader.name(), "it has three dimensions in Fortran order: save it in C order");
  const std::string& type = header.type;
  if (type == "u1") {
    raster.max_value = 255;
    read_pixels<std::uint8_t>(reader, header, raster);
  } else if (type == "u2") {
    raster.max_value = 65535;
    read_pixels<std::uint16_t>(reader, header, raster);
  } else if (type == "i2") {
    read_pixels<std::int16_t>(reader, header, raster);
  } else if (type == "u4") {
    read_pixels<std::uint32_t>(reader, header, raster);
  } else if (type == "i4") {
    read_pixels<std::int32_t>(reader, header, raster);
  } else if (type == "f4") {
    read_pixels<float>(reader, header, raster);
  } else if (type == "f8") {
    read_pixels<double>(reader, header, raster);
  } else {
    fail_read(ErrorCode::unsupported, reader.name(),
              fmt::format("its type is \"{}\": convert it to u1, u2, u4, i2, i4, f4 or f8", type.substr(0, 16)));
  }
  return array;
}

void write_npy_noted(const std::string& path, ImageView<const std::int16_t> map, int invalid) {
  write(path, "<i2", map, note_of(invalid));
}
void write_npy_noted(const std::string& path, ImageView<const std::int32_t> map, int invalid) {
  write(path, "<i4", map, note_of(invalid));
}

}  // namespace vergence::io

namespace vergence {

NpyWriter::NpyWriter(const std::string& path, std::vector<int> entry, Type type)
    : path_(path), entry_(std::move(entry)), type_(type), file_(path, AtomicFile::Mode::stream) {
  for (const int side : entry_)
    if (side < 1) io::fail_write(ErrorCode::invalid_argument, path, "its entries are empty: give at least one value");
  file_.write(header());
}

// Always of one length, so that it can be replaced: the numbers grow into the spaces.
std::string NpyWriter::header() const {
  std::string shape = std::to_string(entries_);
  for (const int side : entry_) shape += fmt::format(", {}", side);
  return io::npy_header(fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                    type_ == Type::i16 ? "<i2" : "<f8", shape),
                        128);
}

std::size_t NpyWriter::entry_values() const {
  std::size_t values = 1;
  for (const int side : entry_) values *= static_cast<std::size_t>(side);
  return values;
}

template <class T>
void NpyWriter::append(const std::vector<T>& values, std::int64_t entries) {
  std::vector<T> stored(values);
  for (T& value : stored) value = io::ByteReader::from_order(value, std::endian::little);
  file_.write(stored.data(), stored.size() * sizeof(T));
  entries_ += entries;
  file_.rewrite(0, header());
}

void NpyWriter::write(const std::vector<std::int16_t>& values) {
  if (type_ != Type::i16)
    io::fail_write(ErrorCode::invalid_argument, path_, "int16 was given, the array holds float64");
  if (values.size() != entry_values())
    io::fail_write(ErrorCode::invalid_argument, path_,
                   fmt::format("an entry of {} values was given, entries have {}", values.size(), entry_values()));
  append(values, 1);
}

void NpyWriter::write_entries(const std::vector<double>& values) {
  if (type_ != Type::f64)
    io::fail_write(ErrorCode::invalid_argument, path_, "float64 was given, the array holds int16");
  if (values.size() % entry_values() != 0)
    io::fail_write(ErrorCode::invalid_argument, path_,
                   fmt::format("{} values were given, entries have {}", values.size(), entry_values()));
  append(values, static_cast<std::int64_t>(values.size() / entry_values()));
}

void NpyWriter::commit() { file_.commit(); }

void write_npy(const std::string& path, ImageView<const std::uint8_t> map) { io::write(path, "|u1", map, {}); }
void write_npy(const std::string& path, ImageView<const std::uint16_t> map) { io::write(path, "<u2", map, {}); }
void write_npy(const std::string& path, ImageView<const std::int16_t> map) { io::write(path, "<i2", map, {}); }
void write_npy(const std::string& path, ImageView<const std::uint32_t> map) { io::write(path, "<u4", map, {}); }
void write_npy(const std::string& path, ImageView<const std::int32_t> map) { io::write(path, "<i4", map, {}); }
void write_npy(const std::string& path, ImageView<const float> map) { io::write(path, "<f4", map, {}); }

}  // namespace vergence
