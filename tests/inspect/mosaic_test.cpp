// SPDX-License-Identifier: Apache-2.0
// Raw pictures of sensors with colour filters are told from all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_lines.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::view;

/// The scene behind filters that let through so many percent, at (0, 0), (1, 0), (0, 1) and (1, 1) of each 2x2 pixels.
template <class Pixel>
Image<Pixel> filtered(const Picture& scene, const std::array<int, 4>& percent, int factor = 1) {
  Image<Pixel> result(scene.size());
  for (int y = 0; y < scene.height(); ++y)
    for (int x = 0; x < scene.width(); ++x)
      result(x, y) =
          static_cast<Pixel>(factor * scene(x, y) * percent[static_cast<std::size_t>(2 * (y % 2) + x % 2)] / 100);
  return result;
}

TEST(InspectMosaic, ColourFiltersAreTold) {
  const Picture scene = view(false);
  constexpr std::array<std::array<int, 4>, 4> cameras{
      {{50, 100, 100, 60}, {100, 50, 60, 100}, {70, 100, 100, 80}, {100, 60, 50, 100}}};
  for (const std::array<int, 4>& filters : cameras) {
    EXPECT_TRUE(inspect_mosaic(filtered<std::uint8_t>(scene, filters).view())) << filters[0];
    EXPECT_TRUE(inspect_mosaic(filtered<std::uint16_t>(scene, filters, 16).view())) << filters[0] << ", 12 of 16 bits";
  }
}

/// With as many bits, by Bayer's matrix of 4x4; of three bits and less the chessboard is as strong as a mosaic's.
TEST(InspectMosaic, DitheredPicturesAreNot) {
  constexpr std::array<int, 16> matrix{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  const Picture scene = view(false);
  for (const int bits : {1, 2, 3, 4, 5, 6}) {
    Picture dithered(scene.size());
    const int step = 256 >> bits;
    for (int y = 0; y < scene.height(); ++y)
      for (int x = 0; x < scene.width(); ++x) {
        const int threshold = step * matrix[static_cast<std::size_t>(4 * (y % 4) + x % 4)] / 16;
        dithered(x, y) = static_cast<std::uint8_t>(std::min(255, (scene(x, y) + threshold) / step * step));
      }
    EXPECT_FALSE(inspect_mosaic(dithered.view())) << bits;
    EXPECT_FALSE(inspect_lines_in_turn(dithered.view()).columns) << bits;
    EXPECT_FALSE(inspect_lines_in_turn(dithered.view()).rows) << bits;
  }
}

TEST(InspectMosaic, OthersAreNot) {
  const Picture scene = view(false);
  EXPECT_FALSE(inspect_mosaic(scene.view()));
  EXPECT_FALSE(inspect_mosaic(filtered<std::uint8_t>(scene, {60, 100, 60, 100}).view())) << "columns alternate";
  EXPECT_FALSE(inspect_mosaic(filtered<std::uint8_t>(scene, {60, 60, 100, 100}).view())) << "rows alternate";
  EXPECT_FALSE(inspect_mosaic(Picture(Size{240, 180}, std::uint8_t{90}).view())) << "flat";
  EXPECT_FALSE(
      inspect_mosaic(filtered<std::uint8_t>(Picture(Size{40, 40}, std::uint8_t{90}), {50, 100, 100, 60}).view()))
      << "small";
  Picture hatched(Size{240, 180});  // a legend below, drawn in single pixels
  for (int y = 0; y < hatched.height(); ++y)
    for (int x = 0; x < hatched.width(); ++x)
      hatched(x, y) = y < 120 ? scene(x % scene.width(), y % scene.height()) : (x + y) % 2 == 0 ? 255 : 0;
  EXPECT_FALSE(inspect_mosaic(hatched.view())) << "a hatched part";
  for (unsigned seed = 1; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Picture noise(Size{200, 150});
    for (int y = 0; y < noise.height(); ++y)
      for (int x = 0; x < noise.width(); ++x) noise(x, y) = static_cast<std::uint8_t>(random() & 255);
    EXPECT_FALSE(inspect_mosaic(noise.view())) << seed;
  }
}

}  // namespace
}  // namespace vergence
