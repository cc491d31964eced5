// SPDX-License-Identifier: Apache-2.0
// Two names of a command line that belong together: one file each, or numbered files, number by number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vergence::cli {

class Command;

/// What --frames says, for commands that take such names.
void add_pair_options(Command command, std::optional<std::string>& frames);

/// Has the name a number, and no file that name?
bool is_numbered(const std::string& path);
/// The file of a name for a frame: numbered names become that frame's, others stay.
std::string file_of(const std::string& path, std::int64_t frame);

/// "A" and what was given for it.
struct NamedPath {
  std::string argument;
  std::string path;
};

struct FilePair {
  std::int64_t number = 0;  ///< In the names; 0 where these have none.
  std::string a, b;
};

struct FilePairs {
  bool numbered = false;
  std::vector<FilePair> pairs;  ///< At least one, in order of the numbers.
  /// Where --frames reaches beyond the last file, and where files are left out.
  std::vector<std::string> notices;
};

/// A name with a number (%d, %04d) that is no file's own stands for all files with a number there. Both or neither must
/// be such names, and each number must have both files. Throws UsageError and Error(not_found).
FilePairs pair_files(const NamedPath& a, const NamedPath& b, const std::optional<std::string>& frames);

}  // namespace vergence::cli
