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
  /// The lengths of its codes, and its values, of which there must be as many as lengths say.
  JpegTable(std::span<const std::uint8_t> lengths, std::span<const std::uint8_t> values);
  bool empty() const { return values_.empty(); }

  /// The code that these bits begin with, highest one first; 0 where none does.
  unsigned find(std::uint64_t bits, unsigned longest = 16) const;
  static unsigned value(unsigned found) { return found >> 8; }
  static unsigned length(unsigned found) { return found & 255; }

  /// From a coefficient to the next one that is not 0: the bits of both code and number, and by how many coefficients.
  /// `end_of_block` is more than a block has, `wrong` too, but less than that.
  struct Step {
    std::uint8_t bits = 0, coefficients = 0;
  };
  static constexpr unsigned end_of_block = 192, wrong = 100;
  Step step(std::uint64_t bits) const {
    const Step known = steps_[bits >> (64 - fast_bits)];
    return known.bits != 0 ? known : long_step(bits, 16);
  }

 private:
  static constexpr unsigned fast_bits = 9;
  Step long_step(std::uint64_t bits, unsigned longest) const;

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
    int step = 1;  ///< Of the mean of blocks.
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
