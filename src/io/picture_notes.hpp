// SPDX-License-Identifier: Apache-2.0
// What a picture's file says beside its pixels: how it is to be shown (Exif), and that more pictures follow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/codec_check.hpp"
#include "vergence/image.hpp"

namespace vergence::io {

struct PictureNotes {
  int orientation = 1;        ///< As Exif counts, 1..8: 1 is as stored.
  std::int64_t pictures = 1;  ///< Of the file, previews left out; the first one is read.
  const char* cure = "";      ///< A command that takes them apart.
};

/// Of a file whose structure was checked, with what that found of its first picture. What is damaged says nothing: it
/// does not bear on the pixels.
PictureNotes picture_notes(PictureCodec codec, std::span<const std::uint8_t> file, const CodecFacts& first);

/// The orientation (tag 274) in the first directory of a TIFF, as Exif holds one; 1 where there is none. (JEITA
/// CP-3451, Exif 2.3, 2010, section 4.6.4.)
int tiff_orientation(std::span<const std::uint8_t> tiff);

/// Collects what is to be said of the pictures of a source, one line of each kind.
class PictureWatch {
 public:
  void see(const PictureNotes& notes, const std::string& path, Size size);
  /// About the first picture, and later_line(), for users.
  std::vector<std::string> lines() const;
  /// About the next picture that is to be shown in another way than the first one, or holds several while that does
  /// not; "" where there is none.
  const std::string& later_line() const { return later_; }

 private:
  friend void join_orientations(const PictureWatch& left, const PictureWatch& right, std::vector<std::string>& lines);

  int orientation_ = 0;  ///< Of the first picture; 0 before it.
  std::string first_;    ///< Its path.
  std::string turned_, several_, later_;
};

/// Of a pair, one line tells of both orientations.
void join_orientations(const PictureWatch& left, const PictureWatch& right, std::vector<std::string>& lines);

}  // namespace vergence::io
