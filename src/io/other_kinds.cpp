// SPDX-License-Identifier: Apache-2.0
// What people give for a picture or a video, and is neither.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/bytes.hpp"
#include "io/codec_check.hpp"

namespace vergence::io {
namespace {

struct OtherKind {
  std::string_view start;
  const char* what;
  const char* cure;
};

// What people give for a picture or a video. FFmpeg finds pictures of JPEG in some of them.
constexpr OtherKind other_kinds[] = {
    {std::string_view("II+\0", 4), "a BigTIFF", "save it as TIFF or PNG"},
    {std::string_view("MM\0+", 4), "a BigTIFF", "save it as TIFF or PNG"},
    {"%PDF", "a PDF", "take its pictures out, as PNG"},
    {"PK\x03\x04", "a ZIP archive (or NPZ, or a document)", "unpack it"},
    {"\x1F\x8B", "packed by gzip", "unpack it"},
    {"\xFD\x37zXZ", "packed by xz", "unpack it"},
    {"\x28\xB5\x2F\xFD", "packed by Zstandard", "unpack it"},
    {"#ROSBAG", "a ROS bag", "take its pictures out, as PNG"},
    {"\x89MCAP", "an MCAP file of ROS 2", "take its pictures out, as PNG"},
    {"SQLite format 3", "a data base of SQLite (a ROS 2 bag is one)", "take its pictures out, as PNG"},
    {"\x89HDF", "an HDF5 file", "save its pictures as PNG or NPY"},
    {"\x76\x2F\x31\x01", "an OpenEXR picture", "convert it to PFM or PNG"},
    {"version https://git-lfs", "a pointer of Git LFS in place of the file", "fetch it with `git lfs pull`"},
    {"<!DOCTYPE", "a web page", "download the file itself"},
    {"<!doctype", "a web page", "download the file itself"},
    {"<html", "a web page", "download the file itself"},
};

/// Codes of MPEG-4 begin with the same bytes, and have 0 for the number of pictures.
bool is_icon(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.size() < 10 || (!start.starts_with("\0\0\1\0"sv) && !start.starts_with("\0\0\2\0"sv))) return false;
  return start[4] != 0 && start[5] == 0 && start[9] == 0;
}

}  // namespace

void refuse_other_kinds(std::string_view start, const std::string& name) {
  using namespace std::string_view_literals;
  const auto refuse = [&name](std::string_view what, std::string_view cure) {
    fail_read(ErrorCode::unsupported, name, fmt::format("it is {}, which is not read here: {}", what, cure));
  };
  if (is_icon(start)) refuse("an icon (.ico) or a cursor (.cur)", "convert it to PNG");
  for (const OtherKind& kind : other_kinds)
    if (start.starts_with(kind.start.substr(0, start_bytes))) refuse(kind.what, kind.cure);
  if (start.size() < 12 || start.substr(4, 4) != "ftyp"sv) return;
  static constexpr std::string_view brands[] = {"heic", "heix", "heim", "heis", "hevc",
                                                "hevx", "mif1", "msf1", "avif", "avis"};
  if (std::find(std::begin(brands), std::end(brands), start.substr(8, 4)) != std::end(brands))
    refuse("a HEIF picture (HEIC, AVIF)", "convert it to PNG");
}

}  // namespace vergence::io
