// SPDX-License-Identifier: Apache-2.0
// The folder below which the page may open and save files (--root).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace vergence::cli {

/// The parts of a path below the root. Throws Error(invalid_argument) for what could lead elsewhere: an empty part, one
/// that begins with a dot (hidden files are nobody's business here), control characters, long ones.
std::vector<std::string> path_parts(std::string_view path);

/// An open folder; closed with the last copy of the object.
class OpenFolder {
 public:
  explicit OpenFolder(int descriptor) : descriptor_(descriptor) {}
  ~OpenFolder();
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A file, or numbered files, in a folder that is held open.
struct HeldFile {
  std::shared_ptr<const OpenFolder> folder;
  std::string read;  ///< "/proc/self/fd/7/left.png": what readers open, without following a link in the last part.
  std::string told;  ///< "data/left.png": as the command line would have it.
};

struct FolderEntry {
  std::string name;
  bool folder = false;
  std::uint64_t bytes = 0;
};

/// No name leads out: each part of a path is opened in the folder before it, and symbolic links are not followed, so
/// that nobody can exchange a part between a look and its use. Any number of threads may use one.
class ViewRoot {
 public:
  /// UsageError where it is no folder.
  explicit ViewRoot(const std::string& folder);

  /// What the page may see of a folder, by name: folders and regular files, none that are hidden. One more than
  /// `most_entries` where there are more. Throws Error(not_found, invalid_argument, io).
  std::vector<FolderEntry> list(std::string_view folder) const;
  static constexpr std::size_t most_entries = 2000;

  /// A regular file; a name with %d that no file has stands for numbered ones. Throws as list().
  HeldFile hold(std::string_view path) const;

  /// Writes a new file: .json, .png or .ply, and only what begins as such a file does (JSON: what is one). It is there
  /// whole or not at all. Throws as list(), and Error(invalid_argument) with the field "taken" where the name is taken.
  void save(std::string_view path, std::string_view content) const;
  static constexpr std::size_t largest_file = std::size_t{64} << 20;

  /// A message with names as they are told.
  std::string plain(std::string text) const;

 private:
  std::shared_ptr<const OpenFolder> open(const std::vector<std::string>& parts, std::string_view path) const;

  std::string name_;
  std::shared_ptr<const OpenFolder> root_;
  mutable std::mutex mutex_;
  /// Of folders that are or were held: "/proc/self/fd/7/" and how it is told.
  mutable std::map<std::string, std::string> names_;
};

}  // namespace vergence::cli
