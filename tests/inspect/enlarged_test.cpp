// SPDX-License-Identifier: Apache-2.0
// Pictures that were enlarged in blocks of equal pixels are told from all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::view;

/// Each pixel of the scene as a block, from the block's pixel (left, top) on.
template <class Pixel>
Image<Pixel> enlarged(const Picture& scene, Size block, int left = 0, int top = 0, int factor = 1) {
  Image<Pixel> result(Size{scene.width(), scene.height()});
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x)
      result(x, y) = static_cast<Pixel>(factor * scene(std::min((x + left) / block.width, scene.width() - 1),
                                                       std::min((y + top) / block.height, scene.height() - 1)));
  return result;
}

TEST(InspectEnlarged, BlocksAreTold) {
  const Picture scene = view(false);
  for (const Size block : {Size{2, 2}, Size{3, 3}, Size{4, 4}, Size{2, 1}, Size{1, 2}, Size{8, 8}, Size{3, 2}}) {
    EXPECT_EQ(inspect_enlarged(enlarged<std::uint8_t>(scene, block).view()).block, block)
        << block.width << block.height;
    EXPECT_EQ(inspect_enlarged(enlarged<std::uint8_t>(scene, block, 1, 1).view()).block, block) << "cropped";
    EXPECT_EQ(inspect_enlarged(enlarged<std::uint16_t>(scene, block, 0, 0, 200).view()).block, block) << "16 bits";
  }
}

/// Noise of a few levels, as compression leaves it: pixels of a block are no longer equal.
TEST(InspectEnlarged, CompressedBlocksAreToldToo) {
  std::mt19937 random(7);
  const auto noisy = [&](Picture picture) {
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>(picture(x, y) + static_cast<int>(random() % 3));
    return picture;
  };
  Picture scene(Size{240, 180});  // whose pixels differ by more than that
  for (int y = 0; y < scene.height(); ++y)
    for (int x = 0; x < scene.width(); ++x) scene(x, y) = static_cast<std::uint8_t>(60 + inspect_test::hash(x, y) / 4);
  for (const int side : {2, 3, 4})
    for (const int from : {0, 1})
      EXPECT_EQ(inspect_enlarged(noisy(enlarged<std::uint8_t>(scene, {side, side}, from, from)).view()).block,
                (Size{side, side}));
  EXPECT_EQ(inspect_enlarged(noisy(scene.clone()).view()).block, (Size{1, 1}));
  EXPECT_EQ(inspect_enlarged(noisy(enlarged<std::uint8_t>(scene, {2, 1})).view()).block, (Size{1, 1}))
      << "one way alone";
  EXPECT_EQ(inspect_enlarged(noisy(enlarged<std::uint8_t>(scene, {8, 8})).view()).block, (Size{1, 1}))
      << "the blocks of codecs";
}

TEST(InspectEnlarged, OthersAreNot) {
  const Size none{1, 1};
  const Picture scene = view(false);
  EXPECT_EQ(inspect_enlarged(scene.view()).block, none);
  Picture once = enlarged<std::uint8_t>(scene, {2, 2});
  for (int y = 0; y < once.height(); ++y) once(101, y) = static_cast<std::uint8_t>(once(101, y) + 9);
  EXPECT_EQ(inspect_enlarged(once.view()).block, (Size{1, 2})) << "one column is not as it should be";
  EXPECT_EQ(inspect_enlarged(Picture(Size{240, 180}, std::uint8_t{90}).view()).block, none) << "flat";
  const auto drawn = [&](auto pixel) {
    Picture picture(Size{240, 180});
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) picture(x, y) = static_cast<std::uint8_t>(pixel(x, y));
    return inspect_enlarged(picture.view()).block;
  };
  EXPECT_EQ(drawn([](int x, int y) { return (x / 12 + y / 12) % 2 * 200; }), none) << "squares";
  EXPECT_EQ(drawn([](int x, int) { return x < 100 ? 20 : 200; }), none) << "one edge";
  EXPECT_EQ(drawn([](int x, int y) { return x < 100 || y < 50 ? 20 : 20 + (x * 5 + y * 3) % 100; }), none) << "a part";
  EXPECT_EQ(inspect_enlarged(Picture(Size{20, 20}, std::uint8_t{90}).view()).block, none) << "small";
  for (unsigned seed = 1; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Picture noise(Size{200, 150});
    for (int y = 0; y < noise.height(); ++y)
      for (int x = 0; x < noise.width(); ++x) noise(x, y) = static_cast<std::uint8_t>(random() & 255);
    EXPECT_EQ(inspect_enlarged(noise.view()).block, none) << seed;
  }
}

}  // namespace
}  // namespace vergence
