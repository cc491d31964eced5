// SPDX-License-Identifier: Apache-2.0
// Exif in JPEG (APP1), PNG (eXIf) and TIFF; further pictures of MPO, joined JPEGs, animated PNG and TIFF.
#include "io/picture_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

using Span = std::span<const std::uint8_t>;

/// Numbers at any place; 0 beyond the end.
struct Numbers {
  Span bytes;
  bool big = true;

  std::uint32_t at(std::uint64_t place, unsigned count) const {
    if (place + count > bytes.size()) return 0;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value = value << 8 | bytes[static_cast<std::size_t>(place + (big ? i : count - 1 - i))];
    return value;
  }
};

bool holds_text(Span bytes, std::string_view text) {
  return std::search(bytes.begin(), bytes.end(), text.begin(), text.end()) != bytes.end();
}

/// The segments in front of a JPEG's first scan.
template <class Use>
void for_segments(Span jpeg, Use use) {
  const Numbers file{jpeg};
  std::uint64_t at = 2;
  while (at + 4 <= jpeg.size() && file.at(at, 1) == 0xFF) {
    const std::uint32_t marker = file.at(at + 1, 1), length = file.at(at + 2, 2);
    if (marker == 0xFF) {  // filling
      ++at;
      continue;
    }
    if (marker == 0xDA || length < 2 || at + 2 + length > jpeg.size()) return;
    use(marker, jpeg.subspan(static_cast<std::size_t>(at) + 4, length - 2));
    at += 2 + length;
  }
}

/// Complete JPEGs that lie one right behind the other; cameras fill the gaps of MPO with zeros. Those that a camera
/// stores for itself (previews, gain maps) are of another size than its picture.
void count_jpegs(Span file, const CodecFacts& first, bool cameras, PictureNotes& notes) {
  std::size_t end = first.bytes;
  try {
    while (true) {
      while (end < file.size() && file[end] == 0) ++end;
      const Span rest = file.subspan(end);
      if (rest.size() < 3 || rest[0] != 0xFF || rest[1] != 0xD8 || rest[2] != 0xFF) return;
      const CodecFacts next = check_structure(PictureCodec::jpeg, rest, "", false);
      if (!cameras || (next.width == first.width && next.height == first.height)) ++notes.pictures;
      end += next.bytes;
    }
  } catch (const Error&) {  // what follows is no whole picture
  }
}

void look_at_jpeg(Span file, const CodecFacts& first, PictureNotes& notes) {
  constexpr std::string_view exif("Exif\0\0", 6), several("MPF\0", 4);
  bool cameras = false, found = false;
  for_segments(file.first(first.bytes), [&](std::uint32_t marker, Span segment) {
    const std::string_view text(reinterpret_cast<const char*>(segment.data()), segment.size());
    if (marker == 0xE1 && text.starts_with(exif) && !found) {
      notes.orientation = tiff_orientation(segment.subspan(exif.size()));
      found = true;
    }
    // Android's phones list what they append in XMP.
    cameras = cameras || (marker == 0xE2 && text.starts_with(several)) ||
              (marker == 0xE1 && holds_text(segment, "photos/1.0/container"));
  });
  notes.cure = "ffmpeg -f mjpeg -i FILE out_%d.png";
  count_jpegs(file, first, cameras, notes);
}

void look_at_png(Span file, PictureNotes& notes) {
  const Numbers numbers{file};
  notes.cure = "ffmpeg -f apng -i FILE out_%d.png";
  for (std::uint64_t at = 8; at + 12 <= file.size();) {
    const std::uint64_t length = numbers.at(at, 4);
    const std::uint32_t type = numbers.at(at + 4, 4);
    if (length > file.size() - at - 12) return;
    if (type == 0x65584966)  // eXIf
      notes.orientation =
          tiff_orientation(file.subspan(static_cast<std::size_t>(at) + 8, static_cast<std::size_t>(length)));
    if (type == 0x6163544C) notes.pictures = std::max<std::int64_t>(1, numbers.at(at + 8, 4));  // acTL
    at += 12 + length;
  }
}

/// Pages of the first one's size; others are previews and levels of a pyramid.
void count_pages(Span file, PictureNotes& notes) {
  constexpr std::int64_t most_entries = 1 << 20;  // directories may lie in a circle
  const Numbers numbers{file, file[0] == 'M'};
  std::uint32_t width = 0, height = 0;
  std::int64_t pages = 0;
  std::uint64_t directory = numbers.at(4, 4);
  std::int64_t seen = 0;
  for (bool first = true; directory != 0; first = false) {
    const std::uint32_t entries = numbers.at(directory, 2);
    if ((seen += entries + 1) > most_entries) return;
    std::uint32_t own_width = 0, own_height = 0;
    bool preview = false;
    for (std::uint64_t entry = directory + 2; entry < directory + 2 + 12 * std::uint64_t{entries}; entry += 12) {
      const std::uint32_t tag = numbers.at(entry, 2);
      const std::uint32_t value = numbers.at(entry + 8, numbers.at(entry + 2, 2) == 3 ? 2 : 4);
      if (tag == 256) own_width = value;
      if (tag == 257) own_height = value;
      if (tag == 254) preview = (value & 5) != 0;  // of lower resolution, or a mask
    }
    if (first) {
      width = own_width;
      height = own_height;
    }
    if (!preview && own_width == width && own_height == height) ++pages;
    directory = numbers.at(directory + 2 + 12 * std::uint64_t{entries}, 4);
  }
  notes.pictures = std::max<std::int64_t>(1, pages);
}

}  // namespace

int tiff_orientation(std::span<const std::uint8_t> tiff) {
  if (tiff.size() < 8 || (tiff[0] != 'M' && tiff[0] != 'I') || tiff[1] != tiff[0]) return 1;
  const Numbers numbers{tiff, tiff[0] == 'M'};
  const std::uint64_t directory = numbers.at(4, 4);
  const std::uint32_t entries = numbers.at(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + 12 * std::uint64_t{i};
    if (numbers.at(entry, 2) != 274) continue;
    const std::uint32_t value = numbers.at(entry + 8, numbers.at(entry + 2, 2) == 3 ? 2 : 4);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

PictureNotes picture_notes(PictureCodec codec, std::span<const std::uint8_t> file, const CodecFacts& first) {
  PictureNotes notes;
  if (codec == PictureCodec::jpeg) look_at_jpeg(file, first, notes);
  if (codec == PictureCodec::png) look_at_png(file.first(first.bytes), notes);
  if (codec == PictureCodec::tiff) {
    notes.orientation = tiff_orientation(file);
    notes.cure = "convert FILE out_%d.png";
    count_pages(file, notes);
  }
  return notes;
}

namespace {

/// How a picture of this orientation is to be shown.
const char* orientation_words(int orientation) {
  static constexpr const char* texts[] = {"as it is stored",
                                          "mirrored from left to right",
                                          "turned by 180 degrees",
                                          "mirrored from top to bottom",
                                          "with rows and columns exchanged",
                                          "turned by 90 degrees",
                                          "turned by 90 degrees and mirrored from top to bottom",
                                          "turned by 270 degrees"};
  return texts[orientation - 1];
}

constexpr const char* take_out = "take the orientation out, as with `exiftool -Orientation= FILE`";
constexpr const char* save_shown = "as with `convert FILE -auto-orient OUT.png`";

std::string orientation_line(int orientation, const std::string& path, Size stored) {
  if (orientation == 1) return "";
  return fmt::format(
      "{} is to be shown {} (orientation {} of Exif), and is read as it is stored, {}x{}: so are positions and "
      "distances; save it as it is shown, {}, or {}",
      path, orientation_words(orientation), orientation, stored.width, stored.height, save_shown, take_out);
}

}  // namespace

void PictureWatch::see(const PictureNotes& notes, const std::string& path, Size size) {
  const std::string several =
      notes.pictures < 2
          ? ""
          : fmt::format("{} holds {} pictures, of which only the first one is read: take them apart, as with `{}`",
                        path, notes.pictures, notes.cure);
  if (orientation_ == 0) {
    orientation_ = notes.orientation;
    first_ = path;
    turned_ = orientation_line(orientation_, path, size);
    several_ = several;
    return;
  }
  if (!later_.empty()) return;
  if (notes.orientation != orientation_)
    later_ = fmt::format(
        "{} is to be shown {} (orientation {} of Exif), unlike {} ({}), and both are read as they are stored: save all "
        "as they are shown, {}, or {}",
        path, orientation_words(notes.orientation), notes.orientation, first_, orientation_, save_shown, take_out);
  else if (several_.empty())
    later_ = several;
}

std::vector<std::string> PictureWatch::lines() const {
  std::vector<std::string> lines;
  for (const std::string* line : {&turned_, &several_, &later_})
    if (!line->empty()) lines.push_back(*line);
  return lines;
}

void join_orientations(const PictureWatch& left, const PictureWatch& right, std::vector<std::string>& lines) {
  if (left.orientation_ == 0 || right.orientation_ == 0) return;  // of video
  std::erase(lines, right.turned_);
  if (left.orientation_ == right.orientation_) return;
  std::erase(lines, left.turned_);
  lines.push_back(fmt::format(
      "left and right are to be shown in different ways, and are read as they are stored: {} {} (orientation {} of "
      "Exif), {} {} ({}); if one is turned against the other, save both as they are shown, {}; if not, {}",
      left.first_, orientation_words(left.orientation_), left.orientation_, right.first_,
      orientation_words(right.orientation_), right.orientation_, save_shown, take_out));
}

}  // namespace vergence::io
