// SPDX-License-Identifier: Apache-2.0
// Structure of PNG (chunks up to IEND), JPEG (markers up to EOI), BMP and TIFF (headers and directory).
#include "io/codec_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "io/bmp_runs.hpp"
#include "io/bytes.hpp"
#include "io/jpeg_codes.hpp"
#include "io/jpeg_scans.hpp"
#include "io/tiff_strips.hpp"

namespace vergence::io {
namespace {

[[noreturn]] void truncated(const std::string& name, PictureCodec codec) {
  fail_read(ErrorCode::bad_data, name,
            fmt::format("the {} file is truncated: copy or create it again", codec_name(codec)));
}
[[noreturn]] void damaged(const std::string& name, PictureCodec codec, const std::string& why) {
  fail_read(ErrorCode::bad_data, name,
            fmt::format("the {} file is damaged ({}): copy or create it again", codec_name(codec), why));
}

// Numbers at any place of the file; beyond the end they mean a truncated file.
struct Fields {
  std::span<const std::uint8_t> bytes;
  const std::string& name;
  PictureCodec codec;
  bool big = true;

  std::uint32_t number(std::uint64_t at, unsigned count) const {
    if (at + count > bytes.size()) truncated(name, codec);
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value = value << 8 | bytes[static_cast<std::size_t>(at + (big ? i : count - 1 - i))];
    return value;
  }
};

CodecFacts check_png(const Fields& file) {
  CodecFacts facts;
  std::uint64_t at = 8;
  bool has_pixels = false, has_palette = false;
  while (true) {
    const std::uint32_t length = file.number(at, 4);
    const std::uint32_t type = file.number(at + 4, 4);
    const std::uint64_t next = at + 12 + length;
    if (next > file.bytes.size()) truncated(file.name, file.codec);
    if (type == 0x49484452) {  // IHDR
      if (length != 13) damaged(file.name, file.codec, "its header has a wrong length");
      facts.width = file.number(at + 8, 4);
      facts.height = file.number(at + 12, 4);
    }
    if (type == 0x504C5445) {  // PLTE: of one that is misplaced or broken, FFmpeg makes black
      if (length == 0 || length % 3 != 0 || length > 768)
        damaged(file.name, file.codec, fmt::format("its palette has {} bytes", length));
      if (has_pixels || has_palette)
        damaged(file.name, file.codec, has_pixels ? "its palette lies behind the pixels" : "it has two palettes");
      has_palette = true;
    }
    has_pixels = has_pixels || type == 0x49444154;  // IDAT
    at = next;
    if (type == 0x49454E44) break;  // IEND
  }
  if (!has_pixels) damaged(file.name, file.codec, "it holds no pixels");
  facts.bytes = static_cast<std::size_t>(at);
  return facts;
}

bool is_frame_header(std::uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

// The first byte after `at` that starts a marker within entropy-coded data. Restarts are numbered 0 to 7 over and over:
// decoders put what lies between two of them where the count of restarts says.
std::uint64_t skip_scan(const Fields& file, std::uint64_t at) {
  const auto& bytes = file.bytes;
  unsigned restarts = 0;
  while (true) {
    const void* const marker = at < bytes.size() ? std::memchr(&bytes[static_cast<std::size_t>(at)], 0xFF,
                                                               static_cast<std::size_t>(bytes.size() - at))
                                                 : nullptr;
    if (marker == nullptr) truncated(file.name, file.codec);
    at = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(marker) - bytes.data());
    if (at + 1 >= bytes.size()) truncated(file.name, file.codec);
    const std::uint8_t next = bytes[static_cast<std::size_t>(at) + 1];
    const bool restart = next >= 0xD0 && next <= 0xD7;
    if (restart && next != 0xD0 + restarts++ % 8)
      damaged(file.name, file.codec, fmt::format("restart {} lies where {} should", next - 0xD0, (restarts - 1) % 8));
    if (next != 0 && next != 0xFF && !restart) return at;  // no data byte, filling or restart
    ++at;
  }
}

/// What follows its length.
std::span<const std::uint8_t> segment_of(const Fields& file, std::uint64_t at, std::uint32_t length) {
  if (at + length > file.bytes.size()) truncated(file.name, file.codec);
  return file.bytes.subspan(static_cast<std::size_t>(at) + 2, length - 2);
}

CodecFacts check_jpeg(const Fields& file, bool with_codes) {
  CodecFacts facts;
  JpegScans scans;
  JpegTables tables;
  JpegCodes codes;
  std::uint64_t at = 2;
  while (true) {
    if (file.number(at, 1) != 0xFF) damaged(file.name, file.codec, "a marker is missing");
    const auto marker = static_cast<std::uint8_t>(file.number(at + 1, 1));
    if (marker == 0xFF) {  // filling
      ++at;
      continue;
    }
    at += 2;
    if (marker == 0xD9) break;                                           // end of image
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) continue;  // markers without a segment
    const std::uint32_t length = file.number(at, 2);
    if (length < 2) damaged(file.name, file.codec, "a segment is too short");
    if (is_frame_header(marker) && facts.width == 0) {
      facts.height = file.number(at + 3, 2);
      facts.width = file.number(at + 5, 2);
      if (marker == 0xC2) scans.begin(segment_of(file, at, length));
      if (marker <= 0xC2) tables.use(segment_of(file, at, length));
      if (marker <= 0xC1 && with_codes) codes.begin(segment_of(file, at, length));
    }
    if (marker == 0xC4 && with_codes) codes.define_codes(segment_of(file, at, length));
    if (marker == 0xDD) codes.set_restarts(segment_of(file, at, length));
    if (marker == 0xDB) {
      tables.define(segment_of(file, at, length));
      codes.define_quantisation(segment_of(file, at, length));
    }
    const auto scan = marker == 0xDA ? segment_of(file, at, length) : std::span<const std::uint8_t>();
    at += length;
    if (marker == 0xDA) {
      scans.add(scan);
      const std::uint64_t end = skip_scan(file, at);
      const auto data = file.bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at));
      if (const std::string problem = with_codes ? codes.problem(scan, data) : ""; !problem.empty())
        damaged(file.name, file.codec, problem);
      at = end;
    }
  }
  if (const std::string problem = scans.problem(); !problem.empty()) damaged(file.name, file.codec, problem);
  if (const std::string problem = tables.problem(); !problem.empty()) damaged(file.name, file.codec, problem);
  facts.bytes = static_cast<std::size_t>(at);
  return facts;
}

/// Pixels that begin within the header or the palette are other bytes than they were: FFmpeg reads them all the same.
void check_bmp_start(const Fields& file, std::uint64_t palette_bytes) {
  const std::uint64_t least = 14 + std::uint64_t{file.number(14, 4)} + palette_bytes;
  if (const std::uint32_t start = file.number(10, 4); start < least)
    damaged(file.name, file.codec,
            fmt::format("its pixels begin at byte {}, and header and palette end at byte {}", start, least));
}

/// Of a header that tells the compression.
void check_bmp_pixels(const Fields& file, CodecFacts& facts) {
  const std::uint32_t bits = file.number(28, 2), compression = file.number(30, 4);
  if (const std::uint32_t used = file.number(46, 4); bits <= 8 && used > 0 && used < 1u << bits) facts.colours = used;
  const std::size_t palette = bits > 8 ? 0 : facts.colours < 256 ? facts.colours : std::size_t{1} << bits;
  check_bmp_start(file, 4 * palette);
  if (compression != 1 && compression != 2) return;
  const unsigned packed_bits = compression == 1 ? 8 : 4;
  if (bits != packed_bits)
    damaged(file.name, file.codec, fmt::format("it says RLE{}, and has {} bits per pixel", packed_bits, bits));
  const std::uint32_t pixels = file.number(10, 4);
  if (pixels > file.bytes.size()) truncated(file.name, file.codec);
  if (facts.width < 1 || facts.height < 1) return;  // said later
  const std::string problem = bmp_runs_problem(file.bytes.subspan(pixels), {facts.width, facts.height, packed_bits});
  if (!problem.empty()) damaged(file.name, file.codec, problem);
}

CodecFacts check_bmp(Fields file) {
  file.big = false;
  CodecFacts facts;
  facts.bytes = file.bytes.size();
  const std::uint32_t promised = file.number(2, 4);  // some writers leave it 0
  if (promised > file.bytes.size()) truncated(file.name, file.codec);
  const bool old = file.number(14, 4) == 12;
  facts.width = old ? file.number(18, 2) : file.number(18, 4);
  if (old)
    facts.height = file.number(20, 2);
  else
    facts.height =
        std::abs(static_cast<std::int64_t>(static_cast<std::int32_t>(file.number(22, 4))));  // negative: top first
  if (file.number(14, 4) >= 40) check_bmp_pixels(file, facts);
  return facts;
}

/// The numbers of an entry of the directory, which stand in it or where it says.
std::vector<std::uint32_t> entry_numbers(const Fields& file, std::uint64_t entry) {
  const unsigned bytes = file.number(entry + 2, 2) == 3 ? 2 : 4;
  const std::uint64_t count = file.number(entry + 4, 4);
  if (count * bytes > file.bytes.size()) truncated(file.name, file.codec);
  const std::uint64_t at = count * bytes > 4 ? file.number(entry + 8, 4) : entry + 8;
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = file.number(at + bytes * std::uint64_t{i}, bytes);
  return numbers;
}

// Cameras' raw files (DNG, NEF, ARW, ...) are TIFFs. The first picture of most is a small preview; that of others is a
// mosaic of colours, in which every second column is another one.
[[noreturn]] void fail_raw(const Fields& file, const char* why) {
  fail_read(ErrorCode::unsupported, file.name,
            fmt::format("it is a TIFF {}, as cameras' raw files are: develop it to TIFF or PNG", why));
}

[[noreturn]] void fail_kind(const Fields& file, const char* kind) {
  fail_read(ErrorCode::unsupported, file.name,
            fmt::format("it is a TIFF {}, which is not read here: save it as PNG, or as TIFF with {}", kind,
                        "LZW or Deflate and in strips"));
}

void check_tiff_entry(const Fields& file, std::uint64_t entry, CodecFacts& facts, TiffStrips& strips) {
  const std::uint32_t tag = file.number(entry, 2);
  const unsigned value_bytes = file.number(entry + 2, 2) == 3 ? 2 : 4;
  const auto value = [&] { return file.number(entry + 8, value_bytes); };
  // FFmpeg gives pictures that are all 0 for some of these.
  if (tag == 259) strips.compression = file.number(entry + 8, 2);
  if (tag == 259 && (strips.compression == 6 || strips.compression == 7)) fail_kind(file, "with JPEG compression");
  if (tag == 322) fail_kind(file, "of tiles");
  if (tag == 254 && (value() & 1) != 0) fail_raw(file, "whose first picture is a preview");
  if (tag == 262 && value() == 32803) fail_raw(file, "with a mosaic of colours");
  if (tag == 320) facts.colours = file.number(entry + 4, 4) / 3;
  if (tag == 256) facts.width = value();
  if (tag == 257) facts.height = value();
  if (tag == 258) strips.bits = entry_numbers(file, entry);
  if (tag == 262) strips.subsampled = value() == 6;
  if (tag == 273) strips.offsets = entry_numbers(file, entry);
  if (tag == 277) strips.samples = value();
  if (tag == 278) strips.rows = value();
  if (tag == 279) strips.lengths = entry_numbers(file, entry);
  if (tag == 284) strips.planes_apart = value() == 2;
}

CodecFacts check_tiff(Fields file) {
  file.big = file.bytes[0] == 'M';
  CodecFacts facts;
  facts.bytes = file.bytes.size();
  const std::uint64_t directory = file.number(4, 4);
  if (directory < 8)
    damaged(file.name, file.codec, fmt::format("its directory begins at byte {}, within the header", directory));
  const std::uint32_t entries = file.number(directory, 2);
  if (directory + 2 + 12 * std::uint64_t{entries} + 4 > file.bytes.size()) truncated(file.name, file.codec);
  TiffStrips strips;
  for (std::uint32_t i = 0; i < entries; ++i)
    check_tiff_entry(file, directory + 2 + 12 * std::uint64_t{i}, facts, strips);
  strips.width = static_cast<std::uint64_t>(facts.width);
  strips.height = static_cast<std::uint64_t>(facts.height);
  if (const std::string problem = strips_problem(file.bytes, strips); !problem.empty())
    damaged(file.name, file.codec, problem);
  return facts;
}

// Sizes, bits, compression, meaning of the samples, strips, tiles, palette, fax options, predictor, chroma subsampling.
bool bears_on_pixels(std::uint32_t tag) {
  static constexpr std::uint32_t tags[] = {256, 257, 258, 259, 262, 266, 273, 277, 278, 279,
                                           284, 292, 293, 317, 320, 322, 323, 324, 325, 530};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

void require_unsigned_samples(const Fields& file, std::uint64_t entry) {
  const std::uint32_t count = file.number(entry + 4, 4);
  const std::uint64_t at = count > 2 ? file.number(entry + 8, 4) : entry + 8;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, 8); ++i)
    if (file.number(at + 2 * std::uint64_t{i}, 2) > 1)
      fail_read(ErrorCode::unsupported, file.name,
                "its samples are signed or float: use .npy or .pfm for such numbers");
}

}  // namespace

void tidy_tiff(std::span<std::uint8_t> bytes, const std::string& name) {
  const Fields file{bytes, name, PictureCodec::tiff, bytes[0] == 'M'};
  const auto directory = static_cast<std::size_t>(file.number(4, 4));
  const std::uint32_t entries = file.number(directory, 2);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{12} * i;
    const std::uint32_t tag = file.number(entry, 2);
    if (tag == 339) require_unsigned_samples(file, entry);
    if (bears_on_pixels(tag)) std::memmove(&bytes[directory + 2 + std::size_t{12} * kept++], &bytes[entry], 12);
  }
  bytes[directory + (file.big ? 0 : 1)] = static_cast<std::uint8_t>(kept >> 8);
  bytes[directory + (file.big ? 1 : 0)] = static_cast<std::uint8_t>(kept);
  std::memset(&bytes[directory + 2 + std::size_t{12} * kept], 0, 4);  // no further page
}

std::optional<PictureCodec> picture_codec(std::string_view start) {
  using namespace std::string_view_literals;
  const auto begins = [&](std::string_view magic) { return start.substr(0, magic.size()) == magic; };
  if (begins("\x89PNG\r\n\x1A\n"sv)) return PictureCodec::png;
  if (begins("\xFF\xD8\xFF"sv)) return PictureCodec::jpeg;
  if (begins("II*\0"sv) || begins("MM\0*"sv)) return PictureCodec::tiff;
  if (begins("BM"sv)) return PictureCodec::bmp;
  return std::nullopt;
}

bool is_motion_jpeg(std::span<const std::uint8_t> bytes, const std::string& name) {
  constexpr std::uint8_t next[] = {0xFF, 0xD8, 0xFF};
  constexpr char several_pictures[] = "MPF";  // of a camera that stores a preview, or two views, behind the picture
  const CodecFacts first = check_structure(PictureCodec::jpeg, bytes, name, false);
  const auto rest = bytes.subspan(first.bytes);
  if (rest.size() < 3 || !std::equal(std::begin(next), std::end(next), rest.begin())) return false;
  const auto head = bytes.first(std::min<std::size_t>(first.bytes, 1 << 16));
  if (std::search(head.begin(), head.end(), std::begin(several_pictures), std::end(several_pictures)) != head.end())
    return false;
  try {
    const CodecFacts second = check_structure(PictureCodec::jpeg, rest, name, false);
    return second.width == first.width && second.height == first.height;  // a preview is smaller
  } catch (const Error&) {
    return true;  // a stream that is cut off
  }
}

const char* codec_name(PictureCodec codec) {
  switch (codec) {
    case PictureCodec::png:
      return "PNG";
    case PictureCodec::jpeg:
      return "JPEG";
    case PictureCodec::tiff:
      return "TIFF";
    case PictureCodec::bmp:
      return "BMP";
  }
  return "";
}

CodecFacts check_structure(PictureCodec codec, std::span<const std::uint8_t> bytes, const std::string& name,
                           bool codes) {
  const Fields file{bytes, name, codec};
  switch (codec) {
    case PictureCodec::png:
      return check_png(file);
    case PictureCodec::jpeg:
      return check_jpeg(file, codes);
    case PictureCodec::tiff:
      return check_tiff(file);
    case PictureCodec::bmp:
      return check_bmp(file);
  }
  return {};
}

}  // namespace vergence::io
