// SPDX-License-Identifier: Apache-2.0
// `vergence track --resume` on another video, or under other settings than the file of tracks was written with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "inspect/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class ResumeVideo : public testing::Test {
 protected:
  /// Six frames NAME_0.pgm .. of a texture that begins at `place`, and moves by so many px to the right.
  void write_clip(const std::string& name, int place, double step, int gain = 100) const {
    for (int i = 0; i < 6; ++i) {
      Image<std::uint8_t> picture(160, 120);
      for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x)
          picture(x, y) =
              static_cast<std::uint8_t>(inspect_test::texture(place + x - step * i, place + y) * gain / 100);
      write_picture(scratch.path(fmt::format("{}_{}.pgm", name, i)), picture.view());
    }
  }
  void write_tracks(const std::string& name) const {
    ASSERT_EQ(scratch.run({"track", "clip_%d.pgm", "--frames", ":3", "-o", name}).status, 0);
  }
  std::string said(const std::string& video, const std::string& tracks, Words more = {}) const {
    more.insert(more.begin(), {"track", video, "--resume", tracks, "-o", "more.csv"});
    const Result result = scratch.run(more);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  }
  void SetUp() override {
    write_clip("clip", 0, 2);
    write_tracks("t.csv");
  }
  const Scratch scratch;
};

TEST_F(ResumeVideo, TheSameOneHasNoWarning) {
  EXPECT_EQ(said("clip_%d.pgm", "t.csv"), "");
  EXPECT_EQ(said("clip_%d.pgm", "t.csv", {"--device", "reference"}), "");
  EXPECT_EQ(said("clip_%d.pgm", "t.csv", {"--map", "prepare=reference,update=cpu", "--frames", ":4"}), "");
  for (const Words& settings : {Words{"--guess", "velocity"}, {"--preset", "strict"}, {"--min-separation", "6"}}) {
    Words first{"track", "clip_%d.pgm", "--frames", ":3", "-o", "s.npy"};
    first.insert(first.end(), settings.begin(), settings.end());
    ASSERT_EQ(scratch.run(first).status, 0);
    EXPECT_EQ(said("clip_%d.pgm", "s.npy", settings), "");
  }
  // Where the frame before is not there any more, nothing can be told.
  write_clip("other", 500, 2);
  std::remove(scratch.path("other_2.pgm").c_str());
  EXPECT_FALSE(holds(said("other_%d.pgm", "t.csv"), "another video"));
}

TEST_F(ResumeVideo, AnotherOneIsTold) {
  write_clip("other", 500, -3);
  write_clip("faster", 0, 5);
  for (const char* video : {"other_%d.pgm", "faster_%d.pgm"}) {
    const std::string line = said(video, "t.csv");
    EXPECT_TRUE(holds(line, "points of tracks t.csv that go from frame 2 to 3")) << line;
    EXPECT_TRUE(holds(line, "they seem to be of another video, or of other frames: give the video")) << line;
    const Result strict = scratch.run({"track", video, "--resume", "t.csv", "--strict", "-o", "strict.csv"});
    EXPECT_EQ(strict.status, 1);
    EXPECT_FALSE(std::filesystem::exists(scratch.path("strict.csv")));
  }
}

TEST_F(ResumeVideo, FramesCountedFromAnotherNumberAreNamed) {
  for (int i = 6; i > 0; --i)
    std::filesystem::copy(scratch.path(fmt::format("clip_{}.pgm", i - 1)), scratch.path(fmt::format("one_{}.pgm", i)));
  const std::string line = said("one_%d.pgm", "t.csv");
  EXPECT_TRUE(holds(line,
                    "; their first frame is 0, as of a video, and there is no one_0.pgm: are they of frames that "
                    "were counted from 0?"))
      << line;
  std::string clip = "YUV4MPEG2 W160 H120 F25:1 Cmono\n";
  for (int i = 0; i < 6; ++i) {
    const GreyPicture picture = read_grey(scratch.path(fmt::format("clip_{}.pgm", i)));
    clip += "FRAME\n";
    for (int y = 0; y < 120; ++y) clip.append(reinterpret_cast<const char*>(picture.u8.row(y)), 160);
  }
  scratch.write("clip.y4m", clip);
  ASSERT_EQ(scratch.run({"track", "one_%d.pgm", "--frames", ":4", "-o", "one.csv"}).status, 0);
  const std::string other = said("clip.y4m", "one.csv");
  EXPECT_TRUE(holds(other,
                    "; their first frame is 1, and frames of a video are counted from 0: are they of numbered "
                    "pictures?"))
      << other;
}

TEST_F(ResumeVideo, AnotherCopyIsTold) {
  write_clip("dark", 0, 2, 93);
  const std::string line = said("dark_%d.pgm", "t.csv");
  EXPECT_EQ(lines(line), 1u) << line;
  EXPECT_TRUE(holds(line, "end elsewhere, by up to 0.")) << line;
  EXPECT_TRUE(holds(line, "or of another video or copy")) << line;
}

/// An overlay keeps more positions of each track than the file's settings say, which explains nothing.
TEST_F(ResumeVideo, AnotherCopyIsToldBesideAnOverlay) {
  write_tracks("t.json");
  write_clip("dark", 0, 2, 93);
  const std::string line = said("dark_%d.pgm", "t.json", {"--overlay", "o.y4m"});
  EXPECT_TRUE(holds(line, "or of another video or copy")) << line;
}

TEST_F(ResumeVideo, OtherSettingsAreTold) {
  write_tracks("t.npy");
  write_tracks("t.json");
  const Words window{"--window", "9"};
  for (const char* tracks : {"t.csv", "t.npy"}) {
    const std::string line = said("clip_%d.pgm", tracks, window);
    EXPECT_EQ(lines(line), 1u) << line;
    EXPECT_TRUE(holds(line, "the tracks were written under other settings")) << line;
    EXPECT_TRUE(holds(said("clip_%d.pgm", tracks, {"--min-distance", "3", "--refill", "100"}), "in frame 3, not"));
  }
  // Whose settings it holds: these are named.
  const std::string line = said("clip_%d.pgm", "t.json", window);
  EXPECT_EQ(lines(line), 1u) << line;
  EXPECT_TRUE(holds(line, "--window")) << line;
}

TEST_F(ResumeVideo, AShorterOneIsRefused) {
  write_clip("short", 0, 2);
  for (int i = 3; i < 6; ++i) std::remove(scratch.path(fmt::format("short_{}.pgm", i)).c_str());
  const Result result = scratch.run({"track", "short_%d.pgm", "--resume", "t.csv", "-o", "more.csv"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "ends with frame 2, before the tracks of t.csv do, whose last frame is 3"))
      << result.err;
}

}  // namespace
}  // namespace vergence::cli_test
