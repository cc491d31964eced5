// SPDX-License-Identifier: Apache-2.0
// Text that a user gives in a file.
#include "cli/text_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

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

namespace {

/// A place in a text that counts the lines behind it: what is called back while JSON is parsed is not told where it is.
class CountedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedText(const char* at, std::int64_t& line) : at_(at), line_(&line) {}
  reference operator*() const { return *at_; }
  CountedText& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  CountedText operator++(int) {
    const CountedText before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountedText& a, const CountedText& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::int64_t* line_;
};

/// Makes a value of what the JSON library's parser meets, which calls it by these names. Refuses objects that have a
/// key twice: one of the two would win without a word.
class JsonBuilder {
 public:
  /// `line` is that of the text that is being read.
  JsonBuilder(const TextFile& file, std::string_view cure, std::string_view text, const std::int64_t& line)
      : file_(file), cure_(cure), text_(text), line_(line) {}
  /// What was met.
  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t number) { return put(number); }
  bool number_unsigned(std::uint64_t number) { return put(number); }
  bool number_float(double number, const std::string& /*text*/) { return put(number); }
  bool string(std::string& text) { return put(std::move(text)); }
  bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }  // texts have none
  bool start_array(std::size_t /*size*/) {
    open_.push_back(Json::array());
    return true;
  }
  bool end_array() { return close(); }
  bool start_object(std::size_t /*size*/) {
    open_.push_back(Json::object());
    keys_.emplace_back();
    return true;
  }
  bool key(std::string& name) {
    const auto [first, is_new] = keys_.back().lines.try_emplace(name, line_);
    if (!is_new)
      file_.fail(fmt::format("has the key \"{}\" twice in one object, in lines {} and {}: leave one of the two", name,
                             first->second, line_));
    keys_.back().last = std::move(name);
    return true;
  }
  bool end_object() {
    keys_.pop_back();
    return close();
  }
  [[noreturn]] bool parse_error(std::size_t at, const std::string& /*token*/, const nlohmann::json::exception& error) {
    if (dynamic_cast<const nlohmann::json::parse_error*>(&error) == nullptr)
      file_.fail(fmt::format("holds a number that is out of range: {}", cure_));
    const std::string_view read = text_.substr(0, at);
    file_.fail(fmt::format("is not JSON, line {}: {}", 1 + std::count(read.begin(), read.end(), '\n'), cure_));
  }

 private:
  bool put(Json value) {
    if (open_.empty())
      root_ = std::move(value);
    else if (open_.back().is_array())
      open_.back().push_back(std::move(value));
    else
      open_.back()[keys_.back().last] = std::move(value);
    return true;
  }
  bool close() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    return put(std::move(closed));
  }

  struct Keys {
    std::map<std::string, std::int64_t> lines;
    std::string last;
  };
  const TextFile& file_;
  std::string_view cure_, text_;
  const std::int64_t& line_;
  Json root_;
  std::vector<Json> open_;  ///< Arrays and objects, outermost first.
  std::vector<Keys> keys_;  ///< Of the objects among them.
};

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

Json read_json(TextFile& file, std::string_view cure, std::string* source) {
  const std::string text = file.rest();
  if (source != nullptr) *source = text;
  if (text.empty()) file.fail(fmt::format("is empty: {}", cure));
  if (text.find('\0') != std::string::npos)  // the parser would end there
    file.fail(fmt::format("holds a byte 0, which no text does: {}", cure));
  std::int64_t line = 1;
  JsonBuilder builder(file, cure, text, line);
  const CountedText begin(text.data(), line), end(text.data() + text.size(), line);
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take();
}

std::string text_of(const Json& value) { return down_to(value, 1000).dump(); }

}  // namespace vergence::cli
