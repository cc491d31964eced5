// SPDX-License-Identifier: Apache-2.0
// Looks, opens and saves below a folder, part by part.
#include "view/root.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"
#include "cli/printable.hpp"
#include "cli/signals.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t longest_path = 1024, longest_part = 255;

[[noreturn]] void fail_path(ErrorCode code, std::string_view path, std::string_view why, const char* field = "path") {
  throw Error(code, one_line(fmt::format("'{}' {}", path.substr(0, longest_path), why)), field);
}

[[noreturn]] void fail_system(std::string_view path, int error) {
  if (error == ENOENT) fail_path(ErrorCode::not_found, path, "does not exist below the root");
  if (error == ELOOP || error == ENOTDIR)
    fail_path(ErrorCode::invalid_argument, path,
              "is no folder here; symbolic links below the root are not followed: give --root the folder itself");
  fail_path(ErrorCode::io, path, fmt::format("cannot be opened: {}", std::strerror(error)));
}

/// Of the last part; nothing where there is none of that name.
std::optional<struct stat> look_at(const OpenFolder& folder, const std::string& name) {
  struct stat status {};
  if (fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return status;
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + "/";
  return text;
}

struct CloseFolder {
  void operator()(DIR* entries) const { closedir(entries); }
};

/// What the name promises; "" where the content is such a file.
std::string mismatch(std::string_view name, std::string_view content) {
  if (name.ends_with(".png")) return content.starts_with("\x89PNG\r\n\x1a\n") ? "" : "the content is no PNG";
  if (name.ends_with(".ply")) return content.starts_with("ply\n") ? "" : "the content is no PLY";
  if (!name.ends_with(".json")) return "only .json, .png and .ply are saved";
  try {
    parse_json(content, "", [](std::string_view why) { throw Error(ErrorCode::bad_data, std::string(why)); });
    return "";
  } catch (const Error& error) {
    return fmt::format("the content is no JSON ({})", error.what());
  }
}

/// Removed with the object, unless it has got its name.
class TemporaryFile {
 public:
  TemporaryFile(const OpenFolder& folder, std::string_view path) : folder_(folder), path_(path) {
    for (int i = 0; file_ < 0 && i < 100; ++i) {
      name_ = fmt::format(".vergence-view-{}-{}.partial", getpid(), i);
      file_ = openat(folder.descriptor(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (file_ < 0 && errno != EEXIST) fail_system(path, errno);
    }
    if (file_ < 0)
      fail_path(ErrorCode::io, path, "cannot be saved: remove old files .vergence-view-*.partial beside it");
  }
  ~TemporaryFile() {
    close(file_);
    if (!done_) unlinkat(folder_.descriptor(), name_.c_str(), 0);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t written = ::write(file_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_path(ErrorCode::io, path_, fmt::format("cannot be written: {}", std::strerror(errno)));
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fsync(file_) != 0) fail_path(ErrorCode::io, path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  /// Where the name is taken, even in this moment, it fails.
  void name(const std::string& name) {
    const int folder = folder_.descriptor();
    int failed = renameat2(folder, name_.c_str(), folder, name.c_str(), RENAME_NOREPLACE);
    if (failed != 0 && errno == EINVAL) {  // the file system does not know that flag
      failed = linkat(folder, name_.c_str(), folder, name.c_str(), 0);
      if (failed == 0) unlinkat(folder, name_.c_str(), 0);
    }
    if (failed != 0 && errno == EEXIST)
      fail_path(ErrorCode::invalid_argument, path_, "exists: files are not replaced, give another name", "taken");
    if (failed != 0) fail_system(path_, errno);
    done_ = true;
  }

 private:
  const OpenFolder& folder_;
  std::string_view path_;
  std::string name_;
  int file_ = -1;
  bool done_ = false;
};

}  // namespace

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  if (path.empty()) return parts;
  if (path.size() > longest_path) fail_path(ErrorCode::invalid_argument, path, "is too long");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part.front() == '.' || part.size() > longest_part)
      fail_path(ErrorCode::invalid_argument, path,
                "is not taken: give a path below the root, without parts that are empty or begin with a dot");
    if (std::any_of(part.begin(), part.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }))
      fail_path(ErrorCode::invalid_argument, path, "is not taken: it holds control characters");
    parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

OpenFolder::~OpenFolder() { close(descriptor_); }

ViewRoot::ViewRoot(const std::string& folder) : name_(folder) {
  while (name_.size() > 1 && name_.ends_with('/')) name_.pop_back();
  const int descriptor = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    throw UsageError(fmt::format("--root is '{}', which cannot be opened ({}): give a folder that you may read", folder,
                                 std::strerror(errno)));
  root_ = std::make_shared<const OpenFolder>(descriptor);
}

/// With O_DIRECTORY, O_NOFOLLOW refuses a link instead of opening it.
std::shared_ptr<const OpenFolder> ViewRoot::open(const std::vector<std::string>& parts, std::string_view path) const {
  std::shared_ptr<const OpenFolder> folder = root_;
  for (const std::string& part : parts) {
    const int next = openat(folder->descriptor(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) fail_system(path, errno);
    folder = std::make_shared<const OpenFolder>(next);
  }
  return folder;
}

std::vector<FolderEntry> ViewRoot::list(std::string_view path) const {
  const auto folder = open(path_parts(path), path);
  const int readable = openat(folder->descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (readable < 0) fail_system(path, errno);
  const std::unique_ptr<DIR, CloseFolder> entries(fdopendir(readable));
  if (!entries) {
    close(readable);
    fail_system(path, ENOMEM);
  }
  std::vector<FolderEntry> found;
  const dirent* entry = nullptr;
  while (found.size() <= most_entries && (entry = readdir(entries.get())) != nullptr) {
    const std::string name = entry->d_name;
    if (name.front() == '.' || printable(name) != name) continue;
    const auto status = look_at(*folder, name);
    if (!status || (!S_ISDIR(status->st_mode) && !S_ISREG(status->st_mode))) continue;
    const bool is_folder = S_ISDIR(status->st_mode);
    found.push_back({name, is_folder, is_folder ? 0 : static_cast<std::uint64_t>(status->st_size)});
  }
  std::sort(found.begin(), found.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
  });
  return found;
}

HeldFile ViewRoot::hold(std::string_view path) const {
  std::vector<std::string> parts = path_parts(path);
  if (parts.empty()) fail_path(ErrorCode::invalid_argument, path, "is no file: give its path below the root");
  const std::string name = parts.back();
  parts.pop_back();
  HeldFile file{open(parts, path), "", ""};
  const auto status = look_at(*file.folder, name);
  if (!status && !has_frame_number(name)) fail_system(path, ENOENT);
  if (status && S_ISLNK(status->st_mode))
    fail_path(ErrorCode::invalid_argument, path,
              "is a symbolic link, and these are not followed: give the file itself");
  if (status && !S_ISREG(status->st_mode)) fail_path(ErrorCode::invalid_argument, path, "is no regular file");
  const std::string prefix = fmt::format("/proc/self/fd/{}/", file.folder->descriptor());
  const std::string told = name_ + "/" + joined(parts);
  file.read = prefix + name;
  file.told = told + name;
  const std::lock_guard lock(mutex_);
  names_[prefix] = told;
  return file;
}

void ViewRoot::save(std::string_view path, std::string_view content) const {
  std::vector<std::string> parts = path_parts(path);
  if (parts.empty()) fail_path(ErrorCode::invalid_argument, path, "is no file: give its path below the root");
  const std::string name = parts.back();
  parts.pop_back();
  if (const std::string why = mismatch(name, content); !why.empty())
    fail_path(ErrorCode::invalid_argument, path, "is not saved: " + why);
  const auto folder = open(parts, path);
  const WriteGuard guard;
  TemporaryFile file(*folder, path);
  file.write(content);
  file.name(name);
}

std::string ViewRoot::plain(std::string text) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [read, told] : names_)
    for (std::size_t at = text.find(read); at != std::string::npos; at = text.find(read, at + told.size()))
      text.replace(at, read.size(), told);
  return text;
}

}  // namespace vergence::cli
