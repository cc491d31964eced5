// SPDX-License-Identifier: Apache-2.0
// Damage that files suffer: single bits, overwritten and lost blocks, a missing end.
#pragma once

#include <algorithm>
#include <random>
#include <string>

namespace vergence::test {

enum class Damage { bit, bits, overwritten, lost, truncated };
inline constexpr int damage_kinds = 5;

inline Damage damage_of(unsigned seed) { return static_cast<Damage>(seed % damage_kinds); }

/// The same damage for the same seed, on every machine.
inline std::string damaged(std::string bytes, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  const auto flip = [&] {
    char& byte = bytes[below(bytes.size())];
    byte = static_cast<char>(byte ^ static_cast<char>(1 << below(8)));
  };
  const std::size_t at = below(bytes.size());
  const std::size_t rest = bytes.size() - at;
  switch (damage_of(seed)) {
    case Damage::bit:
      flip();
      break;
    case Damage::bits:
      for (std::size_t i = 1 + below(20); i > 0; --i) flip();
      break;
    case Damage::overwritten:
      for (std::size_t i = 0, count = std::min(rest, 1 + below(64)); i < count; ++i)
        bytes[at + i] = static_cast<char>(below(256));
      break;
    case Damage::lost:
      bytes.erase(at, std::min(rest, 1 + below(400)));
      break;
    case Damage::truncated:
      bytes.resize(at);
      break;
  }
  return bytes;
}

}  // namespace vergence::test
