// SPDX-License-Identifier: Apache-2.0
// The page's files, which lie in the module: their bytes are generated (web/embed.mjs).
#pragma once

#include <span>

#include "view/server.hpp"

namespace vergence::cli {

std::span<const PageFile> page_files();

}  // namespace vergence::cli
