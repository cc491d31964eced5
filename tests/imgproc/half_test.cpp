// SPDX-License-Identifier: Apache-2.0
// Half the size: every second pixel of the blur, and the tracker's levels.
#include <gtest/gtest.h>

#include <cstdint>

#include "imgproc/picture_oracle.hpp"
#include "reference/track/stages.hpp"
#include "vergence/filter.hpp"

namespace vergence {
namespace {

TEST(PictureHalf, ByHand) {
  Image<std::uint8_t> picture(6, 5, 0);
  picture(2, 2) = 255;
  Image<std::uint8_t> out(3, 3);
  PictureFilter(Device("reference"), {6, 5}).half(picture, out);
  EXPECT_EQ(out(1, 1), 36);  // 255 x 36 / 256 = 35.9
  EXPECT_EQ(out(0, 1), 12);  // mirrored, (2, 2) counts twice: 255 x 12 / 256 = 11.95
  EXPECT_EQ(out(2, 1), 6);
  EXPECT_EQ(out(2, 2), 2);  // 255 x 2 / 256: twice in y alone
}

TEST(PictureHalf, IsALevelOfTheTracker) {
  for (const Size size : {Size{24, 17}, Size{31, 40}}) {
    const Image<std::uint8_t> picture = test::noise<std::uint8_t>(size, 3, 255);
    TrackOptions options;
    options.window = 3;
    options.levels = 1;
    const TrackPlan plan = make_track_plan(size, options);
    TrackFrame<std::uint8_t> frame(plan);
    reference::pyramid<std::uint8_t>(plan, picture, frame);
    PictureFilter filter(Device("reference"), size);
    Image<std::uint8_t> out(filter.half_size());
    filter.half(picture, out);
    EXPECT_EQ(test::bit_difference<std::uint8_t>(out, frame.pictures[1]), "");
  }
}

}  // namespace
}  // namespace vergence
