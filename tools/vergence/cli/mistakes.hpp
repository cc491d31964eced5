// SPDX-License-Identifier: Apache-2.0
// How mistakes on the command line are explained.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vergence::cli {

/// The mistake in one line, with the name that was probably meant.
std::string explain_mistake(const CLI::App& program, const CLI::ParseError& error);

}  // namespace vergence::cli
