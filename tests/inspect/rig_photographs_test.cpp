// SPDX-License-Identifier: Apache-2.0
// Photographs of rectified pairs are not off; the same with lower rows are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include "vergence/rig_check.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"

namespace vergence {
namespace {

using Grey = Image<std::uint8_t>;
using GreyView = ImageView<const std::uint8_t>;

/// The mean of two rows: half a pixel lower, less a pixel for each of `rows`.
Grey lowered(GreyView picture, int rows, bool by_half) {
  Grey out(picture.size());
  const auto row = [&](int y) { return picture.row(std::clamp(y, 0, picture.height() - 1)); };
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x)
      out(x, y) =
          static_cast<std::uint8_t>(by_half ? (row(y - rows)[x] + row(y - rows - 1)[x] + 1) / 2 : row(y - rows)[x]);
  return out;
}

Grey noisy(GreyView picture, int most, std::uint32_t seed) {
  std::mt19937 random(seed);
  Grey out(picture.size());
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      const int noise = static_cast<int>(random() % static_cast<std::uint32_t>(2 * most + 1)) - most;
      out(x, y) = static_cast<std::uint8_t>(std::clamp(picture(x, y) + noise, 0, 255));
    }
  return out;
}

RigFindings rows_of(GreyView left, GreyView right) {
  return check_rig_points(match_pair_points(left, right), {.size = left.size()});
}

class RigPhotographs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/" + GetParam();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
    left = read_grey(folder + "/left.png").u8.clone();
    right = read_grey(folder + "/right.png").u8.clone();
  }
  Grey left, right;
};

TEST_P(RigPhotographs, AreRectified) {
  const int w = left.width(), h = left.height();
  for (const Rect& part : {Rect{0, 0, w, h},
                           {0, 0, w / 2, h},
                           {w / 2, 0, w / 2, h},
                           {0, 0, w, h / 2},
                           {0, h / 2, w, h / 2},
                           {w / 5, h / 5, 3 * w / 5, 3 * h / 5}}) {
    const RigFindings found = rows_of(GreyView(left.view()).crop(part), GreyView(right.view()).crop(part));
    EXPECT_TRUE(found.known) << part.x << ' ' << part.y;
    EXPECT_LT(found.offset, 0.4) << part.x << ' ' << part.y;
    EXPECT_FALSE(found.off);
  }
  for (const int noise : {6, 12, 20}) {
    const RigFindings found = rows_of(noisy(left.view(), noise, 1).view(), noisy(right.view(), noise, 2).view());
    EXPECT_TRUE(found.known) << noise;
    EXPECT_FALSE(found.off) << noise << ": " << found.offset;
  }
}

/// Brightness is no matter, and one picture twice has no offset at all.
TEST_P(RigPhotographs, AreOffByWhatTheyAreLowered) {
  const double own = rows_of(left.view(), right.view()).median;
  for (const int halves : {2, 3, 5, 8, -2, -4}) {
    Grey moved = lowered(right.view(), halves >= 0 ? halves / 2 : -((1 - halves) / 2), halves % 2 != 0);
    for (int y = 0; y < moved.height(); ++y)
      for (int x = 0; x < moved.width(); ++x) moved(x, y) = static_cast<std::uint8_t>(moved(x, y) * 3 / 4 + 10);
    const RigFindings found = rows_of(left.view(), moved.view());
    EXPECT_TRUE(found.off) << halves;
    EXPECT_NEAR(found.median - own, halves / 2.0, 0.12) << halves;
    EXPECT_LT(found.rest, 0.4) << halves;
  }
  const RigFindings twice = rows_of(left.view(), left.view());
  EXPECT_TRUE(twice.known);
  EXPECT_NEAR(twice.offset, 0, 0.01);
}

/// 16 bits, of which 12 are used, give the same points.
TEST_P(RigPhotographs, MayHaveSixteenBits) {
  Image<std::uint16_t> deep_left(left.size()), deep_right(right.size());
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x) {
      deep_left(x, y) = static_cast<std::uint16_t>(16 * left(x, y) + 7);
      deep_right(x, y) = static_cast<std::uint16_t>(16 * right(x, y) + 7);
    }
  EXPECT_EQ(match_pair_points(ImageView<const std::uint16_t>(deep_left.view()), deep_right.view(), 4095),
            match_pair_points(GreyView(left.view()), right.view()));
}

INSTANTIATE_TEST_SUITE_P(Pairs, RigPhotographs, testing::Values("venus", "tsukuba"));

}  // namespace
}  // namespace vergence
#endif
