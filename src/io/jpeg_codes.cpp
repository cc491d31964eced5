// SPDX-License-Identifier: Apache-2.0
// The entropy-coded data of a JPEG. Names as in ITU-T T.81 but for `unit` (MCU).
#include "io/jpeg_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vergence::io {
namespace {

constexpr int mean_range = 1024;  // of 8 bits, from the middle
// Bytes behind the last block that encoders leave there; cameras are known for up to four.
constexpr std::int64_t harmless_bytes = 4;
constexpr std::size_t most_block_bytes = 264;  // 64 codes of 16 bits, each with 15 and 2 more

/// Bits of one piece between restarts, without the zeros that follow bytes of 255.
class CodeBits {
 public:
  /// `end` bytes of `data` were read.
  CodeBits(std::span<const std::uint8_t> data, std::size_t& end, std::vector<std::uint8_t>& buffer) {
    buffer.clear();
    while (end < data.size()) {
      const std::uint8_t* const from = data.data() + end;
      const void* const found = std::memchr(from, 0xFF, data.size() - end);
      const auto plain = found == nullptr ? data.size() - end
                                          : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - from);
      buffer.insert(buffer.end(), from, from + plain);
      end += plain;
      if (end + 1 >= data.size()) break;
      const std::uint8_t next = data[end + 1];
      if (next == 0) buffer.push_back(0xFF);
      end += next == 0xFF ? 1 : 2;
      if (next != 0 && next != 0xFF) break;  // a restart
    }
    size_ = 8 * static_cast<std::int64_t>(buffer.size());
    buffer.insert(buffer.end(), most_block_bytes, 0);
    bytes_ = buffer.data();
  }

  /// The next bits, 57 of them, from the highest one on. Zeros behind the end.
  std::uint64_t peek() const {
    const std::uint8_t* const at = bytes_ + (at_ >> 3);
    const auto byte = [at](int i) { return std::uint64_t{at[i]} << (56 - 8 * i); };
    // Compilers know this form: one instruction.
    const std::uint64_t value = byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
    return value << (at_ & 7);
  }
  void skip(unsigned bits) { at_ += bits; }
  std::int64_t left() const { return size_ - at_; }
  /// Are the bytes that are left all one, as those that fill up?
  bool ends_with_filling() const {
    const std::uint8_t* const first = bytes_ + ((at_ + 7) >> 3);
    return std::all_of(first, bytes_ + (size_ >> 3), [first](std::uint8_t byte) { return byte == *first; });
  }

 private:
  const std::uint8_t* bytes_ = nullptr;
  std::int64_t size_ = 0, at_ = 0;
};

/// Of `size` bits, whose first one tells the sign.
int extended(std::uint64_t bits, unsigned size) {
  if (size == 0) return 0;
  const auto value = static_cast<int>(bits >> (64 - size));
  return (bits >> 63) != 0 ? value : value - (1 << size) + 1;
}

/// Is the next block as one can be? `mean` is that of the block before, and then of this one.
bool read_block(CodeBits& bits, const JpegTable& dc, const JpegTable& ac, int& mean) {
  const unsigned first = dc.find(bits.peek());
  const unsigned size = JpegTable::value(first);
  if (first == 0 || size > 15) return false;
  bits.skip(JpegTable::length(first));
  mean += extended(bits.peek(), size);
  bits.skip(size);
  unsigned k = 1;
  CodeBits here = bits;
  while (k < 64) {
    const JpegTable::Step step = ac.step(here.peek());
    here.skip(step.bits);
    k += step.coefficients;
  }
  bits = here;
  return k == 64 || k >= JpegTable::end_of_block;
}

}  // namespace

JpegTable::JpegTable(std::span<const std::uint8_t> lengths, std::span<const std::uint8_t> values)
    : values_(values.begin(), values.end()) {
  unsigned code = 0, place = 0;  // the code in 16 bits
  for (unsigned length = 1; length <= 16; ++length) {
    first_[length] = code;
    offset_[length] = place;
    code += lengths[length - 1] * (0x10000u >> length);
    place += lengths[length - 1];
    if (lengths[length - 1] > 0) end_[length] = code;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i)
    steps_[i] = long_step(std::uint64_t{i} << (64 - fast_bits), fast_bits);
}

unsigned JpegTable::find(std::uint64_t bits, unsigned longest) const {
  const auto start = static_cast<unsigned>(bits >> 48);
  for (unsigned length = 1; length <= longest; ++length)
    if (start < end_[length])
      return unsigned{values_[offset_[length] + ((start - first_[length]) >> (16 - length))]} << 8 | length;
  return 0;
}

JpegTable::Step JpegTable::long_step(std::uint64_t bits, unsigned longest) const {
  const unsigned found = find(bits, longest);
  if (found == 0) return longest < 16 ? Step{} : Step{1, wrong};
  const unsigned size = value(found) & 15, run = value(found) >> 4;
  return {static_cast<std::uint8_t>(length(found) + size),
          static_cast<std::uint8_t>(size == 0 && run != 15 ? end_of_block : run + 1)};
}

void JpegCodes::define_codes(std::span<const std::uint8_t> segment) {
  while (segment.size() >= 17) {
    const unsigned kind = segment[0] >> 4, name = segment[0] & 15;
    const auto lengths = segment.subspan(1, 16);
    std::size_t count = 0;
    unsigned room = 0x10000;  // what codes are left, in 16 bits
    for (unsigned i = 0; i < 16; ++i) {
      count += lengths[i];
      const unsigned taken = lengths[i] * (0x8000u >> i);
      if (taken > room) return;
      room -= taken;
    }
    if (kind > 1 || name > 3 || 17 + count > segment.size()) return;
    tables_[kind][name] = JpegTable(lengths, segment.subspan(17, count));
    segment = segment.subspan(17 + count);
  }
}

void JpegCodes::define_quantisation(std::span<const std::uint8_t> segment) {
  while (!segment.empty()) {
    const std::size_t wide = segment[0] >> 4 == 0 ? 1 : 2;
    if (1 + 64 * wide > segment.size()) return;
    steps_[segment[0] & 3] = wide == 1 ? segment[1] : segment[1] << 8 | segment[2];
    segment = segment.subspan(1 + 64 * wide);
  }
}

void JpegCodes::set_restarts(std::span<const std::uint8_t> segment) {
  if (segment.size() >= 2) restarts_ = segment[0] << 8 | segment[1];
}

void JpegCodes::begin(std::span<const std::uint8_t> frame) {
  components_.clear();
  if (frame.size() < 6 || frame[0] != 8 || frame.size() < 6 + 3 * std::size_t{frame[5]}) return;
  height_ = frame[1] << 8 | frame[2];
  width_ = frame[3] << 8 | frame[4];
  across_ = down_ = 1;
  for (std::size_t i = 0; i < frame[5]; ++i) {
    const auto of = frame.subspan(6 + 3 * i, 3);
    components_.push_back({of[0], of[1] >> 4, of[1] & 15, of[2] & 3});
    across_ = std::max(across_, of[1] >> 4);
    down_ = std::max(down_, of[1] & 15);
  }
}

JpegCodes::Layout JpegCodes::layout(std::span<const std::uint8_t> scan) const {
  Layout result;
  if (scan.empty() || width_ == 0 || height_ == 0 || scan.size() < 1 + 2 * std::size_t{scan[0]}) return {};
  const auto pieces = [](int pixels, int size) { return std::int64_t{(pixels + size - 1) / size}; };
  result.units = pieces(width_, 8 * across_) * pieces(height_, 8 * down_);
  for (std::size_t i = 0; i < scan[0]; ++i) {
    const int name = scan[1 + 2 * i];
    const unsigned dc = scan[2 + 2 * i] >> 4, ac = scan[2 + 2 * i] & 15;
    const auto found =
        std::find_if(components_.begin(), components_.end(), [name](const Component& one) { return one.name == name; });
    if (found == components_.end() || dc > 3 || ac > 3 || tables_[0][dc].empty() || tables_[1][ac].empty()) return {};
    if (found->across < 1 || found->down < 1) return {};
    const bool alone = scan[0] == 1;  // then its blocks are the units
    if (alone)
      result.units = pieces(static_cast<int>(pieces(width_ * found->across, across_)), 8) *
                     pieces(static_cast<int>(pieces(height_ * found->down, down_)), 8);
    result.parts.push_back({alone ? 1 : found->across * found->down, &tables_[0][dc], &tables_[1][ac],
                            steps_[static_cast<std::size_t>(found->quantisation)]});
  }
  return result;
}

std::string JpegCodes::problem(std::span<const std::uint8_t> scan, std::span<const std::uint8_t> data) const {
  const Layout all = layout(scan);
  std::vector<std::uint8_t> buffer;
  std::vector<int> means(all.parts.size());
  std::size_t end = 0;
  const std::int64_t piece = restarts_ > 0 ? restarts_ : all.units;
  for (std::int64_t first = 0; first < all.units && !all.parts.empty(); first += piece) {
    CodeBits bits(data, end, buffer);
    std::fill(means.begin(), means.end(), 0);
    const std::int64_t last = std::min(first + piece, all.units);
    for (std::int64_t unit = first; unit < last; ++unit)
      for (std::size_t i = 0; i < all.parts.size(); ++i)
        for (int block = 0; block < all.parts[i].blocks; ++block) {
          const Part& part = all.parts[i];
          if (!read_block(bits, *part.dc, *part.ac, means[i]) || bits.left() < 0)
            return fmt::format("its codes break off after {} % of the picture", 100 * unit / all.units);
          if (std::abs(means[i]) * std::int64_t{part.step} > mean_range + part.step)
            return fmt::format("at {} % of the picture a block is brighter or darker than pixels can be",
                               100 * unit / all.units);
        }
    if (bits.left() >= 8 * (harmless_bytes + 1) && !bits.ends_with_filling())
      return fmt::format("{} bytes are left behind the last pixels", bits.left() / 8);
  }
  return "";
}

}  // namespace vergence::io
