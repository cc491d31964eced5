// SPDX-License-Identifier: Apache-2.0
// Raw video that was read in another format than it has: what lies a frame, or a sample, further on is not alike.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr std::int64_t segments = 96;  // pieces that are compared
constexpr std::int64_t segment = 64;   // bytes each
constexpr int least_width = 32;
constexpr int least_height = 8;
constexpr std::int64_t least_difference = 3 * segments * segment;  // flat pictures have less

class Stream {
 public:
  Stream(std::span<const std::uint8_t> bytes, const RawVideoForm& form) : bytes_(bytes), form_(form) {}

  /// The sum of absolute differences of all segments to what lies `lag` further on. The segments lie in the first
  /// `room` bytes.
  std::int64_t difference(std::int64_t lag, std::int64_t room) const {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
      const std::uint8_t* const at = bytes_.data() + room * i / segments;
      for (std::int64_t x = 0; x < segment; ++x) sum += std::abs(at[x] - at[x + lag]);
    }
    return sum;
  }

  /// The same along the rows of the first frame's luma: of each sample's byte `part` alone.
  std::int64_t along_rows(std::int64_t lag, int part) const {
    const std::int64_t luma = std::int64_t{form_.size.width} * form_.size.height * form_.luma_step;
    const std::int64_t room = std::min<std::int64_t>(luma, std::ssize(bytes_)) - segment * form_.luma_step - 8;
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
      const std::int64_t first = room * i / segments / form_.luma_step * form_.luma_step + part;
      for (std::int64_t x = 0; x < segment; ++x) {
        const std::uint8_t* const at = bytes_.data() + first + x * form_.luma_step;
        sum += std::abs(at[0] - at[lag]);
      }
    }
    return sum;
  }

  /// Whether frames seem to be so long, and not as long as they were read with.
  bool has_frames_of(std::int64_t length) const {
    const std::int64_t row = form_.size.width;
    const std::int64_t away = 8 * row + row / 3;  // unrelated places
    const std::int64_t room = std::ssize(bytes_) - std::max(length, form_.frame_bytes) - away - segment;
    if (room < row * least_height) return false;
    const std::int64_t here = difference(length, room);
    const std::int64_t beside = std::min(difference(length + away, room), difference(length - away, room));
    if (beside < least_difference || 2 * here > beside) return false;
    const std::int64_t own = difference(form_.frame_bytes, room);
    return form_.frame_bytes % length == 0 ? here <= own : 2 * here < own;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  RawVideoForm form_;
};

/// Bytes of a frame in the usual formats.
std::vector<std::int64_t> usual_lengths(Size size) {
  const auto width = std::int64_t{size.width}, height = std::int64_t{size.height};
  const std::int64_t grey = width * height;
  const std::int64_t half_rows = 2 * ((width + 1) / 2) * height, quarters = 2 * ((width + 1) / 2) * ((height + 1) / 2);
  return {grey, grey + quarters, grey + half_rows, 3 * grey, 4 * grey, 6 * grey};
}

/// Bytes from a sample to the next one like it, 0 where they are those of the form. `own` is the difference at these.
int likely_step(const Stream& stream, const RawVideoForm& form, std::int64_t own) {
  if (own < least_difference) return 0;
  if (form.luma_step == 2) {
    // Luma and chroma, or the two bytes of a word, are less alike than neighbours. Words whose bytes are equal are
    // bytes that were made words.
    const std::int64_t next = stream.along_rows(1, 0);
    if ((next > 0 || form.sample_bytes == 1) && 4 * next < 3 * own) return 1;
  }
  if (form.sample_bytes == 2) return 0;
  std::int64_t least = 2 * own / 3;
  int found = 0;
  for (const int step : {2, 3, 4})
    if (const std::int64_t here = stream.along_rows(step, 0); step != form.luma_step && here < least)
      least = here, found = step;
  return found;
}

}  // namespace

RawVideoFindings inspect_raw_video(std::span<const std::uint8_t> bytes, const RawVideoForm& form) {
  if (form.size.width < least_width || form.size.height < least_height || std::ssize(bytes) < form.frame_bytes)
    return {};
  const Stream stream(bytes, form);
  const std::int64_t own = stream.along_rows(form.luma_step, form.sample_bytes - 1);
  // Lower bytes that are equal everywhere are those of 8-bit video that was made words.
  const std::int64_t lower = form.sample_bytes == 2 ? stream.along_rows(form.luma_step, 0) : 0;
  if (lower > 0 && own >= least_difference && own > 2 * lower) return {.problem = RawVideoProblem::byte_order};
  if (const int step = likely_step(stream, form, own); step != 0)
    return {.problem = RawVideoProblem::interleaved, .step = step};
  for (const std::int64_t length : usual_lengths(form.size))
    if (length != form.frame_bytes && stream.has_frames_of(length))
      return {.problem = RawVideoProblem::frame_length, .frame_bytes = length};
  return {};
}

}  // namespace vergence
