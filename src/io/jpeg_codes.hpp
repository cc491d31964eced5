// SPDX-License-Identifier: Apache-2.0
// The entropy-coded data of a JPEG, counted block by block. A flipped or lost byte makes decoders read other codes from
// there on; what is below is then displaced or of another brightness, and no decoder complains. But the codes hardly
// ever end with the last block, and the mean of a block hardly stays within what pixels can have. ITU-T T.81, annex F.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vergence::io {

/// One Huffman table.
class JpegTable {
 public:
  JpegTable() = default;
  /// The lengths of its codes, and its values, of which there must be as many as lengths say. Only one of coefficients
  /// has steps.
  JpegTable(std::span<const std::uint8_t> lengths, std::span<const std::uint8_t> values, bool of_coefficients);
  bool empty() const { return values_.empty(); }

  /// The code that these bits begin with, highest one first; 0 where none does.
  unsigned find(std::uint64_t bits) const {
    const unsigned known = codes_[bits >> (64 - fast_bits)];
    return known != 0 ? known : find_long(bits);
  }
  static unsigned value(unsigned found) { return found >> 8; }
  static unsigned length(unsigned found) { return found & 255; }

  /// From a coefficient to another one that is not 0: the bits of codes and numbers, and by how many coefficients.
  /// `end_of_block` is added to these where the block ends there; it is more than a block has. So is `wrong`, but less
  /// than that.
  struct Step {
    std::uint8_t bits = 0, coefficients = 0;
    /// Without the end of the block.
    unsigned whole() const { return coefficients & 63u; }
  };
  static constexpr unsigned end_of_block = 192, wrong = 100, unknown = 127;
  Step step(std::uint64_t bits) const;
  /// As many steps as are known at once, none beyond the end of a block; `unknown` where one alone must be asked for.
  Step steps(std::uint64_t bits) const { return steps_[bits >> (64 - fast_bits)]; }

 private:
  static constexpr unsigned fast_bits = 10;
  unsigned find_long(std::uint64_t bits) const;
  void join_steps();

  std::array<std::uint16_t, 1 << fast_bits> codes_{};  ///< As `find`, where so many bits hold the code; else 0.
  std::array<Step, 1 << fast_bits> steps_{};
  std::array<unsigned, 17> end_{};     ///< Behind the last code of each length, in 16 bits; 0 where there is none.
  std::array<unsigned, 17> first_{};   ///< The first code of each length, in 16 bits,
  std::array<unsigned, 17> offset_{};  ///< and its place among the values.
  std::vector<std::uint8_t> values_;
};

/// Follows the segments of a JPEG. What it does not know (progressive and arithmetic ones, 12 bits) has no problem.
class JpegCodes {
 public:
  /// Segments, each behind its length.
  void define_codes(std::span<const std::uint8_t> segment);         // DHT
  void define_quantisation(std::span<const std::uint8_t> segment);  // DQT
  void set_restarts(std::span<const std::uint8_t> segment);         // DRI
  void begin(std::span<const std::uint8_t> frame);                  // SOF0, SOF1
  /// What is wrong with the data that follows this segment SOS, up to the next marker that is no restart; empty where
  /// nothing is.
  std::string problem(std::span<const std::uint8_t> scan, std::span<const std::uint8_t> data) const;

 private:
  struct Component {
    int name = 0, across = 1, down = 1, quantisation = 0;
  };
  /// The blocks of one component in a unit, and what they are coded with.
  struct Part {
    int blocks = 1;
    const JpegTable* dc = nullptr;
    const JpegTable* ac = nullptr;
    int most = 0;  ///< That a mean may be away from the middle, in steps.
  };
  struct Layout {
    std::vector<Part> parts;
    std::int64_t units = 0;
  };
  /// Nothing of scans that cannot be followed.
  Layout layout(std::span<const std::uint8_t> scan) const;

  int width_ = 0, height_ = 0, across_ = 1, down_ = 1;
  std::int64_t restarts_ = 0;  ///< Units between two, 0 without restarts.
  std::vector<Component> components_;
  std::array<std::array<JpegTable, 4>, 2> tables_;  ///< Of means, and of the other coefficients.
  std::array<int, 4> steps_{};
};

}  // namespace vergence::io
