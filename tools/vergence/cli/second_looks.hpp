// SPDX-License-Identifier: Apache-2.0
// Which mistake would explain a pair that does not match: it is undone, and the pair is looked at again.
#pragma once

#include <string>

#include "vergence/inspect.hpp"
#include "vergence/io.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

/// How one picture that holds both views was halved; `none`: there are two pictures.
enum class Halves { none, columns, rows };

/// What the pictures of a pair that hardly agrees seem to be instead, and what to do: a negative, mirrored, turned by
/// 180 degrees, of another layout, one view cut into two. "" where nothing explains it. Takes some looks' time.
std::string likely_mistake(const StereoFrame& frame, const StereoOptions& options, Halves halves);

/// Most points are found at positive disparities in their rows: a pair is so, if its range, light or focus may be
/// wrong.
bool is_a_pair(const PairFindings& found);

}  // namespace vergence::cli
