// SPDX-License-Identifier: Apache-2.0
// Text that a user gives in a file.
#include "cli/text_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "cli/json_text.hpp"
#include "cli/printable.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 16;

std::string opening_problem(int error) {
  if (error == ENOENT || error == ENOTDIR) return "does not exist: check the name";
  if (error == ELOOP) return "cannot be read, its symbolic links lead in a circle: mend them";
  if (error == ENAMETOOLONG) return "cannot be read, file name too long: use a shorter name";
  return fmt::format("cannot be read: {}", std::strerror(error));
}

/// "1 MiB", "16 GiB".
std::string bytes_text(std::uint64_t bytes) {
  if (bytes >= std::uint64_t{1} << 30) return fmt::format("{} GiB", bytes >> 30);
  return fmt::format("{} MiB", bytes >> 20);
}

/// By its mark; or two letters or digits, each of them with a byte 0.
bool is_utf16(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\xFF\xFE"sv) || start.starts_with("\xFE\xFF"sv)) return true;
  const auto holds = [start](std::size_t letter) {
    return start[letter] != 0 && start[letter ^ 1] == 0 && start[letter + 2] != 0 && start[(letter ^ 1) + 2] == 0;
  };
  return start.size() >= 4 && (holds(0) || holds(1));
}

}  // namespace

TextFile::TextFile(std::string what, const std::string& path, std::uint64_t most_bytes)
    : what_(std::move(what)), path_(path), most_bytes_(most_bytes) {
  const auto refuse = [&](ErrorCode code, const std::string& why) {
    throw Error(code, fmt::format("{} {} {}", what_, path, why));
  };
  struct stat status {};
  // Before it is opened: what opening does to a device nobody knows.
  if (stat(path.c_str(), &status) != 0)
    refuse(errno == ENOENT ? ErrorCode::not_found : ErrorCode::io, opening_problem(errno));
  if (S_ISDIR(status.st_mode)) refuse(ErrorCode::io, "is a directory: give a text file");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
    refuse(ErrorCode::io, "is a device or socket: give a text file or a pipe");
  if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) > most_bytes)
    refuse(ErrorCode::bad_data, fmt::format("has {} bytes: it may have {}", status.st_size, bytes_text(most_bytes)));
  file_.reset(std::fopen(path.c_str(), "rbe"));
  if (!file_) refuse(ErrorCode::io, opening_problem(errno));
}

bool TextFile::refill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + (std::size_t{1} << 16));
  const std::size_t got = std::fread(buffer_.data() + kept, 1, buffer_.size() - kept, file_.get());
  const int error = errno;
  buffer_.resize(kept + got);
  if (got == 0 && std::ferror(file_.get()) != 0)
    throw Error(ErrorCode::io, fmt::format("{} {} cannot be read to its end: {}", what_, path_, std::strerror(error)));
  // Editors mark UTF-8 at the start. A pipe may give fewer bytes at once: then the mark stays.
  if (read_ == 0 && buffer_.starts_with(utf8_mark)) at_ = utf8_mark.size();
  if (read_ == 0 && is_utf16(buffer_))
    fail("is text of UTF-16 or UTF-32, as some editors and shells of Windows write it: save it as UTF-8");
  read_ += got;
  if (read_ > most_bytes_) fail(fmt::format("is larger than {}, the most that is read", bytes_text(most_bytes_)));
  return got != 0;
}

bool TextFile::next_line(std::string& line) {
  std::size_t looked = 0;
  ++line_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_ + looked);
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - at_;
    if (length > longest_line) fail_line(fmt::format("it is longer than {} bytes: this is no such file", longest_line));
    if (end != std::string::npos) {
      line.assign(buffer_, at_, length);
      at_ = end + 1;
      return true;
    }
    looked = length;
    if (refill()) continue;
    line.assign(buffer_, at_, length);
    at_ = buffer_.size();
    return length != 0;
  }
}

std::string TextFile::rest() {
  std::string text;
  do {
    text.append(buffer_, at_);
    at_ = buffer_.size();
  } while (refill());
  return text;
}

void TextFile::fail(std::string_view why) const {
  throw Error(ErrorCode::bad_data, printable(fmt::format("{} {} {}", what_, path_, why)));
}

void TextFile::fail_line(std::string_view why) const {
  throw Error(ErrorCode::bad_data, printable(fmt::format("{} {}, line {}: {}", what_, path_, line_, why)));
}

Json read_json(TextFile& file, std::string_view cure, std::string* source) {
  const std::string text = file.rest();
  if (source != nullptr) *source = text;
  return parse_json(text, cure, [&file](std::string_view why) { file.fail(why); });
}

namespace {

/// The value without what is nested deeper than `levels`.
Json down_to(const Json& value, int levels) {
  if (!value.is_array() && !value.is_object()) return value;
  if (levels == 0) return nullptr;
  if (value.is_array()) {
    Json array = Json::array();
    for (const Json& element : value.elements()) array.push_back(down_to(element, levels - 1));
    return array;
  }
  Json::Object members;
  for (const JsonMember& member : value.members()) members.push_back({member.name, down_to(member.value, levels - 1)});
  return members;
}

}  // namespace

std::string text_of(const Json& value) { return down_to(value, 1000).dump(); }

}  // namespace vergence::cli
