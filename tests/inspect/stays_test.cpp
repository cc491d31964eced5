// SPDX-License-Identifier: Apache-2.0
// What stays in place while the scene moves, and rows that begin amid the frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "inspect/scene.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence::inspect_test {
namespace {

/// A scene that has moved by so many px to the right and down, and what is added to it.
Picture moved(
    int right, int down, const std::function<int(int x, int y)>& add = [](int, int) { return 0; }) {
  Picture picture(scene_size);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      picture(x, y) = static_cast<std::uint8_t>(std::clamp(texture(x - right, y - down) + add(x, y), 0, 255));
  return picture;
}

/// Does a pattern stay at most of the places that move?
bool stays(const Picture& before, const Picture& now) {
  const FixedPatternFindings found = inspect_fixed_pattern(before.view(), now.view());
  EXPECT_GE(found.moving, 16);
  return 100 * found.staying >= 60 * found.moving && 16 * found.common >= found.all;
}

TEST(Stays, PatternsOfColumnsAndStuckPixels) {
  const auto columns = [](int x, int) { return hash(x, 7) % 17 - 8; };
  const auto stuck = [](int x, int y) { return hash(x, y) == 0 ? 255 : 0; };  // 1 in 128
  const auto noise = [](int time) { return [time](int x, int y) { return hash(x + 1000 * time, y) % 17 - 8; }; };
  EXPECT_TRUE(stays(moved(0, 0, columns), moved(7, 4, columns)));
  EXPECT_TRUE(stays(moved(0, 0, stuck), moved(7, 4, stuck)));
  EXPECT_FALSE(stays(moved(0, 0), moved(7, 4)));
  EXPECT_FALSE(stays(moved(0, 0, noise(1)), moved(7, 4, noise(2))));
}

TEST(Stays, StuckPixels) {
  const auto hot = [](int seed) {  // one in 500
    return [seed](int x, int y) { return hash(x, y + seed) == 0 && hash(x + 7, y + seed) % 4 == 0 ? 255 : 0; };
  };
  const StuckPixels found = inspect_stuck_pixels(moved(0, 0, hot(0)).view(), moved(9, 5, hot(0)).view());
  EXPECT_GT(found.staying, 20);
  EXPECT_EQ(found.staying, found.moved);
  EXPECT_GE(2 * found.moved, found.single);
  // New ones in each frame, as by noise; and a camera that stands still.
  EXPECT_LE(inspect_stuck_pixels(moved(0, 0, hot(0)).view(), moved(9, 5, hot(1000)).view()).staying, 2);
  EXPECT_EQ(inspect_stuck_pixels(moved(0, 0, hot(0)).view(), moved(0, 0, hot(0)).view()).moved, 0);
}

TEST(Stays, ACameraThatStandsStillShowsNoPattern) {
  EXPECT_EQ(inspect_fixed_pattern(moved(0, 0).view(), moved(0, 0).view()).moving, 0);
  Picture thing = moved(0, 0);
  const Picture other = moved(9, 5);
  for (int y = 40; y < 120; ++y) std::copy_n(other.row(y) + 60, 60, thing.row(y) + 60);
  EXPECT_EQ(inspect_fixed_pattern(moved(0, 0).view(), thing.view()).moving, 0);
}

TEST(Stays, APartThatHung) {
  const Picture before = moved(0, 0), clean = moved(7, 4);
  EXPECT_EQ(inspect_frozen_part(before.view(), clean.view()), Rect{});
  Picture last = moved(0, 0), now = moved(7, 4);  // a part that has hung for some frames
  const Picture earlier = moved(-20, -9);
  for (int y = 48; y < 128; ++y)
    for (Picture* one : {&last, &now}) std::copy_n(earlier.row(y) + 64, 96, one->row(y) + 64);
  EXPECT_EQ(inspect_frozen_part(last.view(), now.view()), (Rect{64, 48, 96, 80}));
  EXPECT_EQ(inspect_frozen_part(before.view(), before.view()), Rect{});
}

/// As codecs leave it: some blocks are left out, in others a few levels change.
TEST(Stays, AStillBackgroundHasNotHung) {
  Picture last = moved(0, 0), now = moved(7, 4);
  for (int y = 48; y < 128; ++y) std::copy_n(last.row(y) + 64, 96, now.row(y) + 64);
  ASSERT_EQ(inspect_frozen_part(last.view(), now.view()), (Rect{64, 48, 96, 80}));
  for (int y = 48; y < 128; ++y)
    for (int x = 64; x < 160; ++x)
      if ((x / 16 + y / 16) % 3 == 0) now(x, y) ^= 1;
  EXPECT_EQ(inspect_frozen_part(last.view(), now.view()), Rect{});
}

TEST(Stays, RowsThatBeginAmidTheFrame) {
  const Picture good = moved(0, 0);
  EXPECT_EQ(inspect_wrapped_rows(good.view()), 0);
  Picture rolled = moved(0, 0), lost = moved(0, 0);
  for (int y = 0; y < good.height(); ++y) std::rotate(rolled.row(y), rolled.row(y) + 170, rolled.row(y) + good.width());
  EXPECT_EQ(inspect_wrapped_rows(rolled.view()), 70);
  EXPECT_EQ(inspect_wrapped_columns(good.view()), 0);
  EXPECT_EQ(inspect_wrapped_columns(rolled.view()), 0);
  Image<std::uint8_t> lowered(good.width(), good.height());
  for (int y = 0; y < good.height(); ++y)
    for (int x = 0; x < good.width(); ++x) lowered(x, y) = good(x, (y + good.height() - 50) % good.height());
  EXPECT_EQ(inspect_wrapped_columns(lowered.view()), 50);
  EXPECT_EQ(inspect_wrapped_rows(lowered.view()), 0);
  // A packet is missing: what is behind it moves up.
  const int pixels = good.width() * good.height(), missing = 4096;
  for (int i = 0; i < pixels; ++i) {
    const int from = (i + missing) % pixels;
    lost(i % good.width(), i / good.width()) = good(from % good.width(), from / good.width());
  }
  EXPECT_EQ(inspect_wrapped_rows(lost.view()), good.width() - missing % good.width());
}

TEST(Stays, FramesOfTwoSizesAreRefused) {
  const Picture picture = moved(0, 0), small(120, 96);
  EXPECT_THROW(inspect_fixed_pattern(small.view(), picture.view()), Error);
  EXPECT_THROW(inspect_frozen_part(small.view(), picture.view()), Error);
}

}  // namespace
}  // namespace vergence::inspect_test
