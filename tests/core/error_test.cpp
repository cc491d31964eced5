// SPDX-License-Identifier: Apache-2.0
// Error: a runtime_error with a code.
#include "vergence/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace vergence {
namespace {

TEST(Error, CarriesCodeAndText) {
  try {
    throw Error(ErrorCode::bad_data, "file x ends early");
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "file x ends early");
    const auto* const ours = dynamic_cast<const Error*>(&error);
    ASSERT_NE(ours, nullptr);
    EXPECT_EQ(ours->code(), ErrorCode::bad_data);
    EXPECT_EQ(ours->field(), "");
  }
}

TEST(Error, SaysWhichFieldItIsAbout) {
  const Error error(ErrorCode::invalid_argument, "median is 4: allowed are 0 (off), 3, 5", "median");
  const Error copy = error;
  EXPECT_EQ(copy.field(), "median");
}

}  // namespace
}  // namespace vergence
