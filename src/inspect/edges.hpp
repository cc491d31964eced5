// SPDX-License-Identifier: Apache-2.0
// Whether opposite edges of a picture could be neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace vergence::inspect {

/// Of `lines` rows, or columns, whose pixels at(line, place) end at `last`: do their ends go on in each other, as far
/// as neighbours do? Few pictures have such, which spares all else for others. `level` is a grey level of 255.
template <class At>
bool edges_may_meet(int lines, int last, int level, const At& at) {
  constexpr int apart = 4;
  std::int64_t joined = 0, joined_below = 0, inner = 0, count = 0;
  for (int line = 0; line + 1 < lines; line += apart, ++count) {
    const int first = at(line, 0), end = at(line, last);
    joined += std::abs(end - first);
    joined_below += std::abs(end - at(line + 1, 0));  // a row may have its end in the next one
    inner += std::abs(first - at(line, 1)) + std::abs(at(line, last - 1) - end);
  }
  return std::min(joined, joined_below) <= inner + 2 * level * count;
}

}  // namespace vergence::inspect
