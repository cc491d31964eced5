// SPDX-License-Identifier: Apache-2.0
// Frames that were put together of two, and how far frames are from each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/expect_error.hpp"
#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;

/// From `row` on, so many px further to the right.
Picture torn(int row, int shift, int stretch = 1, Size size = inspect_test::scene_size) {
  Picture picture(size);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x - (y < row ? 0 : shift), y * stretch));
  return picture;
}

TEST(InspectTear, TellsRowAndShift) {
  for (const int row : {20, 91, 160})
    for (const int shift : {-40, -11, -6, 6, 15, 40}) {
      const TearFindings found = inspect_tear(torn(row, shift).view());
      EXPECT_EQ(found.row, row) << shift;
      EXPECT_EQ(found.shift, shift) << row;
    }
}

/// An edge of a thing next to the tear, which is as strong along the row.
TEST(InspectTear, TellsRowsBesideEdges) {
  Picture picture = torn(91, 6);
  for (int y = 94; y < picture.height(); ++y)
    for (int x = 20; x < 150; ++x) picture(x, y) = static_cast<std::uint8_t>(255 - picture(x, y));
  const TearFindings found = inspect_tear(picture.view());
  EXPECT_EQ(found.row, 91);
  EXPECT_EQ(found.shift, 6);
}

/// Of wide pictures, fewer pieces of rows are looked at first.
TEST(InspectTear, TellsRowsOfWidePictures) {
  for (const int width : {1023, 1024, 1087, 1088, 1400}) {
    const TearFindings found = inspect_tear(torn(40, 15, 1, {width, 80}).view());
    EXPECT_EQ(found.row, 40) << width;
    EXPECT_EQ(found.shift, 15) << width;
    EXPECT_EQ(inspect_tear(torn(0, 0, 1, {width, 80}).view()).row, 0) << width;
  }
}

TEST(InspectTear, WideSamples) {
  const Picture narrow = torn(70, 9);
  Image<std::uint16_t> wide(narrow.size());
  for (int y = 0; y < wide.height(); ++y)
    for (int x = 0; x < wide.width(); ++x) wide(x, y) = static_cast<std::uint16_t>(narrow(x, y) * 16);
  EXPECT_EQ(inspect_tear(wide.view(), 4095).row, 70);
}

TEST(InspectTear, OthersAreWhole) {
  EXPECT_EQ(inspect_tear(torn(0, 0).view()).row, 0);
  EXPECT_EQ(inspect_tear(torn(0, 0, 5).view()).row, 0) << "rows that differ much";
  Picture edge = torn(0, 0);
  for (int y = 90; y < edge.height(); ++y)
    for (int x = 0; x < edge.width(); ++x) edge(x, y) = static_cast<std::uint8_t>(255 - edge(x, y));
  EXPECT_EQ(inspect_tear(edge.view()).row, 0) << "an edge along the whole row";
  EXPECT_EQ(inspect_tear(Picture(240, 180, 7).view()).row, 0) << "flat";
  EXPECT_EQ(inspect_tear(Picture(40, 180, 7).view()).row, 0) << "too narrow";
  Picture street = torn(0, 0);  // the end of a white one, where many places fit alike
  for (int y = 60; y <= 90; ++y)
    for (int x = 0; x < street.width(); ++x) street(x, y) = x < 30 ? 60 : 250;
  for (int y = 91; y < street.height(); ++y)
    for (int x = 0; x < street.width(); ++x)
      street(x, y) = static_cast<std::uint8_t>(x < 75 ? 60 + y % 3 : 250 - 2 * inspect_test::hash(x / 9, y / 9) / 9);
  EXPECT_EQ(inspect_tear(street.view()).row, 0) << "an edge between flat areas";
  Picture stars(240, 180);
  for (int y = 0; y < stars.height(); ++y)
    for (int x = 0; x < stars.width(); ++x) {
      const int at = x - (y > 90 ? 28 : 0);
      const bool star = y > 87 && y < 94 && (at - 40) % 29 < 3 && at >= 40 && at < 72;
      stars(x, y) = static_cast<std::uint8_t>(star ? 250 : 12 + inspect_test::hash(x, y) % 4);
    }
  EXPECT_EQ(inspect_tear(stars.view()).row, 0) << "bright spots that lie alike";
  Picture noise(inspect_test::scene_size);
  for (int y = 0; y < noise.height(); ++y)
    for (int x = 0; x < noise.width(); ++x) noise(x, y) = static_cast<std::uint8_t>(inspect_test::hash(x, y));
  EXPECT_EQ(inspect_tear(noise.view()).row, 0) << "noise";
}

TEST(InspectChange, IsTheMeanOfAllPixels) {
  Picture before(10, 4, 100), now(10, 4, 100);
  EXPECT_ERROR(inspect_change(before.view(), now.view(), 0), ErrorCode::invalid_argument, "max_value is 0");
  EXPECT_EQ(inspect_change(before.view(), now.view()).change, 0);
  now(3, 2) = 101;
  ChangeFindings found = inspect_change(before.view(), now.view());
  EXPECT_EQ(found.change, 6);  // 256 / 40
  EXPECT_EQ(found.lift, 6);
  now(4, 2) = 97;
  found = inspect_change(before.view(), now.view());
  EXPECT_EQ(found.change, 25);  // 4 * 256 / 40
  EXPECT_EQ(found.lift, -12);   // -2 * 256 / 40
  Image<std::uint16_t> wide(5000, 1, 0), bright(5000, 1, 65535);
  EXPECT_EQ(inspect_change(wide.view(), bright.view()).change, 255 * 256);
  bright(0, 0) = 0;
  wide(0, 0) = 1;
  EXPECT_EQ(inspect_change(wide.view(), wide.view()).change, 0);
  Image<std::uint16_t> other = wide.clone();
  other(9, 0) = 1;
  EXPECT_EQ(inspect_change(wide.view(), other.view()).change, 1) << "any difference";
  EXPECT_ERROR(inspect_change(before.view(), Picture(9, 4, 0).view()), ErrorCode::invalid_argument, "differ in size");
}

template <class Pixel>
Image<Pixel> noisy(Size size, int salt, int shift) {
  Image<Pixel> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<Pixel>(inspect_test::hash(x + salt, y) << shift);
  return picture;
}

/// Parts of all lengths: of a block, which has a way of its own, of rows that are longer than what is summed at once.
template <class Pixel>
void expect_sums(int shift) {
  const std::vector<int> columns{3, 3, 4, 20, 36, 53, 4990, 5001};
  const Image<Pixel> before = noisy<Pixel>({5001, 3}, 0, shift), now = noisy<Pixel>({5001, 3}, 7, shift);
  std::vector<std::int64_t> sums, differences;
  for (int y = 0; y < now.height(); ++y)
    for (std::size_t part = 1; part < columns.size(); ++part) {
      std::int64_t sum = 0, difference = 0;
      for (int x = columns[part - 1]; x < columns[part]; ++x) {
        sum += now(x, y);
        difference += std::abs(now(x, y) - before(x, y));
      }
      sums.push_back(sum);
      differences.push_back(difference);
    }
  EXPECT_EQ(inspect_sums(now.view(), columns), sums);
  EXPECT_EQ(inspect_differences(before.view(), now.view(), columns), differences);
}
TEST(InspectSums, AreThoseOfEachPartOfEachRow) {
  expect_sums<std::uint8_t>(0);
  expect_sums<std::uint16_t>(8);
  const Picture picture(8, 2, 255);
  for (const std::vector<int>& columns :
       {std::vector<int>{}, std::vector<int>{-1, 4}, std::vector<int>{0, 9}, std::vector<int>{0, 9, 4}})
    EXPECT_ERROR(inspect_sums(picture.view(), columns), ErrorCode::invalid_argument, "parts of rows leave the picture");
  EXPECT_ERROR(inspect_differences(picture.view(), Picture(8, 3, 0).view(), std::vector<int>{0, 8}),
               ErrorCode::invalid_argument, "differ in size");
}

}  // namespace
}  // namespace vergence
