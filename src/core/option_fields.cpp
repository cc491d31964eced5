// SPDX-License-Identifier: Apache-2.0
// Text forms and checks of option fields, by kind.
#include "core/option_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/option_checks.hpp"
#include "vergence/names.hpp"

namespace vergence::option_fields {
namespace {

[[noreturn]] void refuse(const Field& field, const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message, field.name);
}

/// A number that is the whole text.
template <class Number>
bool parse_number(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

/// `count` whole numbers divided by `separator`.
bool parse_list(std::string_view text, char separator, int count, Numbers& value) {
  value.count = count;
  for (int i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    const std::size_t end = last ? text.size() : text.find(separator);
    int number = 0;
    if (end == std::string_view::npos || !parse_number(text.substr(0, end), number)) return false;
    value.at[static_cast<std::size_t>(i)] = number;
    if (!last) text.remove_prefix(end + 1);
  }
  return true;
}

/// One axis of a range: "64" is -64 .. 64. A negative number alone would be a range that ends before it starts.
bool parse_axis(std::string_view text, double& first, double& last) {
  Numbers ends;
  int side = 0;
  if (parse_number(text, side)) {
    first = -side;
    last = side;
    return side >= 0;
  }
  if (!parse_list(text, ':', 2, ends)) return false;
  first = ends.at[0];
  last = ends.at[1];
  return true;
}

bool parse_range(std::string_view text, Numbers& value) {
  const std::size_t comma = text.find(',');
  const std::string_view x = text.substr(0, comma);
  const std::string_view y = comma == std::string_view::npos ? x : text.substr(comma + 1);
  value.count = 4;
  return parse_axis(x, value.at[0], value.at[1]) && parse_axis(y, value.at[2], value.at[3]);
}

bool is_special(const Field& field, double value) {
  return !field.special.meaning.empty() && value == field.special.value;
}

bool parse_size(const Field& field, std::string_view text, Numbers& value) {
  int side = 0;
  if (!field.special.meaning.empty() && text == field.special.meaning) {
    value = to_numbers(Size{field.special.value, field.special.value});
    return true;
  }
  if (!field.square || !parse_number(text, side)) {
    if (!parse_list(text, 'x', 2, value)) return false;
  } else {
    value = to_numbers(Size{side, side});
  }
  return !is_special(field, value.at[0]) || !is_special(field, value.at[1]);  // its word stands for it
}

bool parse_rectangle(const Field& field, std::string_view text, Numbers& value) {
  return text == field.choices.front() || parse_list(text, ',', 4, value);
}

bool parse_word(const Field& field, std::string_view text, Numbers& value) {
  const auto word = std::find(field.choices.begin(), field.choices.end(), text);
  value = to_numbers(static_cast<int>(word - field.choices.begin()));
  return word != field.choices.end();
}

bool parse_one(std::string_view text, Numbers& value, bool whole) {
  value.count = 1;
  int number = 0;
  if (!whole) return parse_number(text, value.at[0]);
  const bool parsed = parse_number(text, number);
  value.at[0] = number;
  return parsed;
}

bool parse_kind(const Field& field, std::string_view text, Numbers& value) {
  switch (field.kind) {
    case FieldKind::integer:
      return parse_one(text, value, true);
    case FieldKind::real:
      return parse_one(text, value, false);
    case FieldKind::choice:
    case FieldKind::boolean:
      return parse_word(field, text, value);
    case FieldKind::size:
      return parse_size(field, text, value);
    case FieldKind::range:
      return parse_range(text, value);
    case FieldKind::rectangle:
      return parse_rectangle(field, text, value);
  }
  return false;
}

/// What a text of the field's form is, for messages.
std::string form_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::integer:
      return fmt::format("a whole number, {}", field.range);
    case FieldKind::real:
      return fmt::format("a number, {}", field.range);
    case FieldKind::choice:
    case FieldKind::boolean:
      return fmt::format("one of {}", field.range);
    default:
      return std::string(field.form);
  }
}

std::string axis_text(double first, double last) {
  return first == -last ? fmt::format("{}", last) : fmt::format("{}:{}", first, last);
}

std::string word_text(const Field& field, const Numbers& value) {
  const int place = value.whole(0);
  const bool known = place >= 0 && place < static_cast<int>(field.choices.size());
  return known ? std::string(field.choices[static_cast<std::size_t>(place)]) : std::to_string(place);
}

/// NaN is in no range.
bool within_limits(const Field& field, double value) {
  if (is_special(field, value)) return true;
  if (std::find(field.also.begin(), field.also.end(), value) != field.also.end()) return true;
  if (!(value >= field.least && value <= field.most) || (field.below_most && value == field.most)) return false;
  return field.kind == FieldKind::real || std::fmod(value - field.least, field.step) == 0;
}

/// A field's refusal: what it is, and what is allowed.
[[noreturn]] void refuse_value(const Field& field, const Numbers& value, std::string_view allowed) {
  refuse(field, fmt::format("{} is {}: allowed are {}{}", field.name, text_of(field, value), allowed,
                            field.unit.empty() ? "" : fmt::format(" (unit: {})", field.unit)));
}

void check_range_axis(const Field& field, char axis, double first, double last, int side, std::string_view picture) {
  const double most = std::min(field.most, static_cast<double>(side));
  if (first <= 0 && last >= 0 && first >= std::max(field.least, -most) && last <= most) return;
  refuse(field, fmt::format("{} is {}:{} in {}: the first must be {} .. 0, the last 0 .. {} (at most the {}'s {}, at "
                            "most {})",
                            field.name, first, last, axis, -most, most, picture, axis == 'x' ? "width" : "height",
                            field.most));
}

void check_range(const Field& field, const Numbers& value, Size size, std::string_view picture) {
  check_range_axis(field, 'x', value.at[0], value.at[1], size.width, picture);
  check_range_axis(field, 'y', value.at[2], value.at[3], size.height, picture);
}

void check_rectangle(const Field& field, const Numbers& value, Size size, std::string_view picture) {
  if (value.count == 0) return;
  const auto [x, y, width, height] = value.at;
  if (x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= size.width && y + height <= size.height) return;
  refuse(field, fmt::format("{} is {}: x,y,width,height must be a rectangle of at least one pixel inside the {}x{} {}",
                            field.name, text_of(field, value), size.width, size.height, picture));
}

void check_word(const Field& field, const Numbers& value) {
  // Enumerations can hold any number (a cast, a damaged file); devices rely on their meaning.
  const int last = static_cast<int>(field.choices.size()) - 1;
  if (value.whole(0) < 0 || value.whole(0) > last)
    refuse(field, fmt::format("{} has the unknown value {}: allowed are 0 .. {}", field.name, value.whole(0), last));
}

/// What the picture allows of numbers that are within least .. most.
void check_bound(const Field& field, const Numbers& value, Size size, std::string_view picture) {
  if (field.bound == FieldBound::picture_width && value.at[0] > size.width)
    refuse_value(field, value, fmt::format("{} .. {} (the {}'s width)", field.least, size.width, picture));
  const double height = value.at[value.count == 2 ? 1 : 0];
  if (field.bound == FieldBound::picture_size && (value.at[0] > size.width || height > size.height))
    refuse(field, fmt::format("{0} is {1}, larger than the {2}x{3} {4}: use a smaller {0}", field.name,
                              text_of(field, value), size.width, size.height, picture));
  if (field.bound == FieldBound::below_picture && (value.at[0] >= size.width || height >= size.height))
    refuse(field, fmt::format("{0} is {1}, but the {4} is {2}x{3}: both sides must exceed the {0}, use a smaller one",
                              field.name, text_of(field, value), size.width, size.height, picture));
}

/// "0 .. 1000", "1x1 .. 64x64 in steps of 4", "3, 5, 7".
std::string limits_text(const Field& field, std::string_view picture) {
  const bool is_size = field.kind == FieldKind::size;
  const auto number = [is_size](double value) {
    return is_size ? fmt::format("{0}x{0}", value) : fmt::format("{}", value);
  };
  if (field.step > 1 && field.kind == FieldKind::integer && (field.most - field.least) / field.step <= 3) {
    std::string list;
    for (double value = field.least; value <= field.most; value += field.step)
      list.append(list.empty() ? "" : ", ").append(number(value));
    return list;
  }
  if (field.least == field.most && !field.also.empty())
    return fmt::format("{}, {}", number(field.least), fmt::join(field.also, ", "));
  const bool odd = field.step == 2 && std::fmod(field.least, 2) == 1;
  // No picture's side is larger than these.
  const bool open = field.most >= largest_side - 1 && field.bound != FieldBound::none;
  std::string most = number(field.most);
  if (open) most = fmt::format("{} {}", picture, field.bound == FieldBound::picture_width ? "width" : "size");
  std::string text = fmt::format("{} .. {}{}", number(field.least), field.below_most ? "below " : "", most);
  if (odd) text += ", odd";
  if (field.step > 1 && !odd) text += fmt::format(" in steps of {}", field.step);
  if (!field.also.empty()) text += fmt::format(", or {}", fmt::join(field.also, ", "));
  if (field.bound == FieldBound::picture_size && !open) text += fmt::format(", at most the {}", picture);
  if (field.bound == FieldBound::below_picture) text += fmt::format(", less than the {}", picture);
  return text;
}

}  // namespace

std::string text_of(const Field& field, const Numbers& value) {
  const auto& at = value.at;
  switch (field.kind) {
    case FieldKind::integer:
    case FieldKind::real:
      break;
    case FieldKind::choice:
    case FieldKind::boolean:
      return word_text(field, value);
    case FieldKind::size:
      if (is_special(field, at[0]) && is_special(field, at[1])) return std::string(field.special.meaning);
      return fmt::format("{}x{}", at[0], at[1]);
    case FieldKind::range: {
      const std::string x = axis_text(at[0], at[1]);
      return at[0] == at[2] && at[1] == at[3] ? x : x + "," + axis_text(at[2], at[3]);
    }
    case FieldKind::rectangle:
      if (value.count == 0) return std::string(field.choices.front());
      return fmt::format("{},{},{},{}", at[0], at[1], at[2], at[3]);
  }
  return field.kind == FieldKind::integer ? std::to_string(value.whole(0)) : fmt::format("{}", at[0]);
}

Numbers parse(const Field& field, std::string_view text) {
  Numbers value;
  if (!parse_kind(field, text, value))
    refuse(field, fmt::format("{} is '{}': allowed is {}", field.name, text, form_of(field)));
  return value;
}

void check_value(const Field& field, const Numbers& value, Size size, std::string_view picture) {
  if (field.kind == FieldKind::range) return check_range(field, value, size, picture);
  if (field.kind == FieldKind::rectangle) return check_rectangle(field, value, size, picture);
  if (!field.choices.empty()) return check_word(field, value);
  // Of a size both numbers are special, or none is.
  if (field.kind == FieldKind::size && is_special(field, value.at[0]) != is_special(field, value.at[1]))
    refuse_value(field, value, field.range);
  for (int i = 0; i < value.count; ++i)
    if (!within_limits(field, value.at[static_cast<std::size_t>(i)])) refuse_value(field, value, field.range);
  check_bound(field, value, size, picture);
}

std::string range_text(const Field& field, std::string_view picture) {
  if (field.kind == FieldKind::rectangle)
    return fmt::format("{} or x,y,width,height inside the {}", field.choices.front(), picture);
  if (!field.choices.empty()) return fmt::format("{}", fmt::join(field.choices, ", "));
  if (field.kind == FieldKind::range)
    return fmt::format("N, FIRST:LAST or X,Y of these, {} .. {}, at most the {}", field.least, field.most, picture);
  const std::string text = limits_text(field, picture);
  if (field.special.meaning.empty()) return text;
  if (field.kind == FieldKind::size) return fmt::format("{}, {}", field.special.meaning, text);
  const bool inside = field.special.value >= field.least;
  if (!inside) return fmt::format("{} ({}), {}", field.special.value, field.special.meaning, text);
  return fmt::format("{}, {} = {}", text, field.special.value, field.special.meaning);
}

void refuse_name(std::string_view domain, std::string_view name, std::span<const Field> fields,
                 std::span<const Renamed> renamed) {
  for (const Renamed& one : renamed)
    if (one.before == name)
      throw Error(ErrorCode::not_found, fmt::format("{} option '{}' is now named '{}'", domain, name, one.now),
                  one.now);
  std::vector<std::string> names;
  for (const Field& field : fields) names.emplace_back(field.name);
  const std::vector<std::string> likely = likely_names(name, names);
  if (!likely.empty())
    throw Error(ErrorCode::not_found,
                fmt::format("no {} option is named '{}': did you mean {}?", domain, name, fmt::join(likely, " or ")));
  const std::vector<std::string> sorted = sorted_by_likeness(name, names);
  constexpr std::ptrdiff_t shown = 3;
  throw Error(
      ErrorCode::not_found,
      fmt::format("no {} option is named '{}': there are {}, the least different ones {}", domain, name, names.size(),
                  fmt::join(sorted.begin(), sorted.begin() + std::min(shown, std::ssize(sorted)), ", ")));
}

}  // namespace vergence::option_fields
