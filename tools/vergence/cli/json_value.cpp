// SPDX-License-Identifier: Apache-2.0
// JSON values; the JSON library prints them.
#include "cli/json_value.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace vergence::cli {
namespace {

Json::Value whole_number(long long number) {
  if (number >= 0) return static_cast<std::uint64_t>(number);
  return static_cast<std::int64_t>(number);
}

/// Moves those children of `value` to `nested` that have children themselves.
void take_nested(Json::Value& value, Json::Array& nested) {
  const auto take = [&nested](Json& child) {
    if (child.is_array() || child.is_object()) nested.push_back(std::move(child));
  };
  if (auto* const array = std::get_if<Json::Array>(&value)) {
    for (Json& element : *array) take(element);
  } else if (auto* const object = std::get_if<Json::Object>(&value)) {
    for (JsonMember& member : *object) take(member.value);
  }
}

/// Where the member of that name is.
template <class Object>
auto find_member(Object& object, std::string_view name) {
  return std::find_if(object.begin(), object.end(), [name](const JsonMember& member) { return member.name == name; });
}

/// The value as one of the library's.
struct ToLibrary {
  using Library = nlohmann::ordered_json;

  template <class Scalar>
  Library operator()(const Scalar& scalar) const {
    return scalar;
  }
  Library operator()(const Json::Array& array) const {
    Library result = Library::array();
    for (const Json& element : array) result.push_back(std::visit(*this, element.value()));
    return result;
  }
  Library operator()(const Json::Object& object) const {
    Library result = Library::object();
    for (const JsonMember& member : object) result[member.name] = std::visit(*this, member.value.value());
    return result;
  }
};

}  // namespace

Json::Json() noexcept = default;
Json::Json(std::nullptr_t) noexcept {}
Json::Json(bool value) noexcept : value_(value) {}
Json::Json(int number) noexcept : value_(whole_number(number)) {}
Json::Json(unsigned number) noexcept : value_(std::uint64_t{number}) {}
Json::Json(long number) noexcept : value_(whole_number(number)) {}
Json::Json(unsigned long number) noexcept : value_(std::uint64_t{number}) {}
Json::Json(long long number) noexcept : value_(whole_number(number)) {}
Json::Json(unsigned long long number) noexcept : value_(std::uint64_t{number}) {}
Json::Json(double number) noexcept : value_(number) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) noexcept : value_(std::move(text)) {}
Json::Json(const std::vector<std::string>& texts) : value_(Array(texts.begin(), texts.end())) {}
Json::Json(Array elements) noexcept : value_(std::move(elements)) {}
Json::Json(Object members) noexcept : value_(std::move(members)) {}
Json::Json(std::initializer_list<JsonMember> members) : value_(Object(members)) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;

// A file may nest values deeper than the stack would bear calls of this within each other.
Json::~Json() {
  Array nested;
  take_nested(value_, nested);
  while (!nested.empty()) {
    Json one = std::move(nested.back());
    nested.pop_back();
    take_nested(one.value_, nested);
  }
}

Json Json::array(std::initializer_list<Json> elements) { return Array(elements); }
Json Json::object() { return Object(); }

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<std::uint64_t>(value_);
}

double Json::number() const {
  if (const auto* const negative = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*negative);
  if (const auto* const whole = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*whole);
  return std::get<double>(value_);
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(element));
}

bool Json::contains(std::string_view name) const {
  const auto* const object = std::get_if<Object>(&value_);
  return object != nullptr && find_member(*object, name) != object->end();
}

const Json& Json::operator[](std::string_view name) const {
  static const Json null;
  const auto* const object = std::get_if<Object>(&value_);
  if (object == nullptr) return null;
  const auto found = find_member(*object, name);
  return found == object->end() ? null : found->value;
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) value_ = Object();
  auto& object = std::get<Object>(value_);
  const auto found = find_member(object, name);
  return found == object.end() ? object.emplace_back(JsonMember{std::string(name), {}}).value : found->value;
}

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

std::string Json::dump(int indent) const {
  using Library = ToLibrary::Library;
  return std::visit(ToLibrary(), value_).dump(indent, ' ', false, Library::error_handler_t::replace);
}

}  // namespace vergence::cli
