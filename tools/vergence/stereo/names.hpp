// SPDX-License-Identifier: Apache-2.0
// The names of files of `vergence stereo` and the number in them.
#pragma once

#include <string>
#include <vector>

#include "stereo/run.hpp"

namespace vergence::cli {

/// UsageError where frames of a stream would overwrite each other, or a single pair is given names of many files.
/// Returns the warnings: one line each.
std::vector<std::string> check_stereo_names(const StereoArguments& arguments, bool is_stream);

}  // namespace vergence::cli
