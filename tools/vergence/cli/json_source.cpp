// SPDX-License-Identifier: Apache-2.0
// A walk over JSON that is known to be valid.
#include "cli/json_source.hpp"

#include <algorithm>

#include "cli/json.hpp"

namespace vergence::cli {
namespace {

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  /// Calls take(key), which reads the value, for each member of the object that follows.
  template <class Take>
  void object(Take take) {
    skip_space();
    ++at_;  // {
    for (skip_space(); at_ < text_.size() && text_[at_] != '}'; skip_space()) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      const std::string key = Json::parse(value()).get<std::string>();
      skip_space();
      ++at_;  // :
      skip_space();
      take(key);
    }
    if (at_ < text_.size()) ++at_;
  }
  /// The text of the value that follows.
  std::string_view value() {
    const std::size_t begin = at_;
    int depth = 0;
    for (bool quoted = false; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quoted && c == '\\')
        ++at_;
      else if (c == '"')
        quoted = !quoted;
      else if (!quoted && (c == '{' || c == '['))
        ++depth;
      else if (!quoted && depth > 0 && (c == '}' || c == ']'))
        --depth;
      else if (!quoted && depth == 0 && ends(c))
        break;
    }
    return text_.substr(begin, at_ - begin);
  }
  bool is_object() const { return at_ < text_.size() && text_[at_] == '{'; }
  std::int64_t line() const {
    return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool ends(char c) { return is_space(c) || c == ',' || c == ':' || c == '}' || c == ']'; }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::map<std::string, JsonPlace> members_of(std::string_view text, std::string_view key) {
  std::map<std::string, JsonPlace> places;
  Walk walk(text);
  walk.object([&](const std::string& outer) {
    if (outer != key || !walk.is_object()) {
      walk.value();
      return;
    }
    walk.object([&](const std::string& name) {
      const std::int64_t line = walk.line();
      places[name] = {line, std::string(walk.value())};
    });
  });
  return places;
}

}  // namespace vergence::cli
