// SPDX-License-Identifier: Apache-2.0
// What holds for the fields of every kind of options as text: one table of rows for each kind.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expect_error.hpp"

namespace vergence::test {

struct FieldRow {
  const char* name;
  const char* initial;              // the default
  std::vector<std::string> values;  // texts that come back as they are
  std::vector<std::string> wrong;
};

template <class Options, class Field>
struct FieldTable {
  std::vector<FieldRow> rows;
  std::span<const Field> fields;
  std::string (*get)(const Options&, std::string_view);
  void (*set)(Options&, std::string_view, std::string_view);

  /// The library's fields are the rows, in this order, with their defaults.
  void expect_complete() const {
    ASSERT_EQ(fields.size(), rows.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      EXPECT_EQ(fields[i].name, rows[i].name);
      EXPECT_FALSE(fields[i].range.empty()) << fields[i].name;
      EXPECT_FALSE(fields[i].help.empty()) << fields[i].name;
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
        EXPECT_EQ(options, Options{}) << row.name << " = '" << text << "'";
      }
  }
};

}  // namespace vergence::test
