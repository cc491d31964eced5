// SPDX-License-Identifier: Apache-2.0
// Warnings and --strict.
#include "cli/strict.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "vergence/output_file.hpp"

namespace vergence::cli {

void add_strict_option(Command command, bool& strict) {
  command.flag("--strict", strict, "A warning is an error: status 1, and no output stands under its name");
}

void refuse_warnings(bool strict, const std::vector<std::string>& warnings) {
  if (strict && !warnings.empty())
    throw Error(ErrorCode::bad_data, fmt::format("{} (--strict: a warning is an error)", warnings.front()));
}

void Warnings::add(const std::string& line) {
  if (line.empty()) return;
  lines_.push_back(line);
  refuse_warnings(strict_, lines_);
  warn(line);
}

HeldFiles::~HeldFiles() {
  std::error_code ignored;
  for (const Held& file : held_) std::filesystem::remove(file.now, ignored);
}

std::string HeldFiles::place(const std::string& path) {
  if (!strict_) return path;
  const std::string target = AtomicFile::target(path);
  std::error_code problem;
  if (std::filesystem::exists(target, problem) && !std::filesystem::is_regular_file(target, problem))
    return path;  // what a pipe has taken cannot be taken back
  // The format follows the ending, so that this stays the last.
  const std::string now = target.substr(0, target.size() - ending(target).size()) + ".partial" +
                          path.substr(path.size() - ending(path).size());
  require_absent(now, path);
  held_.push_back({now, target});
  return now;
}

void HeldFiles::commit() {
  for (const Held& file : held_) {
    std::error_code problem;
    std::filesystem::rename(file.now, file.path, problem);
    if (problem) throw Error(ErrorCode::io, fmt::format("cannot write {}: {}", file.path, problem.message()));
  }
  held_.clear();
}

}  // namespace vergence::cli
