// SPDX-License-Identifier: Apache-2.0
// Bytes of a file or of memory, read in order and never past the end; byte order; one form for all messages.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vergence/error.hpp"

namespace vergence::io {

/// Throws Error: `cannot read "name": reason`.
[[noreturn]] void fail_read(ErrorCode code, const std::string& name, const std::string& reason);
/// Throws Error: `cannot write "name": reason`.
[[noreturn]] void fail_write(ErrorCode code, const std::string& name, const std::string& reason);

/// Throws Error where `path`, of which no file exists, is an address such as http://host/a.mp4.
void refuse_address(const std::string& path);

/// Whether `path` is relative to a working folder that was removed: nothing is found or made there.
bool is_in_removed_folder(const std::string& path);
constexpr const char* removed_folder = "the working folder was removed: change to one that exists";

/// The name's ending in lower case with its dot (".png"), empty where there is none.
std::string extension(const std::string& path);
/// Letters of English in lower case, whatever the locale.
std::string in_lower_case(std::string text);

/// A file in a folder that is held open: "/proc/self/fd/N/NAME". Nobody can exchange its folder; and so that nobody
/// exchanges the file for a link out of there, links are not followed, and only regular files are opened.
bool is_held(const std::string& path);
/// Its descriptor for reading. Throws Error where it is not opened.
int open_held(const std::string& path);

/// Reads in order. The size is known from the start, so that a parser can compare what a header promises with what is
/// there before it allocates anything.
class ByteReader {
 public:
  static constexpr std::size_t most_piped = std::size_t{1} << 30;
  /// Opens a file. What has no size (a pipe) is read into memory at once, up to `most_piped_bytes`: it might never end.
  explicit ByteReader(const std::string& path, std::size_t most_piped_bytes = most_piped);
  /// Reads from memory that must outlive the reader; `name` is for messages.
  ByteReader(std::string name, std::span<const std::byte> memory) : name_(std::move(name)), memory_(memory) {}

  const std::string& name() const { return name_; }
  std::uint64_t remaining() const { return file_ ? file_size_ - file_position_ : memory_.size(); }
  /// Reads exactly `bytes`; throws Error(bad_data) where fewer are left.
  void read(void* target, std::size_t bytes);
  /// The next byte, or -1 at the end.
  int get();
  /// The next bytes (up to `bytes`), which stay unread.
  std::string peek(std::size_t bytes);
  /// All that is left, followed by `padding` zero bytes.
  std::vector<std::uint8_t> read_all(std::size_t padding = 0);

  template <class T>
  T read_little() {
    T value;
    read(&value, sizeof(T));
    return from_order(value, std::endian::little);
  }

  /// `value` as stored in byte order `order`, turned to this machine's.
  template <class T>
  static T from_order(T value, std::endian order) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (order == std::endian::native || sizeof(T) == 1) return value;
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }

 private:
  /// `regular`: a file of /proc, which may never end.
  void read_pipe(std::size_t most_bytes, bool regular);

  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t file_size_ = 0;
  std::uint64_t file_position_ = 0;
  std::vector<std::byte> owned_;
  std::span<const std::byte> memory_;
};

/// Throws Error(bad_data) unless at least width * channels * sample bytes per row are there, `height` times; checks
/// that the sizes are at least 1 and that a row fits Image. `least_bytes` is the smallest number of bytes that a sample
/// can take.
void require_pixels(const ByteReader& reader, std::uint64_t width, std::uint64_t height, std::uint64_t channels,
                    std::uint64_t least_bytes);

}  // namespace vergence::io
