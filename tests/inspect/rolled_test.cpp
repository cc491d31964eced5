// SPDX-License-Identifier: Apache-2.0
// Frames that roll, or are flipped, parts of a frame that are missing, planes in place of pixels, packed bits and
// tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "inspect/scene.hpp"
#include "vergence/inspect_layout.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence::inspect_test {
namespace {

/// A scene that has moved, with smooth edges on all sides where `smooth`.
Picture rolling_scene(int right, int down, bool smooth) {
  Picture picture(scene_size);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const bool is_edge = x < 40 || y < 40 || x >= picture.width() - 40 || y >= picture.height() - 40;
      picture(x, y) = static_cast<std::uint8_t>(smooth && is_edge ? 40 + x / 8 + 60 * y / picture.height()
                                                                  : texture(x - right, y - down));
    }
  return picture;
}

Picture moved_round(const Picture& from, int right, int down) {
  Picture picture(from.size());
  for (int y = 0; y < from.height(); ++y)
    for (int x = 0; x < from.width(); ++x)
      picture((x + right + from.width()) % from.width(), (y + down + from.height()) % from.height()) = from(x, y);
  return picture;
}

TEST(Flipped, FramesTheOtherWayRoundAreTold) {
  using enum FrameFlip;
  const Picture before = rolling_scene(0, 0, false), now = rolling_scene(2, 1, false);
  EXPECT_EQ(inspect_flipped(before.view(), now.view()), none);
  EXPECT_EQ(inspect_flipped(before.view(), rolling_scene(400, 300, false).view()), none);
  for (const auto& [flip, rows, columns] : std::vector<std::tuple<FrameFlip, bool, bool>>{
           {upside_down, true, false}, {mirrored, false, true}, {turned, true, true}}) {
    Picture picture(now.size());
    for (int y = 0; y < now.height(); ++y)
      for (int x = 0; x < now.width(); ++x)
        picture(x, y) = now(columns ? now.width() - 1 - x : x, rows ? now.height() - 1 - y : y);
    EXPECT_EQ(inspect_flipped(before.view(), picture.view()), flip);
  }
}

TEST(Rolled, WhatCameInTellsItFromACameraThatMoved) {
  const Picture before = rolling_scene(0, 0, false), now = rolling_scene(1, 1, false);
  EXPECT_EQ(inspect_rolled(before.view(), moved_round(now, 0, 20).view()).down, 21);
  EXPECT_EQ(inspect_rolled(before.view(), moved_round(now, 0, -31).view()).down, -30);
  EXPECT_EQ(inspect_rolled(before.view(), moved_round(now, 70, 0).view()).right, 71);
  for (const auto& [right, down] : std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {20, 0}, {0, 20}, {-35, 3}}) {
    const RolledFrame found = inspect_rolled(before.view(), rolling_scene(right, down, false).view());
    EXPECT_TRUE(found.right == 0 && found.down == 0) << right << ", " << down;
  }
}

TEST(Rolled, PartsThatAreMissing) {
  const Picture before = rolling_scene(0, 0, false), clean = rolling_scene(3, 2, false),
                after = rolling_scene(6, 4, false);
  EXPECT_EQ(inspect_missing_part(before.view(), clean.view(), after.view()), Rect{});
  Picture cut = rolling_scene(3, 2, false);
  for (int y = 64; y < 112; ++y) std::fill_n(cut.row(y) + 96, 80, std::uint8_t{128});
  EXPECT_EQ(inspect_missing_part(before.view(), cut.view(), after.view()), (Rect{96, 64, 80, 48}));
  EXPECT_EQ(inspect_missing_part(cut.view(), cut.view(), after.view()), Rect{}) << "flat before, too";
}

TEST(Rolled, PlanesInPlaceOfPixels) {
  const Picture scene = rolling_scene(0, 0, false);
  EXPECT_FALSE(inspect_planes(scene.view()).in_rows);
  // The mean of three neighbours of a plane: three of its rows lie in each row.
  Picture planes(scene.size()), rows(scene.size());
  const int third = scene.width() / 3;
  for (int y = 0; y < scene.height(); ++y)
    for (int x = 0; x < scene.width(); ++x) {
      const int row = (3 * y + x / third) % scene.height(), column = x % third * 3;
      planes(x, y) =
          static_cast<std::uint8_t>((scene(column, row) + scene(column + 1, row) + scene(column + 2, row)) / 3);
      rows(x, y) =
          static_cast<std::uint8_t>((scene(column, y) + scene(column + 1, y) + scene(column + 2, y)) / (3 + x / third));
    }
  EXPECT_TRUE(inspect_planes(planes.view()).in_rows);
  EXPECT_TRUE(inspect_planes(rows.view()).in_rows);
}

RawVideoProblem problem_of(const std::vector<std::uint8_t>& bytes, Size size) {
  return inspect_raw_video(bytes, {.size = size, .frame_bytes = std::int64_t{size.width} * size.height}).problem;
}

TEST(Rolled, PackedBitsAndTilesReadAsGrey) {
  const Picture scene = rolling_scene(0, 0, false);
  std::vector<std::uint8_t> plain, ten, twelve, tiles;
  for (int y = 0; y < scene.height(); ++y)
    for (int x = 0; x < scene.width(); ++x) {
      plain.push_back(scene(x, y));
      ten.push_back(scene(x, y));
      twelve.push_back(scene(x, y));
      if (x % 4 == 3) ten.push_back(static_cast<std::uint8_t>(2 * hash(x, y) + hash(y, x) % 2));
      if (x % 2 == 1) twelve.push_back(static_cast<std::uint8_t>(2 * hash(x, y) + hash(y, x) % 2));
    }
  constexpr int side = 16;
  const Size tiled{scene.width() / side * side, scene.height() / side * side};
  for (int top = 0; top < tiled.height; top += side)
    for (int left = 0; left < tiled.width; left += side)
      for (int y = top; y < top + side; ++y) tiles.insert(tiles.end(), scene.row(y) + left, scene.row(y) + left + side);
  EXPECT_EQ(problem_of(plain, scene.size()), RawVideoProblem::none);
  EXPECT_EQ(problem_of(ten, {scene.width() / 4 * 5, scene.height()}), RawVideoProblem::packed_bits);
  EXPECT_EQ(problem_of(twelve, {scene.width() / 2 * 3, scene.height()}), RawVideoProblem::packed_bits);
  EXPECT_EQ(problem_of(tiles, tiled), RawVideoProblem::tiles);
}

}  // namespace
}  // namespace vergence::inspect_test
