// SPDX-License-Identifier: Apache-2.0
// The fields of TrackOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/field_rows.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

const std::vector<test::FieldRow> rows{
    {"points", "500", {"0", "2000"}, {"", "many", "1.5"}},
    {"refill", "80", {"100"}, {"80%"}},
    {"corner", "shi-tomasi", {"shi-tomasi", "harris"}, {"Harris", "fast"}},
    {"harris-k", "4", {"6"}, {"0.04"}},
    {"block", "3", {"7"}, {"3x3"}},
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
    {"max-residual", "0", {"12.5"}, {"any"}},
    {"forward-backward", "0", {"1"}, {"off"}},
    {"min-separation", "0", {"2.5"}, {""}},
    {"history", "1", {"20"}, {"all"}},
    {"depth", "u8", {"u8", "u16"}, {"8"}},
    {"max-value", "65535", {"1023"}, {"10 bit"}},
};

test::FieldTable<TrackOptions, TrackField> table() { return {rows, track_fields(), track_get, track_set}; }

TEST(TrackFields, TheListIsComplete) { table().expect_complete(); }
TEST(TrackFields, ValuesGoInAndComeOut) { table().expect_round_trips(); }
TEST(TrackFields, WrongTextsAreRefusedAndChangeNothing) { table().expect_refusals(); }

TEST(TrackFields, UnknownNamesAreRefusedWithTheKnownOnes) {
  TrackOptions options;
  EXPECT_ERROR(track_set(options, "windw", "9"), ErrorCode::not_found, "'windw': there are points, refill");
  // What is no number gets to the plan, which refuses it.
  track_set(options, "quality", "nan");
  EXPECT_ERROR(PointFlow(Device("reference"), {64, 48}, options), ErrorCode::invalid_argument, "quality is nan");
}

}  // namespace
}  // namespace vergence
