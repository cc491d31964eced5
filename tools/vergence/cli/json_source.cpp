// SPDX-License-Identifier: Apache-2.0
// A walk over JSON that is known to be valid.
#include "cli/json_source.hpp"

#include <algorithm>

namespace vergence::cli {
namespace {

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  /// Calls take(member), which reads the value, for each member of the object that follows: `object` is what it holds.
  template <class Take>
  void object(const Json& object, Take take) {
    at_ = text_.find('{', at_) + 1;
    for (const JsonMember& member : object.members()) {
      skip_space();
      if (text_[at_] == ',') ++at_;
      skip_space();
      value();  // the name
      skip_space();
      ++at_;  // :
      skip_space();
      take(member);
    }
    skip_space();
    ++at_;  // }
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

std::map<std::string, JsonPlace> members_of(std::string_view text, const Json& content, std::string_view key) {
  std::map<std::string, JsonPlace> places;
  Walk walk(text);
  walk.object(content, [&](const JsonMember& outer) {
    if (outer.name != key || !outer.value.is_object()) {
      walk.value();
      return;
    }
    walk.object(outer.value, [&](const JsonMember& member) {
      const std::int64_t line = walk.line();
      places[member.name] = {line, std::string(walk.value())};
    });
  });
  return places;
}

}  // namespace vergence::cli
