// SPDX-License-Identifier: Apache-2.0
// AtomicFile: a temporary file beside the target, flushed to the disk, then renamed.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "io/bytes.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

// Bytes that may still be written; negative: no limit. Only FullDisk sets it.
std::atomic<std::int64_t> bytes_left{-1};

// That of this thread.
thread_local FileGroup* innermost = nullptr;

// Small enough for the nearest caches: alone, a loop that writes to ext4 takes half the time of one of 256 KiB.
constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

// Writes all or returns the error number.
int write_fully(int file, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    std::size_t part = std::min(bytes, buffer_bytes);
    const std::int64_t limit = bytes_left.load();
    if (limit >= 0) {
      if (limit == 0) return ENOSPC;
      if (static_cast<std::uint64_t>(limit) < part) part = static_cast<std::size_t>(limit);
    }
    const ssize_t done = ::write(file, data, part);
    if (done < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (limit >= 0) bytes_left.fetch_sub(done);
    data += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return 0;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string cure(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "the directory does not exist: create it or give another name";
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("{}: choose a place that you may write to", std::strerror(error));
    case ENOSPC:
    case EDQUOT:
      return fmt::format("{}: free space or choose another disk", std::strerror(error));
    case EFBIG:
      return fmt::format("{}: raise the limit (ulimit -f) or choose another disk", std::strerror(error));
    case ELOOP:
      return "its symbolic links lead in a circle: mend them or give another name";
    case EISDIR:
      return "it is a directory: give a file name";
    case ENAMETOOLONG:
      return "file name too long: use a shorter name";
    case EMFILE:
    case ENFILE:
      return fmt::format("{}: raise the limit (ulimit -n)", std::strerror(error));
    case EPIPE:
      return fmt::format("{}: the program that reads it has ended", std::strerror(error));
    default:
      return std::strerror(error);
  }
}

}  // namespace

io::FullDisk::FullDisk(std::int64_t bytes) { bytes_left = bytes; }
io::FullDisk::~FullDisk() { bytes_left = -1; }

struct AtomicFile::Impl {
  std::string given;      // as the caller named it, for messages
  std::string target;     // where the file appears
  std::string temporary;  // where the bytes go first; empty: straight to the target
  Mode mode = Mode::whole;
  int file = -1;
  std::int64_t end = 0;                // bytes that the system has taken
  std::atomic<std::int64_t> whole{0};  // those up to the last flush; end_all() reads them from another thread
  std::string ending;                  // what end_all() adds; under the mutex of the unfinished files
  std::vector<char> buffer;

  [[noreturn]] void fail(int error) const {
    io::fail_write(ErrorCode::io, given, io::is_in_removed_folder(given) ? io::removed_folder : cure(error));
  }

  void require_directory() const {
    struct stat status {};
    if (::stat(directory_of(target).c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) fail(ENOENT);
  }

  // The directory does exist: some file systems (/proc) deny that where they only let no file be made.
  [[noreturn]] void fail_beside(int error) {
    temporary.clear();
    fail(error == ENOENT ? EACCES : error);
  }

  void open_beside(mode_t permissions) {
    if (mode == Mode::stream) {
      temporary = target + ".partial";
      file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
      if (file >= 0) return;
      if (errno == EEXIST)
        io::fail_write(ErrorCode::io, given,
                       temporary + " exists: another run writes it, or has left it: wait, or move it away");
      fail_beside(errno);
    }
    static std::atomic<unsigned> counter{0};
    const std::string directory = directory_of(target);
    for (int attempt = 0; attempt < 100; ++attempt) {
      temporary = fmt::format("{}/.vergence-{}-{}.tmp", directory, ::getpid(), counter.fetch_add(1));
      file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
      if (file >= 0) return;
      if (errno != EEXIST) break;
    }
    fail_beside(errno);
  }

  // The error number. Where not all bytes fit, a stream loses what came after its last flush: it shall end with
  // something whole.
  int put(const char* data, std::size_t bytes) noexcept {
    const int error = write_fully(file, data, bytes);
    if (error == 0) {
      end += static_cast<std::int64_t>(bytes);
    } else if (mode == Mode::stream && !temporary.empty()) {
      const off_t reached = ::lseek(file, 0, SEEK_CUR);
      const std::int64_t keep = whole;
      if (::ftruncate(file, keep) == 0 && ::lseek(file, keep, SEEK_SET) == keep) {
        if (bytes_left.load() >= 0) bytes_left.fetch_add(reached - keep);
        end = keep;
      }
    }
    return error;
  }

  void drain() {
    const int error = put(buffer.data(), buffer.size());
    buffer.clear();
    if (error != 0) fail(error);
  }

  // Files that have a temporary name. Never destroyed: a thread may end the process while main returns.
  struct Unfinished {
    std::mutex mutex;
    std::set<const Impl*> files;
  };
  static Unfinished& unfinished() {
    static auto* const all = new Unfinished;
    return *all;
  }
  void leave_unfinished() const noexcept {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().files.erase(this);
  }

  // Closes the file, whole and on the disk.
  void finish() {
    drain();
    if (temporary.empty()) {  // a device or a pipe has nothing to rename
      if (::close(std::exchange(file, -1)) != 0) fail(errno);
      return;
    }
    // Without the flush a crash soon after the renaming could leave an empty file under the final name.
    if (::fsync(file) != 0) fail(errno);
    if (::close(std::exchange(file, -1)) != 0) {
      const int error = errno;
      discard();
      fail(error);
    }
    const std::lock_guard lock(unfinished().mutex);
    whole = end;
    ending.clear();
  }

  // What was finished gets its name.
  void appear() {
    int error = 0;
    {
      const std::lock_guard lock(unfinished().mutex);
      if (::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
      unfinished().files.erase(this);
    }
    if (error == 0) return;
    if (mode == Mode::whole) ::unlink(temporary.c_str());
    fail(error);
  }

  // What was finished gets none.
  void discard() noexcept {
    leave_unfinished();
    if (mode == Mode::whole) ::unlink(temporary.c_str());
  }

  // A stream that was never flushed holds nothing whole, and would only be in the way of the next run.
  bool is_kept() const noexcept { return mode == Mode::stream && (temporary.empty() || whole > 0); }

  void abandon() noexcept {
    leave_unfinished();
    if (file < 0) return;
    if (!is_kept()) buffer.clear();
    if (!buffer.empty()) put(buffer.data(), buffer.size());
    ::close(std::exchange(file, -1));
    if (!is_kept() && !temporary.empty()) ::unlink(temporary.c_str());
  }
};

// A link stays a link. One that leads to nothing is followed step by step, which realpath does not do.
std::string AtomicFile::target(const std::string& path) {
  if (char* const real = ::realpath(path.c_str(), nullptr)) {
    std::string resolved = real;
    std::free(real);
    return resolved;
  }
  constexpr int most_links = 40;  // as Linux has it
  std::string at = path;
  for (int i = 0; i < most_links; ++i) {
    std::array<char, PATH_MAX> link{};
    const ssize_t length = ::readlink(at.c_str(), link.data(), link.size());
    if (length < 0) return at;
    const std::string next(link.data(), static_cast<std::size_t>(length));
    at = next.rfind('/', 0) == 0 ? next : directory_of(at) + "/" + next;
  }
  return path;
}

AtomicFile::AtomicFile(const std::string& path, Mode mode) : impl_(std::make_unique<Impl>()) {
  impl_->given = path;
  impl_->mode = mode;
  impl_->target = target(path);
  impl_->buffer.reserve(buffer_bytes);
  if (path.empty()) io::fail_write(ErrorCode::io, path, "the name is empty: give a file name");
  struct stat status {};
  if (::lstat(impl_->target.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) impl_->fail(ELOOP);
  const bool exists = ::stat(impl_->target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) impl_->fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    impl_->file = ::open(impl_->target.c_str(), O_WRONLY | O_CLOEXEC);
    if (impl_->file < 0) impl_->fail(errno);
    return;
  }
  // A file that may not be written must not be replaced either, though its directory would allow the renaming.
  if (exists && ::access(impl_->target.c_str(), W_OK) != 0) impl_->fail(errno);
  impl_->require_directory();
  const std::lock_guard lock(Impl::unfinished().mutex);
  Impl::unfinished().files.insert(impl_.get());  // before the file is there, which would stay where this lacks memory
  try {
    impl_->open_beside(0666);
  } catch (...) {
    Impl::unfinished().files.erase(impl_.get());
    throw;
  }
  if (exists) ::fchmod(impl_->file, status.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (impl_) impl_->abandon();
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (!impl_ || impl_->file < 0)
    io::fail_write(ErrorCode::invalid_argument, impl_ ? impl_->given : "",
                   "it is complete already: open a new AtomicFile");
  Impl& self = *impl_;
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    if (self.buffer.empty() && bytes >= buffer_bytes) {
      const std::size_t whole = bytes / buffer_bytes * buffer_bytes;
      if (const int error = self.put(from, whole); error != 0) self.fail(error);
      from += whole;
      bytes -= whole;
      continue;
    }
    const std::size_t part = std::min(bytes, buffer_bytes - self.buffer.size());
    self.buffer.insert(self.buffer.end(), from, from + part);
    from += part;
    bytes -= part;
    if (self.buffer.size() == buffer_bytes) self.drain();
  }
}

void AtomicFile::flush() {
  if (!impl_ || impl_->file < 0) return;
  impl_->drain();
  impl_->whole = impl_->end;
}

void AtomicFile::rewrite(std::int64_t offset, std::string_view bytes) {
  Impl& self = *impl_;
  if (self.temporary.empty())
    io::fail_write(ErrorCode::io, self.given, "it is no regular file, and this format goes back: give a file name");
  flush();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t part = ::pwrite(self.file, bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
    if (part < 0 && errno != EINTR) self.fail(errno);
    if (part > 0) done += static_cast<std::size_t>(part);
  }
}

void AtomicFile::end_with(std::string bytes) {
  const std::lock_guard lock(Impl::unfinished().mutex);
  impl_->ending = std::move(bytes);
}

void AtomicFile::commit() {
  if (!impl_ || impl_->file < 0)
    io::fail_write(ErrorCode::invalid_argument, impl_ ? impl_->given : "",
                   "it is complete already: open a new AtomicFile");
  if (innermost != nullptr) innermost->files_.reserve(innermost->files_.size() + 1);  // what may fail comes first
  impl_->finish();
  if (impl_->temporary.empty()) return;
  if (innermost == nullptr) return impl_->appear();
  innermost->files_.push_back(std::move(impl_));
}

FileGroup::FileGroup() : outer_(std::exchange(innermost, this)) {}

FileGroup::~FileGroup() {
  innermost = outer_;
  for (const auto& file : files_) file->discard();
}

void FileGroup::commit() {
  if (outer_ != nullptr) {
    outer_->files_.reserve(outer_->files_.size() + files_.size());  // so that none is lost halfway
    for (auto& file : files_) outer_->files_.push_back(std::move(file));
    return files_.clear();
  }
  std::string done;
  while (!files_.empty()) {
    const auto file = std::move(files_.front());
    files_.erase(files_.begin());
    try {
      file->appear();
    } catch (const Error& error) {
      if (done.empty()) throw;
      throw Error(error.code(), fmt::format("{}; {} {} written before", error.what(), done,
                                            done.find(", ") == std::string::npos ? "was" : "were"));
    }
    done += (done.empty() ? "" : ", ") + file->given;
  }
}

std::vector<std::string> AtomicFile::end_all() {
  std::vector<std::string> kept;
  Impl::unfinished().mutex.lock();  // for good
  for (const Impl* const one : Impl::unfinished().files) {
    if (one->mode == Mode::whole) {
      ::unlink(one->temporary.c_str());
      continue;
    }
    // By name: the descriptor belongs to a thread that may just close it.
    if (::truncate(one->temporary.c_str(), one->whole) != 0) continue;
    kept.push_back(one->temporary);
    if (one->ending.empty() || one->whole == 0) continue;  // what has no beginning needs no end
    const int file = ::open(one->temporary.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) continue;
    write_fully(file, one->ending.data(), one->ending.size());
    ::close(file);
  }
  return kept;
}

}  // namespace vergence
