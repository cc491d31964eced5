// SPDX-License-Identifier: Apache-2.0
// In how many bytes two numbers differ.
#pragma once

#include <cstdint>
#include <type_traits>

namespace vergence::cli {

/// Of integers of the same width, or in that of the wider one.
template <class A, class B>
int differing_bytes(A a, B b) {
  using Wider = std::make_unsigned_t<std::conditional_t<(sizeof(A) < sizeof(B)), B, A>>;
  int bytes = 0;
  for (auto bits = static_cast<std::uint64_t>(static_cast<Wider>(static_cast<Wider>(a) ^ static_cast<Wider>(b)));
       bits != 0; bits >>= 8)
    bytes += (bits & 255u) != 0 ? 1 : 0;
  return bytes;
}

}  // namespace vergence::cli
