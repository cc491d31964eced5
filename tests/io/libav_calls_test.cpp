// SPDX-License-Identifier: Apache-2.0
// FFmpeg's functions, found at run time.
#include "io/libav_calls.hpp"

#include <gtest/gtest.h>

#include "core/expect_error.hpp"

namespace vergence::io {
namespace {

TEST(LibavCalls, AreTheLibrarysOwn) {
  EXPECT_EQ(find_av_function("libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR), "avutil_version"),
            reinterpret_cast<void*>(&::avutil_version));  // NOLINT: as dlsym gives it
  EXPECT_EQ(av_match_list("b", "a,b", ','), ::av_match_list("b", "a,b", ','));
}

TEST(LibavCalls, NameWhatIsMissing) {
  EXPECT_ERROR(find_av_function("libavnothing.so.1", "av_nothing"), ErrorCode::unsupported,
               "FFmpeg's library libavnothing.so.1 cannot be opened");
  EXPECT_ERROR(find_av_function("libavnothing.so.1", "av_nothing"), ErrorCode::unsupported, "install FFmpeg");
  EXPECT_ERROR(find_av_function("libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR), "av_nothing"),
               ErrorCode::unsupported, "has no function av_nothing: install a complete FFmpeg");
}

}  // namespace
}  // namespace vergence::io
