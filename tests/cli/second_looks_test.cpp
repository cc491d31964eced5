// SPDX-License-Identifier: Apache-2.0
// Pairs that match only once a mistake is undone: the line names the mistake. And seams, in and between views.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "support/raw_scene.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

using Picture = Image<std::uint8_t>;
using Words = std::vector<std::string>;

Picture changed(const Picture& from, const std::function<int(const Picture&, int x, int y)>& pixel) {
  Picture to(from.size());
  for (int y = 0; y < to.height(); ++y)
    for (int x = 0; x < to.width(); ++x) to(x, y) = static_cast<std::uint8_t>(pixel(from, x, y));
  return to;
}

/// Both with so many columns of grey 128 between them.
Picture beside(const Picture& left, const Picture& right, int gap = 0) {
  Picture both(2 * left.width() + gap, left.height());
  for (int y = 0; y < both.height(); ++y) {
    std::fill_n(both.row(y), both.width(), std::uint8_t{128});
    std::copy_n(left.row(y), left.width(), both.row(y));
    std::copy_n(right.row(y), right.width(), both.row(y) + left.width() + gap);
  }
  return both;
}

Picture above(const Picture& left, const Picture& right) {
  Picture both(left.width(), 2 * left.height());
  for (int y = 0; y < left.height(); ++y) {
    std::copy_n(left.row(y), left.width(), both.row(y));
    std::copy_n(right.row(y), left.width(), both.row(y + left.height()));
  }
  return both;
}

class SecondLooks : public testing::Test {
 protected:
  void write(const char* name, const Picture& picture) const { write_picture(scratch.path(name), picture.view()); }
  /// One line that holds this, an error with --strict; or none.
  void expect(const Words& pictures, const std::string& words) const {
    Words run{"stereo", "--disparities", "32", "-o", "d.pfm"};
    run.insert(run.end(), pictures.begin(), pictures.end());
    const Result result = scratch.run(run);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(lines(result.err), words.empty() ? 0u : 1u) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    run.emplace_back("--strict");
    EXPECT_EQ(scratch.run(run).status, words.empty() ? 0 : 1);
  }
  /// A view of the built-in scene, whose texture is as fine as that of photographs.
  Picture built_in(const char* name, const std::string& seed = "7") const {
    if (!scratch.has(seed)) {
      EXPECT_EQ(scratch.run({"synth", seed, "--size", "240x180", "--seed", seed}).status, 0);
    }
    return read_grey(scratch.path(seed + "/" + name)).u8.clone();
  }
  const Scratch scratch;
};

TEST_F(SecondLooks, ANegativeAndPicturesThatAreTurned) {
  const Picture left = built_in("left.png"), right = built_in("right.png");
  write("left.png", left);
  const int last_x = left.width() - 1, last_y = left.height() - 1;
  write("right.png", changed(right, [](const Picture& from, int x, int y) { return 255 - from(x, y); }));
  expect({"left.png", "right.png"}, "left and right hardly agree: one of them is a negative");
  write("right.png", changed(right, [=](const Picture& from, int x, int y) { return from(x, last_y - y); }));
  expect({"left.png", "right.png"}, "one of them is upside down");
  write("right.png", changed(right, [=](const Picture& from, int x, int y) { return from(last_x - x, last_y - y); }));
  expect({"left.png", "right.png"}, "one of them is turned by 180 degrees");
  write("right.png",
        changed(right, [](const Picture& from, int x, int y) { return inspect_test::hash(from(x, y), x * y); }));
  const Result other = scratch.run({"stereo", "left.png", "right.png", "--disparities", "32"});
  EXPECT_EQ(other.err.find("one of them is"), std::string::npos) << other.err;
}

TEST_F(SecondLooks, PicturesThatWereMisread) {
  const Picture left = built_in("left.png"), right = built_in("right.png");
  const auto turned = [](const Picture& from, int x, int y) {
    int bits = 0;
    for (int i = 0; i < 8; ++i) bits = 2 * bits + (from(x, y) >> i & 1);
    return bits;
  };
  const auto say = [&](const Picture& first, const Picture& second, const std::string& words) {
    write("left.png", first);
    write("right.png", second);
    const Result result = scratch.run({"stereo", "left.png", "right.png", "--disparities", "32"});
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  };
  say(changed(left, turned), changed(right, turned), "each of them holds the bits of each byte in reverse order");
  const Picture rolled = changed(left, [](const Picture& from, int x, int y) { return from(x, (y + 70) % 180); });
  say(rolled, right, "the left one begins with its row 110");
}

TEST_F(SecondLooks, OtherLayouts) {
  const Picture left = built_in("left.png"), right = built_in("right.png");
  write("beside.png", beside(left, right));
  write("above.png", above(left, right));
  write("left.png", left);
  expect({"beside.png", "--layout", "side-by-side"}, "");
  expect({"above.png", "--layout", "top-bottom"}, "");
  expect({"beside.png", "--layout", "top-bottom"}, "both views seem to lie side by side in it, not above each other");
  expect({"above.png", "--layout", "side-by-side"}, "both views seem to lie above each other in it, not side by side");
  expect({"left.png", "--layout", "side-by-side"}, "the picture goes on from one half to the other, as one view does");
}

TEST_F(SecondLooks, WhatPartsBothViews) {
  const Picture left = inspect_test::view(false), right = inspect_test::view(true);
  for (const int gap : {4, 10}) {
    write("both.png", beside(left, right, gap));
    expect(
        {"both.png", "--layout", "side-by-side"},
        fmt::format("columns of about one grey level lie between both views, {0} px of the left half and {0} px of the "
                    "right one: what belongs to the second view lies {0} px too far to the right",
                    gap / 2));
  }
  // A film's own bars, at both sides of both views.
  const auto with_bars = [](const Picture& from, int x, int y) {
    return x < 8 || x >= from.width() - 8 ? 16 : int{from(x, y)};
  };
  write("both.png", beside(changed(left, with_bars), changed(right, with_bars)));
  const Result film = scratch.run({"stereo", "both.png", "--layout", "side-by-side", "--disparities", "32"});
  EXPECT_EQ(film.err.find("lie between both views"), std::string::npos) << film.err;
}

TEST_F(SecondLooks, ThreeViewsAndBarsAtTheOuterEdges) {
  const Picture left = built_in("left.png"), right = built_in("right.png");
  const auto view_of = [&](int i) -> const Picture& { return i == 1 ? right : left; };
  const auto three = [&](bool columns) {
    const int width = left.width(), height = left.height();
    Picture picture(columns ? 3 * width : width, columns ? height : 3 * height);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = view_of(columns ? x / width : y / height)(x % width, y % height);
    return picture;
  };
  write("three.png", three(true));
  expect({"three.png", "--layout", "side-by-side"}, "the picture seems to hold 3 views side by side, not two");
  write("three.png", three(false));
  expect({"three.png", "--layout", "top-bottom"}, "the picture seems to hold 3 views above each other, not two");
  const Picture both = beside(left, right);
  for (const int end : {0, 24}) {
    Picture framed(both.width() + 24 + end, both.height(), 0);
    for (int y = 0; y < both.height(); ++y) std::copy_n(both.row(y), both.width(), framed.row(y) + 24);
    write("both.png", framed);
    expect({"both.png", "--layout", "side-by-side"},
           fmt::format("left and right ones of 24 and {} px), and not between them: its halves are not the views, and "
                       "all disparities are {} px too large",
                       end, 12 + end / 2));
  }
  Picture padded(both.width() + 24, both.height());
  for (int y = 0; y < both.height(); ++y) {
    std::copy_n(both.row(y), both.width(), padded.row(y));
    std::fill_n(padded.row(y) + both.width(), 24, both(both.width() - 1, y));
  }
  write("both.png", padded);
  expect({"both.png", "--layout", "side-by-side"},
         "lines that repeat the outermost one, lie at the outer edges of the picture that holds both views (left and "
         "right ones of 0 and 24 px)");
}

/// A bar with an icon, which no column of it is of one level for.
TEST_F(SecondLooks, ViewsThatMeetBesideTheMiddle) {
  const Picture both = beside(built_in("left.png", "6"), built_in("right.png", "6"));
  const auto with_bar = [&](bool at_start) {
    Picture picture(both.width() + 40, both.height(), 200);
    const int start = at_start ? 40 : 0, icon = at_start ? 0 : both.width();
    for (int y = 0; y < both.height(); ++y) {
      std::copy_n(both.row(y), both.width(), picture.row(y) + start);
      if (y >= 20 && y < 60) std::fill_n(picture.row(y) + icon + 4, 32, std::uint8_t{60});
    }
    return picture;
  };
  write("both.png", with_bar(true));
  expect({"both.png", "--layout", "side-by-side"},
         "both views meet 20 px to the right of the middle of the picture that holds them, at column 280 of 520");
  write("both.png", with_bar(false));
  expect({"both.png", "--layout", "side-by-side"}, "with `ffmpeg -i FILE -vf crop=480:180:0:0 OUT`");
  // Halves that are the views, of which the left one repeats its outermost column, as where it was rectified.
  const Picture halves = beside(built_in("left.png"), built_in("right.png"));
  write("both.png", changed(halves, [](const Picture& from, int x, int y) { return from(std::max(x, 8), y); }));
  expect({"both.png", "--layout", "side-by-side"}, "");
}

TEST_F(SecondLooks, AViewThatIsTorn) {
  const Picture left = inspect_test::view(false), right = inspect_test::view(true);
  const auto torn = [](int row, int shift) {
    return [=](const Picture& from, int x, int y) {
      return int{from(y < row ? x : std::clamp(x + shift, 0, from.width() - 1), y)};
    };
  };
  write("left.png", left);
  write("right.png", changed(right, torn(100, 9)));
  const Result result = scratch.run({"stereo", "left.png", "right.png", "--disparities", "32"});
  EXPECT_NE(
      result.err.find("right picture right.png is torn: from row 100 on it lies 9 px to the left of what is above"),
      std::string::npos)
      << result.err;
  // Both at the same row: a camera that was moved between two frames of one shutter.
  write("left.png", changed(left, torn(100, 9)));
  EXPECT_EQ(scratch.run({"stereo", "left.png", "right.png", "--disparities", "32"}).err.find("is torn"),
            std::string::npos);
}

TEST(SecondLooksOfRawPairs, Exchanged) {
  const Scratch scratch;
  const test::RawScene scene = test::make_raw_scene();
  write_picture(scratch.path("left.png"), scene.left.view());
  write_picture(scratch.path("right.png"), scene.right.view());
  write_rig({scratch.path("rig.yml")}, scene.rig, RigFormat::opencv_yaml);
  const char* const line =
      "left and right seem to be exchanged: rectified the other way round, they meet in their rows";
  Words stereo{"stereo", "right.png", "left.png", "--calibration", "rig.yml", "--disparities", "36"};
  const Result result = scratch.run(stereo);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find(line), std::string::npos) << result.err;
  write_picture(scratch.path("same.png"), scene.left.view());
  const Result same =
      scratch.run({"stereo", "same.png", "left.png", "--calibration", "rig.yml", "--disparities", "36"});
  EXPECT_NE(same.err.find("left and right are the same raw picture"), std::string::npos) << same.err;
  stereo.emplace_back("--require-rectified");
  EXPECT_EQ(scratch.run(stereo).status, 1);
  const Result rectified =
      scratch.run({"rectify", "right.png", "left.png", "--calibration", "rig.yml", "-o", "l.png", "--other", "r.png"});
  EXPECT_EQ(lines(rectified.err), 1u) << rectified.err;
  EXPECT_NE(rectified.err.find(line), std::string::npos) << rectified.err;
}

/// Rectified pictures of half the size, beside the file of the raw ones, whose rectified ones have another size.
TEST(SecondLooksOfRawPairs, RectifiedAndThenResized) {
  const Scratch scratch;
  scratch.write("calib.txt",
                "S_02: 640 480\nK_02: 500 0 320 0 500 240 0 0 1\nD_02: -0.3 0.1 0 0 0\nR_02: 1 0 0 0 1 0 0 0 1\n"
                "T_02: 0 0 0\nS_rect_02: 600 400\nR_rect_02: 1 0 0 0 1 0 0 0 1\nP_rect_02: 400 0 300 0 0 400 200 0 0 0 "
                "1 0\n"
                "S_03: 640 480\nK_03: 500 0 320 0 500 240 0 0 1\nD_03: -0.3 0.1 0 0 0\nR_03: 1 0 0 0 1 0 0 0 1\n"
                "T_03: -0.5 0 0\nS_rect_03: 600 400\nR_rect_03: 1 0 0 0 1 0 0 0 1\nP_rect_03: 400 0 300 -200 0 400 200 "
                "0 0 0 1 0\n");
  const Picture grey(300, 200, 100);
  write_picture(scratch.path("a.png"), grey.view());
  const Result result = scratch.run({"stereo", "a.png", "a.png", "--calibration", "calib.txt", "--depth", "d.pfm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("raw pictures of 640x480, which become 600x400 when they are rectified, and these have "
                            "300x200, as rectified ones have that were resized: give them in their own size, or, in "
                            "place of the file, --focal 200 --baseline 0.5"),
            std::string::npos)
      << result.err;
}

/// Both views move by 3 px from frame to frame.
class FrozenViews : public testing::Test {
 protected:
  FrozenViews() {
    for (int frame = 0; frame < 7; ++frame) write("l", frame, frame), write("r", frame, frame);
  }
  void write(const std::string& view, int frame, int time) const {
    const int parallax = view == "r" ? 8 : 0;
    Picture picture(160, 120);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x + parallax - 3 * time, y));
    write_picture(scratch.path(fmt::format("{}_{}.png", view, frame)), picture.view());
  }
  std::string said(const Words& more = {}) const {
    Words run{"stereo", "l_%d.png", "r_%d.png", "--disparities", "32"};
    run.insert(run.end(), more.begin(), more.end());
    return scratch.run(run).err;
  }
  const Scratch scratch;
};

TEST_F(FrozenViews, OneThatStandsStillForAFrame) {
  EXPECT_EQ(said(), "");
  write("r", 3, 2);
  EXPECT_TRUE(holds(said(),
                    "frame 4: the right picture of the frame before is the same as in the one before that, "
                    "while the left one moved on"))
      << said();
  // A camera that lost a frame and stops later: both are told.
  for (int frame = 7; frame < 14; ++frame) write("l", frame, frame), write("r", frame, 8);
  const std::string both = said();
  EXPECT_TRUE(holds(both, "frame 4: the right picture of the frame before")) << both;
  EXPECT_TRUE(holds(both, "the right picture has been the same for 4 frames")) << both;
}

TEST_F(FrozenViews, OneThatStandsStillForTwoFramesOrInTheLastOne) {
  write("r", 3, 2);
  write("r", 4, 2);
  EXPECT_TRUE(holds(said(), "frame 5: the right picture of the two frames before is the same")) << said();
  write("r", 3, 3);
  write("r", 4, 4);
  write("l", 6, 5);
  EXPECT_TRUE(holds(said(), "frame 6: the left picture is the same as in the frame before, while the right one moved"))
      << said();
}

TEST_F(FrozenViews, OneThatShowsAnOlderFrameOnceMore) {
  const Picture truth(160, 120, 8);
  for (int frame = 0; frame < 7; ++frame) write_picture(scratch.path(fmt::format("t_{}.png", frame)), truth.view());
  write("l", 5, 1);
  // Its map is wrong in whole, which is not the truth's fault.
  for (const Words& more : {Words{}, Words{"--truth", "t_%d.png"}}) {
    const std::string line = said(more);
    EXPECT_EQ(lines(line), 1u) << line;
    EXPECT_TRUE(holds(line,
                      "frame 5: the left picture is that of frame 1 once more, bit for bit, while the right one "
                      "moved on: the pair is of two times"))
        << line;
  }
  write("r", 5, 1);
  EXPECT_EQ(said(), "") << "both do";
}

}  // namespace
}  // namespace vergence::cli_test
