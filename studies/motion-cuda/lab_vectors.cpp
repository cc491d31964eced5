// SPDX-License-Identifier: Apache-2.0
// The program's SAD with what vectors the compiler finds for any processor of this kind: CMakeLists.txt says so.
#include "motion-cuda/lab_sad-inl.h"

namespace vergence::studies::motion_cuda {

int sad_vectors(const std::uint8_t* mine, const std::uint8_t* theirs, int stride, int side) {
  return sad_of_side(mine, theirs, stride, side);
}

}  // namespace vergence::studies::motion_cuda
