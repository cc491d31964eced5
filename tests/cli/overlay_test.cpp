// SPDX-License-Identifier: Apache-2.0
// The overlays of `motion` and `track`: what is drawn can be seen, and the legend explains it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/motion_clip.hpp"
#include "cli/program.hpp"
#include "cli/track_clip.hpp"
#include "support/legend_text.hpp"

namespace vergence::cli_test {
namespace {

bool coloured(const YuvFrame& frame, int x, int y) {
  return std::abs(frame.cb.u8(x, y) - 128) + std::abs(frame.cr.u8(x, y) - 128) > 12;
}

/// From the middle of a part of the picture to that of its coloured pixels.
struct Offset {
  double x = 0, y = 0;
  int pixels = 0;
};
Offset offset_of_colours(const YuvFrame& frame, int left, int top, int side) {
  Offset sum;
  for (int y = top; y < top + side; ++y)
    for (int x = left; x < left + side; ++x)
      if (coloured(frame, x, y)) sum = {sum.x + x, sum.y + y, sum.pixels + 1};
  const double count = std::max(1, sum.pixels);
  return {sum.x / count - left - (side - 1) / 2.0, sum.y / count - top - (side - 1) / 2.0, sum.pixels};
}

LegendText legend_of(const YuvFrame& frame, int map_height) {
  return read_legend(frame.luma.u8, map_height, legend_unit(frame.luma.width()));
}

TEST(MotionOverlay, ShortVectorsHaveADirection) {
  const Scratch scratch;
  make_clip(scratch, 2);
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"--overlay", "o.y4m", "--overlay-zoom", "1"})).status, 0);
  const YuvFrame moved = std::move(read_video(scratch.path("o.y4m"))[0]);
  const Offset arrow = offset_of_colours(moved, 16, 0, 16);  // of (2, 1), which is 2.2 px
  EXPECT_GT(arrow.pixels, 12);
  EXPECT_GT(arrow.x, 1);
  EXPECT_GT(arrow.y, 0.5);
  for (int i = 0; i < 2; ++i)
    write_picture(scratch.path("s_" + std::to_string(i) + ".pgm"), clip_frame(0).luma.u8.view());
  ASSERT_EQ(scratch.run(motion("s_%d.pgm", {"--overlay", "s.y4m", "--overlay-zoom", "1"})).status, 0);
  const Offset dot = offset_of_colours(read_video(scratch.path("s.y4m"))[0], 16, 0, 16);
  EXPECT_GT(dot.pixels, 0);
  EXPECT_LE(std::hypot(dot.x, dot.y), 1) << "no direction without motion";
}

TEST(MotionOverlay, TheLegendSaysWhatIsDrawn) {
  const Scratch scratch;
  make_clip(scratch, 2);
  const auto legend = [&scratch](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--overlay", "o.y4m"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(scratch.run(motion("clip.y4m", arguments)).status, 0);
    const YuvFrame frame = std::move(read_video(scratch.path("o.y4m"))[0]);
    const int zoom = more[1][0] - '0';
    return legend_of(frame, clip_size.height * zoom);
  };
  const LegendText all = legend({"--overlay-zoom", "2"});
  EXPECT_EQ(all.title, "vector length in px dot unmoved");
  EXPECT_EQ(all.numbers.substr(all.numbers.size() - 5), ">= 16") << all.numbers;
  EXPECT_EQ(all.beside, "");
  const LegendText some = legend({"--overlay-zoom", "1", "--block", "4"});
  EXPECT_EQ(some.title, "vector length in px an arrow per 2x2 blocks");
  EXPECT_EQ(legend({"--overlay-zoom", "2", "--block", "4"}).title, all.title);
}

TEST(MotionOverlay, ResiduesHaveTheirUnit) {
  const Scratch scratch;
  make_clip(scratch, 2);
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"--residue", "r.y4m"})).status, 0);
  EXPECT_EQ(legend_of(read_video(scratch.path("r.y4m"))[0], clip_size.height).title, "residue in grey levels");
}

TEST(TrackOverlay, TheScaleEndsAtTheGreatestAge) {
  const Scratch scratch;
  make_track_clip(scratch, 5);
  const auto legend = [&scratch](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--overlay", "o.y4m", "--overlay-zoom", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(scratch.run(track("f_%04d.pgm", arguments)).status, 0);
    return legend_of(read_video(scratch.path("o.y4m"))[0], 3 * track_size.height);
  };
  const LegendText plain = legend({});
  EXPECT_EQ(plain.title, "age in frames x lost");
  EXPECT_EQ(plain.numbers, "0 1 2 3 4");
  EXPECT_EQ(legend({"--overlay-scale", "2"}).numbers, "0 1 >= 2");
  EXPECT_EQ(legend({"--frames", "0:2"}).numbers, "0 1 2");
}

TEST(TrackOverlay, IsSomeThousandWide) {
  const Scratch scratch;
  make_track_clip(scratch, 2);
  ASSERT_EQ(scratch.run(track("f_%04d.pgm", {"--overlay", "o.y4m"})).status, 0);
  EXPECT_EQ(read_video(scratch.path("o.y4m"))[0].luma.width(), 8 * track_size.width) << "8 is the largest zoom";
  for (const auto& [width, zoom] : {std::pair{352, 3}, {640, 2}, {1920, 1}}) {
    for (int i = 0; i < 2; ++i)
      write_picture(scratch.path("w_" + std::to_string(i) + ".pgm"), Image<std::uint8_t>(width, width / 2, 90).view());
    ASSERT_EQ(scratch.run({"track", "w_%d.pgm", "--overlay", "w.y4m"}).status, 0);
    EXPECT_EQ(read_video(scratch.path("w.y4m"))[0].luma.width(), zoom * width) << width;
  }
}

/// A new point is dark: it has a white ring, and is 7 pixels wide where the overlay is 1000 wide.
TEST(TrackOverlay, NewPointsStandOut) {
  const Scratch scratch;
  for (int i = 0; i < 2; ++i)
    write_picture(scratch.path("w_" + std::to_string(i) + ".pgm"), Image<std::uint8_t>(500, 300, 0).view());
  scratch.write("p.txt", "100 50\n");
  ASSERT_EQ(scratch.run({"track", "w_%d.pgm", "--points-file", "p.txt", "--overlay", "o.y4m"}).status, 0);
  const YuvFrame frame = std::move(read_video(scratch.path("o.y4m"))[0]);
  int dark = 0, white = 0;
  for (int x = 180; x < 220; ++x) {
    dark += frame.luma.u8(x, 101) < 60 ? 1 : 0;
    white += frame.luma.u8(x, 101) > 225 ? 1 : 0;
  }
  EXPECT_EQ(dark, 7);
  EXPECT_EQ(white, 2);
}

}  // namespace
}  // namespace vergence::cli_test
