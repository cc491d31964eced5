// SPDX-License-Identifier: Apache-2.0
// The fields of StereoOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/stereo.hpp"

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
      {"cost", "sad", {"sad", "ssd", "census-5x5", "census-9x7"}, {"", "SAD", "census", "sad "}},
      {"window", "9x9", {"1x1", "11x7", "3x31"}, {"", "x", "9x", "x9", "9x9x9", "9,9", "nine", "9 x 9", "9.0"}},
      {"disparities", "64", {"1", "256"}, {"", "64px", " 64", "6.4", "99999999999", "0x40"}},
      {"min-disparity", "0", {"-64", "12"}, {"", "-", "--1", "1e3"}},
      {"reference", "left", {"left", "right"}, {"both", "Left"}},
      {"border", "partial", {"partial", "invalid"}, {"clip"}},
      {"outside", "skip", {"skip", "zero", "clamp"}, {"none"}},
      {"tie", "lowest", {"lowest", "highest"}, {"low"}},
      {"prefilter", "none", {"none", "xsobel", "xsobel-opencv"}, {"sobel"}},
      {"prefilter-cap", "31", {"1", "127"}, {"x"}},
      {"subpixel", "on", {"off", "on"}, {"1", "true", "yes"}},
      {"uniqueness", "0", {"15", "1000"}, {"15%"}},
      {"texture", "0", {"10"}, {"-"}},
      {"left-right", "1", {"-1", "125"}, {"off"}},
      {"left-right-unit", "px", {"px", "grey"}, {"gray", "pixels"}},
      {"speckle-size", "100", {"0", "200"}, {"big"}},
      {"speckle-range", "16", {"0", "32"}, {""}},
      {"median", "0", {"3", "5"}, {"3x3"}},
      {"fill", "none", {"none", "background", "nearest", "mean", "mean-all"}, {"mean_all"}},
      {"fill-window", "11", {"3", "255"}, {"11x11"}},
      {"depth", "u8", {"u8", "u16"}, {"8"}},
      {"max-value", "65535", {"4095"}, {"12 bit"}},
      {"roi",
       "none",
       {"none", "0,0,1,1", "10,20,300,40"},
       {"", "1,2,3", "1,2,3,4,5", "1x2x3x4", "10, 20,300,40", "all"}},
  };
  return table;
}

TEST(StereoFields, TheListIsComplete) {
  const auto fields = stereo_fields();
  ASSERT_EQ(fields.size(), rows().size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(fields[i].name, rows()[i].name);
    EXPECT_FALSE(fields[i].range.empty()) << fields[i].name;
    EXPECT_FALSE(fields[i].help.empty()) << fields[i].name;
  }
}

TEST(StereoFields, DefaultsAndRoundTrips) {
  for (const Row& row : rows()) {
    StereoOptions options;
    EXPECT_EQ(stereo_get(options, row.name), row.initial);
    for (const std::string& value : row.values) {
      stereo_set(options, row.name, value);
      EXPECT_EQ(stereo_get(options, row.name), value) << row.name;
    }
    // Only this field moved: putting it back gives the defaults.
    stereo_set(options, row.name, row.initial);
    EXPECT_EQ(options, StereoOptions{}) << row.name;
  }
}

TEST(StereoFields, DifferentFieldsAreDifferentMembers) {
  for (const Row& row : rows()) {
    StereoOptions options;
    stereo_set(options, row.name, row.values.front() != row.initial ? row.values.front() : row.values.back());
    EXPECT_NE(options, StereoOptions{}) << row.name;
    for (const Row& other : rows()) {
      if (std::string_view(other.name) == row.name) continue;
      EXPECT_EQ(stereo_get(options, other.name), other.initial) << row.name;
    }
  }
}

TEST(StereoFields, OneNumberIsASquareWindow) {
  StereoOptions options;
  stereo_set(options, "window", "21");
  EXPECT_EQ(options.window, (Size{21, 21}));
}

TEST(StereoFields, WordsMeanTheirEnumerators) {
  StereoOptions o;
  stereo_set(o, "cost", "census-9x7");
  stereo_set(o, "reference", "right");
  stereo_set(o, "border", "invalid");
  stereo_set(o, "outside", "clamp");
  stereo_set(o, "tie", "highest");
  stereo_set(o, "prefilter", "xsobel-opencv");
  stereo_set(o, "left-right-unit", "grey");
  stereo_set(o, "fill", "mean-all");
  stereo_set(o, "depth", "u16");
  EXPECT_EQ(o.cost, Cost::census_9x7);
  EXPECT_EQ(o.reference, View::right);
  EXPECT_EQ(o.border, Border::invalid);
  EXPECT_EQ(o.outside, Outside::clamp);
  EXPECT_EQ(o.tie, Tie::highest);
  EXPECT_EQ(o.prefilter, Prefilter::xsobel_opencv);
  EXPECT_EQ(o.left_right_unit, CheckUnit::grey);
  EXPECT_EQ(o.fill, Fill::mean_all);
  EXPECT_EQ(o.depth, Depth::u16);
}

TEST(StereoFields, WrongTextsAreRefusedAndChangeNothing) {
  for (const Row& row : rows())
    for (const std::string& text : row.wrong) {
      StereoOptions options;
      EXPECT_ERROR(stereo_set(options, row.name, text), ErrorCode::invalid_argument,
                   std::string(row.name) + " is '" + text + "'");
      EXPECT_EQ(options, StereoOptions{}) << row.name;
    }
}

TEST(StereoFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  StereoOptions options;
  EXPECT_ERROR(stereo_set(options, "windows", "9"), ErrorCode::not_found, "'windows'");
  EXPECT_ERROR(stereo_set(options, "min_disparity", "9"), ErrorCode::not_found, "min-disparity");
  EXPECT_ERROR(stereo_get(options, ""), ErrorCode::not_found, "cost, window, disparities");
}

}  // namespace
}  // namespace vergence
