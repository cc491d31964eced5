// SPDX-License-Identifier: Apache-2.0
// The program's SAD, pixel by pixel: each of the files that include it is compiled with flags of its own.
#include <cstdint>
#include <cstdlib>

#include "motion-cuda/lab.hpp"

namespace vergence::studies::motion_cuda {
namespace {

template <int side>
int sad_of(const std::uint8_t* mine, const std::uint8_t* theirs, int stride) {
  int sad = 0;
  for (int i = 0; i < side; ++i, mine += side, theirs += stride)
    for (int j = 0; j < side; ++j) sad += std::abs(mine[j] - theirs[j]);
  return sad;
}

int sad_of_side(const std::uint8_t* mine, const std::uint8_t* theirs, int stride, int side) {
  switch (side) {
    case 8:
      return sad_of<8>(mine, theirs, stride);
    case 16:
      return sad_of<16>(mine, theirs, stride);
    case 64:
      return sad_of<64>(mine, theirs, stride);
    default:
      return sad_of<32>(mine, theirs, stride);
  }
}

}  // namespace
}  // namespace vergence::studies::motion_cuda
