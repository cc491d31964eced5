// SPDX-License-Identifier: Apache-2.0
// JSON for tests: the one file of them that includes the JSON library.
#include "cli/printed_json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace vergence::cli_test {
namespace {

using Library = nlohmann::ordered_json;

}  // namespace

struct Json::Access {
  static const Library& of(const Json& json) { return *static_cast<const Library*>(json.value_.get()); }
  static Json make(Library value) { return Json(std::make_shared<const Library>(std::move(value))); }
  /// What lies in `whole`, which it keeps.
  static Json part(const Json& whole, const Library& value) {
    return Json(std::shared_ptr<const void>(whole.value_, &value));
  }
  static const Library& number(const Json& json) {
    if (!of(json).is_number()) throw std::runtime_error("no number: " + json.dump());
    return of(json);
  }
};

Json::Json(std::shared_ptr<const void> value) : value_(std::move(value)) {}
Json::Json() : Json(Access::make(nullptr)) {}
Json::Json(bool value) : Json(Access::make(value)) {}
Json::Json(int number) : Json(Access::make(number)) {}
Json::Json(unsigned number) : Json(Access::make(number)) {}
Json::Json(long number) : Json(Access::make(number)) {}
Json::Json(unsigned long number) : Json(Access::make(number)) {}
Json::Json(long long number) : Json(Access::make(number)) {}
Json::Json(unsigned long long number) : Json(Access::make(number)) {}
Json::Json(double number) : Json(Access::make(number)) {}
Json::Json(const char* text) : Json(Access::make(text)) {}
Json::Json(std::string_view text) : Json(Access::make(text)) {}
Json::Json(const std::string& text) : Json(Access::make(text)) {}

Json::Json(std::initializer_list<JsonMember> members) {
  Library object = Library::object();
  for (const JsonMember& member : members) object[member.name] = Access::of(member.value);
  value_ = std::make_shared<const Library>(std::move(object));
}

Json Json::array() { return Access::make(Library::array()); }
Json Json::parse(std::string_view text) { return Access::make(Library::parse(text)); }
bool Json::accept(std::string_view text) { return Library::accept(text); }

bool Json::is_null() const { return Access::of(*this).is_null(); }
bool Json::is_boolean() const { return Access::of(*this).is_boolean(); }
bool Json::is_number() const { return Access::of(*this).is_number(); }
bool Json::is_string() const { return Access::of(*this).is_string(); }
bool Json::contains(std::string_view name) const { return Access::of(*this).contains(std::string(name)); }
bool Json::empty() const { return Access::of(*this).empty(); }
std::size_t Json::size() const { return Access::of(*this).size(); }

template <class T>
T Json::get() const {
  return Access::of(*this).get<T>();
}
template bool Json::get() const;
template int Json::get() const;
template unsigned long Json::get() const;
template float Json::get() const;
template double Json::get() const;
template std::string Json::get() const;

Json Json::operator[](std::string_view name) const {
  return Access::part(*this, Access::of(*this).at(std::string(name)));
}
Json Json::operator[](std::size_t index) const { return Access::part(*this, Access::of(*this).at(index)); }

std::vector<Json> Json::elements() const {
  const Library& all = Access::of(*this);
  if (!all.is_array()) throw std::runtime_error("no array: " + dump());
  std::vector<Json> elements;
  for (const Library& element : all) elements.push_back(Access::part(*this, element));
  return elements;
}

std::vector<std::pair<std::string, Json>> Json::items() const {
  std::vector<std::pair<std::string, Json>> items;
  for (const auto& [name, value] : Access::of(*this).get_ref<const Library::object_t&>())
    items.emplace_back(name, Access::part(*this, value));
  return items;
}

std::string Json::dump() const { return Access::of(*this).dump(); }

bool operator==(const Json& a, const Json& b) { return Json::Access::of(a) == Json::Access::of(b); }
bool operator<(const Json& a, const Json& b) { return Json::Access::number(a) < Json::Access::number(b); }
bool operator<=(const Json& a, const Json& b) { return Json::Access::number(a) <= Json::Access::number(b); }
std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

}  // namespace vergence::cli_test
