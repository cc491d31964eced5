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

  /// The next bits, so many of them, from the highest one on. Zeros behind the end.
  static constexpr unsigned peeked = 57;
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

JpegTable::Step step_of(unsigned found) {
  const unsigned size = JpegTable::value(found) & 15, run = JpegTable::value(found) >> 4;
  return {static_cast<std::uint8_t>(JpegTable::length(found) + size),
          static_cast<std::uint8_t>(size == 0 && run != 15 ? JpegTable::end_of_block : run + 1)};
}

/// Is the next block as one can be? `mean` is that of the block before, and then of this one.
bool read_block(CodeBits& bits, const JpegTable& dc, const JpegTable& ac, int& mean) {
  std::uint64_t next = bits.peek();
  const unsigned first = dc.find(next);
  const unsigned size = JpegTable::value(first);
  if (first == 0 || size > 15) return false;
  next <<= JpegTable::length(first);
  mean += extended(next, size);
  next <<= size;
  unsigned used = JpegTable::length(first) + size, k = 1;
  while (k < 64) {
    if (used > CodeBits::peeked - 16) {  // there may be a code of 16 bits
      bits.skip(used);
      next = bits.peek();
      used = 0;
    }
    JpegTable::Step step = ac.steps(next);
    // None are known, or the block may end between two.
    if (k + step.coefficients >= 64 && k + step.whole() >= 64) step = ac.step(next);
    next <<= step.bits;
    used += step.bits;
    k += step.coefficients;
  }
  bits.skip(used);
  return k == 64 || k >= JpegTable::end_of_block;
}

}  // namespace

JpegTable::JpegTable(std::span<const std::uint8_t> lengths, std::span<const std::uint8_t> values, bool of_coefficients)
    : values_(values.begin(), values.end()) {
  steps_.fill({0, unknown});
  unsigned code = 0, place = 0;  // the code in 16 bits
  for (unsigned length = 1; length <= 16; ++length) {
    first_[length] = code;
    offset_[length] = place;
    for (unsigned i = 0; i < lengths[length - 1]; ++i, ++place, code += 0x10000u >> length) {
      if (length > fast_bits) continue;
      const auto found = static_cast<std::uint16_t>(unsigned{values_[place]} << 8 | length);
      const auto at = codes_.begin() + (code >> (16 - fast_bits));
      const auto step = steps_.begin() + (code >> (16 - fast_bits));
      std::fill_n(at, 1u << (fast_bits - length), found);
      if (of_coefficients) std::fill_n(step, 1u << (fast_bits - length), step_of(found));
    }
    if (lengths[length - 1] > 0) end_[length] = code;
  }
  if (of_coefficients) join_steps();
}

/// What follows a step within the same bits is a part of it.
void JpegTable::join_steps() {
  constexpr unsigned all = 1u << fast_bits;
  const std::array<Step, all> single = steps_;
  for (unsigned i = 0; i < all; ++i) {
    Step& joined = steps_[i];
    while (joined.coefficients < wrong) {
      const Step next = single[i << joined.bits & (all - 1)];
      if (next.coefficients == unknown || joined.bits + next.bits > fast_bits || joined.whole() + next.whole() >= 64)
        break;
      joined = {static_cast<std::uint8_t>(joined.bits + next.bits),
                static_cast<std::uint8_t>(joined.coefficients + next.coefficients)};
    }
  }
}

unsigned JpegTable::find_long(std::uint64_t bits) const {
  const auto start = static_cast<unsigned>(bits >> 48);
  for (unsigned length = 1; length <= 16; ++length)
    if (start < end_[length])
      return unsigned{values_[offset_[length] + ((start - first_[length]) >> (16 - length))]} << 8 | length;
  return 0;
}

JpegTable::Step JpegTable::step(std::uint64_t bits) const {
  const unsigned found = find(bits);
  return found == 0 ? Step{1, wrong} : step_of(found);
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
    tables_[kind][name] = JpegTable(lengths, segment.subspan(17, count), kind == 1);
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
    // A missing table is told later. Until then the finest one bounds the means, which would grow without end.
    const int step = std::max(steps_[static_cast<std::size_t>(found->quantisation)], 1);
    result.parts.push_back(
        {alone ? 1 : found->across * found->down, &tables_[0][dc], &tables_[1][ac], mean_range / step + 1});
  }
  return result;
}

std::string JpegCodes::problem(std::span<const std::uint8_t> scan, std::span<const std::uint8_t> data) const {
  const Layout all = layout(scan);
  std::vector<std::size_t> blocks;  // of a unit: their parts
  for (std::size_t i = 0; i < all.parts.size(); ++i)
    blocks.insert(blocks.end(), static_cast<std::size_t>(all.parts[i].blocks), i);
  std::vector<std::uint8_t> buffer;
  std::vector<int> means(all.parts.size());
  std::size_t end = 0;
  const std::int64_t piece = restarts_ > 0 ? restarts_ : all.units;
  for (std::int64_t first = 0; first < all.units && !all.parts.empty(); first += piece) {
    CodeBits bits(data, end, buffer);
    std::fill(means.begin(), means.end(), 0);
    const std::int64_t last = std::min(first + piece, all.units);
    for (std::int64_t unit = first; unit < last; ++unit)
      for (const std::size_t i : blocks) {
        const Part& part = all.parts[i];
        if (!read_block(bits, *part.dc, *part.ac, means[i]) || bits.left() < 0)
          return fmt::format("its codes break off after {} % of the picture", 100 * unit / all.units);
        if (std::abs(means[i]) > part.most)
          return fmt::format("at {} % of the picture a block is brighter or darker than pixels can be",
                             100 * unit / all.units);
      }
    if (bits.left() >= 8 * (harmless_bytes + 1) && !bits.ends_with_filling())
      return fmt::format("{} bytes are left behind the last pixels", bits.left() / 8);
  }
  return "";
}

}  // namespace vergence::io
