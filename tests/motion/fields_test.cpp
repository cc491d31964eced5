// SPDX-License-Identifier: Apache-2.0
// The fields of MotionOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

struct Row {
  const char* name;
  const char* initial;              // the default
  std::vector<std::string> values;  // texts that come back as they are
  std::vector<std::string> wrong;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {"search", "full", {"full", "step", "diamond", "hexagon", "tz", "hierarchical"}, {"", "TZ", "esa"}},
      {"step-grid", "3x3", {"3x3", "7x7", "13x13", "15x15"}, {"3", "5x5"}},
      {"levels", "2", {"0", "5"}, {"", "two"}},
      {"cost", "sad", {"sad", "ssd", "satd"}, {"SAD", "mse"}},
      {"block", "16x16", {"8x8", "32x8"}, {"", "x", "8x", "8,8", "8x8x8"}},
      {"range",
       "64",
       {"1", "-64:63", "64,32", "-64:63,-32:31", "16,-8:7", "-5:3,2"},
       {"", "-4", ":", "1:", "1,2,3", "4 ", "64,", ",64"}},
      {"border", "inside", {"inside", "pad"}, {"clamp"}},
      {"lambda", "0", {"65536"}, {"0.5"}},
      {"subpel", "none", {"none", "half", "quarter"}, {"off"}},
      {"overlap", "off", {"off", "on"}, {"1"}},
      {"all-sizes", "off", {"off", "on"}, {"yes"}},
      {"depth", "u8", {"u8", "u16"}, {"8"}},
      {"max-value", "65535", {"1023"}, {"10 bit"}},
  };
  return table;
}

TEST(MotionFields, TheListIsComplete) {
  const auto fields = motion_fields();
  ASSERT_EQ(fields.size(), rows().size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(fields[i].name, rows()[i].name);
    EXPECT_FALSE(fields[i].range.empty()) << fields[i].name;
    EXPECT_FALSE(fields[i].help.empty()) << fields[i].name;
    EXPECT_EQ(motion_get(MotionOptions{}, fields[i].name), rows()[i].initial) << fields[i].name;
  }
}

TEST(MotionFields, ValuesGoInAndComeOut) {
  for (const Row& row : rows())
    for (const std::string& value : row.values) {
      MotionOptions options;
      motion_set(options, row.name, value);
      EXPECT_EQ(motion_get(options, row.name), value) << row.name;
      for (const Row& other : rows()) {
        if (std::string_view(other.name) == row.name) continue;
        EXPECT_EQ(motion_get(options, other.name), other.initial) << row.name << " changed " << other.name;
      }
    }
}

TEST(MotionFields, ShortFormsMeanBothSides) {
  MotionOptions options;
  motion_set(options, "block", "8");
  EXPECT_EQ(options.block, (Size{8, 8}));
  motion_set(options, "range", "-64:63");
  EXPECT_EQ(options.range_x, (MotionRange{-64, 63}));
  EXPECT_EQ(options.range_y, (MotionRange{-64, 63}));
  motion_set(options, "range", "32,-3:0");
  EXPECT_EQ(options.range_x, (MotionRange{-32, 32}));
  EXPECT_EQ(options.range_y, (MotionRange{-3, 0}));
}

TEST(MotionFields, OtherTextsAreRefusedByName) {
  for (const Row& row : rows())
    for (const std::string& value : row.wrong) {
      MotionOptions options;
      EXPECT_ERROR(motion_set(options, row.name, value), ErrorCode::invalid_argument,
                   std::string(row.name) + " is '" + value + "'");
      EXPECT_EQ(options, MotionOptions{}) << row.name << " = '" << value << "'";
    }
  MotionOptions options;
  EXPECT_ERROR(motion_set(options, "serch", "full"), ErrorCode::not_found, "'serch': there are search, step-grid");
}

}  // namespace
}  // namespace vergence
