// SPDX-License-Identifier: Apache-2.0
// Video without a header, from a file, a pipe or standard input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::io {

/// Where the samples of a frame lie.
enum class RawLayout {
  planar,       ///< Y, then Cb, then Cr.
  semi_planar,  ///< Y, then a plane in which Cb and Cr take turns.
  packed,       ///< Two pixels to four samples: Y Cb Y Cr.
};

/// What a format's name means.
struct RawFormat {
  std::string_view name;
  int bits = 8;
  ChromaFormat chroma = ChromaFormat::none;
  RawLayout layout = RawLayout::planar;
  int shift = 0;  ///< A word of 16 bits holds the sample in its upper bits, above so many zeros.
};

/// Side of a chroma plane whose luma has `side`.
int chroma_width(ChromaFormat format, int side);
int chroma_height(ChromaFormat format, int side);

class RawVideoReader {
 public:
  /// Throws Error(invalid_argument) for a format that is not known or a size that cannot be, Error(bad_data) where a
  /// file's length is no multiple of a frame.
  RawVideoReader(const std::string& name, const RawVideo& form, bool standard_input);

  /// The next frame, or nothing at the end. A part of a frame at the end is an Error.
  std::optional<YuvFrame> next(bool chroma);
  bool skip();
  /// Of a regular file.
  std::optional<std::int64_t> count() const { return count_; }
  /// The first bytes of what can be read once only; see FrameSource::raw_start.
  const std::vector<std::uint8_t>& start() const { return start_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  bool fill();
  /// Samples of a plane: the first one and the distances of neighbours and rows, in samples.
  struct Samples {
    std::size_t first, step, row;
  };
  Samples luma() const;
  Samples chroma(bool second) const;
  GreyPicture plane(Size size, const Samples& samples) const;
  std::uint16_t word(std::size_t index) const;

  std::string name_;
  Size size_;
  RawFormat format_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<std::uint8_t> bytes_;  // one frame
  std::vector<std::uint8_t> start_;
  std::size_t wanted_start_ = 0;
  std::optional<std::int64_t> count_;
  std::int64_t frames_ = 0;
};

}  // namespace vergence::io
