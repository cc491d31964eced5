// SPDX-License-Identifier: Apache-2.0
// What holds for the fields of every kind of options as text: one table of rows for each kind.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/field.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

struct FieldRow {
  const char* name;
  const char* initial;              // the default
  std::vector<std::string> values;  // texts that come back as they are
  std::vector<std::string> wrong;
};

/// Text of one of a field's values where all its numbers are `value`.
inline std::string text_with(const Field& field, double value) {
  if (field.kind == FieldKind::size) return fmt::format("{0}x{0}", value);
  return field.kind == FieldKind::range ? fmt::format("0:{}", value) : fmt::format("{}", value);
}

template <class Options>
struct FieldTable {
  std::vector<FieldRow> rows;
  std::span<const Field> fields;
  std::string (*get)(const Options&, std::string_view);
  void (*set)(Options&, std::string_view, std::string_view);
  void (*plan)(Size, const Options&);
  Options base{};  ///< Options beside which every field may have any of its values.

  /// The library's fields are the rows, in this order, with their defaults.
  void expect_complete() const {
    ASSERT_EQ(fields.size(), rows.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      EXPECT_EQ(fields[i].name, rows[i].name);
      EXPECT_EQ(fields[i].default_value, rows[i].initial) << fields[i].name;
      for (const std::string_view text : {fields[i].range, fields[i].help, fields[i].group})
        EXPECT_FALSE(text.empty()) << fields[i].name;
      EXPECT_EQ(get(Options{}, fields[i].name), rows[i].initial) << fields[i].name;
    }
  }
  /// Every value goes in and comes out, changes this field alone, and can be taken back.
  void expect_round_trips() const {
    for (const FieldRow& row : rows)
      for (const std::string& value : row.values) {
        Options options;
        set(options, row.name, value);
        EXPECT_EQ(get(options, row.name), value) << row.name;
        EXPECT_EQ(options == Options{}, value == row.initial) << row.name << " = " << value;
        for (const FieldRow& other : rows) {
          if (std::string_view(other.name) == row.name) continue;
          EXPECT_EQ(get(options, other.name), other.initial) << row.name << " changed " << other.name;
        }
        set(options, row.name, row.initial);
        EXPECT_EQ(options, Options{}) << row.name;
      }
  }
  /// Wrong texts are refused with their field's name, and change nothing.
  void expect_refusals() const {
    for (const FieldRow& row : rows)
      for (const std::string& text : row.wrong) {
        Options options;
        EXPECT_ERROR(set(options, row.name, text), ErrorCode::invalid_argument,
                     std::string(row.name) + " is '" + text + "'");
        EXPECT_EQ(test::field_of([&] { set(options, row.name, text); }), row.name);
        EXPECT_EQ(options, Options{}) << row.name << " = '" << text << "'";
      }
  }
  /// Sets a field, and makes the plan of the largest picture that may have it.
  void use(const Field& field, Options options, const std::string& text) const {
    set(options, field.name, text);
    // Sides of the largest picture: both would be more pixels than are allowed.
    const bool size = field.kind == FieldKind::size && field.most > 256;
    plan(size ? Size{1 << 15, (1 << 16) - 2} : Size{1 << 20, 2000}, options);
  }
  void expect_allowed(const Field& field, const std::string& text) const {
    EXPECT_NO_THROW(use(field, base, text)) << field.name << " " << text;
  }
  void expect_refused(const Field& field, const std::string& text) const {
    EXPECT_EQ(test::field_of([&] { use(field, base, text); }), field.name) << text;
  }

  /// The numbers of the table are those that validation uses: both ends pass, what lies beyond is refused by the
  /// field's name, and so is what lies between steps.
  void expect_limits() const {
    for (const Field& field : fields) {
      if (!field.choices.empty()) continue;
      const bool real = field.kind == FieldKind::real;
      if (field.kind == FieldKind::range) {
        expect_allowed(field, fmt::format("{}:{}", field.least, field.most));
        expect_refused(field, fmt::format("{}:0", field.least - 1));
        expect_refused(field, fmt::format("0:{}", field.most + 1));
        continue;
      }
      expect_allowed(field, text_with(field, field.least));
      double below = real ? std::nextafter(field.least, -1) : field.least - 1;
      if (!field.special.meaning.empty() && below == field.special.value) below -= 1;
      expect_refused(field, text_with(field, below));
      expect_refused(field, text_with(field, real ? std::nextafter(field.most, field.most + 1) : field.most + 1));
      if (field.below_most)
        expect_refused(field, text_with(field, field.most));
      else if (field.bound != FieldBound::picture_size || field.most <= 256)
        expect_allowed(field, text_with(field, field.most));
      if (field.step > 1) expect_refused(field, text_with(field, field.least + 1));
      for (const int value : field.also) expect_allowed(field, text_with(field, value));
      if (field.special.meaning.empty()) continue;
      const bool word = field.kind == FieldKind::size;
      expect_allowed(field, word ? std::string(field.special.meaning) : text_with(field, field.special.value));
    }
  }
  /// Every word can be set, comes back, and passes validation.
  void expect_choices() const {
    for (const Field& field : fields)
      for (const std::string_view word : field.choices) {
        Options options = base;
        set(options, field.name, word);
        EXPECT_EQ(get(options, field.name), word) << field.name;
        expect_allowed(field, std::string(word));
      }
  }
};

}  // namespace vergence::test
