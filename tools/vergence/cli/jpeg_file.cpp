// SPDX-License-Identifier: Apache-2.0
// Looks at a file's first bytes.
#include "cli/jpeg_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace vergence::cli {

bool is_jpeg_file(const std::string& path) {
  std::error_code problem;
  std::array<char, 3> start{};
  if (std::filesystem::is_regular_file(path, problem))
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\xFF\xD8\xFF";
}

}  // namespace vergence::cli
