// SPDX-License-Identifier: Apache-2.0
// Tables of an options struct's fields: limits, text forms and checks, the same for all domains.
#pragma once

#include <fmt/format.h>

#include <array>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vergence/error.hpp"
#include "vergence/field.hpp"
#include "vergence/image.hpp"

namespace vergence::option_fields {

/// A field's value: one number (words: their place in `choices`), two of a size, four of a rectangle or of both axes of
/// a range; none of an absent rectangle. Every int is exact in a double.
struct Numbers {
  std::array<double, 4> at{};
  int count = 0;
  int whole(std::size_t i) const { return static_cast<int>(at[i]); }
};

inline Numbers to_numbers(int value) { return {{static_cast<double>(value)}, 1}; }
inline Numbers to_numbers(double value) { return {{value}, 1}; }
inline Numbers to_numbers(bool value) { return {{value ? 1.0 : 0.0}, 1}; }
template <class Enum>
requires std::is_enum_v<Enum> Numbers to_numbers(Enum value) { return to_numbers(static_cast<int>(value)); }
inline Numbers to_numbers(Size size) { return {{double(size.width), double(size.height)}, 2}; }
inline Numbers to_numbers(const std::optional<Rect>& rect) {
  if (!rect) return {};
  return {{double(rect->x), double(rect->y), double(rect->width), double(rect->height)}, 4};
}

inline void from_numbers(const Numbers& numbers, int& value) { value = numbers.whole(0); }
inline void from_numbers(const Numbers& numbers, double& value) { value = numbers.at[0]; }
inline void from_numbers(const Numbers& numbers, bool& value) { value = numbers.at[0] != 0; }
template <class Enum>
requires std::is_enum_v<Enum>
void from_numbers(const Numbers& numbers, Enum& value) { value = static_cast<Enum>(numbers.whole(0)); }
inline void from_numbers(const Numbers& numbers, Size& size) { size = {numbers.whole(0), numbers.whole(1)}; }
inline void from_numbers(const Numbers& numbers, std::optional<Rect>& rect) {
  rect.reset();
  if (numbers.count == 4) rect = Rect{numbers.whole(0), numbers.whole(1), numbers.whole(2), numbers.whole(3)};
}

/// A field and how its value is read from the options and written to them.
template <class Options>
struct Entry {
  Field field;
  Numbers (*read)(const Options&) = nullptr;
  void (*write)(Options&, const Numbers&) = nullptr;
};

template <class Member>
struct MemberOf;
template <class O, class V>
struct MemberOf<V O::*> {
  using Options = O;
  using Value = V;
};

/// Words of on/off fields.
inline constexpr std::array<std::string_view, 2> switch_words{"off", "on"};

/// The entry of one member; the kind follows from its type.
template <auto Member>
auto entry(Field field) {
  using Options = typename MemberOf<decltype(Member)>::Options;
  using Value = typename MemberOf<decltype(Member)>::Value;
  if constexpr (std::is_same_v<Value, bool>) {
    field.kind = FieldKind::boolean;
    field.choices = switch_words;
  } else if constexpr (std::is_enum_v<Value>) {
    field.kind = FieldKind::choice;
  } else if constexpr (std::is_same_v<Value, double>) {
    field.kind = FieldKind::real;
  } else if constexpr (std::is_same_v<Value, Size>) {
    field.kind = FieldKind::size;
  } else if constexpr (!std::is_same_v<Value, int>) {
    field.kind = FieldKind::rectangle;
  }
  return Entry<Options>{field, [](const Options& o) { return to_numbers(o.*Member); },
                        [](Options& o, const Numbers& numbers) { from_numbers(numbers, o.*Member); }};
}

/// A value as text.
std::string text_of(const Field& field, const Numbers& value);
/// The value that a text stands for. Throws Error(invalid_argument) where it is not of the field's form; limits are not
/// checked.
Numbers parse(const Field& field, std::string_view text);
/// Throws Error(invalid_argument) where a value is not within the field's limits, those of the picture included.
/// `picture` is what messages call it: "picture" or "frame".
void check_value(const Field& field, const Numbers& value, Size size, std::string_view picture);
/// Field::range, from all others.
std::string range_text(const Field& field, std::string_view picture);

/// The name that a field had before.
struct Renamed {
  std::string_view before, now;
};
/// Throws Error(not_found): with the new name where `name` is an old one, else with all names.
[[noreturn]] void refuse_name(std::string_view domain, std::string_view name, std::span<const Field> fields,
                              std::span<const Renamed> renamed);

/// All fields of an options struct. It lives as long as the program.
template <class Options>
class Table {
 public:
  using Entries = std::vector<Entry<Options>>;
  /// `groups` each add their entries, in this order.
  Table(std::string_view domain, std::string_view picture, std::span<const Renamed> renamed,
        std::initializer_list<void (*)(Entries&)> groups)
      : domain_(domain), picture_(picture), renamed_(renamed) {
    for (const auto add : groups) add(entries_);
    for (Entry<Options>& entry : entries_) {
      entry.field.default_value = texts_.emplace_back(text_of(entry.field, entry.read(Options{})));
      entry.field.range = texts_.emplace_back(range_text(entry.field, picture));
      fields_.push_back(entry.field);
    }
  }

  std::span<const Field> fields() const { return fields_; }
  std::string get(const Options& options, std::string_view name) const {
    const Entry<Options>& entry = find(name);
    return text_of(entry.field, entry.read(options));
  }
  void set(Options& options, std::string_view name, std::string_view text) const {
    const Entry<Options>& entry = find(name);
    entry.write(options, parse(entry.field, text));
  }
  void check(const Options& options, Size size) const {
    for (const Entry<Options>& entry : entries_) check_value(entry.field, entry.read(options), size, picture_);
  }

 private:
  const Entry<Options>& find(std::string_view name) const {
    for (const Entry<Options>& entry : entries_)
      if (entry.field.name == name) return entry;
    refuse_name(domain_, name, fields_, renamed_);
  }

  std::string_view domain_, picture_;
  std::span<const Renamed> renamed_;
  Entries entries_;
  std::vector<Field> fields_;
  std::deque<std::string> texts_;  // a deque, because its strings stay where they are
};

/// The element of that name; throws Error(not_found) that lists the names.
template <class Presets>
const typename Presets::value_type& find_preset(const Presets& presets, std::string_view domain,
                                                std::string_view name) {
  std::string names;
  for (const auto& preset : presets) {
    if (preset.name == name) return preset;
    names.append(names.empty() ? "" : ", ").append(preset.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("no {} preset is named '{}': there are {}", domain, name, names));
}

}  // namespace vergence::option_fields

/// What a domain's public header promises of its options, all from the domain's table.
#define VERGENCE_FIELD_FUNCTIONS(domain, Options)                                      \
  std::span<const Field> domain##_fields() { return domain##_table().fields(); }       \
  std::string domain##_get(const Options& options, std::string_view name) {            \
    return domain##_table().get(options, name);                                        \
  }                                                                                    \
  void domain##_set(Options& options, std::string_view name, std::string_view value) { \
    domain##_table().set(options, name, value);                                        \
  }
