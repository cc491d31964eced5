// SPDX-License-Identifier: Apache-2.0
// Names as in RFC 1951.
#include "io/inflate.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace vergence::io {
namespace {

/// The stream is damaged.
struct Damage {};
/// Nothing more is wanted.
struct Enough {};

class Bits {
 public:
  explicit Bits(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// The next bits, the first one lowest; behind the end there are zeros.
  unsigned peek(unsigned count) {
    while (held_ < count && at_ < bytes_.size()) {
      word_ |= std::uint64_t{bytes_[at_++]} << held_;
      held_ += 8;
    }
    return static_cast<unsigned>(word_ & ((std::uint64_t{1} << count) - 1));
  }
  /// Of those that were seen.
  void drop(unsigned count) {
    if (count > held_) throw Damage{};
    word_ >>= count;
    held_ -= count;
  }
  unsigned take(unsigned count) {
    const unsigned value = peek(count);
    drop(count);
    return value;
  }
  void skip_to_byte() { take(held_ % 8); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t word_ = 0;
  unsigned held_ = 0;  ///< Bits in the word.
};

/// A Huffman code, known by the lengths of its codes: those of one length follow one another, by the symbols' order.
class Code {
 public:
  static constexpr unsigned longest = 15;

  explicit Code(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++count_[length];
    count_[0] = 0;
    int free = 1;
    for (unsigned length = 1; length <= longest; ++length) {
      free = 2 * free - count_[length];
      if (free < 0) throw Damage{};
    }
    std::array<int, longest + 1> next{};
    std::partial_sum(count_.begin(), count_.end() - 1, next.begin() + 1);
    symbols_.resize(lengths.size());
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0)
        symbols_[static_cast<std::size_t>(next[lengths[symbol]]++)] = static_cast<std::uint16_t>(symbol);
    for (unsigned start = 0; start < short_.size(); ++start) short_[start] = find(start, quick);
  }

  unsigned read(Bits& bits) const {
    const unsigned start = bits.peek(longest);
    Found found = short_[start & (short_.size() - 1)];
    if (found.length == 0) found = find(start, longest);
    if (found.length == 0) throw Damage{};
    bits.drop(found.length);
    return found.symbol;
  }

 private:
  static constexpr unsigned quick = 9;
  struct Found {
    std::uint16_t symbol = 0;
    std::uint8_t length = 0;  ///< 0: none.
  };
  /// The symbol whose code stands at the start of these bits, if it has no more than `most`.
  Found find(unsigned bits, unsigned most) const {
    int code = 0, first = 0, before = 0;  // the first code of this length, and the symbols of shorter ones
    for (unsigned length = 1; length <= most; ++length, bits >>= 1) {
      code = 2 * code + static_cast<int>(bits & 1);
      if (code - first < count_[length])
        return {symbols_[static_cast<std::size_t>(before + code - first)], static_cast<std::uint8_t>(length)};
      before += count_[length];
      first = 2 * (first + count_[length]);
    }
    return {};
  }

  std::array<int, longest + 1> count_{};  ///< Codes of each length.
  std::vector<std::uint16_t> symbols_;    ///< By their codes.
  std::array<Found, 1u << quick> short_;  ///< By the next bits, where the code is no longer than these.
};

/// The last bytes, which what follows refers to, and those that were not given yet.
class Output {
 public:
  using Take = std::function<bool(std::span<const std::uint8_t>)>;
  explicit Output(const Take& take) : take_(take), bytes_(2 * window) {}

  void put(std::uint8_t byte) {
    if (end_ == bytes_.size()) {
      give();
      std::copy(bytes_.begin() + window, bytes_.end(), bytes_.begin());
      end_ = given_ = window;
    }
    bytes_[end_++] = byte;
  }
  void repeat(std::size_t distance, unsigned length) {
    for (; length > 0; --length) {
      if (distance > end_) throw Damage{};
      put(bytes_[end_ - distance]);
    }
  }
  void give() {
    const auto piece = std::span(bytes_).subspan(given_, end_ - given_);
    add_to_sum(piece);
    if (!take_(piece)) throw Enough{};
    given_ = end_;
  }
  /// Adler-32 of what was given.
  std::uint32_t sum() const { return high_ << 16 | low_; }

 private:
  void add_to_sum(std::span<const std::uint8_t> piece) {
    constexpr std::size_t most = 5552;  // so many bytes, and the sums fit 32 bits
    for (; !piece.empty(); piece = piece.subspan(std::min(most, piece.size()))) {
      for (const std::uint8_t byte : piece.first(std::min(most, piece.size()))) {
        low_ += byte;
        high_ += low_;
      }
      low_ %= 65521;
      high_ %= 65521;
    }
  }

  static constexpr std::size_t window = 32768;
  const Take& take_;
  std::vector<std::uint8_t> bytes_;
  std::size_t end_ = 0, given_ = 0;
  std::uint32_t low_ = 1, high_ = 0;
};

void stored_block(Bits& bits, Output& out) {
  bits.skip_to_byte();
  const unsigned length = bits.take(16);
  if (bits.take(16) != (length ^ 0xFFFFu)) throw Damage{};
  for (unsigned i = 0; i < length; ++i) out.put(static_cast<std::uint8_t>(bits.take(8)));
}

void coded_block(Bits& bits, Output& out, const Code& literals, const Code& distances) {
  constexpr unsigned end_of_block = 256, longest_match = 285;
  for (;;) {
    const unsigned symbol = literals.read(bits);
    if (symbol == end_of_block) return;
    if (symbol < end_of_block) {
      out.put(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol > longest_match) throw Damage{};
    // Four lengths, and two distances, share each number of extra bits.
    const unsigned step = symbol - 257;
    unsigned length = 258;
    if (symbol != longest_match) {
      const unsigned extra = step < 8 ? 0 : step / 4 - 1;
      length = 3 + (step < 8 ? step : (4 + step % 4) << extra) + bits.take(extra);
    }
    const unsigned far = distances.read(bits);
    if (far > 29) throw Damage{};
    const unsigned extra = far < 4 ? 0 : far / 2 - 1;
    out.repeat(1 + (far < 4 ? far : (2 + far % 2) << extra) + bits.take(extra), length);
  }
}

void fixed_block(Bits& bits, Output& out) {
  std::array<std::uint8_t, 288> literals{};
  for (std::size_t i = 0; i < literals.size(); ++i) literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  std::array<std::uint8_t, 30> distances{};
  distances.fill(5);
  coded_block(bits, out, Code(literals), Code(distances));
}

void dynamic_block(Bits& bits, Output& out) {
  const unsigned literals = 257 + bits.take(5), distances = 1 + bits.take(5), own = 4 + bits.take(4);
  constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> own_lengths{};
  for (unsigned i = 0; i < own; ++i) own_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3));
  const Code code(own_lengths);
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals + distances) {
    const unsigned symbol = code.read(bits);
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) throw Damage{};
    const std::uint8_t repeated = symbol == 16 ? lengths.back() : 0;
    const unsigned times = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() > literals + distances) throw Damage{};
  const std::span<const std::uint8_t> all(lengths);
  coded_block(bits, out, Code(all.first(literals)), Code(all.subspan(literals)));
}

void unpack(Bits& bits, Output& out) {
  constexpr unsigned deflate = 8;
  if (bits.take(4) != deflate) throw Damage{};
  bits.take(4);
  bits.take(5);
  if (bits.take(1) != 0) throw Damage{};  // a dictionary, which PNG does not know
  bits.take(2);
  for (bool last = false; !last;) {
    last = bits.take(1) != 0;
    const unsigned kind = bits.take(2);
    if (kind == 0) stored_block(bits, out);
    if (kind == 1) fixed_block(bits, out);
    if (kind == 2) dynamic_block(bits, out);
    if (kind == 3) throw Damage{};
  }
  out.give();
  bits.skip_to_byte();
  std::uint32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum << 8 | bits.take(8);
  if (sum != out.sum()) throw Damage{};
}

}  // namespace

bool inflate(std::span<const std::uint8_t> packed, const std::function<bool(std::span<const std::uint8_t>)>& take) {
  Bits bits(packed);
  Output out(take);
  try {
    unpack(bits, out);
  } catch (const Enough&) {
    return true;
  } catch (const Damage&) {
    return false;
  }
  return true;
}

}  // namespace vergence::io
