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

TEST(InspectFlatParts, AreThoseWhereTheOtherPictureShowsSomething) {
  Image<std::uint8_t> left(160, 120), right(160, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) left(x, y) = right(x, y) = static_cast<std::uint8_t>(40 + 5 * ((x * 7 + y * 3) % 30));
  const auto parts = [&] {
    return inspect_flat_parts(ImageView<const std::uint8_t>(left.view()), ImageView<const std::uint8_t>(right.view()));
  };
  EXPECT_EQ(parts().left, 0);
  EXPECT_EQ(parts().right, 0);
  for (int y = 0; y < 60; ++y) std::fill_n(right.row(y), 160, std::uint8_t{128});
  EXPECT_EQ(parts().left, 0);
  EXPECT_EQ(parts().right, 50);
  for (int y = 0; y < 60; ++y) std::fill_n(left.row(y), 160, std::uint8_t{128});
  EXPECT_EQ(parts().right, 0) << "flat in both";
  const Image<std::uint8_t> other(80, 60);
  EXPECT_THROW(inspect_flat_parts(ImageView<const std::uint8_t>(left.view()), other.view()), Error);
  const Image<std::uint8_t> low(40, 40, 1), low_too(40, 40, 200);
  EXPECT_EQ(inspect_flat_parts(low.view(), low_too.view()).left, 0) << "too small to tell";
}

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

/// `smooth`: its rows are so much alike that those two rows apart are, too.
void expect_told(ImageView<const std::uint8_t> picture, bool smooth = false) {
  const int width = picture.width();
  EXPECT_FALSE(inspect_row_length(picture)) << *inspect_row_length(picture);
  for (const int wrong :
       {width - 16, width + 16, width / 2 + 40, width * 3 / 4, width * 4 / 3, width * 2 - 30, width * 2}) {
    if (smooth && wrong == width * 2) continue;
    const Picture skewed = reread(picture, wrong);
    const std::optional<int> length = inspect_row_length(skewed.view());
    ASSERT_TRUE(length) << wrong;
    // Rows are alike at the true length, and perhaps at twice that.
    EXPECT_LE(std::abs(*length % width - (*length % width > width / 2 ? width : 0)), 3) << wrong << ' ' << *length;
  }
}

TEST(InspectRowLength, WrongWidthsAreTold) { expect_told(inspect_test::view(false).view()); }

/// Of colour filters, say: they are like the next but one, and no half of a longer row.
TEST(InspectRowLength, RowsInTurnAreNone) {
  const Picture picture = inspect_test::view(false);
  Picture mosaic(picture.size()), dimmed(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      mosaic(x, y) = static_cast<std::uint8_t>(picture(x, y) / (x % 2 == 0 && y % 2 == 0 ? 3 : y % 2 == 0 ? 1 : 2));
      dimmed(x, y) = static_cast<std::uint8_t>(picture(x, y) * (y % 2 == 0 ? 3 : 4) / 4);
    }
  EXPECT_FALSE(inspect_row_length(mosaic.view()));
  EXPECT_FALSE(inspect_row_length(dimmed.view()));
  const std::optional<int> length = inspect_row_length(reread(picture.view(), picture.width() / 2).view());
  ASSERT_TRUE(length);
  EXPECT_EQ(*length, picture.width());
}

template <class Value>
Image<std::uint16_t> deep(Size size, Value value) {
  Image<std::uint16_t> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint16_t>(value(x, y));
  return picture;
}
unsigned exchanged(unsigned value) { return (value << 8 & 0xFF00u) | value >> 8; }

TEST(InspectByteOrder, ExchangedBytesAreTold) {
  const Picture picture = inspect_test::view(false);
  for (const int bits : {12, 14, 16}) {
    const auto value = [&](int x, int y) {
      return static_cast<unsigned>(picture(x, y)) << (bits - 8) |
             (static_cast<unsigned>(2 * inspect_test::hash(x, y)) >> (16 - bits));
    };
    const auto other = [&](int x, int y) { return exchanged(value(x, y)); };
    EXPECT_FALSE(inspect_byte_order(deep(picture.size(), value).view())) << bits;
    EXPECT_TRUE(inspect_byte_order(deep(picture.size(), other).view())) << bits;
  }
}

/// Pictures of fewer bits, however they were made 16-bit ones, noise and flat ones.
TEST(InspectByteOrder, OthersAreNot) {
  const Picture picture = inspect_test::view(false);
  const auto expect_good = [&](const char* what, auto value) {
    EXPECT_FALSE(inspect_byte_order(deep(picture.size(), value).view())) << what;
  };
  for (int shift = 0; shift <= 8; ++shift) {
    expect_good("8 bits, shifted", [&](int x, int y) { return picture(x, y) << shift; });
    expect_good("noise of 8 bits, shifted", [&](int x, int y) { return 2 * inspect_test::hash(x, y) << shift; });
    expect_good("9 bits, shifted", [&](int x, int y) { return (2 * picture(x, y) + (x & 1)) << std::min(shift, 7); });
  }
  expect_good("8 bits, repeated", [&](int x, int y) { return picture(x, y) * 257; });
  expect_good("noise, repeated", [&](int x, int y) { return 2 * inspect_test::hash(x, y) * 257; });
  expect_good("noise", [&](int x, int y) { return inspect_test::hash(x, y) * 509 + inspect_test::hash(y, x); });
  expect_good("white spots",
              [&](int x, int y) { return inspect_test::hash(x, y) > 120 ? 65535 : 2 * inspect_test::hash(x, y) << 8; });
  expect_good("flat", [](int, int) { return 0x1234; });
  EXPECT_FALSE(inspect_byte_order(Image<std::uint16_t>(1, 1, std::uint16_t{0x0102}).view()));
}

/// Two pictures, or one twice, beside each other are no rows in pairs.
TEST(InspectRowLength, PicturesSideBySideAreWhatTheyAre) {
  const Picture left = inspect_test::view(false);
  for (const bool twice : {false, true}) {
    const Picture right = inspect_test::view(!twice);
    Picture both(2 * left.width(), left.height());
    for (int y = 0; y < left.height(); ++y) {
      std::copy_n(left.row(y), left.width(), both.row(y));
      std::copy_n(right.row(y), left.width(), both.row(y) + left.width());
    }
    EXPECT_FALSE(inspect_row_length(both.view())) << twice;
  }
}

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
    EXPECT_FALSE(inspect_mosaic(picture.u8.view())) << path;
  }
}

TEST(InspectPhotograph, WrongWidthsAreTold) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/";
  if (!std::filesystem::exists(folder + "stereo")) GTEST_SKIP() << "no pictures in " << folder;
  for (const char* name : {"stereo/venus/left.png", "stereo/tsukuba/left.png", "clips/basketballpass_416x240/f001.png",
                           "tracking/openvx_pyrlk/frame0.png", "flow/rubberwhale/frame10.png"}) {
    SCOPED_TRACE(name);
    expect_told(read_grey(folder + name).u8.view(), std::string(name).starts_with("tracking"));
  }
}
#endif

}  // namespace
}  // namespace vergence
