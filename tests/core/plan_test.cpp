// SPDX-License-Identifier: Apache-2.0
// make_stereo_plan: the range of every field from both sides, the rules between fields, and what follows from them.
#include "plan/stereo/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/expect_error.hpp"

namespace vergence {
namespace {

constexpr Size size{200, 100};
constexpr int int_max = std::numeric_limits<int>::max();
constexpr int int_min = std::numeric_limits<int>::min();

/// One field, the values that must pass and those that must be refused by the field's name.
struct NumberRange {
  const char* name;
  int StereoOptions::*field;
  std::vector<int> good, bad;
};

TEST(StereoPlan, NumbersInsideAndOutsideTheirRange) {
  const std::vector<NumberRange> table{
      {"disparities", &StereoOptions::disparities, {1, 200}, {0, -1, 201, int_max, int_min}},
      {"min-disparity", &StereoOptions::min_disparity, {-1048576, 1048576}, {-1048577, 1048577, int_min, int_max}},
      {"prefilter-cap", &StereoOptions::prefilter_cap, {1, 127}, {0, 128, -1}},
      {"uniqueness", &StereoOptions::uniqueness_ratio, {0, 1000}, {-1, 1001}},
      {"texture", &StereoOptions::texture_threshold, {0, int_max}, {-1, int_min}},
      {"left-right", &StereoOptions::left_right, {-1, 0, 65535}, {-2, 65536}},
      {"speckle-size", &StereoOptions::speckle_size, {0, int_max}, {-1}},
      {"speckle-range", &StereoOptions::speckle_range, {0, 65535}, {-1, 65536}},
      {"median", &StereoOptions::median, {0, 3, 5}, {-1, 1, 2, 4, 7}},
      {"fill-window", &StereoOptions::fill_window, {3, 255}, {1, 2, 4, 256, 257, -3}},
      {"max-value", &StereoOptions::max_value, {1, 65535}, {0, 65536, -1}},
  };
  for (const NumberRange& row : table) {
    for (const int value : row.good) {
      StereoOptions options;
      options.*row.field = value;
      EXPECT_NO_THROW(make_stereo_plan(size, options)) << row.name << " " << value;
    }
    for (const int value : row.bad) {
      StereoOptions options;
      options.*row.field = value;
      EXPECT_ERROR(make_stereo_plan(size, options), ErrorCode::invalid_argument,
                   std::string(row.name) + " is " + std::to_string(value));
    }
  }
}

TEST(StereoPlan, Windows) {
  for (const Size window : {Size{1, 1}, Size{199, 99}, Size{31, 1}, Size{1, 31}}) {
    const StereoPlan plan = make_stereo_plan(size, {.window = window});
    EXPECT_EQ(plan.rx, window.width / 2);
    EXPECT_EQ(plan.ry, window.height / 2);
  }
  for (const Size window : {Size{8, 9}, Size{9, 8}, Size{0, 9}, Size{9, -1}, Size{-3, -3}})
    EXPECT_ERROR(make_stereo_plan(size, {.window = window}), ErrorCode::invalid_argument,
                 "allowed are auto, 1x1 .. picture size, odd (unit: px)");
  for (const Size window : {Size{201, 1}, Size{1, 101}})
    EXPECT_ERROR(make_stereo_plan(size, {.window = window}), ErrorCode::invalid_argument,
                 "larger than the 200x100 picture");
}

TEST(StereoPlan, Sizes) {
  const StereoOptions tiny{.window = {1, 1}, .disparities = 1};
  for (const Size good : {Size{1, 1}, Size{1048576, 1}, Size{1, 1048576}, Size{16384, 16384}})
    EXPECT_NO_THROW(make_stereo_plan(good, tiny));
  for (const Size bad : {Size{0, 5}, Size{5, 0}, Size{-1, 5}, Size{1048577, 1}, Size{1, 1048577}, Size{65536, 65536}})
    EXPECT_ERROR(make_stereo_plan(bad, tiny), ErrorCode::invalid_argument,
                 "picture size is " + std::to_string(bad.width) + "x");
}

TEST(StereoPlan, Rectangles) {
  for (const Rect roi : {Rect{0, 0, 200, 100}, Rect{199, 99, 1, 1}, Rect{3, 4, 5, 6}})
    EXPECT_EQ(make_stereo_plan(size, {.roi = roi}).roi, roi);
  EXPECT_EQ(make_stereo_plan(size, {}).roi, (Rect{0, 0, 200, 100}));
  for (const Rect roi :
       {Rect{-1, 0, 5, 5}, Rect{0, -1, 5, 5}, Rect{0, 0, 0, 5}, Rect{0, 0, 5, 0}, Rect{196, 0, 5, 5}, Rect{0, 96, 5, 5},
        Rect{200, 0, 1, 1}, Rect{1, 1, int_max, int_max}, Rect{int_max, 0, int_max, 1}})
    EXPECT_ERROR(make_stereo_plan(size, {.roi = roi}), ErrorCode::invalid_argument, "roi is " + std::to_string(roi.x));
}

template <class Enum>
void expect_enum_checked(const char* name, Enum StereoOptions::*field, int count) {
  for (const int value : {-1, count, 255}) {
    StereoOptions options;
    options.*field = static_cast<Enum>(value);
    EXPECT_ERROR(make_stereo_plan(size, options), ErrorCode::invalid_argument,
                 std::string(name) + " has the unknown value");
  }
  for (int value = 0; value < count; ++value) {
    StereoOptions options{.left_right = -1};
    options.*field = static_cast<Enum>(value);
    EXPECT_NO_THROW(make_stereo_plan(size, options)) << name << value;
  }
}

TEST(StereoPlan, EnumerationsHoldKnownValues) {
  expect_enum_checked("cost", &StereoOptions::cost, 5);
  expect_enum_checked("aggregate", &StereoOptions::aggregate, 2);
  expect_enum_checked("reference", &StereoOptions::reference, 2);
  expect_enum_checked("border", &StereoOptions::border, 2);
  expect_enum_checked("outside", &StereoOptions::outside, 3);
  expect_enum_checked("tie", &StereoOptions::tie, 2);
  expect_enum_checked("prefilter", &StereoOptions::prefilter, 3);
  expect_enum_checked("left-right-unit", &StereoOptions::left_right_unit, 2);
  expect_enum_checked("fill", &StereoOptions::fill, 5);
  expect_enum_checked("pixel-depth", &StereoOptions::depth, 2);
}

TEST(StereoPlan, LeftRightNeedsSkippedCandidates) {
  for (const StereoOutside outside : {StereoOutside::zero, StereoOutside::clamp}) {
    EXPECT_ERROR(make_stereo_plan(size, {.outside = outside, .left_right = 0}), ErrorCode::invalid_argument,
                 "left-right is 0 with outside");
    EXPECT_NO_THROW(make_stereo_plan(size, {.outside = outside, .left_right = -1}));
  }
}

TEST(StereoPlan, MeanOverAllNeedsAnInvalidValueThatItCannotGive) {
  EXPECT_ERROR(make_stereo_plan(size, {.min_disparity = 1, .fill = StereoFill::mean_all}), ErrorCode::invalid_argument,
               "fill is mean-all");
  EXPECT_NO_THROW(make_stereo_plan(size, {.min_disparity = 0, .fill = StereoFill::mean_all}));
  EXPECT_NO_THROW(make_stereo_plan(size, {.min_disparity = -9, .fill = StereoFill::mean_all}));
  EXPECT_NO_THROW(make_stereo_plan(size, {.min_disparity = 1, .fill = StereoFill::mean}));
}

struct LimitRow {
  StereoOptions options;
  int max_pixel;
  std::uint64_t max_tap_cost, max_cost;
};

TEST(StereoPlan, CostLimits) {
  const std::vector<LimitRow> table{
      {{.window = {5, 5}}, 255, 255, 6375},
      {{.cost = StereoCost::ssd, .window = {15, 15}}, 255, 65025, 14630625},
      {{.cost = StereoCost::census_5x5, .window = {1, 3}}, 255, 24, 72},
      {{.cost = StereoCost::census_9x7, .window = {31, 31}}, 255, 62, 59582},
      {{.window = {21, 21}, .prefilter = StereoPrefilter::xsobel, .prefilter_cap = 31}, 62, 62, 27342},
      {{.window = {3, 3}, .prefilter = StereoPrefilter::xsobel_opencv, .prefilter_cap = 127, .depth = Depth::u16},
       254,
       254,
       2286},
      {{.cost = StereoCost::ssd, .window = {31, 31}, .depth = Depth::u16},
       65535,
       4294836225u,
       4294836225u * std::uint64_t{961}},
      {{.window = {3, 1}, .depth = Depth::u16, .max_value = 1023}, 1023, 1023, 3069},
      {{.window = {3, 1}, .depth = Depth::u8, .max_value = 1023}, 255, 255, 765},
  };
  for (const LimitRow& row : table) {
    const StereoPlan plan = make_stereo_plan(size, row.options);
    EXPECT_EQ(plan.max_pixel, row.max_pixel);
    EXPECT_EQ(plan.max_tap_cost, row.max_tap_cost);
    EXPECT_EQ(plan.max_cost, row.max_cost);
  }
}

TEST(StereoPlan, CostsThatDoNotFit64BitsAreRefused) {
  const Size large{4001, 4001};
  const auto plan = [&](int side, int max_value, int uniqueness) {
    return make_stereo_plan(large, {.cost = StereoCost::ssd,
                                    .window = {side, side},
                                    .uniqueness_ratio = uniqueness,
                                    .depth = Depth::u16,
                                    .max_value = max_value});
  };
  EXPECT_ERROR(plan(4001, 65535, 0), ErrorCode::invalid_argument, "window 4001x4001 with cost ssd");
  EXPECT_NO_THROW(plan(4001, 255, 0));
  // 65535^2 * side^3 * 256 must stay below 2^63: side 203 is the largest.
  EXPECT_NO_THROW(plan(203, 65535, 0));
  EXPECT_ERROR(plan(205, 65535, 0), ErrorCode::invalid_argument, "smaller window");
  // With uniqueness 1000 the factor is 1100: side 123 (1860867 * 1100 * 65535^2 < 2^63) is the largest.
  EXPECT_NO_THROW(plan(123, 65535, 1000));
  EXPECT_ERROR(plan(127, 65535, 1000), ErrorCode::invalid_argument, "smaller window");
}

TEST(StereoPlan, WideRangesAndTheInvalidValue) {
  const Size wide{5000, 3};
  const auto plan = [&](int minimum, int count) {
    return make_stereo_plan(wide, {.window = {1, 1}, .disparities = count, .min_disparity = minimum});
  };
  EXPECT_FALSE(plan(0, 2048).wide);
  EXPECT_TRUE(plan(0, 2049).wide);
  EXPECT_FALSE(plan(-2047, 4095).wide);
  EXPECT_TRUE(plan(-2048, 1).wide);
  EXPECT_TRUE(plan(2048, 1).wide);
  EXPECT_EQ(plan(0, 64).invalid, -16);
  EXPECT_EQ(plan(-2047, 4095).invalid, -32768);
  EXPECT_EQ(plan(1048576, 1).invalid, 16777200);
  EXPECT_EQ(plan(-5, 10).last_disparity(), 4);
}

StereoOptions sgm(StereoCost cost, Size window, int paths = 8) {
  return {.cost = cost, .aggregate = StereoAggregate::sgm, .window = window, .paths = paths};
}

TEST(StereoPlan, TheUsualWindowFollowsFromTheAggregation) {
  EXPECT_EQ(make_stereo_plan(size, {}).options.window, (Size{9, 9}));
  EXPECT_EQ(make_stereo_plan(size, sgm(StereoCost::sad, {0, 0})).options.window, (Size{1, 1}));
  EXPECT_ERROR(make_stereo_plan(size, {.window = {0, 9}}), ErrorCode::invalid_argument, "window is 0x9");
  EXPECT_ERROR(make_stereo_plan(size, {.window = {9, 0}}), ErrorCode::invalid_argument, "window is 9x0");
  EXPECT_ERROR(make_stereo_plan({8, 8}, {.disparities = 4}), ErrorCode::invalid_argument, "larger than the 8x8");
}

TEST(StereoPlan, PenaltiesFollowFromCostAndWindow) {
  const auto penalties = [](const StereoOptions& options) {
    const StereoPlan plan = make_stereo_plan(size, options);
    return std::pair(plan.options.p1, plan.options.p2);
  };
  EXPECT_EQ(penalties(sgm(StereoCost::sad, {1, 1})), std::pair(10, 42));
  EXPECT_EQ(penalties(sgm(StereoCost::sad, {3, 3})), std::pair(91, 382));
  EXPECT_EQ(penalties(sgm(StereoCost::ssd, {1, 1})), std::pair(101, 406));
  EXPECT_EQ(penalties(sgm(StereoCost::census_9x7, {1, 1})), std::pair(20, 82));
  StereoOptions given = sgm(StereoCost::sad, {1, 1});
  given.p1 = 50;
  EXPECT_EQ(penalties(given), std::pair(50, 51));
  given.p2 = 90;
  EXPECT_EQ(penalties(given), std::pair(50, 90));
  given.p2 = 50;
  EXPECT_ERROR(penalties(given), ErrorCode::invalid_argument, "use p2 51 or more");
}

TEST(StereoPlan, SumsOverPathsFit32Bits) {
  const StereoPlan plan = make_stereo_plan(size, sgm(StereoCost::census_symmetric_9x7, {3, 1}, 4));
  EXPECT_EQ(plan.max_window_cost, 93u);
  EXPECT_EQ(plan.max_cost, 4u * (93 + 124));
  StereoOptions o = sgm(StereoCost::ssd, {1, 1}, 2);
  o.depth = Depth::u16;
  o.max_value = 30000;
  o.p2 = 2147483647 - 900000000;  // 2 (9e8 + p2) = 2^32 - 2
  EXPECT_EQ(make_stereo_plan(size, o).max_cost, 4294967294u);
  ++o.p2;
  EXPECT_ERROR(make_stereo_plan(size, o), ErrorCode::invalid_argument, "give sums up to 4294967296");
  o.max_value = 65535;
  o.p2 = 0;
  EXPECT_ERROR(make_stereo_plan(size, o), ErrorCode::invalid_argument, "smaller window");
}

TEST(StereoPlan, TheOtherViewOfPathsKeepsTheSums) {
  const StereoPlan paths = make_other_plan(make_stereo_plan(size, sgm(StereoCost::sad, {1, 1})));
  EXPECT_EQ(paths.options.reference, StereoView::right);
  EXPECT_EQ(paths.sums_view, StereoView::left);
  const StereoPlan windows = make_other_plan(make_stereo_plan(size, {.reference = StereoView::right}));
  EXPECT_EQ(windows.options.reference, StereoView::left);
  EXPECT_EQ(windows.sums_view, StereoView::left);
}

}  // namespace
}  // namespace vergence
