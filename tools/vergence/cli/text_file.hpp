// SPDX-License-Identifier: Apache-2.0
// Text that a user gives in a file: bounded, from files and pipes only, with messages that name the file and the line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/json.hpp"

namespace vergence::cli {

/// Some editors begin a text of UTF-8 with it.
constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

/// Such a mark is skipped.
class TextFile {
 public:
  /// `what` is for messages: "points file". Throws Error where `path` is no file or pipe that can be read. More than
  /// `most_bytes` are an Error as soon as they are met: a pipe might never end.
  TextFile(std::string what, const std::string& path, std::uint64_t most_bytes);

  /// The next line without its end; false behind the last one. A line has at most 64 KiB.
  bool next_line(std::string& line);
  /// All that is left.
  std::string rest();
  /// Of the line that was read last, from 1.
  std::int64_t line_number() const { return line_; }

  /// Throws Error(bad_data): "points file a.txt WHY", printable: what an Error says ends at a NUL.
  [[noreturn]] void fail(std::string_view why) const;
  /// The same with the number of the line that was read last.
  [[noreturn]] void fail_line(std::string_view why) const;

 private:
  bool refill();

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string what_;
  std::string path_;
  std::uint64_t most_bytes_;
  std::uint64_t read_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< In the buffer.
  std::int64_t line_ = 0;
};

/// The JSON that `file` holds; an Error names the line where it stops to be JSON, or a key that an object has twice and
/// its lines. `cure` says what to do.
Json read_json(TextFile& file, std::string_view cure, std::string* source = nullptr);
/// A value of such a file as JSON. What is nested deeper than 1000 levels is null: printing takes stack for each level.
std::string text_of(const Json& value);

}  // namespace vergence::cli
