// SPDX-License-Identifier: Apache-2.0
// RAPL counters of processors (Intel's, and AMD's, which Linux shows in the same form), as zones of Linux' powercap.
#pragma once

#include <string>

#include "energy/counter.hpp"

namespace vergence::energy {

/// The zones below `folder`: Linux, Documentation/power/powercap/powercap.rst. A zone is named after those above it
/// ("package-0/core"); a zone that is shown twice, through registers and through memory, is taken once.
Sources find_rapl(const std::string& folder);

}  // namespace vergence::energy
