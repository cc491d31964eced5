// SPDX-License-Identifier: Apache-2.0
// How players show a video otherwise than it is stored, and when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/libav.hpp"

namespace vergence::io {

/// One line where players turn or stretch the frames, else "".
std::string shown_notice(const AVStream& stream, const std::string& path);
/// One line where frames come much later than the others; else "". `times` are those of the packets so far; where these
/// are not the `whole` stream, some that are shown before the last ones may be still to come.
std::string gap_notice(std::vector<std::int64_t> times, const std::string& path, bool whole);

}  // namespace vergence::io
