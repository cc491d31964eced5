// SPDX-License-Identifier: Apache-2.0
// Warnings of a command; with --strict one is an error, and then no output stands under its name.
#pragma once

#include <string>
#include <vector>

namespace vergence::cli {

class Command;

void add_strict_option(Command command, bool& strict);

/// With `strict`, the first of the warnings is an Error.
void refuse_warnings(bool strict, const std::vector<std::string>& warnings);

/// What was noticed: said at once, and in the report of --json.
class Warnings {
 public:
  explicit Warnings(bool strict = false) : strict_(strict) {}
  /// "" says nothing.
  void add(const std::string& line);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  bool strict_;
  std::vector<std::string> lines_;
};

/// Files that get their names when the run has ended without a warning. Where not strict, they have them at once.
class HeldFiles {
 public:
  explicit HeldFiles(bool strict) : strict_(strict) {}
  HeldFiles(const HeldFiles&) = delete;
  HeldFiles& operator=(const HeldFiles&) = delete;
  /// Removes what was not committed.
  ~HeldFiles();

  /// Whether files have their own names only once all are written.
  bool holds() const { return strict_; }
  /// The name under which to write `path` now: map_0001.png is map_0001.partial.png until then.
  std::string place(const std::string& path);
  /// Under a WriteGuard. Error(io) where a file cannot be renamed.
  void commit();
  /// Removes the files of all, and lets none be placed or committed any more: the process ends. For the thread that
  /// signals end.
  static void drop_all();

 private:
  struct Held {
    std::string now;
    std::string path;
  };
  bool strict_;
  std::vector<Held> held_;
};

}  // namespace vergence::cli
