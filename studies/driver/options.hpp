// SPDX-License-Identifier: Apache-2.0
// The studies as commands of a program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "vergence/image.hpp"

namespace vergence::cli {

/// Reads a picture, or the first frames of a clip (`most` at most), as 8-bit grey.
using ReadGrey = std::function<std::vector<Image<std::uint8_t>>(const std::string& path, int most)>;

/// Calls what writes files.
using WriteFiles = std::function<void(const std::function<void()>& action)>;

/// A command for each study, with an option for each of its settings.
void add_studies(Program& program, const ReadGrey& read, const WriteFiles& write);

}  // namespace vergence::cli
