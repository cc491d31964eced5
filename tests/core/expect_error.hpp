// SPDX-License-Identifier: Apache-2.0
// EXPECT_ERROR: a statement throws vergence::Error with a code and a text that names what it must.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "vergence/error.hpp"

namespace vergence::test {

/// A user reads the message on one line.
inline void check_message(const Error& error, ErrorCode code, const std::string& part) {
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_THAT(std::string(error.what()), testing::HasSubstr(part));
  EXPECT_THAT(std::string(error.what()), testing::Not(testing::HasSubstr("\n")));
}

/// Error::field() of what a statement throws; "nothing" where it throws no Error.
template <class Statement>
std::string field_of(Statement&& statement) {
  try {
    statement();
  } catch (const Error& error) {
    return std::string(error.field());
  }
  return "nothing";
}

}  // namespace vergence::test

#define EXPECT_ERROR(STATEMENT, CODE, PART)                           \
  do {                                                                \
    try {                                                             \
      STATEMENT;                                                      \
      ADD_FAILURE() << "no Error, but expected one about " << (PART); \
    } catch (const vergence::Error& error_) {                         \
      vergence::test::check_message(error_, CODE, PART);              \
    }                                                                 \
  } while (false)
