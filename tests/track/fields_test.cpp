// SPDX-License-Identifier: Apache-2.0
// The fields of TrackOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/field_rows.hpp"
#include "plan/track/plan.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

const std::vector<test::FieldRow> rows{
    {"points", "500", {"0", "2000"}, {"", "many", "1.5"}},
    {"refill", "80", {"100"}, {"80%"}},
    {"corner", "shi-tomasi", {"shi-tomasi", "harris"}, {"Harris", "fast"}},
    {"harris-k", "4", {"6"}, {"0.04"}},
    {"corner-block", "3", {"7"}, {"3x3"}},
    {"quality", "0.01", {"0.5", "0", "1e-05"}, {"", "1/2", "0.5 "}},
    {"min-distance", "10", {"0"}, {"2.5"}},
    {"grid", "1x1", {"8x6"}, {"", "8", "8,6", "8x6x1"}},
    {"roi", "all", {"all", "1,2,3,4"}, {"", "1,2,3", "1x2x3x4", "1,2,3,4,5"}},
    {"window", "21", {"9"}, {"9x9"}},
    {"levels", "3", {"0"}, {"-"}},
    {"iterations", "30", {"6"}, {"inf"}},
    {"epsilon", "0.01", {"0.03"}, {"0,03", "1e", "--1"}},
    {"min-eigen", "0.0001", {"0.001"}, {"abc"}},
    {"gain-offset", "off", {"off", "on"}, {"1"}},
    {"guess", "position", {"position", "velocity"}, {"last"}},
    {"must-converge", "off", {"on"}, {"yes"}},
    {"max-residual", "20", {"12.5"}, {"any"}},
    {"forward-backward", "1", {"2.5"}, {"off"}},
    {"min-separation", "0", {"2.5"}, {""}},
    {"history", "1", {"20"}, {"all"}},
    {"pixel-depth", "u8", {"u8", "u16"}, {"8"}},
    {"max-value", "65535", {"1023"}, {"10 bit"}},
};

test::FieldTable<TrackOptions> table() {
  return {
      rows, track_fields(), track_get, track_set, [](Size size, const TrackOptions& o) { make_track_plan(size, o); },
      {}};
}

TEST(TrackFields, TheListIsComplete) { table().expect_complete(); }
TEST(TrackFields, ValuesGoInAndComeOut) { table().expect_round_trips(); }
TEST(TrackFields, WrongTextsAreRefusedAndChangeNothing) { table().expect_refusals(); }
TEST(TrackFields, LimitsAreThoseOfValidation) { table().expect_limits(); }
TEST(TrackFields, EveryWordCanBeSet) { table().expect_choices(); }

template <class... Members>
std::size_t count(const Members&... /*members*/) {
  return sizeof...(Members);
}

/// Does not compile where a member is new: then it needs a field, too.
TEST(TrackFields, EveryMemberHasAField) {
  const TrackOptions options;
  const auto& [points, refill, corner, harris_k, block, quality, min_distance, grid, roi, window, levels, iterations,
               epsilon, min_eigen, gain_offset, guess, must_converge, max_residual, forward_backward, min_separation,
               history, depth, max_value] = options;
  EXPECT_EQ(count(points, refill, corner, harris_k, block, quality, min_distance, grid, roi, window, levels, iterations,
                  epsilon, min_eigen, gain_offset, guess, must_converge, max_residual, forward_backward, min_separation,
                  history, depth, max_value),
            track_fields().size());
}

TEST(TrackFields, RangesForPeopleFollowFromTheNumbers) {
  for (const Field& field : track_fields()) {
    if (field.name == "window") {
      EXPECT_EQ(field.range, "3 .. 63, odd, or 8, 16, 32, 48, less than the frame");
    }
    if (field.name == "corner-block") {
      EXPECT_EQ(field.range, "3, 5, 7");
    }
    if (field.name == "quality") {
      EXPECT_EQ(field.range, "0 .. below 1");
    }
    if (field.name == "max-residual") {
      EXPECT_EQ(field.range, "0 .. 255, 0 = any");
    }
  }
}

TEST(TrackFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  TrackOptions options;
  EXPECT_ERROR(track_set(options, "windw", "9"), ErrorCode::not_found, "'windw': did you mean window?");
  // What is no number gets to the plan, which refuses it.
  track_set(options, "quality", "nan");
  EXPECT_ERROR(PointFlow(Device("reference"), {64, 48}, options), ErrorCode::invalid_argument, "quality is nan");
}

TEST(TrackFields, OldNamesAreRefusedWithTheNewOnes) {
  TrackOptions options;
  EXPECT_ERROR(track_set(options, "light", "x"), ErrorCode::not_found,
               "track option 'light' is now named 'gain-offset'");
  EXPECT_EQ(test::field_of([&] { track_set(options, "light", "x"); }), "gain-offset");
  EXPECT_ERROR(track_set(options, "depth", "x"), ErrorCode::not_found,
               "track option 'depth' is now named 'pixel-depth'");
  EXPECT_EQ(test::field_of([&] { track_set(options, "depth", "x"); }), "pixel-depth");
  EXPECT_ERROR(track_set(options, "block", "x"), ErrorCode::not_found,
               "track option 'block' is now named 'corner-block'");
  EXPECT_EQ(test::field_of([&] { track_set(options, "block", "x"); }), "corner-block");
}

}  // namespace
}  // namespace vergence
