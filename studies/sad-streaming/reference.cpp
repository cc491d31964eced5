// SPDX-License-Identifier: Apache-2.0
// The plain form of the study's matcher, and the padded pictures.
#include <algorithm>
#include <cstdlib>

#include "core/parallel.hpp"
#include "sad-streaming/study.hpp"

namespace vergence::studies::sad_streaming {

Image<std::int32_t> reference(const Problem& p, const Image<std::uint8_t>& left, const Image<std::uint8_t>& right) {
  Image<std::int32_t> map(left.size(), 0);
  const auto sad = [&](int x, int y, int d) {
    int sum = 0;
    for (int v = y - p.radius; v <= y + p.radius; ++v)
      for (int u = x - p.radius; u <= x + p.radius; ++u) {
        const int partner = u + d < left.width() ? left(u + d, v) : 0;
        sum += std::abs(right(u, v) - partner);
      }
    return sum;
  };
  Threads threads;
  threads.rows(std::max(left.height() - 2 * p.radius, 0), 1, [&](int first, int last, int) {
    for (int y = p.radius + first; y < p.radius + last; ++y)
      for (int x = p.radius; x < left.width() - p.radius; ++x) {
        int best = 0, best_sad = sad(x, y, 0);
        for (int d = 1; d < p.disparities; ++d) {
          const int here = sad(x, y, d);
          if (here < best_sad) {
            best_sad = here;
            best = d;
          }
        }
        map(x, y) = best;
      }
  });
  return map;
}

Pair::Pair(const Problem& p, const Image<std::uint8_t>& left, const Image<std::uint8_t>& right)
    : expected(reference(p, left, right)) {
  const auto pitch = static_cast<std::size_t>(p.padded.width);
  const auto pad = [&](const Image<std::uint8_t>& from, auto& to) {
    to.assign(pitch * static_cast<std::size_t>(p.padded.height), 0);
    for (int y = 0; y < from.height(); ++y)
      for (int x = 0; x < from.width(); ++x)
        to[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)] = from(x, y);
  };
  pad(left, left_words);
  pad(right, right_words);
  pad(left, left_bytes);
  pad(right, right_bytes);
}

}  // namespace vergence::studies::sad_streaming
