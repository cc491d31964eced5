// SPDX-License-Identifier: Apache-2.0
// A JSON value of the program's own: a file that includes the JSON library takes a second longer to compile. The
// library prints and parses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vergence::cli {

struct JsonMember;

/// null, true or false, a number, a text, an array, or an object, whose members keep their order.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;
  /// Whole numbers from 0 on are unsigned.
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Json() noexcept;  ///< null
  Json(std::nullptr_t) noexcept;
  Json(bool value) noexcept;
  Json(int number) noexcept;
  Json(unsigned number) noexcept;
  Json(long number) noexcept;
  Json(unsigned long number) noexcept;
  Json(long long number) noexcept;
  Json(unsigned long long number) noexcept;
  Json(double number) noexcept;
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text) noexcept;
  Json(const void*) = delete;  ///< Would be a bool.
  Json(const std::vector<std::string>& texts);
  Json(Array elements) noexcept;
  Json(Object members) noexcept;
  /// Json{{"width", 640}, {"height", 480}}; an array is Json::array({640, 480}).
  Json(std::initializer_list<JsonMember> members);
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> elements = {});
  static Json object();

  const Value& value() const { return value_; }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const;
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  // What it holds; std::bad_variant_access where that is something else.
  bool boolean() const { return std::get<bool>(value_); }
  double number() const;
  const std::string& text() const { return std::get<std::string>(value_); }
  const Array& elements() const { return std::get<Array>(value_); }
  const Object& members() const { return std::get<Object>(value_); }

  /// Appends; null becomes an array.
  void push_back(Json element);
  bool contains(std::string_view name) const;
  /// The member of that name, null where there is none.
  const Json& operator[](std::string_view name) const;
  /// The same, made where there is none; null becomes an object.
  Json& operator[](std::string_view name);

  bool operator==(const Json& other) const;

  /// As text: in one line, or with so many blanks for each level. Bytes that are not UTF-8 are replaced.
  std::string dump(int indent = -1) const;

 private:
  Value value_;
};

struct JsonMember {
  std::string name;
  Json value;

  bool operator==(const JsonMember&) const = default;
};

}  // namespace vergence::cli
