// SPDX-License-Identifier: Apache-2.0
// JSON values as the program's reports are made of them. What they print is written out by hand.
#include "cli/json_value.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vergence::cli_test {
namespace {

using cli::Json;

TEST(JsonValue, AnObjectKeepsTheOrderOfItsMembers) {
  Json object{{"z", 1}, {"a", 2}};
  object["m"] = 3;
  object["a"] = 4;
  EXPECT_EQ(object.dump(), R"({"z":1,"a":4,"m":3})");
  EXPECT_EQ(object.members()[1].name, "a");
}

TEST(JsonValue, InitialisersNest) {
  const Json value{{"size", Json{{"width", 640}, {"height", 480}}},
                   {"list", Json::array({1, "two", Json::array(), Json{{"three", nullptr}}})},
                   {"empty", Json::object()},
                   {"texts", std::vector<std::string>{"x", "y"}},
                   {"on", true}};
  EXPECT_EQ(
      value.dump(),
      R"({"size":{"width":640,"height":480},"list":[1,"two",[],{"three":null}],"empty":{},"texts":["x","y"],"on":true})");
  EXPECT_EQ(value["size"].dump(2), "{\n  \"width\": 640,\n  \"height\": 480\n}");
}

TEST(JsonValue, WholeNumbersHaveAllTheirDigits) {
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json((std::uint64_t{1} << 63) + 1).dump(), "9223372036854775809");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(-3).dump(), "-3");
  EXPECT_EQ(Json(3u), Json(3));
  EXPECT_TRUE(Json(0).is_integer());
  EXPECT_EQ(Json(-7).number(), -7.0);
}

TEST(JsonValue, OtherNumbersAreAsShortAsTheyCanBe) {
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(2.0).dump(), "2.0");
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  EXPECT_EQ(Json(66.6667).dump(), "66.6667");
  EXPECT_EQ(Json(0.000001).dump(), "1e-06");
  EXPECT_EQ(Json(1e300).dump(), "1e+300");
  EXPECT_EQ(Json(0.5F).dump(), "0.5");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_TRUE(Json(2.0).is_number());
  EXPECT_FALSE(Json(2.0).is_integer());
}

TEST(JsonValue, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Json("a\xFFz").dump(), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ((Json{{"\xC3", "\xC3\xA9"}}).dump(), "{\"\xEF\xBF\xBD\":\"\xC3\xA9\"}");
  EXPECT_EQ(Json("\x01\n\"\\").dump(), R"("\u0001\n\"\\")");
}

TEST(JsonValue, NullBecomesWhatIsPutIntoIt) {
  Json value;
  EXPECT_TRUE(value.is_null());
  value["rows"].push_back(1);
  value["rows"].push_back(Json{{"x", 2}});
  EXPECT_EQ(value.dump(), R"({"rows":[1,{"x":2}]})");
  EXPECT_EQ(value["new"].dump(), "null");
  EXPECT_TRUE(value.contains("new"));
}

TEST(JsonValue, WhatIsMissingIsNullAndStaysMissing) {
  const Json value{{"a", Json{{"b", 1}}}};
  EXPECT_EQ(value["a"]["b"], 1);
  EXPECT_TRUE(value["b"]["c"].is_null());
  EXPECT_TRUE(value["a"]["b"]["c"].is_null());
  EXPECT_FALSE(value.contains("b"));
}

TEST(JsonValue, TakenForSomethingElseItThrows) {
  EXPECT_THROW(Json(1).text(), std::bad_variant_access);
  EXPECT_THROW(Json("1").number(), std::bad_variant_access);
  EXPECT_THROW(Json(1).boolean(), std::bad_variant_access);
  EXPECT_THROW(Json::object().elements(), std::bad_variant_access);
  EXPECT_THROW(Json::array().members(), std::bad_variant_access);
  Json text("x");
  EXPECT_THROW(text["a"], std::bad_variant_access);
  EXPECT_THROW(text.push_back(1), std::bad_variant_access);
}

TEST(JsonValue, EqualMeansTheSameMembersInTheSameOrder) {
  EXPECT_EQ((Json{{"a", 1}, {"b", 2}}), (Json{{"a", 1}, {"b", 2}}));
  EXPECT_NE((Json{{"a", 1}, {"b", 2}}), (Json{{"b", 2}, {"a", 1}}));
  EXPECT_NE(Json(true), Json(1));
  EXPECT_NE(Json("null"), Json(nullptr));
}

/// A destructor that calls itself overflows 8 MiB with a million levels, and not with a tenth of them.
TEST(JsonValue, DeepNestingNeedsNoStack) {
  Json value;
  for (int i = 0; i < 1000000; ++i) {
    Json outer = Json::array();
    outer.push_back(Json{{"a", 1}});
    Json object = Json::object();
    object["inner"] = std::move(value);
    outer.push_back(std::move(object));
    value = std::move(outer);
  }
  EXPECT_EQ(value.elements().size(), 2u);
}

}  // namespace
}  // namespace vergence::cli_test
