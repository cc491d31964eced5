// SPDX-License-Identifier: Apache-2.0
// JSON out of a text, by the JSON library's parser.
#include "cli/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "vergence/error.hpp"

namespace vergence::cli {
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
  JsonBuilder(const JsonFailure& fail, std::string_view cure, std::string_view text, const std::int64_t& line)
      : fail_(fail), cure_(cure), text_(text), line_(line) {}
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
      fail_(fmt::format("has the key \"{}\" twice in one object, in lines {} and {}: leave one of the two", name,
                        first->second, line_));
    keys_.back().last = std::move(name);
    return true;
  }
  bool end_object() {
    keys_.pop_back();
    return close();
  }
  [[noreturn]] bool parse_error(std::size_t at, const std::string& /*token*/, const nlohmann::json::exception& error) {
    const std::string_view read = text_.substr(0, at);
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    if (dynamic_cast<const nlohmann::json::parse_error*>(&error) == nullptr)
      fail_(fmt::format("holds a number that is out of range, line {}{}: {}", line,
                        keys_.empty() ? "" : fmt::format(", at \"{}\"", keys_.back().last), cure_));
    fail_(fmt::format("is not JSON, line {}: {}", line, cure_));
    throw Error(ErrorCode::bad_data, "text is not JSON");  // where `fail` returned
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
  const JsonFailure& fail_;
  std::string_view cure_, text_;
  const std::int64_t& line_;
  Json root_;
  std::vector<Json> open_;  ///< Arrays and objects, outermost first.
  std::vector<Keys> keys_;  ///< Of the objects among them.
};

}  // namespace

Json parse_json(std::string_view text, std::string_view cure, const JsonFailure& fail) {
  if (text.empty()) fail(fmt::format("is empty: {}", cure));
  if (text.find('\0') != std::string::npos)  // the parser would end there
    fail(fmt::format("holds a byte 0, which no text does: {}", cure));
  std::int64_t line = 1;
  JsonBuilder builder(fail, cure, text, line);
  const CountedText begin(text.data(), line), end(text.data() + text.size(), line);
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take();
}

}  // namespace vergence::cli
