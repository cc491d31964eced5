// SPDX-License-Identifier: Apache-2.0
// Raw video that was read in another format than it has: what lies a frame, or a sample, further on is not alike.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "inspect/memory_order.hpp"
#include "inspect/packed.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr std::int64_t segments = 96;  // pieces that are compared
constexpr std::int64_t segment = 64;   // samples each
constexpr int least_width = 32;
constexpr int least_height = 8;
constexpr std::int64_t least_difference = 3 * segments * segment;  // flat pictures have less
constexpr std::int64_t least_colour = segments * segment;          // chroma of grey pictures has less
constexpr std::int64_t most_shift = 48;                            // of what moves from frame to frame

int word(std::span<const std::uint8_t> bytes, std::size_t index) {
  return bytes[2 * index] | bytes[2 * index + 1] << 8;
}
/// Of words. Some pictures need not use all of their bits.
int used_bits(std::span<const std::uint8_t> bytes) {
  unsigned all = 0;
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) all |= static_cast<unsigned>(word(bytes, i));
  return static_cast<int>(std::bit_width(all));
}

/// Samples of a byte each, of words, which lose their lower bits: these are noise.
std::vector<std::uint8_t> upper_bits(std::span<const std::uint8_t> bytes, int bits) {
  std::vector<std::uint8_t> upper(bytes.size() / 2);
  const int shift = std::max(bits - 8, 0);
  for (std::size_t i = 0; i < upper.size(); ++i) upper[i] = static_cast<std::uint8_t>(word(bytes, i) >> shift);
  return upper;
}

/// Samples in their order, and how many make a frame as it was read.
class Samples {
 public:
  Samples(std::span<const std::uint8_t> samples, Size size, std::int64_t frame)
      : samples_(samples), row_(size.width), frame_(frame) {}

  /// The sum of absolute differences of all segments to what lies `lag` further on. The segments lie in the first
  /// `room` samples.
  std::int64_t difference(std::int64_t lag, std::int64_t room) const {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < segments; ++i) sum += of_segment(room * i / segments, lag);
    return sum;
  }

  /// Whether rows look as if they were so many times longer, as those of colours that lie pixel by pixel are. Twice as
  /// long ones are left out, for those of two fields differ so.
  bool has_rows_of(int times) const {
    const std::int64_t room = std::min(frame_, std::ssize(samples_)) - times * row_ - segment;
    if (room < row_ * least_height) return false;
    std::int64_t least = difference(row_, room);
    for (int rows = 2; rows < times; ++rows) least = std::min(least, difference(rows * row_, room));
    return least >= least_difference && 2 * difference(times * row_, room) < least;
  }

  /// Whether frames seem to be so long, and not as long as they were read with.
  bool has_frames_of(std::int64_t length) const {
    const std::int64_t away = 8 * row_ + row_ / 3;  // unrelated places
    if (length <= away) return false;               // those would lie before the first sample
    const std::int64_t room = std::ssize(samples_) - std::max(length, frame_) - away - segment;
    if (room < row_ * least_height) return false;
    const std::int64_t here = difference(length, room);
    const std::int64_t beside = std::min(difference(length + away, room), difference(length - away, room));
    if (beside < least_difference || 2 * here > beside) return false;
    const std::int64_t own = difference(frame_, room);
    const bool is_multiple = length % frame_ == 0 || frame_ % length == 0;
    if (is_multiple ? here > own : 2 * here >= own) return false;
    return length < frame_ || 2 * least_difference_of_moved(room) > beside;
  }

 private:
  std::int64_t of_segment(std::int64_t first, std::int64_t lag) const {
    const std::uint8_t* const at = samples_.data() + first;
    std::int64_t sum = 0;
    for (std::int64_t x = 0; x < segment; ++x) sum += std::abs(at[x] - at[x + lag]);
    return sum;
  }

  /// Frames that come again, such as those of a loop, of two fields or of two cameras in turn, resemble the next ones
  /// too, once each segment may move along its row.
  std::int64_t least_difference_of_moved(std::int64_t room) const {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
      std::int64_t least = of_segment(room * i / segments, frame_);
      for (std::int64_t shift = -most_shift; shift <= most_shift; ++shift)
        if (frame_ + shift > 0) least = std::min(least, of_segment(room * i / segments, frame_ + shift));
      sum += least;
    }
    return sum;
  }

  std::span<const std::uint8_t> samples_;
  std::int64_t row_, frame_;
};

/// The bytes of the first frame.
class Frame {
 public:
  Frame(std::span<const std::uint8_t> bytes, const RawVideoForm& form) : bytes_(bytes), form_(form) {}

  std::span<const std::uint8_t> luma() const { return bytes_.first(index(luma_bytes())); }

  /// The sum of absolute differences along the rows of the luma: of each sample's byte `part` to what lies `lag`
  /// bytes further on.
  std::int64_t along_rows(std::int64_t lag, int part) const {
    return along(0, luma_bytes(), form_.luma_step, lag, part);
  }

  /// The same of every second byte alone, from the first or second one on, to the next such byte.
  std::int64_t along_half(int part) const { return along(0, luma_bytes(), 2, 2, part); }

  /// The same of the chroma behind a plane of luma, of each sample's upper byte.
  std::int64_t along_chroma(std::int64_t samples) const {
    return along(luma_bytes(), form_.frame_bytes - luma_bytes(), form_.sample_bytes, samples * form_.sample_bytes,
                 form_.sample_bytes - 1);
  }

  /// Whether rows of chroma are as long as those of a plane, and not twice as long, as those of Cb and Cr in turn.
  bool has_chroma_rows_of_planes() const {
    const std::int64_t row = (form_.size.width + 1) / 2;
    return 10 * along_chroma(row) <= 11 * along_chroma(2 * row);
  }

  /// Whether rows that are so many times longer are more alike than those that were read.
  bool has_rows_of(int times) const {
    const std::int64_t row = std::int64_t{form_.size.width} * form_.luma_step;
    const std::int64_t room = std::min<std::int64_t>(form_.frame_bytes, std::ssize(bytes_)) - times * row - segment;
    if (room < row) return true;  // too low to tell
    const Samples all(bytes_, form_.size, form_.frame_bytes);
    return 20 * all.difference(times * row, room) < 19 * all.difference(row, room);  // not those of noise
  }

 private:
  static std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }
  std::int64_t luma_bytes() const {
    const std::int64_t luma = std::int64_t{form_.size.width} * form_.size.height * form_.luma_step;
    return std::min<std::int64_t>(luma, std::ssize(bytes_));
  }
  std::int64_t along(std::int64_t begin, std::int64_t length, int step, std::int64_t lag, int part) const {
    const std::int64_t room = length - segment * step - std::max<std::int64_t>(lag, 8);
    if (room < 0) return 0;
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
      const std::int64_t first = begin + room * i / segments / step * step + part;
      for (std::int64_t x = 0; x < segment; ++x) {
        const std::uint8_t* const at = bytes_.data() + first + x * step;
        sum += std::abs(at[0] - at[lag]);
      }
    }
    return sum;
  }

  std::span<const std::uint8_t> bytes_;
  RawVideoForm form_;
};

/// Bytes of a frame in the usual formats.
std::vector<std::int64_t> usual_lengths(Size size) {
  const auto width = std::int64_t{size.width}, height = std::int64_t{size.height};
  const std::int64_t grey = width * height;
  const std::int64_t half_rows = 2 * ((width + 1) / 2) * height, quarters = 2 * ((width + 1) / 2) * ((height + 1) / 2);
  return {grey,     grey + quarters,       grey + half_rows,       3 * grey,
          2 * grey, 2 * (grey + quarters), 2 * (grey + half_rows), 4 * grey,
          6 * grey};
}

/// Those of frames with something else before or behind each, which moves pictures aside: what moved so far by itself
/// in each frame is none. A whole row moves nothing aside.
std::vector<std::int64_t> lengths_with_headers(const RawVideoForm& form) {
  constexpr int least_header = 64, most_header = 4096;
  constexpr std::int64_t aside_share = 8;  // of a row, as 1 in so many
  const std::int64_t row = std::int64_t{form.size.width} * form.luma_step;
  std::vector<std::int64_t> lengths;
  for (int header = least_header; header <= most_header; header *= 2) {
    const std::int64_t aside = std::min(header % row, row - header % row);
    if (aside_share * aside >= row) lengths.push_back(form.frame_bytes + header);
  }
  return lengths;
}

/// Bytes from a sample to the next one like it, 0 where they are those of the form. `own` is the difference at these.
int likely_step(const Frame& frame, const RawVideoForm& form, std::int64_t own) {
  if (own < least_difference) return 0;
  if (form.luma_step == 2) {
    // Luma and chroma, or the two bytes of a word, are less alike than neighbours. Words whose bytes are equal are
    // bytes that were made words.
    const std::int64_t next = frame.along_rows(1, 0);
    if ((next > 0 || form.sample_bytes == 1) && 4 * next < 3 * own) return 1;
  }
  std::int64_t least = 2 * own / 3;
  int found = 0;
  const bool is_packed = form.luma_step > form.sample_bytes;
  for (int samples = 2; samples <= 4; ++samples) {
    const int step = samples * form.sample_bytes;
    if (step == form.luma_step) continue;
    const std::int64_t here = frame.along_rows(step, form.sample_bytes - 1);
    if (here < least && (is_packed || frame.has_rows_of(samples))) least = here, found = step;
  }
  // Of words, the lower bytes may be noise, which hides that the upper ones are alike.
  if (found == 0 && form.luma_step == 1 && 2 * std::min(frame.along_half(0), frame.along_half(1)) < own &&
      frame.has_rows_of(2))
    return 2;
  return found;
}

/// Words that were read as luma and chroma in turn: what was taken for luma is noise, what was taken for chroma is not,
/// and does not take turns.
bool are_words(const Frame& frame, std::int64_t own, std::span<const std::uint8_t> bytes) {
  constexpr std::int64_t noise = 40 * segments * segment;  // random bytes differ by 85
  const auto chroma_is_low = [&bytes] {                    // 10 and 12 bits leave less than 16 levels to the upper byte
    for (std::size_t i = 1; i < bytes.size(); i += 2)
      if (bytes[i] > 15) return false;
    return true;
  };
  const std::int64_t next = frame.along_rows(2, 1), second = frame.along_rows(4, 1);
  return (next > 0 && chroma_is_low()) || (own >= noise && next >= least_colour && 4 * next < own && next < second);
}

/// Chroma of planes that was read as one in which Cb and Cr take turns, or the other way round.
bool is_chroma_mixed_up(const Frame& frame, const RawVideoForm& form) {
  if (form.chroma_planes == 0) {  // of words, the lower bytes may be those of a format of luma and chroma
    const std::int64_t next = frame.along_rows(2, 0), second = frame.along_rows(4, 0);
    return form.sample_bytes == 2 && next >= least_colour && 2 * second < next;
  }
  const std::int64_t next = frame.along_chroma(1), second = frame.along_chroma(2);
  if (form.chroma_planes == 2) return next >= least_colour && 2 * second < next;
  return second >= least_colour && 6 * next < 5 * second && frame.has_chroma_rows_of_planes();
}

void check_form(const RawVideoForm& form) {
  const auto require = [](bool allowed, const char* field, std::int64_t value, const char* range) {
    if (!allowed)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} of the raw video's form is {}: allowed {}", field, value, range));
  };
  require(form.sample_bytes == 1 || form.sample_bytes == 2, "sample_bytes", form.sample_bytes, "are 1 and 2");
  require(form.luma_step == form.sample_bytes || form.luma_step == 2 * form.sample_bytes, "luma_step", form.luma_step,
          "are sample_bytes and twice that");
  require(form.chroma_planes >= 0 && form.chroma_planes <= 2, "chroma_planes", form.chroma_planes, "are 0, 1 and 2");
  require(form.bits >= 1 && form.bits <= 8 * form.sample_bytes, "bits", form.bits, "is 1 .. 8 * sample_bytes");
  const auto width = std::max(form.size.width, 1), height = std::max(form.size.height, 1);
  require(form.frame_bytes / form.luma_step / width >= height && form.frame_bytes % form.sample_bytes == 0,
          "frame_bytes", form.frame_bytes, "are whole samples, luma_step bytes for each pixel and more");
}

}  // namespace

RawVideoFindings inspect_raw_video(std::span<const std::uint8_t> bytes, const RawVideoForm& form) {
  check_form(form);
  if (form.size.width < least_width || form.size.height < least_height || std::ssize(bytes) < form.frame_bytes)
    return {};
  const bool is_grey = form.luma_step == 1 && form.frame_bytes == std::int64_t{form.size.width} * form.size.height;
  if (is_grey) {
    const std::span<const std::uint8_t> first = bytes.first(static_cast<std::size_t>(form.frame_bytes));
    if (const int bits = inspect::packed_bits(first); bits > 0)
      return {.problem = RawVideoProblem::packed_bits, .step = bits};
    if (const int side = inspect::tile_side(first, form.size.width); side > 0)
      return {.problem = RawVideoProblem::tiles, .step = side};
  }
  const Frame frame(bytes, form);
  const std::int64_t own = frame.along_rows(form.luma_step, form.sample_bytes - 1);
  // Lower bytes that are equal everywhere are those of 8-bit video that was made words.
  const std::int64_t lower = form.sample_bytes == 2 ? frame.along_rows(form.luma_step, 0) : 0;
  if (lower > 0 && own >= least_difference && own > 2 * lower) return {.problem = RawVideoProblem::byte_order};
  if (const int step = likely_step(frame, form, own); step != 0)
    return {.problem = RawVideoProblem::interleaved, .step = step};
  if (is_grey)
    if (const int step = inspect::packed_step(bytes, form.size); step != 0)
      return {.problem = RawVideoProblem::interleaved, .step = step};
  if (form.sample_bytes == 1 && form.luma_step == 2 && own < least_difference &&
      frame.along_rows(4, 1) >= least_difference)
    return {.problem = RawVideoProblem::luma_behind};
  if (form.sample_bytes == 1 && form.luma_step == 2 && are_words(frame, own, bytes))
    return {.problem = RawVideoProblem::words};
  const bool words = form.sample_bytes == 2;
  const int bits = words ? used_bits(bytes) : 8;
  const std::vector<std::uint8_t> upper = words ? upper_bits(bytes, bits) : std::vector<std::uint8_t>();
  const Samples samples(words ? upper : bytes, form.size, form.frame_bytes / form.sample_bytes);
  if (form.luma_step == form.sample_bytes)
    for (const int times : {3, 4})
      if (samples.has_rows_of(times) && (words || inspect::may_have_pixels_of(times, frame.luma())))
        return {.problem = RawVideoProblem::interleaved, .step = times * form.sample_bytes};
  std::vector<std::int64_t> lengths = usual_lengths(form.size);
  for (const std::int64_t length : lengths_with_headers(form)) lengths.push_back(length);
  for (const std::int64_t length : lengths)
    if (length != form.frame_bytes && length % form.sample_bytes == 0 &&
        samples.has_frames_of(length / form.sample_bytes))
      return {.problem = RawVideoProblem::frame_length, .frame_bytes = length};
  if (is_chroma_mixed_up(frame, form)) return {.problem = RawVideoProblem::chroma};
  constexpr int most_bits = 12;
  if (form.bits > most_bits && bits > 8 && bits <= most_bits) return {.problem = RawVideoProblem::few_bits};
  return {};
}

}  // namespace vergence
