// SPDX-License-Identifier: Apache-2.0
// Image and ImageView: ownership, alignment, strides, crops.
#include "vergence/image.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/expect_error.hpp"

namespace vergence {
namespace {

TEST(Image, RowsStartOnCacheLines) {
  for (const int width : {1, 3, 31, 32, 33, 64, 65}) {
    Image<std::uint16_t> image(width, 3);
    EXPECT_EQ(image.stride() % 64, 0);
    EXPECT_GE(image.stride(), width * 2);
    EXPECT_LT(image.stride(), width * 2 + 64);
    for (int y = 0; y < 3; ++y) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.row(y)) % 64, 0u) << width;
  }
}

TEST(Image, HoldsValues) {
  Image<std::int32_t> image(5, 4, -7);
  EXPECT_EQ(image(4, 3), -7);
  image(2, 1) = 9;
  EXPECT_EQ(image.row(1)[2], 9);
  EXPECT_EQ(std::as_const(image)(2, 1), 9);
  image.fill(3);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) EXPECT_EQ(image(x, y), 3);
}

TEST(Image, MovesLeaveAnEmptyImage) {
  Image<std::uint8_t> a(7, 2, 5);
  const std::uint8_t* const pixels = a.data();
  Image<std::uint8_t> b = std::move(a);
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): this is what is tested
  EXPECT_EQ(b.data(), pixels);
  Image<std::uint8_t> c(1, 1);
  c = std::move(b);
  EXPECT_EQ(c.data(), pixels);
  EXPECT_EQ(c.size(), (Size{7, 2}));
  EXPECT_TRUE(b.empty());  // NOLINT(bugprone-use-after-move)
  static_assert(!std::is_copy_constructible_v<Image<std::uint8_t>>);
}

TEST(Image, CloneIsIndependent) {
  Image<std::uint8_t> a(3, 3, 1);
  Image<std::uint8_t> b = a.clone();
  b(1, 1) = 2;
  EXPECT_EQ(a(1, 1), 1);
  EXPECT_EQ(b(0, 2), 1);
}

TEST(Image, EmptySizesOwnNothing) {
  EXPECT_TRUE(Image<float>(0, 5).empty());
  EXPECT_TRUE(Image<float>(5, 0).empty());
  EXPECT_TRUE(Image<float>().clone().empty());
}

TEST(Image, RefusesImpossibleSizes) {
  EXPECT_ERROR(Image<float>(-1, 5), ErrorCode::invalid_argument, "-1x5");
  EXPECT_ERROR(Image<float>(5, -2), ErrorCode::invalid_argument, "5x-2");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end the process instead
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_ERROR(Image<std::uint64_t>(most, most), ErrorCode::out_of_memory, "2147483647x2147483647");
#endif
}

TEST(ImageView, StrideCountsBytes) {
  std::uint16_t pixels[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const ImageView<std::uint16_t> view(pixels, 3, 2, 10);
  EXPECT_EQ(view(0, 1), 5);
  EXPECT_EQ(view(2, 1), 7);
  EXPECT_EQ(ImageView<std::uint16_t>(pixels, 3, 4)(0, 1), 3);
}

TEST(ImageView, CropSharesPixels) {
  Image<std::uint8_t> image(6, 5, 0);
  const ImageView<std::uint8_t> part = image.view().crop({2, 1, 3, 2});
  part(0, 0) = 1;
  part(2, 1) = 2;
  EXPECT_EQ(image(2, 1), 1);
  EXPECT_EQ(image(4, 2), 2);
  EXPECT_EQ(part.size(), (Size{3, 2}));
  EXPECT_EQ(part.stride(), image.stride());
}

TEST(ImageView, WritableIsReadableAndNotBack) {
  static_assert(std::is_convertible_v<ImageView<int>, ImageView<const int>>);
  static_assert(!std::is_convertible_v<ImageView<const int>, ImageView<int>>);
  static_assert(!std::is_convertible_v<Image<int>&&, ImageView<int>>);
  EXPECT_TRUE(ImageView<int>().empty());
}

}  // namespace
}  // namespace vergence
