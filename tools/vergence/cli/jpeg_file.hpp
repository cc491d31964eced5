// SPDX-License-Identifier: Apache-2.0
// Whether a file is a JPEG, whatever its name.
#pragma once

#include <string>

namespace vergence::cli {

/// By its first bytes. False where it cannot be read, and for what is no regular file, of which nothing is taken.
bool is_jpeg_file(const std::string& path);

}  // namespace vergence::cli
