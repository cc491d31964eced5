// SPDX-License-Identifier: Apache-2.0
// Pictures from a fuzzer's input, and what is done with a difference.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bytes.hpp"

namespace vergence::fuzz {

/// Pixels from the input while it lasts; then a short pattern, so that short inputs make whole pictures.
template <class P>
class Pixels {
 public:
  /// 0 .. largest; with `may_be_few` the input can ask for four levels alone, which makes ties.
  Pixels(Bytes& bytes, int largest, bool may_be_few) : bytes_(bytes), largest_(largest), state_(bytes.next() + 1) {
    few_ = may_be_few && bytes.flag();
  }
  P next() {
    step();
    const unsigned value = bytes_.finished() ? state_ >> 16 : bytes_.next() * (sizeof(P) > 1 ? 257u : 1u);
    return few_ ? static_cast<P>(static_cast<int>(value % 4) * (largest_ / 3))
                : static_cast<P>(value % (static_cast<unsigned>(largest_) + 1u));
  }
  /// Of the pattern alone: 0 .. 255.
  unsigned chance() {
    step();
    return state_ >> 24;
  }

 private:
  void step() { state_ = state_ * 1664525u + 1013904223u; }

  Bytes& bytes_;
  int largest_;
  std::uint32_t state_;
  bool few_ = false;
};

/// A place beyond a side of a picture is one on the other side.
inline int around(int at, int side) { return (at % side + side) % side; }

/// Ends the program where there is a difference; else the fuzzer's "go on".
inline int judge(const std::string& difference) {
  if (difference.empty()) return 0;
  fmt::print(stderr, "{}\n", difference);
  std::abort();
}

}  // namespace vergence::fuzz
