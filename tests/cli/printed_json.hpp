// SPDX-License-Identifier: Apache-2.0
// JSON that a program printed, as the JSON library parses it. Tests see no templates of the library's, which take
// seconds to compile.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vergence::cli_test {

struct JsonMember;

/// A value that does not change. Whatever it is taken for and is not throws, as does a member that is missing.
class Json {
 public:
  Json();  ///< null
  Json(bool value);
  Json(int number);
  Json(unsigned number);
  Json(long number);
  Json(unsigned long number);
  Json(long long number);
  Json(unsigned long long number);
  Json(double number);
  Json(const char* text);
  Json(std::string_view text);
  Json(const std::string& text);
  Json(const void*) = delete;  ///< Would be a bool.
  /// An object: Json{{"width", 640}, {"height", 480}}.
  Json(std::initializer_list<JsonMember> members);
  /// An empty array.
  static Json array();
  /// Throws where the text is no JSON.
  static Json parse(std::string_view text);
  static bool accept(std::string_view text);

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_string() const;
  bool contains(std::string_view name) const;
  bool empty() const;
  std::size_t size() const;
  /// bool, int, unsigned long, float, double, std::string.
  template <class T>
  T get() const;

  Json operator[](std::string_view name) const;
  Json operator[](std::size_t index) const;
  /// All of an array.
  std::vector<Json> elements() const;
  /// All of an object, in its order.
  std::vector<std::pair<std::string, Json>> items() const;
  std::string dump() const;

  /// Numbers are equal whatever their types; the members of objects have an order.
  friend bool operator==(const Json& a, const Json& b);
  /// Of numbers alone.
  friend bool operator<(const Json& a, const Json& b);
  friend bool operator>(const Json& a, const Json& b) { return b < a; }
  friend bool operator<=(const Json& a, const Json& b);
  friend bool operator>=(const Json& a, const Json& b) { return b <= a; }
  /// GoogleTest prints by it.
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  struct Access;
  explicit Json(std::shared_ptr<const void> value);

  std::shared_ptr<const void> value_;  ///< Of the library's type; keeps what it is part of.
};

struct JsonMember {
  std::string name;
  Json value;
};

}  // namespace vergence::cli_test
