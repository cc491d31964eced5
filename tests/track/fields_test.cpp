// SPDX-License-Identifier: Apache-2.0
// The fields of TrackOptions as text: every field, both ways, and texts that are not of a field's form.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/track.hpp"

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
      {"light", "off", {"off", "on"}, {"1"}},
      {"guess", "position", {"position", "velocity"}, {"last"}},
      {"must-converge", "off", {"on"}, {"yes"}},
      {"max-residual", "0", {"12.5"}, {"any"}},
      {"forward-backward", "0", {"1"}, {"off"}},
      {"min-separation", "0", {"2.5"}, {""}},
      {"history", "1", {"20"}, {"all"}},
      {"depth", "u8", {"u8", "u16"}, {"8"}},
      {"max-value", "65535", {"1023"}, {"10 bit"}},
  };
  return table;
}

TEST(TrackFields, TheListIsComplete) {
  const auto fields = track_fields();
  ASSERT_EQ(fields.size(), rows().size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(fields[i].name, rows()[i].name);
    EXPECT_FALSE(fields[i].range.empty()) << fields[i].name;
    EXPECT_FALSE(fields[i].help.empty()) << fields[i].name;
    EXPECT_EQ(track_get(TrackOptions{}, fields[i].name), rows()[i].initial) << fields[i].name;
  }
}

TEST(TrackFields, ValuesGoInAndComeOut) {
  for (const Row& row : rows())
    for (const std::string& value : row.values) {
      TrackOptions options;
      track_set(options, row.name, value);
      EXPECT_EQ(track_get(options, row.name), value) << row.name;
      for (const Row& other : rows()) {
        if (std::string_view(other.name) == row.name) continue;
        EXPECT_EQ(track_get(options, other.name), other.initial) << row.name << " changed " << other.name;
      }
    }
}

TEST(TrackFields, OtherTextsAreRefusedByName) {
  for (const Row& row : rows())
    for (const std::string& value : row.wrong) {
      TrackOptions options;
      EXPECT_ERROR(track_set(options, row.name, value), ErrorCode::invalid_argument,
                   std::string(row.name) + " is '" + value + "'");
      EXPECT_EQ(options, TrackOptions{}) << row.name << " = '" << value << "'";
    }
  TrackOptions options;
  EXPECT_ERROR(track_set(options, "windw", "9"), ErrorCode::not_found, "'windw': there are points, refill");
  // What is no number gets to the plan, which refuses it.
  track_set(options, "quality", "nan");
  EXPECT_ERROR(PointFlow(Device("reference"), {64, 48}, options), ErrorCode::invalid_argument, "quality is nan");
}

}  // namespace
}  // namespace vergence
