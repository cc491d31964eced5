// SPDX-License-Identifier: Apache-2.0
// The fields of StereoOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/field_rows.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

const std::vector<test::FieldRow> rows{
    {"cost", "sad", {"sad", "ssd", "census-5x5", "census-9x7", "census-symmetric-9x7"}, {"", "SAD", "census", "sad "}},
    {"window",
     "auto",
     {"auto", "1x1", "11x7", "3x31"},
     {"", "x", "9x", "x9", "9x9x9", "9,9", "nine", "9 x 9", "9.0", "Auto"}},
    {"disparities", "64", {"1", "256"}, {"", "64px", " 64", "6.4", "99999999999", "0x40"}},
    {"min-disparity", "0", {"-64", "12"}, {"", "-", "--1", "1e3"}},
    {"reference", "left", {"left", "right"}, {"both", "Left"}},
    {"border", "partial", {"partial", "invalid"}, {"clip"}},
    {"outside", "skip", {"skip", "zero", "clamp"}, {"none"}},
    {"tie", "lowest", {"lowest", "highest"}, {"low"}},
    {"aggregate", "window", {"window", "sgm"}, {"SGM", "none"}},
    {"paths", "8", {"2", "4", "5", "8"}, {"four", ""}},
    {"p1", "0", {"1", "2147483646"}, {"auto", "1.5"}},
    {"p2", "0", {"2", "2147483647"}, {"auto", "1.5"}},
    {"p2-slope", "0", {"1", "65535"}, {"off"}},
    {"prefilter", "none", {"none", "xsobel", "xsobel-opencv"}, {"sobel"}},
    {"prefilter-cap", "31", {"1", "127"}, {"x"}},
    {"subpixel", "on", {"off", "on"}, {"1", "true", "yes"}},
    {"uniqueness", "0", {"15", "1000"}, {"15%"}},
    {"reject-ties", "on", {"off", "on"}, {"1", "reject", ""}},
    {"texture", "0", {"10"}, {"-"}},
    {"left-right", "1", {"-1", "125"}, {"off"}},
    {"left-right-unit", "px", {"px", "grey"}, {"gray", "pixels"}},
    {"speckle-size", "100", {"0", "200"}, {"big"}},
    {"speckle-range", "16", {"0", "32"}, {""}},
    {"median", "0", {"3", "5"}, {"3x3"}},
    {"fill", "none", {"none", "background", "nearest", "mean", "mean-all"}, {"mean_all"}},
    {"fill-window", "11", {"3", "255"}, {"11x11"}},
    {"pixel-depth", "u8", {"u8", "u16"}, {"8"}},
    {"max-value", "65535", {"4095"}, {"12 bit"}},
    {"roi", "none", {"none", "0,0,1,1", "10,20,300,40"}, {"", "1,2,3", "1,2,3,4,5", "1x2x3x4", "10, 20,300,40", "all"}},
};

test::FieldTable<StereoOptions> table() {
  return {rows,
          stereo_fields(),
          stereo_get,
          stereo_set,
          [](Size size, const StereoOptions& o) { make_stereo_plan(size, o); },
          {.left_right = -1}};
}

TEST(StereoFields, TheListIsComplete) { table().expect_complete(); }
TEST(StereoFields, ValuesGoInAndComeOut) { table().expect_round_trips(); }
TEST(StereoFields, WrongTextsAreRefusedAndChangeNothing) { table().expect_refusals(); }
TEST(StereoFields, LimitsAreThoseOfValidation) { table().expect_limits(); }
TEST(StereoFields, EveryWordCanBeSet) { table().expect_choices(); }

template <class... Members>
std::size_t count(const Members&... /*members*/) {
  return sizeof...(Members);
}

/// Does not compile where a member is new: then it needs a field, too.
TEST(StereoFields, EveryMemberHasAField) {
  const StereoOptions options;
  const auto& [cost, aggregate, window, paths, p1, p2, p2_slope, disparities, min_disparity, reference, border, outside,
               tie, prefilter, prefilter_cap, subpixel, uniqueness_ratio, reject_ties, texture_threshold, left_right,
               left_right_unit, speckle_size, speckle_range, median, fill, fill_window, depth, max_value, roi] =
      options;
  EXPECT_EQ(
      count(cost, aggregate, window, paths, p1, p2, p2_slope, disparities, min_disparity, reference, border, outside,
            tie, prefilter, prefilter_cap, subpixel, uniqueness_ratio, reject_ties, texture_threshold, left_right,
            left_right_unit, speckle_size, speckle_range, median, fill, fill_window, depth, max_value, roi),
      stereo_fields().size());
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
  stereo_set(o, "pixel-depth", "u16");
  EXPECT_EQ(o.cost, StereoCost::census_9x7);
  EXPECT_EQ(o.reference, StereoView::right);
  EXPECT_EQ(o.border, StereoBorder::invalid);
  EXPECT_EQ(o.outside, StereoOutside::clamp);
  EXPECT_EQ(o.tie, StereoTie::highest);
  EXPECT_EQ(o.prefilter, StereoPrefilter::xsobel_opencv);
  EXPECT_EQ(o.left_right_unit, StereoCheckUnit::grey);
  EXPECT_EQ(o.fill, StereoFill::mean_all);
  EXPECT_EQ(o.depth, Depth::u16);
}

TEST(StereoFields, BothSidesOfAWindowGoToTheirEnds) {
  const auto plan = [](Size size, Size window) { make_stereo_plan(size, {.window = window, .disparities = 1}); };
  constexpr int longest = (1 << 20) - 1;
  EXPECT_NO_THROW(plan({1 << 20, 1}, {longest, 1}));
  EXPECT_NO_THROW(plan({1, 1 << 20}, {1, longest}));
  EXPECT_EQ(test::field_of([&] { plan({1 << 20, 1}, {longest + 2, 1}); }), "window");
  EXPECT_EQ(test::field_of([&] { plan({64, 48}, {65, 1}); }), "window");
  EXPECT_EQ(test::field_of([&] { plan({64, 48}, {1, 49}); }), "window");
}

TEST(StereoFields, RulesBetweenFieldsNameOne) {
  const auto field = [](const StereoOptions& o) { return test::field_of([&] { make_stereo_plan({200, 100}, o); }); };
  EXPECT_EQ(field({.outside = StereoOutside::zero}), "left-right");
  EXPECT_EQ(field({.min_disparity = 1, .fill = StereoFill::mean_all}), "fill");
  EXPECT_EQ(field({.disparities = 201}), "disparities");
  EXPECT_EQ(field({.roi = Rect{0, 0, 201, 1}}), "roi");
  EXPECT_EQ(test::field_of([] { make_stereo_plan({0, 5}, {}); }), "size");
}

TEST(StereoFields, RangesForPeopleFollowFromTheNumbers) {
  const auto range = [](std::string_view name) {
    for (const Field& field : stereo_fields())
      if (field.name == name) return std::string(field.range);
    return std::string();
  };
  EXPECT_EQ(range("window"), "auto, 1x1 .. picture size, odd");
  EXPECT_EQ(range("paths"), "2, 4, 5, 8");
  EXPECT_EQ(range("p1"), "0 (by cost and window), 1 .. 2147483646");
  EXPECT_EQ(range("disparities"), "1 .. picture width");
  EXPECT_EQ(range("uniqueness"), "0 .. 1000, 0 = off");
  EXPECT_EQ(range("left-right"), "-1 .. 65535, -1 = off");
  EXPECT_EQ(range("median"), "0 (off), 3, 5");
  EXPECT_EQ(range("fill-window"), "3 .. 255, odd");
  EXPECT_EQ(range("fill"), "none, background, nearest, mean, mean-all");
  EXPECT_EQ(range("roi"), "none or x,y,width,height inside the picture");
}

TEST(StereoFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  StereoOptions options;
  EXPECT_ERROR(stereo_set(options, "windows", "9"), ErrorCode::not_found, "'windows': did you mean window?");
  EXPECT_ERROR(stereo_set(options, "min_disparity", "9"), ErrorCode::not_found, "min-disparity");
  EXPECT_ERROR(stereo_get(options, "numDisparities"), ErrorCode::not_found, "did you mean disparities?");
  EXPECT_ERROR(stereo_get(options, "fil"), ErrorCode::not_found, "did you mean fill or fill-window?");
  EXPECT_ERROR(stereo_get(options, "winnow-sizes"), ErrorCode::not_found, "the least different ones window, ");
  EXPECT_ERROR(stereo_get(options, ""), ErrorCode::not_found, "'': there are 29, ");
}

TEST(StereoFields, OldNamesAreRefusedWithTheNewOnes) {
  StereoOptions options;
  EXPECT_ERROR(stereo_set(options, "depth", "x"), ErrorCode::not_found,
               "stereo option 'depth' is now named 'pixel-depth'");
  EXPECT_EQ(test::field_of([&] { stereo_set(options, "depth", "x"); }), "pixel-depth");
}

}  // namespace
}  // namespace vergence
