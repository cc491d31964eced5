// SPDX-License-Identifier: Apache-2.0
// The range of disparities that a pair shows, on made-up pairs whose disparities are known.
#include "vergence/disparity_range.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/expect_error.hpp"
#include "core/random.hpp"
#include "inspect/scene.hpp"

namespace vergence {
namespace {

using inspect_test::view;

const Device& cpu() {
  static const Device device("cpu");
  return device;
}

template <class T>
std::optional<DisparityRange> range_of(const Image<T>& left, const Image<T>& right, const Device& device = cpu()) {
  return find_disparity_range(device, left.view(), right.view());
}

/// Each pixel `times` x `times` large.
template <class T>
Image<T> enlarged(const Image<T>& picture, int times) {
  Image<T> large(picture.width() * times, picture.height() * times);
  for (int y = 0; y < large.height(); ++y)
    for (int x = 0; x < large.width(); ++x) large(x, y) = picture(x / times, y / times);
  return large;
}

Image<std::uint16_t> in_words(const Image<std::uint8_t>& picture) {
  Image<std::uint16_t> words(picture.size());
  for (int y = 0; y < words.height(); ++y)
    for (int x = 0; x < words.width(); ++x) words(x, y) = static_cast<std::uint16_t>(257 * picture(x, y));
  return words;
}

Image<std::uint8_t> noise(Size size, std::uint64_t seed) {
  Random random(seed);
  Image<std::uint8_t> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint8_t>(random.within(0, 255));
  return picture;
}

/// What is found holds low .. high, and no more than `slack` px beside it: the margin, and what the edges of the square
/// seem to have.
void expect_range(const std::optional<DisparityRange>& found, int low, int high, int slack) {
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->first, low);
  EXPECT_GE(found->first, low - slack);
  EXPECT_GE(found->last, high);
  EXPECT_LE(found->last, high + slack);
}

TEST(DisparityRange, HoldsWallAndSquareWithAMargin) { expect_range(range_of(view(false), view(true)), 6, 12, 4); }

TEST(DisparityRange, IsNegativeWhereThePicturesAreExchanged) {
  expect_range(range_of(view(true), view(false)), -12, -6, 4);
}

TEST(DisparityRange, GrowsWithThePictures) {
  expect_range(range_of(enlarged(view(false), 2), enlarged(view(true), 2)), 12, 24, 8);
  expect_range(range_of(enlarged(view(false), 4), enlarged(view(true), 4)), 24, 48, 16);
}

TEST(DisparityRange, IsThatOfWordsToo) {
  const auto in_bytes = range_of(view(false), view(true));
  EXPECT_TRUE(in_bytes.has_value());
  EXPECT_EQ(range_of(in_words(view(false)), in_words(view(true))), in_bytes);
}

TEST(DisparityRange, IsThatOfTheReference) {
  const auto on_cpu = range_of(view(false), view(true));
  EXPECT_TRUE(on_cpu.has_value());
  EXPECT_EQ(range_of(view(false), view(true), Device("reference")), on_cpu);
}

TEST(DisparityRange, CannotBeToldOfFlatNoisyAndTinyPictures) {
  const Image<std::uint8_t> flat({240, 180}, 7);
  EXPECT_EQ(range_of(flat, flat), std::nullopt);
  const Image<std::uint8_t> one = noise({240, 180}, 1), other = noise({240, 180}, 2);
  EXPECT_EQ(range_of(one, other), std::nullopt);
  for (const Size size : {Size{1, 1}, Size{31, 100}, Size{100, 15}}) {
    const Image<std::uint8_t> tiny = noise(size, 3);
    EXPECT_EQ(range_of(tiny, tiny), std::nullopt) << size.width;
  }
}

TEST(DisparityRange, OfOnePictureTwiceIsAboutNothing) {
  const Image<std::uint8_t> picture = view(false);
  EXPECT_EQ(range_of(picture, picture), (DisparityRange{0, 1}));
}

TEST(DisparityRange, RefusesWhatTheMatcherRefuses) {
  const Image<std::uint8_t> picture({240, 180}, 0), narrow({239, 180}, 0);
  EXPECT_ERROR(find_disparity_range(cpu(), picture, narrow), ErrorCode::invalid_argument, "differ in size");
  const Image<std::uint16_t> bright({240, 180}, 1024);
  EXPECT_ERROR(find_disparity_range(cpu(), bright, bright, 1023), ErrorCode::invalid_argument, "1024");
}

}  // namespace
}  // namespace vergence
