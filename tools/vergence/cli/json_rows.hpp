// SPDX-License-Identifier: Apache-2.0
// A JSON file that grows: an object whose last member is an array, a row to a line.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// NAME.partial until commit(); what an error or a signal leaves there is JSON all the same.
class JsonRows {
 public:
  /// `rows` is the array's name; `head` has what stands before it.
  JsonRows(const std::string& path, const Json& head, const std::string& rows) : file_(path, AtomicFile::Mode::stream) {
    std::string text = head.dump(-1);
    text.pop_back();
    file_.write(text + ",\"" + rows + "\":[");
    file_.end_with(end);
    file_.flush();
  }
  ~JsonRows() {
    if (closed_) return;
    try {
      file_.write(end);
    } catch (const Error&) {
      closed_ = true;
    }
  }
  JsonRows(const JsonRows&) = delete;
  JsonRows& operator=(const JsonRows&) = delete;

  /// Begins a row at the end of `text`; the caller adds its values and "]".
  void begin_row(std::string& text) {
    text += first_ ? "\n[" : ",\n[";
    first_ = false;
  }
  void write(const std::string& text) { file_.write(text); }
  void flush() { file_.flush(); }
  void commit() {
    closed_ = true;
    file_.write(end);
    file_.commit();
  }

 private:
  static constexpr const char* end = "\n]}\n";
  AtomicFile file_;
  bool first_ = true;
  bool closed_ = false;
};

}  // namespace vergence::cli
