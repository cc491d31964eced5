// SPDX-License-Identifier: Apache-2.0
// A stream is blocks of some bytes, each with a Huffman code of its own. What comes again is told by matches of
// distance 1 alone. Names as in RFC 1951.
#include "io/run_packer.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr std::size_t least_run = 3, longest_run = 258;
constexpr int longest_code = 15;
constexpr std::size_t literals = 256, end_of_block = 256, symbols = 286;

/// A literal's byte, or 256 and the length of a run less 3.
using Token = std::uint16_t;
constexpr std::size_t all_tokens = 512;

/// How a run's length is told: a symbol, and how far it is above the least length of that symbol.
struct RunLength {
  std::size_t symbol = 0;
  std::uint32_t extra = 0;
  int extra_bits = 0;
};

constexpr std::array<RunLength, longest_run - least_run + 1> make_run_lengths() {
  std::array<RunLength, longest_run - least_run + 1> all{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 28; ++i) {
    const int bits = i < 8 ? 0 : static_cast<int>(i / 4) - 1;
    for (std::uint32_t extra = 0; extra < 1u << bits; ++extra, ++at) all[at] = {257 + i, extra, bits};
  }
  all.back() = {285, 0, 0};  // the longest has a symbol of its own
  return all;
}
constexpr auto run_lengths = make_run_lengths();

using Counts = std::array<std::uint32_t, symbols>;
using Lengths = std::array<std::uint8_t, symbols>;

/// So many bytes from `at` on are like the one before it.
std::size_t run_at(const std::uint8_t* at, std::size_t most) {
  const std::uint64_t alike = std::uint64_t{at[-1]} * 0x0101010101010101u;
  std::size_t length = 0;
  for (; length + 8 <= most; length += 8) {
    std::uint64_t next = 0;
    std::memcpy(&next, at + length, 8);
    if (next != alike) break;
  }
  while (length < most && at[length] == at[-1]) ++length;
  return length;
}

/// Of a block. Adds up how often each symbol comes; returns how many tokens there are, at most one for a byte.
std::size_t find_tokens(std::span<const std::uint8_t> block, Token* tokens, Counts& counts) {
  Token* end = tokens;
  for (std::size_t i = 0; i < block.size();) {
    *end++ = block[i];
    ++counts[block[i]];
    if (++i == block.size() || block[i] != block[i - 1]) continue;
    std::size_t run = run_at(&block[i], block.size() - i);
    for (; run >= least_run; run -= (end[-1] - literals) + least_run) {
      const std::size_t above_least = std::min(run, longest_run) - least_run;
      *end++ = static_cast<Token>(literals + above_least);
      ++counts[run_lengths[above_least].symbol];
      i += above_least + least_run;
    }
    for (; run > 0; --run) {
      *end++ = block[i];
      ++counts[block[i++]];
    }
  }
  return static_cast<std::size_t>(end - tokens);
}

/// Huffman's code of at least two symbols. Returns the length of the longest one.
int find_lengths(const Counts& counts, Lengths& lengths) {
  std::array<std::size_t, symbols> used{};
  std::size_t leaves = 0;
  for (std::size_t i = 0; i < symbols; ++i)
    if (counts[i] > 0) used[leaves++] = i;
  std::stable_sort(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(leaves),
                   [&counts](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
  // Behind the leaves come nodes that join the two lightest each, so that both lists are in order.
  std::array<std::uint32_t, 2 * symbols> weight{};
  std::array<std::size_t, 2 * symbols> parent{};
  for (std::size_t i = 0; i < leaves; ++i) weight[i] = counts[used[i]];
  const std::size_t root = 2 * leaves - 2;
  std::size_t leaf = 0, inner = leaves;
  for (std::size_t node = leaves; node <= root; ++node)
    for (int child = 0; child < 2; ++child) {
      const bool is_leaf = leaf < leaves && (inner == node || weight[leaf] <= weight[inner]);
      const std::size_t lightest = is_leaf ? leaf++ : inner++;
      weight[node] += weight[lightest];
      parent[lightest] = node;
    }
  std::array<std::uint8_t, 2 * symbols> depth{};
  lengths.fill(0);
  for (std::size_t node = root; node-- > 0;) {
    depth[node] = static_cast<std::uint8_t>(depth[parent[node]] + 1);
    if (node < leaves) lengths[used[node]] = depth[node];
  }
  return *std::max_element(lengths.begin(), lengths.end());
}

/// No longer than the format allows: where they would be, rare symbols are taken for less rare ones.
Lengths lengths_of(Counts counts) {
  Lengths lengths{};
  while (find_lengths(counts, lengths) > longest_code)
    for (std::uint32_t& count : counts) count = (count + 3) / 4;
  return lengths;
}

/// Bits as they stand in the stream, the first one lowest.
struct Code {
  std::uint32_t bits = 0;
  int width = 0;
};

std::uint32_t reversed(std::uint32_t code, int width) {
  std::uint32_t bits = 0;
  for (int i = 0; i < width; ++i) bits |= (code >> i & 1u) << (width - 1 - i);
  return bits;
}

std::array<Code, symbols> codes_of(const Lengths& lengths) {
  std::array<std::uint32_t, longest_code + 1> counts{}, next{};
  for (const std::uint8_t length : lengths) ++counts[length];
  counts[0] = 0;
  for (std::size_t i = 1; i < next.size(); ++i) next[i] = (next[i - 1] + counts[i - 1]) << 1;
  std::array<Code, symbols> codes{};
  for (std::size_t i = 0; i < symbols; ++i)
    if (lengths[i] > 0) codes[i] = {reversed(next[lengths[i]]++, lengths[i]), lengths[i]};
  return codes;
}

/// Of tokens, the extra bits and the distance of runs included: 21 bits at most.
std::array<Code, all_tokens> token_codes(const std::array<Code, symbols>& codes) {
  std::array<Code, all_tokens> all{};
  std::copy_n(codes.begin(), literals, all.begin());
  for (std::size_t i = 0; i < run_lengths.size(); ++i) {
    const RunLength& run = run_lengths[i];
    const Code& code = codes[run.symbol];
    all[literals + i] = {code.bits | run.extra << code.width,
                         code.width + run.extra_bits + 1};  // distance 1 is a bit 0
  }
  return all;
}

class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* to) : to_(to) {}
  /// Up to 56 bits fit between two calls of drain().
  void put(const Code& code) {
    bits_ |= std::uint64_t{code.bits} << count_;
    count_ += code.width;
  }
  void drain() {
    const std::uint64_t stored = ByteReader::from_order(bits_, std::endian::little);
    std::memcpy(to_, &stored, sizeof(stored));
    const int bytes = count_ / 8;
    to_ += bytes;
    bits_ >>= 8 * bytes;
    count_ -= 8 * bytes;
  }
  /// Fills up the last byte; the place behind it.
  std::uint8_t* end() {
    count_ = (count_ + 7) / 8 * 8;
    drain();
    return to_;
  }

 private:
  std::uint8_t* to_;
  std::uint64_t bits_ = 0;
  int count_ = 0;
};

/// The lengths of codes stand as numbers of 4 bits, which is a code, too.
void put_lengths(BitWriter& out, const Lengths& lengths) {
  constexpr std::uint32_t distances = 2;  // a code of one symbol alone would not be complete
  out.put({symbols - 257, 5});
  out.put({distances - 1, 5});
  out.put({19 - 4, 4});
  out.drain();
  for (int i = 0; i < 19; ++i, out.drain()) out.put({i < 3 ? 0u : 4u, 3});  // the first three say that lengths repeat
  const auto put = [&out](std::uint32_t length) {
    out.put({reversed(length, 4), 4});
    out.drain();
  };
  for (const std::uint8_t length : lengths) put(length);
  for (std::uint32_t i = 0; i < distances; ++i) put(1);
}

void put_block(BitWriter& out, std::span<const std::uint8_t> block, Token* tokens, bool is_last) {
  Counts counts{};
  const std::size_t count = find_tokens(block, tokens, counts);
  counts[end_of_block] = 1;
  counts[0] = std::max(counts[0], 1u);  // two symbols at least
  const Lengths lengths = lengths_of(counts);
  const std::array<Code, symbols> codes = codes_of(lengths);
  const std::array<Code, all_tokens> of_tokens = token_codes(codes);
  out.put({(is_last ? 1u : 0u) | 2u << 1, 3});
  put_lengths(out, lengths);
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    out.put(of_tokens[tokens[i]]);
    out.put(of_tokens[tokens[i + 1]]);
    out.drain();
  }
  if (i < count) out.put(of_tokens[tokens[i]]);
  out.put(codes[end_of_block]);
  out.drain();
}

}  // namespace

std::size_t most_packed_runs(std::size_t bytes) {
  constexpr std::size_t head = 200, ends = 32;  // of a block; of the stream, and what is written ahead
  return 2 * bytes + (bytes / block_bytes + 1) * head + ends;
}

std::size_t pack_runs(std::span<const std::uint8_t> bytes, std::uint8_t* to) {
  std::uint8_t* at = to;
  *at++ = 0x78;
  *at++ = 0x01;
  BitWriter out(at);
  const std::unique_ptr<Token[]> tokens(new Token[std::min(block_bytes, bytes.size())]);
  std::span<const std::uint8_t> rest = bytes;
  do {
    const auto block = rest.first(std::min(block_bytes, rest.size()));
    rest = rest.subspan(block.size());
    put_block(out, block, tokens.get(), rest.empty());
  } while (!rest.empty());
  at = out.end();
  const std::uint32_t sum = ByteReader::from_order(libdeflate_adler32(1, bytes.data(), bytes.size()), std::endian::big);
  std::memcpy(at, &sum, sizeof(sum));
  return static_cast<std::size_t>(at + sizeof(sum) - to);
}

}  // namespace vergence::io
