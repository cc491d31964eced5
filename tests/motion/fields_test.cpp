// SPDX-License-Identifier: Apache-2.0
// The fields of MotionOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/field_rows.hpp"
#include "plan/motion/plan.hpp"
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
    {"pixel-depth", "u8", {"u8", "u16"}, {"8"}},
    {"max-value", "65535", {"1023"}, {"10 bit"}},
};

test::FieldTable<MotionOptions> table() {
  return {rows,
          motion_fields(),
          motion_get,
          motion_set,
          [](Size size, const MotionOptions& o) { make_motion_plan(size, o); },
          {.block = {8, 8}}};
}

TEST(MotionFields, TheListIsComplete) { table().expect_complete(); }
TEST(MotionFields, ValuesGoInAndComeOut) { table().expect_round_trips(); }
TEST(MotionFields, WrongTextsAreRefusedAndChangeNothing) { table().expect_refusals(); }
TEST(MotionFields, LimitsAreThoseOfValidation) { table().expect_limits(); }
TEST(MotionFields, EveryWordCanBeSet) { table().expect_choices(); }

template <class... Members>
std::size_t count(const Members&... /*members*/) {
  return sizeof...(Members);
}

/// Does not compile where a member is new: then it needs a field, too.
TEST(MotionFields, EveryMemberHasAField) {
  const MotionOptions options;
  const auto& [search, step_grid, levels, cost, block, range_x, range_y, border, lambda, subpel, overlap, depth,
               max_value] = options;
  EXPECT_EQ(count(search, step_grid, levels, cost, block, range_x, range_y, border, lambda, subpel, overlap, depth,
                  max_value),
            motion_fields().size() + 1);  // range is range_x and range_y
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

TEST(MotionFields, RulesBetweenFieldsNameOne) {
  const auto field = [](const MotionOptions& o) { return test::field_of([&] { make_motion_plan({200, 100}, o); }); };
  EXPECT_EQ(field({.search = MotionSearch::hierarchical, .levels = 0}), "levels");
  EXPECT_EQ(field({.range_x = {0, 0}, .range_y = {0, 0}}), "range");
  EXPECT_EQ(field({.range_y = {0, 101}}), "range");
}

TEST(MotionFields, RangesForPeopleFollowFromTheNumbers) {
  for (const Field& field : motion_fields()) {
    if (field.name == "block") {
      EXPECT_EQ(field.range, "4x4 .. 64x64 in steps of 4, at most the frame");
    }
    if (field.name == "range") {
      EXPECT_EQ(field.range, "N, FIRST:LAST or X,Y of these, -512 .. 512, at most the frame");
    }
  }
}

TEST(MotionFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  MotionOptions options;
  EXPECT_ERROR(motion_set(options, "serch", "full"), ErrorCode::not_found, "'serch': did you mean search?");
}

TEST(MotionFields, OldNamesAreRefusedWithTheNewOnes) {
  MotionOptions options;
  EXPECT_ERROR(motion_set(options, "depth", "x"), ErrorCode::not_found,
               "motion option 'depth' is now named 'pixel-depth'");
  EXPECT_EQ(test::field_of([&] { motion_set(options, "depth", "x"); }), "pixel-depth");
}

}  // namespace
}  // namespace vergence
