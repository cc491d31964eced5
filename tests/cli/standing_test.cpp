// SPDX-License-Identifier: Apache-2.0
// Runs that an error ends in the middle, and what they say of the frames before it; input that looks like another kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/program.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using namespace std::string_literals;

/// Five pairs, of which the fourth's left picture is cut.
class Standing : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 5; i < 10; ++i) {
      const std::string left = left_pgm(96, 64, 3);
      scratch.write(fmt::format("l_{}.pgm", i), i == 8 ? left.substr(0, 900) : left);
      scratch.write(fmt::format("r_{}.pgm", i), right_pgm(96, 64));
    }
  }
  /// The one line of a run that fails.
  std::string said(const std::vector<std::string>& arguments) {
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    return result.err;
  }
  std::vector<std::string> stereo(std::vector<std::string> more) const {
    more.insert(more.begin(), {"stereo", "l_%d.pgm", "r_%d.pgm", "--disparities", "8"});
    return more;
  }
  Scratch scratch;
};

TEST_F(Standing, NumberedFilesOfStereoAreNamed) {
  const std::string both = said(stereo({"-o", "d_%02d.pfm", "--gray", "g_%d.png"}));
  EXPECT_TRUE(holds(both, "the file is truncated")) << both;
  EXPECT_TRUE(holds(both, "; what was written of frames 5 .. 7 stands: d_%02d.pfm, g_%d.png\n")) << both;
  EXPECT_TRUE(scratch.has("d_07.pfm"));
  EXPECT_FALSE(scratch.has("d_08.pfm"));
  const std::string numbered = said(stereo({"-o", "e_%d.pfm", "--first", "0"}));
  EXPECT_TRUE(holds(numbered, "; what was written of frames 0 .. 2 stands: e_%d.pfm\n")) << numbered;
}

TEST_F(Standing, VideosAreNamedAsTheyAre) {
  const std::string video = said(stereo({"--color", "c.y4m", "--frames", "7:"}));
  EXPECT_TRUE(holds(video, "; what was written of frame 7 stands: c.y4m.partial\n")) << video;
  EXPECT_TRUE(scratch.has("c.y4m.partial"));
}

TEST_F(Standing, NothingIsSaidWhereNothingStands) {
  EXPECT_FALSE(holds(said(stereo({"-o", "d_%d.pfm", "--frames", "8:"})), "stands"));
  EXPECT_FALSE(holds(said(stereo({})), "stands"));
  EXPECT_FALSE(holds(said(stereo({"-o", "d_%d.pfm", "--strict"})), "stands"));
  EXPECT_FALSE(scratch.has("d_5.pfm"));
}

/// Files are written while the next frame is matched.
TEST_F(Standing, FramesBeforeOneThatCannotBeWrittenAreNamed) {
  std::filesystem::create_directory(scratch.path("d_06.pfm"));
  const std::string maps = said(stereo({"-o", "d_%02d.pfm", "--frames", "5:7"}));
  EXPECT_TRUE(holds(maps, R"(cannot write "d_06.pfm")")) << maps;
  EXPECT_TRUE(holds(maps, "; what was written of frame 5 stands: d_%02d.pfm\n")) << maps;
  EXPECT_FALSE(scratch.has("d_07.pfm"));
  std::filesystem::create_directory(scratch.path("v_7.csv"));
  const std::string fields = said({"motion", "l_%d.pgm", "-o", "v_%d.csv", "--range", "4", "--frames", "5:7"});
  EXPECT_TRUE(holds(fields, "; what was written of frame 6 stands: v_%d.csv\n")) << fields;
}

TEST_F(Standing, FieldsOfMotionAreNamed) {
  const std::string files = said({"motion", "l_%d.pgm", "-o", "v_%d.csv", "--range", "4"});
  EXPECT_TRUE(holds(files, "; what was written of frames 6 .. 7 stands: v_%d.csv\n")) << files;
  EXPECT_TRUE(scratch.has("v_7.csv"));
  const std::string one = said({"motion", "l_%d.pgm", "-o", "v.csv", "--range", "4"});
  EXPECT_TRUE(holds(one, "; what was written of frames 6 .. 7 stands: v.csv.partial\n")) << one;
  EXPECT_FALSE(holds(said({"motion", "l_%d.pgm", "-o", "w_%d.csv", "--frames", "7:9"}), "stands"));
}

TEST_F(Standing, TracksWithoutAFrameAreNoneToGoOnWith) {
  RunOptions small;
  small.file_limit = 100;
  const Result result = scratch.run({"track", "r_%d.pgm", "-o", "t.csv"}, small);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "cannot write \"t.csv\"")) << result.err;
  EXPECT_FALSE(holds(result.err, "holds the tracks")) << result.err;
}

TEST(OtherKinds, PicturesThatBeginAsOursDo) {
  const Scratch scratch;
  scratch.write("photo.heic", "\0\0\0\x18"s + "ftypheic" + std::string(40, '\0'));
  scratch.write("photo.avif", "\0\0\0\x18"s + "ftypavif" + std::string(40, '\0'));
  scratch.write("big.tif", "II+\0\x08\0\0\0"s + std::string(40, '\0'));
  for (const auto& [name, kind] : {std::pair{"photo.heic", "HEIF"}, {"photo.avif", "HEIF"}, {"big.tif", "a BigTIFF"}}) {
    expect_refused(scratch, {"", {"stereo", name, name}, 1, {name, kind, "not read here"}});
    expect_refused(scratch, {"", {"diff", name, name}, 1, {name, kind, "not read here"}});
  }
}

TEST(OtherKinds, StandardInputWithoutAByte) {
  expect_refused(Scratch(), {"", {"motion", "-"}, 1, {"standard input", "it is empty or closed"}});
}

TEST(OtherKinds, TruthAsJpegIsRefused) {
  const Scratch scratch;
  scratch.write("truth.jpg", jpeg());
  scratch.write("map.pfm", flat_pfm(24, 16, 5));
  expect_refused(scratch, {"", {"eval", "map.pfm", "truth.jpg"}, 1, {"truth.jpg", "it is a JPEG", "PNG, PFM or NPY"}});
}

TEST(OtherKinds, MapsInTheOtherByteOrder) {
  const Scratch scratch;
  scratch.write("truth.pfm", flat_pfm(24, 16, 5));
  std::string other = flat_pfm(24, 16, 5);
  const std::size_t scale = other.find("\n1\n");  // its numbers begin with the upper byte
  ASSERT_NE(scale, std::string::npos);
  scratch.write("map.pfm", other.insert(scale + 1, "-"));
  expect_refused(scratch, {"", {"eval", "map.pfm", "truth.pfm"}, 1, {"map.pfm", "byte order"}});
  expect_refused(scratch, {"", {"eval", "truth.pfm", "map.pfm"}, 1, {"map.pfm", "byte order"}});
}

TEST(OtherKinds, SettingsBesideTheObjectOfSettings) {
  const Scratch scratch;
  make_files(scratch);
  scratch.write("beside.json", R"({"settings": {}, "window": 5})");
  scratch.write("preset.json", R"({"preset": "fast", "settings": {}})");
  scratch.write("own.json", R"({"settings": {}, "author": "me"})");
  scratch.write("zero.json", R"({"settings": {}})" + "\0{}"s);
  const auto with = [](const char* file) {
    return std::vector<std::string>{"stereo", "left.pgm", "right.pgm", "--settings", file};
  };
  expect_refused(scratch, {"", with("beside.json"), 1, {"beside.json", "\"window\" stands beside", "move it into"}});
  expect_refused(scratch, {"", with("preset.json"), 1, {"preset.json", "\"preset\" stands beside", "give --preset"}});
  expect_refused(scratch, {"", with("zero.json"), 1, {"zero.json", "holds a byte 0"}});
  EXPECT_EQ(scratch.run(with("own.json")).status, 0);
}

}  // namespace
}  // namespace vergence::cli_test
