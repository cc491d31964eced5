// SPDX-License-Identifier: Apache-2.0
// Converts between Python's values and the text forms of the library's fields.
#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace vergence::python {
namespace {

std::string text_of_object(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

[[noreturn]] void refuse_value(const Field& field, nb::handle value, std::string_view needed) {
  throw WrongType(fmt::format("{} is {}: {} is needed{}", keyword_of(field.name), text_of_object(value), needed,
                              field.range.empty() ? "" : fmt::format(" ({})", field.range)));
}

bool is_bool(nb::handle value) { return PyBool_Check(value.ptr()) || name_of_type(value).starts_with("bool"); }

/// The digits of an int, or of what __index__ makes one, of any length.
bool int_text(nb::handle value, std::string& text) {
  if (is_bool(value) || PyIndex_Check(value.ptr()) == 0) return false;
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  text = nb::cast<std::string>(nb::str(number));
  return true;
}

/// `count` ints of a tuple or list.
bool int_texts(nb::handle value, std::size_t count, std::vector<std::string>& texts) {
  if (!nb::isinstance<nb::tuple>(value) && !nb::isinstance<nb::list>(value)) return false;
  if (nb::len(value) != count) return false;
  texts.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (!int_text(nb::object(value[i]), texts[i])) return false;
  return true;
}

std::string axis_text(const Field& field, nb::handle whole, nb::handle axis) {
  std::string text;
  if (int_text(axis, text)) return text;
  std::vector<std::string> ends;
  if (!int_texts(axis, 2, ends))
    refuse_value(field, whole, "an int, (first, last), or a pair of these, the one down before the one across,");
  return ends[0] + ":" + ends[1];
}

std::string range_text(const Field& field, nb::handle value) {
  std::string text;
  std::vector<std::string> ends;
  if (int_text(value, text) || int_texts(value, 2, ends)) return axis_text(field, value, value);
  if (!nb::isinstance<nb::tuple>(value) || nb::len(value) != 2) return axis_text(field, value, value);
  const nb::object down = value[0], across = value[1];
  return axis_text(field, value, across) + "," + axis_text(field, value, down);
}

std::string size_text(const Field& field, nb::handle value) {
  std::string side;
  std::vector<std::string> sides;
  if (field.square && int_text(value, side)) return side;
  if (int_texts(value, 2, sides)) return sides[1] + "x" + sides[0];
  if (!field.special.meaning.empty() && nb::isinstance<nb::str>(value) &&
      nb::cast<std::string>(value) == field.special.meaning)
    return std::string(field.special.meaning);
  refuse_value(field, value, field.square ? "an int or (height, width)" : "(height, width)");
}

std::string rectangle_text(const Field& field, nb::handle value) {
  if (value.is_none()) return std::string(field.choices.front());
  std::vector<std::string> sides;
  if (!int_texts(value, 4, sides)) refuse_value(field, value, "None or (y, x, height, width)");
  return fmt::format("{},{},{},{}", sides[1], sides[0], sides[3], sides[2]);
}

std::string real_text(const Field& field, nb::handle value) {
  double number = 0;
  if (is_bool(value) || nb::isinstance<nb::str>(value) || !nb::try_cast(value, number))
    refuse_value(field, value, "a number");
  return fmt::format("{}", number);
}

/// In any locale.
template <class Number>
Number to_number(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}
int to_int(std::string_view text) { return to_number<int>(text); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != text.npos;) {
    at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at != text.npos) text.remove_prefix(at + 1);
  }
  return parts;
}

nb::tuple range_value(std::string_view text) {
  const auto axis = [](std::string_view one) {
    const auto ends = split(one, ':');
    return ends.size() == 2 ? nb::make_tuple(to_int(ends[0]), to_int(ends[1]))
                            : nb::make_tuple(-to_int(ends[0]), to_int(ends[0]));
  };
  const auto axes = split(text, ',');
  return nb::make_tuple(axis(axes.back()), axis(axes.front()));
}

std::string type_text(const Field& field) {
  switch (field.kind) {
    case FieldKind::integer:
      return "int";
    case FieldKind::real:
      return "float";
    case FieldKind::boolean:
      return "bool";
    case FieldKind::size:
      return std::string(field.square ? "int | tuple[int, int]" : "tuple[int, int]") +
             (field.special.meaning.empty() ? "" : fmt::format(" | Literal['{}']", field.special.meaning));
    case FieldKind::range:
      return "int | tuple[int, int] | tuple[tuple[int, int], tuple[int, int]]";
    case FieldKind::rectangle:
      return "tuple[int, int, int, int] | None";
    case FieldKind::choice:
      break;
  }
  std::string words;
  for (const std::string_view word : field.choices) words += fmt::format("{}'{}'", words.empty() ? "" : ", ", word);
  return fmt::format("Literal[{}]", words);
}

nb::dict field_dict(const Field& field) {
  nb::dict all;
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  all["help"] = text(field.help);
  all["type"] = nb::str(type_text(field).c_str());
  all["range"] = text(field.range);
  all["unit"] = text(field.unit);
  all["default"] = value_of_text(field, field.default_value);
  return all;
}

template <class Domain>
void register_domain(nb::module_& module) {
  static const std::string fields_name = std::string(Domain::name) + "_fields";
  static const std::string presets_name = std::string(Domain::name) + "_presets";
  module.def(
      fields_name.c_str(),
      [] {
        nb::dict all;
        for (const Field& field : Domain::fields()) all[keyword_of(field.name).c_str()] = field_dict(field);
        return all;
      },
      nb::sig(fmt::format("def {}() -> dict[str, dict[str, object]]", fields_name).c_str()),
      "All options of this domain by keyword: help, type, range, unit and default of each.");
  module.def(
      presets_name.c_str(),
      [] {
        nb::dict all;
        for (const auto& preset : Domain::presets())
          all[nb::str(preset.name.data(), preset.name.size())] = options_dict<Domain>(preset.options);
        return all;
      },
      nb::sig(fmt::format("def {}() -> dict[str, dict[str, object]]", presets_name).c_str()),
      "The presets of this domain by name, each a dict of all its options.");
}

/// "min_disparity: int = ..., cost: Literal['sad', ...] = ..." for signatures.
std::string keywords_signature(std::span<const Field> fields) {
  std::string text;
  for (const Field& field : fields)
    text += fmt::format("{}{}: {} = ...", text.empty() ? "" : ", ", keyword_of(field.name), type_text(field));
  return text;
}

/// The options as the section "Parameters" of a docstring has them.
std::string keywords_docstring(std::span<const Field> fields) {
  std::string text;
  for (const Field& field : fields)
    text += fmt::format("{} : {}\n    {}{}{}\n", keyword_of(field.name), type_text(field), field.help,
                        field.kind == FieldKind::choice || field.kind == FieldKind::boolean
                            ? ""
                            : fmt::format(" Allowed: {}.", field.range),
                        field.unit.empty() ? "" : fmt::format(" Unit: {}.", field.unit));
  return text;
}

}  // namespace

std::string keyword_of(std::string_view field) {
  if (field == "lambda") return "lambda_";
  std::string text(field);
  for (char& letter : text)
    if (letter == '-') letter = '_';
  return text;
}

std::string field_of(std::string_view keyword) {
  if (keyword == "lambda_") return "lambda";
  std::string text(keyword);
  for (char& letter : text)
    if (letter == '_') letter = '-';
  return text;
}

std::string text_of_value(const Field& field, nb::handle value) {
  std::string text;
  switch (field.kind) {
    case FieldKind::integer:
      if (!int_text(value, text)) refuse_value(field, value, "an int");
      return text;
    case FieldKind::real:
      return real_text(field, value);
    case FieldKind::choice:
      if (!nb::isinstance<nb::str>(value)) refuse_value(field, value, "a str");
      return nb::cast<std::string>(value);
    case FieldKind::boolean:
      if (!is_bool(value)) refuse_value(field, value, "True or False");
      return nb::cast<bool>(nb::bool_(value)) ? "on" : "off";
    case FieldKind::size:
      return size_text(field, value);
    case FieldKind::range:
      return range_text(field, value);
    case FieldKind::rectangle:
      return rectangle_text(field, value);
  }
  return text;
}

nb::object value_of_text(const Field& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::integer:
      return nb::int_(to_int(text));
    case FieldKind::real:
      return nb::float_(to_number<double>(text));
    case FieldKind::choice:
      return nb::str(text.data(), text.size());
    case FieldKind::boolean:
      return nb::bool_(text == "on");
    case FieldKind::size: {
      if (text == field.special.meaning) return nb::str(text.data(), text.size());
      const auto sides = split(text, 'x');
      return nb::make_tuple(to_int(sides.back()), to_int(sides.front()));
    }
    case FieldKind::range:
      return range_value(text);
    case FieldKind::rectangle: {
      const auto sides = split(text, ',');
      if (sides.size() != 4) return nb::none();
      return nb::make_tuple(to_int(sides[1]), to_int(sides[0]), to_int(sides[3]), to_int(sides[2]));
    }
  }
  return nb::none();
}

std::string init_signature(std::span<const Field> fields, const char* own, Presets presets) {
  return fmt::format("def __init__(self, device: Device | str = 'cpu', size: tuple[int, int] = ..., {}*, {}{}) -> None",
                     presets == Presets::some ? "preset: str = 'default', " : "", own, keywords_signature(fields));
}

std::string class_docstring(const char* purpose, const char* domain, std::span<const Field> fields, const char* own) {
  const std::string preset = fmt::format(R"(preset : str
    Which options to begin with: a name in {}_presets(). The keywords below change single ones.
)",
                                         domain);
  return fmt::format(R"({}
Parameters
----------
device : Device or str
    'cpu', 'reference', 'opencl:0', 'cuda:0', ... Every device gives the same bits.
size : tuple[int, int]
    (height, width) of the pictures.
{}{}{})",
                     purpose, *domain == 0 ? "" : preset, own, keywords_docstring(fields));
}

void refuse_keyword(const Error& error) {
  std::string text = error.what();
  for (char& letter : text)
    if (letter == '-') letter = '_';
  throw WrongType(text);
}

void refuse_options(const Error& error, std::span<const Field> fields, const nb::kwargs& keywords) {
  for (const Field& field : fields) {
    if (field.name != error.field()) continue;
    if (field.kind != FieldKind::size && field.kind != FieldKind::range && field.kind != FieldKind::rectangle) continue;
    const std::string keyword = keyword_of(field.name);
    if (!keywords.contains(keyword.c_str())) continue;
    const char* const order = field.kind == FieldKind::rectangle ? "as (y, x, height, width)"
                              : field.kind == FieldKind::range   ? "down before across"
                                                                 : "height before width";
    throw Error(error.code(),
                fmt::format("{} (given as {}={}, {})", error.what(), keyword,
                            text_of_object(nb::object(keywords[keyword.c_str()])), order),
                error.field());
  }
  throw error;
}

void register_options(nb::module_& module) {
  register_domain<StereoDomain>(module);
  register_domain<MotionDomain>(module);
  register_domain<TrackDomain>(module);
}

}  // namespace vergence::python
