// SPDX-License-Identifier: Apache-2.0
// The command line and the loop that all differential programs share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "vergence/image.hpp"

namespace vergence::fuzz {

struct Differential {
  std::string targets;  ///< whose bytes are compared with the reference's
  /// Empty, or what differs in the case of a seed.
  std::function<std::string(std::uint64_t seed, Size largest)> difference;
};

/// Runs `[CASES [SEED [WIDTHxHEIGHT]]]` of the command line, by default 1000 cases from seed 1 on of up to `usual` px;
/// every 16th case may be four times as wide. Stops at the first difference. The exit status: 0, 1 or 2 (usage).
int differential_main(int count, char** arguments, const char* program, Size usual,
                      const std::function<Differential()>& make);

}  // namespace vergence::fuzz
