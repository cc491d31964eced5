// SPDX-License-Identifier: Apache-2.0
// Frames that were spoilt where they were made: what is told of them, what of others, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "inspect/scene.hpp"
#include "vergence/inspect_frame.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;
using inspect_test::texture;

constexpr Size size{240, 180};

Picture made(const std::function<int(int x, int y)>& value) {
  Picture picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint8_t>(value(x, y));
  return picture;
}
Picture scene(int right = 0) {
  return made([right](int x, int y) { return texture(x - right, y); });
}

TEST(InspectFrame, NothingIsFoundInAScene) {
  const Picture before = scene(), now = scene(3);
  EXPECT_FALSE(inspect_wrapped_levels(now.view()));
  EXPECT_EQ(inspect_halves(now.view()), AlikeHalves::none);
  EXPECT_EQ(inspect_repeated_details(now.view()).percent, 0);
  EXPECT_GE(inspect_mixed_in({}, before.view(), now.view()), 97);
  EXPECT_LT(inspect_cut(before.view(), now.view()).unlike_percent, 20);
  EXPECT_NEAR(inspect_cut(before.view(), now.view()).gain_percent, 100, 1);
}

TEST(InspectFrame, LevelsWithoutTheirUpperBitAreTold) {
  EXPECT_TRUE(inspect_wrapped_levels(made([](int x, int y) { return texture(x, y) & 127; }).view()));
  EXPECT_FALSE(inspect_wrapped_levels(made([](int x, int y) { return (texture(x, y) - 64) & 127; }).view()));
}

TEST(InspectFrame, HalvesAreTold) {
  const auto halves = [](const std::function<int(int x, int y)>& value) { return inspect_halves(made(value).view()); };
  const auto fold = [](int at, int length) { return std::min(at, length - 1 - at); };
  EXPECT_EQ(halves([&](int x, int y) { return texture(fold(x, 240), y); }), AlikeHalves::mirrored_columns);
  EXPECT_EQ(halves([&](int x, int y) { return texture(x, fold(y, 180)); }), AlikeHalves::mirrored_rows);
  EXPECT_EQ(halves([](int x, int y) { return texture(x % 120, y); }), AlikeHalves::same_columns);
  EXPECT_EQ(halves([](int x, int y) { return texture(x, y % 90); }), AlikeHalves::same_rows);
  EXPECT_EQ(halves([](int, int) { return 90; }), AlikeHalves::none) << "flat";
  EXPECT_EQ(halves([](int x, int y) { return texture(x % 30, y % 30) + (x * 7 + y * 3) % 4; }), AlikeHalves::none)
      << "tiles";
}

TEST(InspectFrame, RepeatedDetailsAreToldAndTextureIsNot) {
  const auto thrice = [](int right, int down) {
    return inspect_repeated_details(
        made([=](int x, int y) {
          return (6 * texture(x, y) + 3 * texture(x - right, y - down) + texture(x + right, y + down)) / 10;
        }).view());
  };
  EXPECT_EQ(thrice(20, 0).right, 20);
  EXPECT_EQ(thrice(0, 14).down, 14);
  EXPECT_EQ(inspect_repeated_details(made([](int x, int y) { return texture(x % 16, y); }).view()).percent, 0);
}

TEST(InspectFrame, BarsAreMeasured) {
  const DarkBars bars = inspect_dark_bars(
      made([](int x, int y) { return x < 7 || y < 9 || x >= 229 || y >= 175 ? 16 : texture(x, y); }).view());
  EXPECT_EQ(bars.left, 7);
  EXPECT_EQ(bars.top, 9);
  EXPECT_EQ(bars.right, 11);
  EXPECT_EQ(bars.bottom, 5);
  const DarkBars grey = inspect_dark_bars(made([](int x, int y) { return x < 7 ? 90 : texture(x, y); }).view());
  EXPECT_EQ(grey.left, 0) << "which is no bar of black";
}

TEST(InspectFrame, WhatIsMixedInIsTold) {
  for (const int percent : {25, 50, 75}) {
    const Picture before = scene();
    const Picture now =
        made([percent](int x, int y) { return (percent * texture(x, y) + (100 - percent) * texture(x - 3, y)) / 100; });
    EXPECT_LT(inspect_mixed_in({}, before.view(), now.view()), 60) << percent;
  }
}

/// Rows of a slope, by hand; wider than a piece whose sums fit into 32 bits, with the largest steps of bytes.
TEST(InspectFrame, SpreadOfASlopeAndOfStripes) {
  Picture slope(Size{100, 40});
  Image<std::uint16_t> words(Size{100, 40});
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 100; ++x) words(x, y) = slope(x, y) = static_cast<std::uint8_t>(2 * x + y % 2);
  const PixelSpread of_slope = inspect_spread(slope.view()), of_words = inspect_spread(words.view());
  EXPECT_EQ(of_slope.along, 4);
  EXPECT_EQ(of_slope.across, 1);
  EXPECT_NEAR(of_slope.all, 4 * (99.0 * 99 - 1) / 12, 1e-9);  // 99 columns have a next one
  EXPECT_EQ(of_words.all, of_slope.all);
  EXPECT_EQ(of_words.along, of_slope.along);
  Picture stripes(Size{5001, 600});
  for (int y = 0; y < 600; ++y)
    for (int x = 0; x < 5001; ++x) stripes(x, y) = static_cast<std::uint8_t>(255 * ((x + y) % 2));
  const PixelSpread of_stripes = inspect_spread(stripes.view());
  EXPECT_EQ(of_stripes.along, 255 * 255);
  EXPECT_EQ(of_stripes.across, 255 * 255);
  EXPECT_EQ(of_stripes.all, 127.5 * 127.5);
  EXPECT_EQ(inspect_spread(Picture(Size{9, 5}, std::uint8_t{7}).view()).all, 0);
}

TEST(InspectFrame, SaltAndPepperAndLostBlocksAreTold) {
  const auto spots = [](const std::function<int(int x, int y)>& value) { return inspect_spots(made(value).view()); };
  EXPECT_EQ(spots([](int x, int y) { return texture(x, y); }).salt_permille, 0);
  const Spots salted = spots([](int x, int y) {
    const int place = (x * 7919 + y * 104729) % 50;
    return place == 3 ? 0 : place == 7 ? 255 : texture(x, y);
  });
  EXPECT_GE(salted.salt_permille, 10);
  EXPECT_EQ(salted.blocks, 0);
  // Nine squares, of grey or of the row above them.
  const auto lost = [](bool grey, int shift) {
    return [=](int x, int y) {
      const int left = x - shift, top = y - shift;
      if (left < 0 || top < 16 || left / 16 % 4 != 1 || top / 16 % 3 != 1) return texture(x, y);
      return grey ? 250 : texture(x, top / 16 * 16 + shift - 1);
    };
  };
  EXPECT_GE(spots(lost(true, 0)).blocks, 9);
  EXPECT_GE(spots(lost(false, 0)).blocks, 6);
  EXPECT_EQ(spots(lost(true, 5)).blocks, 0) << "in other steps";
}

/// Luma of 240 x 180 px, and planes of half the size.
TEST(InspectFrame, RowsOfSmallerPlanesAreTold) {
  const auto chroma = [](int x, int y) { return 96 + texture(2 * x + 500, 2 * y) / 4; };
  const auto with_planes = [&](int first, int end, bool in_turn) {
    return inspect_chroma_rows(made([=](int x, int y) {
                                 if (y < first || y >= end) return texture(x, y);
                                 if (in_turn) return x % 2 == 0 ? chroma(x / 2, y) : 255 - chroma(x / 2, y);
                                 return chroma(x % 120, 2 * y + x / 120);
                               }).view());
  };
  EXPECT_EQ(with_planes(0, 0, false).end, 0);
  for (const bool in_turn : {false, true}) {
    const ChromaRows found = with_planes(90, 135, in_turn);
    EXPECT_NEAR(found.first, 90, 2);
    EXPECT_NEAR(found.end, 135, 2);
    EXPECT_EQ(found.in_turn, in_turn);
    const ChromaRows below = with_planes(120, 180, in_turn);
    EXPECT_EQ(below.first, 120);
    EXPECT_EQ(below.end, 180);
    EXPECT_EQ(below.in_turn, in_turn);
  }
  EXPECT_EQ(inspect_chroma_below(scene().view()).end, 0);
}

/// Samples of 10 bits as four bytes of upper bits and one of lower ones; of 12 bits as two and one.
TEST(InspectFrame, PackedSamplesAreTold) {
  const auto packed = [](int bytes, int place) {
    return made([=](int x, int y) {
      return x % bytes == place ? inspect_test::hash(x, y) * 2 : texture(x / bytes * (bytes - 1) + x % bytes, y);
    });
  };
  for (const int place : {4, 0, 2}) {
    const PackedSamples found = inspect_packed_samples(packed(5, place).view());
    EXPECT_EQ(found.bits, 10);
    EXPECT_EQ(found.place, place);
  }
  const PackedSamples twelve = inspect_packed_samples(packed(3, 1).view());
  EXPECT_EQ(twelve.bits, 12);
  EXPECT_EQ(twelve.place, 1);
  EXPECT_EQ(inspect_packed_samples(scene().view()).bits, 0);
  const auto colours = [](int x, int y) { return texture(x / 3, y) / (x % 3 + 1); };  // red, green and blue in turn
  EXPECT_EQ(inspect_packed_samples(made(colours).view()).bits, 0);
  EXPECT_EQ(inspect_packed_samples(made([](int x, int y) { return 2 * inspect_test::hash(x, y); }).view()).bits, 0);
}

TEST(InspectFrame, LargePixelsAreTold) {
  Picture picture = scene();
  EXPECT_EQ(inspect_large_pixels(picture.view()).side, 0);
  for (int y = 40; y < 100; ++y)
    for (int x = 60; x < 160; ++x) picture(x, y) = picture(60 + (x - 60) / 10 * 10, 40 + (y - 40) / 10 * 10);
  const LargePixels found = inspect_large_pixels(picture.view());
  EXPECT_NEAR(found.side, 10, 1);
  EXPECT_NEAR(found.part.x, 60, 1);
  EXPECT_NEAR(found.part.y, 40, 4);
  EXPECT_NEAR(found.part.width, 100, 2);
  EXPECT_NEAR(found.part.height, 60, 6);
}

TEST(InspectFrame, BoardsAndSlopesAreNotInLargePixels) {
  Picture board = scene(), slope = scene();
  for (int y = 40; y < 100; ++y)
    for (int x = 60; x < 160; ++x) {
      board(x, y) = (x / 10 + y / 10) % 2 == 0 ? 30 : 220;
      slope(x, y) = static_cast<std::uint8_t>(60 + (x + y) / 8);
    }
  EXPECT_EQ(inspect_large_pixels(board.view()).side, 0);
  EXPECT_EQ(inspect_large_pixels(slope.view()).side, 0);
}

TEST(InspectFrame, RegularPatternsAreTold) {
  const auto waves = [](double x, double y, int strength) {
    return made([=](int i, int j) { return texture(i, j) + static_cast<int>(strength * std::sin(x * i + y * j)); });
  };
  EXPECT_LE(inspect_regular_pattern(scene().view()).percent, 3);
  EXPECT_FALSE(inspect_regular_pattern(waves(0.4, 0.3, 3).view()).is_told());
  const RegularPattern found = inspect_regular_pattern(waves(0.4, 0.3, 25).view());
  EXPECT_TRUE(found.is_told());
  EXPECT_NEAR(found.period, 2 * 3.14159 / 0.4, 1);
  EXPECT_FALSE(found.down);
  const Picture mesh = made([](int x, int y) { return x % 14 < 2 || y % 14 < 2 ? 40 : texture(x, y); });
  EXPECT_TRUE(inspect_regular_pattern(mesh.view()).is_told());
  EXPECT_EQ(inspect_regular_pattern(mesh.view()).period, 14);
  // What the scene repeats, in a half of it; and packed pixels of three bytes.
  const Picture part = made([](int x, int y) { return x < 130 && x % 14 < 2 ? 40 : texture(x, y); });
  EXPECT_FALSE(inspect_regular_pattern(part.view()).is_told());
  const Picture packed = made([](int x, int y) { return texture(x / 3, y) * (2 + x % 3) / 4; });
  EXPECT_FALSE(inspect_regular_pattern(packed.view()).is_told());
}

TEST(InspectFrame, EchoesOfOnePictureAreTold) {
  const auto view = [](int right, int percent) {
    return made([=](int x, int y) {
      return (100 * texture(x + right, y) + percent * texture(x + right - 14, y)) / (100 + percent);
    });
  };
  const EchoFindings found = inspect_echo(view(0, 0).view(), view(6, 30).view());
  EXPECT_EQ(found.distance, 14);
  EXPECT_TRUE(found.in_right);
  EXPECT_EQ(inspect_echo(view(0, 0).view(), view(6, 0).view()).distance, 0);
  EXPECT_EQ(inspect_echo(view(0, 30).view(), view(6, 30).view()).distance, 0) << "in both";
}

TEST(InspectFrame, OtherSizesAreRefused) {
  const Picture picture = scene(), other(Size{120, 90}, std::uint8_t{0});
  EXPECT_THROW(inspect_mixed_in({}, other.view(), picture.view()), Error);
  EXPECT_THROW(inspect_cut(other.view(), picture.view()), Error);
}

}  // namespace
}  // namespace vergence
