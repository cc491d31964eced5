// SPDX-License-Identifier: Apache-2.0
// Flat pictures, and raw video that was read with another width.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"
#endif

namespace vergence {
namespace {

using inspect_test::Picture;

PictureFindings look(const Picture& picture) { return inspect_picture(picture.view()); }

TEST(InspectPicture, FlatAndBlackPictures) {
  Picture grey(100, 80, 90);
  EXPECT_TRUE(look(grey).flat);
  EXPECT_FALSE(look(grey).black);
  EXPECT_EQ(look(grey).lowest, 90);
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 100; ++x) grey(x, y) = static_cast<std::uint8_t>(90 + (x + y) % 2);
  EXPECT_TRUE(look(grey).flat) << "noise of a level";
  grey(57, 31) = 93;
  EXPECT_FALSE(look(grey).flat) << "one pixel that shows something, wherever it is";
  EXPECT_TRUE(look(Picture(100, 80, 0)).black);
  EXPECT_TRUE(look(Picture(100, 80, 16)).black) << "limited range";
  EXPECT_FALSE(look(Picture(100, 80, 30)).black);
  EXPECT_TRUE(look(Picture(1, 1, 200)).flat);
  EXPECT_FALSE(look(inspect_test::view(false)).flat);
  const Image<std::uint16_t> deep(50, 50, std::uint16_t{500});
  EXPECT_TRUE(inspect_picture(deep.view(), 1023).flat);
  EXPECT_FALSE(inspect_picture(deep.view(), 1023).black);
  EXPECT_ERROR(inspect_picture(ImageView<const std::uint8_t>{}), ErrorCode::invalid_argument, "empty");
}

TEST(InspectPicture, FewLevelsThatShowSomethingAreNotFlat) {
  const Picture picture = inspect_test::view(false);
  Image<std::uint16_t> few(picture.size());
  Image<std::uint16_t> noise(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      few(x, y) = picture(x, y);
      noise(x, y) = static_cast<std::uint16_t>(64 + inspect_test::hash(x, y));
    }
  const PictureFindings found = inspect_picture(few.view());
  EXPECT_TRUE(found.dim);
  EXPECT_FALSE(found.flat || found.black);
  EXPECT_FALSE(inspect_picture(few.view(), 255).dim);
  EXPECT_TRUE(inspect_picture(noise.view()).flat) << "noise of the same levels";
  EXPECT_TRUE(inspect_picture(noise.view()).black);
  EXPECT_FALSE(look(picture).dim);
}

/// The same bytes, read with rows of another length.
Picture reread(ImageView<const std::uint8_t> picture, int width) {
  std::vector<std::uint8_t> bytes;
  for (int y = 0; y < picture.height(); ++y)
    bytes.insert(bytes.end(), picture.row(y), picture.row(y) + picture.width());
  Picture result(width, static_cast<int>(bytes.size()) / width);
  for (int y = 0; y < result.height(); ++y) std::copy_n(bytes.begin() + y * width, width, result.row(y));
  return result;
}

void expect_told(ImageView<const std::uint8_t> picture) {
  const int width = picture.width();
  EXPECT_FALSE(inspect_row_length(picture)) << *inspect_row_length(picture);
  for (const int wrong : {width - 16, width + 16, width / 2 + 40, width * 3 / 4, width * 4 / 3, width * 2 - 30}) {
    const Picture skewed = reread(picture, wrong);
    const std::optional<int> length = inspect_row_length(skewed.view());
    ASSERT_TRUE(length) << wrong;
    // Rows are alike at the true length, and perhaps at twice that.
    EXPECT_LE(std::abs(*length % width - (*length % width > width / 2 ? width : 0)), 3) << wrong << ' ' << *length;
  }
}

TEST(InspectRowLength, WrongWidthsAreTold) { expect_told(inspect_test::view(false).view()); }

TEST(InspectRowLength, SaysNothingWithoutEvidence) {
  Picture noise(320, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 320; ++x) noise(x, y) = static_cast<std::uint8_t>(inspect_test::hash(x, y));
  EXPECT_FALSE(inspect_row_length(noise.view()));
  EXPECT_FALSE(inspect_row_length(Picture(320, 200, 7).view()));
  EXPECT_FALSE(inspect_row_length(Picture(31, 200, 7).view()));
  EXPECT_FALSE(inspect_row_length(Picture(200, 7, 7).view()));
  Picture stripes(320, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 320; ++x) stripes(x, y) = static_cast<std::uint8_t>(y % 8 < 4 ? 40 : 200);
  EXPECT_FALSE(inspect_row_length(stripes.view())) << "rows that differ from their neighbours";
}

#if VERGENCE_WITH_IO
std::vector<std::string> all_pictures() {
  std::vector<std::string> paths;
  std::error_code problem;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VERGENCE_TEST_DATA, problem)) {
    const std::string path = entry.path().string();
    if (entry.path().extension() == ".png" && path.find("disparity") == std::string::npos) paths.push_back(path);
  }
  return paths;
}

TEST(InspectPhotograph, NoneIsFlatOrOfAnotherWidth) {
  const std::vector<std::string> paths = all_pictures();
  if (paths.empty()) GTEST_SKIP() << "no pictures in " << VERGENCE_TEST_DATA;
  for (const std::string& path : paths) {
    const GreyPicture picture = read_grey(path);
    EXPECT_FALSE(inspect_picture(picture.u8.view()).flat) << path;
    EXPECT_FALSE(inspect_row_length(picture.u8.view())) << path;
  }
}

TEST(InspectPhotograph, WrongWidthsAreTold) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/";
  if (!std::filesystem::exists(folder + "stereo")) GTEST_SKIP() << "no pictures in " << folder;
  for (const char* name : {"stereo/venus/left.png", "stereo/tsukuba/left.png", "clips/basketballpass_416x240/f001.png",
                           "tracking/openvx_pyrlk/frame0.png", "flow/rubberwhale/frame10.png"}) {
    SCOPED_TRACE(name);
    expect_told(read_grey(folder + name).u8.view());
  }
}
#endif

}  // namespace
}  // namespace vergence
