// SPDX-License-Identifier: Apache-2.0
// Which studies there are.
#include <array>

#include "common/study.hpp"
#include "motion-cuda/study.hpp"
#include "sad-streaming/study.hpp"
#include "ssd-local-memory/study.hpp"
#include "stencil-energy/study.hpp"

namespace vergence::studies {

std::span<const Study> studies() {
  static const std::array all{sad_streaming::study(), ssd_local_memory::study(), motion_cuda::study(),
                              stencil_energy::study()};
  return all;
}

}  // namespace vergence::studies
