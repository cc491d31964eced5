// SPDX-License-Identifier: Apache-2.0
// Pictures that are to be shown turned, files of several pictures, and icons.
#include <gtest/gtest.h>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;

std::string turned(char orientation) {
  const std::string exif = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + orientation + "\0\0\0\0\0\0"s;
  return jpeg().substr(0, 2) + "\xFF\xE1\0"s + static_cast<char>(exif.size() + 2) + exif + jpeg().substr(2);
}

class PictureNotes : public testing::Test {
 protected:
  /// The warnings that hold `word`.
  Words warnings(const Words& words, const std::string& word) const {
    Words run = words;
    run.push_back("--json");
    const Result result = scratch.run(run);
    EXPECT_EQ(result.status, 0) << result.err;
    Words found;
    if (result.status != 0) return found;
    const Json report = Json::parse(result.out);  // its elements must outlive the loop
    for (const Json& line : report["warnings"].elements())
      if (holds(line.get<std::string>(), word)) found.push_back(line.get<std::string>());
    return found;
  }
  Words stereo(const std::string& word) const {
    return warnings({"stereo", "l.jpg", "r.jpg", "--disparities", "16", "-o", "d.pfm"}, word);
  }
  const Scratch scratch;
};

TEST_F(PictureNotes, APairOfOneOrientationIsOneLine) {
  scratch.write("l.jpg", turned(1));
  scratch.write("r.jpg", jpeg());
  EXPECT_EQ(stereo("shown"), Words{});
  scratch.write("l.jpg", turned(6));
  scratch.write("r.jpg", turned(6));
  const Words lines = stereo("shown");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(holds(lines[0],
                    "l.jpg is to be shown turned by 90 degrees (orientation 6 of Exif), and is read as it is "
                    "stored, 24x16"));
  EXPECT_TRUE(holds(lines[0], "exiftool -Orientation="));
  EXPECT_EQ(scratch.run({"stereo", "l.jpg", "r.jpg", "--disparities", "16", "-o", "s.pfm", "--strict"}).status, 1);
  EXPECT_FALSE(scratch.has("s.pfm"));
}

TEST_F(PictureNotes, APairOfTwoOrientations) {
  scratch.write("l.jpg", jpeg());
  scratch.write("r.jpg", turned(3));
  const Words lines = stereo("shown");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(holds(lines[0], "left and right are to be shown in different ways"));
  EXPECT_TRUE(holds(lines[0], "l.jpg as it is stored (orientation 1 of Exif), r.jpg turned by 180 degrees (3)"));
}

TEST_F(PictureNotes, ALaterPictureOfASequence) {
  for (const char* side : {"l", "r"})
    for (int i = 0; i < 3; ++i) scratch.write(side + std::to_string(i) + ".jpg", i == 2 ? turned(8) : jpeg());
  const std::string word = "l2.jpg is to be shown turned by 270 degrees (orientation 8 of Exif), unlike l0.jpg (1)";
  EXPECT_EQ(warnings({"stereo", "l%d.jpg", "r%d.jpg", "--disparities", "16", "-o", "d%d.pfm"}, word).size(), 1u);
  EXPECT_EQ(warnings({"track", "l%d.jpg", "--window", "5", "-o", "t.csv"}, word).size(), 1u);
}

TEST_F(PictureNotes, FilesOfSeveralPictures) {
  scratch.write("l.jpg", jpeg().substr(0, 2) + "\xFF\xE2\0\x06MPF\0"s + jpeg().substr(2) + jpeg());
  scratch.write("r.jpg", jpeg());
  const Words lines = stereo("pictures, of which only the first one is read");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(holds(lines[0], "l.jpg holds 2 pictures"));
  EXPECT_TRUE(holds(lines[0], "ffmpeg -f mjpeg"));
}

TEST_F(PictureNotes, IconsAreNamed) {
  scratch.write("l.ico", "\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x16\0\0\0"s + std::string(1100, '\7'));
  scratch.write("r.jpg", jpeg());
  const Result result = scratch.run({"stereo", "l.ico", "r.jpg", "-o", "d.pfm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "it is an icon (.ico) or a cursor (.cur), which is not read here: convert it to PNG"))
      << result.err;
}

}  // namespace
}  // namespace vergence::cli_test
