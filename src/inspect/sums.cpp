// SPDX-License-Identifier: Apache-2.0
// What sums of bytes are differences from.
#include "inspect/sums.hpp"

namespace vergence::inspect {

const std::array<std::uint8_t, 4096> zeros{};

}  // namespace vergence::inspect
