// SPDX-License-Identifier: Apache-2.0
// Warnings and --strict.
#include "cli/strict.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <set>
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

namespace {

/// What all HeldFiles hold now, for the thread that ends the process.
struct HeldNow {
  std::mutex mutex;
  std::set<std::string> files;
};

HeldNow& held_now() {
  static auto* const all = new HeldNow;  // outlives the thread
  return *all;
}

}  // namespace

HeldFiles::~HeldFiles() {
  const std::lock_guard lock(held_now().mutex);
  std::error_code ignored;
  for (const Held& file : held_) {
    std::filesystem::remove(file.now, ignored);
    held_now().files.erase(file.now);
  }
}

void HeldFiles::drop_all() {
  held_now().mutex.lock();  // and never unlocked
  std::error_code ignored;
  for (const std::string& file : held_now().files) std::filesystem::remove(file, ignored);
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
  const std::lock_guard lock(held_now().mutex);
  held_now().files.insert(now);
  held_.push_back({now, target});
  return now;
}

void HeldFiles::commit() {
  const std::lock_guard lock(held_now().mutex);
  for (const Held& file : held_) {
    std::error_code problem;
    std::filesystem::rename(file.now, file.path, problem);
    if (problem) throw Error(ErrorCode::io, fmt::format("cannot write {}: {}", file.path, problem.message()));
  }
  for (const Held& file : held_) held_now().files.erase(file.now);
  held_.clear();
}

}  // namespace vergence::cli
