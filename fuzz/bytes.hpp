// SPDX-License-Identifier: Apache-2.0
// A fuzzer's input as numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vergence::fuzz {

/// The input, read front to back; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned next() { return position_ < size_ ? data_[position_++] : 0u; }
  /// low .. high from one byte, or from two where one cannot reach them all.
  int within(int low, int high) {
    const auto span = static_cast<unsigned>(high - low) + 1u;
    const unsigned value = span <= 256 ? next() : next() * 256u + next();
    return low + static_cast<int>(value % span);
  }
  bool flag() { return next() % 2 == 1; }
  bool finished() const { return position_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t position_ = 0;
};

}  // namespace vergence::fuzz
