// SPDX-License-Identifier: Apache-2.0
// `vergence study`: says where the published experiments are.

#include "cli/command.hpp"
#include "cli/program.hpp"

namespace vergence::cli {

void add_study(Program& program) {
  Command command = program.add("study", "Say how published experiments are repeated");
  command.take_anything();
  command.run([]() -> int {
    throw UsageError(
        "studies have a program of their own, vergence_study: in a source tree, `cmake --build build/release --target "
        "vergence_study` builds build/release/bin/vergence_study, and its --help lists them");
  });
}

}  // namespace vergence::cli
