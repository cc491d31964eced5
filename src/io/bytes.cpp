// SPDX-License-Identifier: Apache-2.0
// Reading bytes in order from a file, a pipe or memory.
#include "io/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "vergence/io.hpp"

namespace vergence {

std::string shown_source(const std::string& source) {
  const std::size_t scheme = source.find("://");
  if (scheme == std::string::npos || source.find('/') < scheme) return source;
  const std::size_t host = scheme + 3;
  // A password may hold what ought to be written otherwise, such as '/' and '?': all up to the last '@' goes. Behind a
  // '?' that may be one of a query, which goes, too.
  const std::size_t query = source.find('?', host), at = source.rfind('@');
  if (query != std::string::npos && at != std::string::npos && at > query) return source.substr(0, host) + "***";
  std::string shown = source.substr(0, query);
  if (shown.size() < source.size()) shown += "?***";
  return at == std::string::npos || at <= host ? shown : shown.replace(host, at - host, "***");
}

}  // namespace vergence

namespace vergence::io {

namespace {

// Messages are one line, whatever a file's name or a file's content brought into them.
[[noreturn]] void fail(ErrorCode code, const std::string& message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7F)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += c;
  }
  throw Error(code, line);
}

}  // namespace

void fail_read(ErrorCode code, const std::string& name, const std::string& reason) {
  fail(code, fmt::format("cannot read \"{}\": {}", shown_source(name), reason));
}

void fail_write(ErrorCode code, const std::string& name, const std::string& reason) {
  fail(code, fmt::format("cannot write \"{}\": {}", name, reason));
}

void refuse_address(const std::string& path) {
  const std::size_t length = path.find("://");
  if (length == 0 || length == std::string::npos) return;
  const std::string scheme = path.substr(0, length);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
  };
  if (!std::all_of(scheme.begin(), scheme.end(), allowed)) return;
  if (scheme == "file") fail_read(ErrorCode::not_found, path, "there is no such file: give its path without file://");
  const bool live = scheme == "udp" || scheme == "rtsp";
  fail_read(ErrorCode::unsupported, path,
            live ? "network input is not enabled here: --stream of stereo, motion and track enables it"
                 : "network input is not enabled here: download it and give the file");
}

bool is_held(const std::string& path) { return path.starts_with("/proc/self/fd/") && path.find('/', 14) != path.npos; }

int open_held(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  const int error = file >= 0 ? ENXIO : errno;
  if (file >= 0) ::close(file);
  if (error == ENOENT || error == ENOTDIR)
    fail_read(ErrorCode::not_found, path, "there is no such file: check the name");
  if (error == ELOOP)
    fail_read(ErrorCode::io, path, "it is a symbolic link, and these are not followed here: give the file itself");
  if (error == ENXIO) fail_read(ErrorCode::io, path, "it is a folder, pipe, socket or device: give a file");
  fail_read(ErrorCode::io, path, fmt::format("{}: check the file's permissions", std::strerror(error)));
}

bool is_in_removed_folder(const std::string& path) {
  struct stat here {};
  return !path.starts_with('/') && (stat(".", &here) != 0 ? errno == ENOENT : here.st_nlink == 0);
}

std::string extension(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || dot <= start) return {};
  return in_lower_case(path.substr(dot));
}

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

ByteReader::ByteReader(const std::string& path, std::size_t most_piped_bytes) : name_(path) {
  file_.reset(is_held(path) ? fdopen(open_held(path), "rb") : std::fopen(path.c_str(), "rbe"));
  if (!file_) {
    const int error = errno;
    if (path.empty()) fail_read(ErrorCode::not_found, path, "the name is empty: give a file name");
    if (path == "-")
      fail_read(ErrorCode::not_found, path,
                "there is no such file, and standard input is for videos of `motion` and `track`: give a file");
    if (is_in_removed_folder(path)) fail_read(ErrorCode::not_found, path, removed_folder);
    if (error == ENOENT || error == ENOTDIR) {
      refuse_address(path);
      fail_read(ErrorCode::not_found, path, "there is no such file: check the name");
    }
    if (error == ELOOP) fail_read(ErrorCode::io, path, "its symbolic links lead in a circle: mend them");
    if (error == ENAMETOOLONG) fail_read(ErrorCode::io, path, "file name too long: use a shorter name");
    if (error == ENXIO) fail_read(ErrorCode::io, path, "it is a socket, not a file: give a file");
    fail_read(ErrorCode::io, path, fmt::format("{}: check the file's permissions", std::strerror(error)));
  }
  struct stat status {};
  if (fstat(fileno(file_.get()), &status) != 0) fail_read(ErrorCode::io, path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_read(ErrorCode::io, path, "it is a directory: give a file");
  // Devices may go on for ever, as /dev/zero does.
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    fail_read(ErrorCode::io, path, "it is a device, not a file: give a file");
  // Files of /proc say that they are empty, and are not.
  file_size_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (file_size_ == 0) read_pipe(most_piped_bytes, S_ISREG(status.st_mode));
  if (file_size_ == 0 && memory_.empty())
    fail_read(ErrorCode::bad_data, path,
              S_ISREG(status.st_mode) ? "the file is empty: copy or create it again"
                                      : "nothing came out of it: give a file that is not empty");
}

void ByteReader::read_pipe(std::size_t most_bytes, bool regular) {
  const int file = fileno(file_.get());
  std::byte block[65536];
  pollfd waiting{file, POLLIN, 0};
  for (;;) {
    if (regular && poll(&waiting, 1, 1000) == 0)  // such as /proc/kmsg
      fail_read(ErrorCode::io, name_, "reading it waits for more without an end: give a file");
    const ssize_t got = ::read(file, block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_read(ErrorCode::io, name_, std::strerror(errno));
    if (got == 0) break;
    if (owned_.size() + static_cast<std::size_t>(got) > most_bytes)
      fail_read(ErrorCode::unsupported, name_,
                fmt::format("more than {} MiB come out of this pipe: write them to a file and give its name",
                            most_bytes >> 20));
    owned_.insert(owned_.end(), block, block + got);
  }
  file_.reset();
  memory_ = owned_;
}

void ByteReader::read(void* target, std::size_t bytes) {
  if (bytes > remaining())
    fail_read(
        ErrorCode::bad_data, name_,
        fmt::format("it ends {} bytes too early: the file is truncated, copy or create it again", bytes - remaining()));
  if (bytes == 0) return;
  if (!file_) {
    std::memcpy(target, memory_.data(), bytes);
    memory_ = memory_.subspan(bytes);
    return;
  }
  if (std::fread(target, 1, bytes, file_.get()) != bytes)
    fail_read(ErrorCode::io, name_,
              std::ferror(file_.get()) != 0 ? std::strerror(errno) : "it shrank while it was read");
  file_position_ += bytes;
}

int ByteReader::get() {
  if (remaining() == 0) return -1;
  unsigned char byte = 0;
  read(&byte, 1);
  return byte;
}

std::string ByteReader::peek(std::size_t bytes) {
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, remaining()));
  std::string text(count, '\0');
  if (count == 0) return text;
  if (!file_) {
    std::memcpy(text.data(), memory_.data(), count);
    return text;
  }
  const long position = std::ftell(file_.get());
  if (std::fread(text.data(), 1, count, file_.get()) != count || std::fseek(file_.get(), position, SEEK_SET) != 0)
    fail_read(ErrorCode::io, name_, "the operating system refused to read it");
  return text;
}

std::vector<std::uint8_t> ByteReader::read_all(std::size_t padding) {
  const auto count = static_cast<std::size_t>(remaining());
  std::vector<std::uint8_t> bytes(count + padding);
  read(bytes.data(), count);
  return bytes;
}

void require_pixels(const ByteReader& reader, std::uint64_t width, std::uint64_t height, std::uint64_t channels,
                    std::uint64_t least_bytes) {
  constexpr std::uint64_t largest = std::numeric_limits<int>::max();
  if (width == 0 || height == 0)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("its size is {}x{}: a picture has at least 1x1 pixels", width, height));
  if (width > largest / channels || height > largest)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("its size is {}x{}: allowed are 1x1 .. {}x{} with {} number{} per pixel, so its header is "
                          "damaged",
                          width, height, largest / channels, largest, channels, channels == 1 ? "" : "s"));
  const std::uint64_t row = width * channels * least_bytes;  // below 2^35: the factors were checked
  if (row != 0 && reader.remaining() / row < height)
    fail_read(
        ErrorCode::bad_data, reader.name(),
        fmt::format("{}x{} pixels need more than the {} bytes that follow the header: the file is truncated or its "
                    "header is damaged, copy or create it again",
                    width, height, reader.remaining()));
}

}  // namespace vergence::io
