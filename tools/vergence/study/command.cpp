// SPDX-License-Identifier: Apache-2.0
// `vergence study`: says where the published experiments are.
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace vergence::cli {

void add_study(CLI::App& program, Action& /*action*/) {
  CLI::App* const command = program.add_subcommand("study", "Say how published experiments are repeated");
  command->allow_extras();
  command->callback([] {
    throw UsageError(
        "studies have a program of their own, vergence_study: in a source tree, `cmake --build build/release --target "
        "vergence_study` builds build/release/bin/vergence_study, and its --help lists them");
  });
}

}  // namespace vergence::cli
