// SPDX-License-Identifier: Apache-2.0
// The fields of MotionOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/field_rows.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

const std::vector<test::FieldRow> rows{
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
    {"depth", "u8", {"u8", "u16"}, {"8"}},
    {"max-value", "65535", {"1023"}, {"10 bit"}},
};

test::FieldTable<MotionOptions, MotionField> table() { return {rows, motion_fields(), motion_get, motion_set}; }

TEST(MotionFields, TheListIsComplete) { table().expect_complete(); }
TEST(MotionFields, ValuesGoInAndComeOut) { table().expect_round_trips(); }
TEST(MotionFields, WrongTextsAreRefusedAndChangeNothing) { table().expect_refusals(); }

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

TEST(MotionFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  MotionOptions options;
  EXPECT_ERROR(motion_set(options, "serch", "full"), ErrorCode::not_found, "'serch': there are search, step-grid");
}

}  // namespace
}  // namespace vergence
