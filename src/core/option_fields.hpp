// SPDX-License-Identifier: Apache-2.0
// Tables of an options struct's fields by name and as text: what the tables of stereo and motion share.
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "vergence/error.hpp"

namespace vergence::option_fields {

[[noreturn]] inline void refuse(std::string_view field, std::string_view text, std::string_view allowed) {
  throw Error(ErrorCode::invalid_argument, fmt::format("{} is '{}': allowed is {}", field, text, allowed));
}

/// A whole number that is the whole text.
inline bool parse_int(std::string_view text, int& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

/// `count` whole numbers divided by `separator`.
inline bool parse_list(std::string_view text, char separator, std::span<int> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool last = i + 1 == values.size();
    const std::size_t cut = last ? text.size() : text.find(separator);
    if (cut == std::string_view::npos || !parse_int(text.substr(0, cut), values[i])) return false;
    if (!last) text.remove_prefix(cut + 1);
  }
  return true;
}

/// A field with its text form: `Field` has name, range, unit and help. `set` may assume nothing about the text.
template <class Options, class Field>
struct Entry {
  Field field;
  std::string (*get)(const Options&) = nullptr;
  void (*set)(Options&, const Field&, std::string_view) = nullptr;
};

template <class Member>
struct OwnerOf;
template <class Options, class Value>
struct OwnerOf<Value Options::*> {
  using Type = Options;
};
template <auto Member>
using Owner = typename OwnerOf<decltype(Member)>::Type;

template <class Field, auto Member>
constexpr Entry<Owner<Member>, Field> number(std::string_view name, std::string_view range, std::string_view unit,
                                             std::string_view help) {
  using O = Owner<Member>;
  return {{name, range, unit, help},
          [](const O& o) { return std::to_string(o.*Member); },
          [](O& o, const Field& field, std::string_view text) {
            int value = 0;
            if (!parse_int(text, value)) refuse(field.name, text, fmt::format("a whole number, {}", field.range));
            o.*Member = value;
          }};
}

/// `List` holds the words of an enumeration (or of a switch) in its order.
template <class Field, auto Member, const auto& List>
constexpr Entry<Owner<Member>, Field> word(std::string_view name, std::string_view range, std::string_view help) {
  using O = Owner<Member>;
  return {{name, range, "", help},
          [](const O& o) {
            const auto index = static_cast<std::size_t>(o.*Member);
            return index < List.size() ? std::string(List[index]) : std::to_string(index);
          },
          [](O& o, const Field& field, std::string_view text) {
            for (std::size_t i = 0; i < List.size(); ++i)
              if (List[i] == text) {
                using Value = std::remove_reference_t<decltype(o.*Member)>;
                o.*Member = static_cast<Value>(i);
                return;
              }
            refuse(field.name, text, fmt::format("one of {}", field.range));
          }};
}

template <class Options, class Field, std::size_t Count>
constexpr std::array<Field, Count> collect(const std::array<Entry<Options, Field>, Count>& entries) {
  std::array<Field, Count> fields;
  for (std::size_t i = 0; i < Count; ++i) fields[i] = entries[i].field;
  return fields;
}

/// Throws Error(not_found) that lists the names; `domain` is "stereo" or "motion".
template <class Options, class Field, std::size_t Count>
const Entry<Options, Field>& find(const std::array<Entry<Options, Field>, Count>& entries, std::string_view domain,
                                  std::string_view name) {
  std::string names;
  for (const Entry<Options, Field>& entry : entries) {
    if (entry.field.name == name) return entry;
    names.append(names.empty() ? "" : ", ").append(entry.field.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("no {} option is named '{}': there are {}", domain, name, names));
}

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
