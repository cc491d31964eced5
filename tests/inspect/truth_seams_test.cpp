// SPDX-License-Identifier: Apache-2.0
// Truths that were put together of parts: bands of rows in another order, rows that are missing, parts of other scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr Size seams_size{320, 240};

/// Boxes before a slanted wall.
Image<float> scene(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  Image<float> truth(seams_size);
  for (int y = 0; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x)
      truth(x, y) = static_cast<float>(3 + seed % 4) + 0.02F * static_cast<float>(y);
  for (int box = 0; box < 24; ++box) {
    const int left = below(seams_size.width - 30), top = below(seams_size.height - 30);
    const int right = std::min(seams_size.width, left + 20 + below(60)),
              bottom = std::min(seams_size.height, top + 20 + below(60));
    const float disparity = 8 + 0.5F * static_cast<float>(box);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) truth(x, y) = disparity;
  }
  return truth;
}

/// What windows make of it: things are larger, and some pixels wrong.
Image<float> map_of(const Image<float>& truth, unsigned wrong_percent = 5) {
  std::mt19937 random(3);
  Image<float> map(seams_size);
  for (int y = 0; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x) {
      map(x, y) =
          std::max({truth(x, y), truth(std::max(x - 3, 0), y), truth(std::min(x + 3, seams_size.width - 1), y)});
      if (random() % 100 < wrong_percent) map(x, y) = static_cast<float>(random() % 24);
    }
  return map;
}

/// Row y is row rows[y] of `truth`.
Image<float> rows_of(const Image<float>& truth, const std::vector<int>& rows) {
  Image<float> made(seams_size);
  for (int y = 0; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x) made(x, y) = truth(x, rows[static_cast<std::size_t>(y)]);
  return made;
}

TruthFindings look_for_seams(const Image<float>& map, const Image<float>& truth) {
  return inspect_truth(map.view(), truth.view());
}

TEST(InspectTruthSeams, BandsInAnotherOrder) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Image<float> truth = scene(seed), map = map_of(truth);
    EXPECT_EQ(look_for_seams(map, truth).problem, TruthProblem::none) << seed;
    std::vector<int> rows;
    for (const int band : {1, 0, 3, 2, 4})
      for (int y = 0; y < 48; ++y) rows.push_back(48 * band + y);
    const TruthFindings found = look_for_seams(map, rows_of(truth, rows));
    EXPECT_EQ(found.problem, TruthProblem::moved_bands) << seed;
    EXPECT_NEAR(std::abs(found.moved_y), 48, 4) << seed;
    EXPECT_LT(2 * found.wrong_moved, found.wrong) << seed;
  }
}

TEST(InspectTruthSeams, RowsThatAreMissing) {
  const Image<float> truth = scene(1), map = map_of(truth);
  std::vector<int> rows;
  for (int y = 0; y < seams_size.height; ++y) rows.push_back(y < 120 ? y : std::min(y + 40, seams_size.height - 1));
  const TruthFindings found = look_for_seams(map, rows_of(truth, rows));
  EXPECT_EQ(found.problem, TruthProblem::moved_bands);
  EXPECT_NEAR(found.moved_y, -40, 1);
  EXPECT_GE(found.seam, 112);
}

TEST(InspectTruthSeams, PartsOfAnotherScene) {
  const Image<float> truth = scene(1), other = scene(11), map = map_of(truth);
  const auto with = [&](Rect part) {
    Image<float> made = scene(1);
    for (int y = part.y; y < part.y + part.height; ++y)
      for (int x = part.x; x < part.x + part.width; ++x) made(x, y) = other(x, y);
    return look_for_seams(map, made);
  };
  constexpr int half_x = seams_size.width / 2, half_y = seams_size.height / 2, third = seams_size.width / 3;
  struct Case {
    Rect part;
    int side, seam;
  };
  for (const Case& one :
       {Case{{0, 0, seams_size.width, half_y}, 0, half_y}, Case{{0, half_y, seams_size.width, half_y}, 1, half_y},
        Case{{0, 0, third, seams_size.height}, 2, third}, Case{{half_x, 0, half_x, seams_size.height}, 3, half_x}}) {
    const TruthFindings found = with(one.part);
    EXPECT_EQ(found.problem, TruthProblem::other_part) << one.side;
    EXPECT_EQ(found.part, one.side);
    EXPECT_NEAR(found.seam, one.seam, 2);
    EXPECT_LT(found.close_in_part, found.close_elsewhere - 30);
  }
}

/// As a picture that was saved with a gamma.
TEST(InspectTruthSeams, CurvesAreTold) {
  Image<float> truth = scene(2);
  for (int y = 0; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x) truth(x, y) += 0.08F * static_cast<float>(y);
  const Image<float> map = map_of(truth);
  const auto curved = [&truth](float power) {
    Image<float> made(seams_size);
    for (int y = 0; y < seams_size.height; ++y)
      for (int x = 0; x < seams_size.width; ++x) made(x, y) = 40 * std::pow(truth(x, y) / 40, power);
    return made;
  };
  for (const float power : {1 / 2.2F, 2.2F}) {
    const TruthFindings found = look_for_seams(map, curved(power));
    EXPECT_EQ(found.problem, TruthProblem::curved) << power;
    EXPECT_GT(found.close_curve, 80) << power;
  }
  EXPECT_NE(look_for_seams(map, curved(1.02F)).problem, TruthProblem::curved);
}

/// Beyond what is searched for near by, and told as the other picture's once.
TEST(InspectTruthSeams, FarMovesAreTold) {
  const Image<float> truth = scene(3), map = map_of(truth);
  for (const int by : {30, 40}) {
    Image<float> moved(seams_size, INFINITY);
    for (int y = 0; y < seams_size.height; ++y)
      for (int x = by; x < seams_size.width; ++x) moved(x, y) = truth(x - by, y);
    const TruthFindings found = look_for_seams(map, moved);
    EXPECT_EQ(found.problem, TruthProblem::moved) << by;
    EXPECT_NEAR(found.moved_x, by, 3) << by;  // things are larger in the map by so much
  }
}

/// Tiles of other ranges or units.
TEST(InspectTruthSeams, PartsThatCountOtherwiseAreTold) {
  const Image<float> truth = scene(6), map = map_of(truth);
  const auto with = [&](bool rows, float offset, float factor) {
    Image<float> made(seams_size);
    for (int y = 0; y < seams_size.height; ++y)
      for (int x = 0; x < seams_size.width; ++x) {
        const bool other = rows ? y >= seams_size.height / 2 : x >= seams_size.width / 2;
        made(x, y) = other ? truth(x, y) * factor + offset : truth(x, y);
      }
    return look_for_seams(map, made);
  };
  const TruthFindings shifted = with(false, 3, 1);
  EXPECT_EQ(shifted.problem, TruthProblem::beside_part);
  EXPECT_EQ(shifted.part, 3);
  EXPECT_NEAR(shifted.offset, 3, 0.5);
  const TruthFindings scaled = with(true, 0, 1.5F);
  EXPECT_EQ(scaled.problem, TruthProblem::beside_part);
  EXPECT_EQ(scaled.part, 1);
  EXPECT_NEAR(scaled.factor, 1.5, 0.1);
  EXPECT_FALSE(scaled.of_map);
  Image<float> tiles = map_of(truth);
  for (int y = seams_size.height / 2; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x) tiles(x, y) += 6;
  const TruthFindings of_map = look_for_seams(tiles, truth);
  EXPECT_EQ(of_map.problem, TruthProblem::beside_part);
  EXPECT_TRUE(of_map.of_map);
  EXPECT_EQ(of_map.part, 1);
  EXPECT_NEAR(of_map.offset, 6, 0.5);
}

TEST(InspectTruthSeams, RowsInTurnRepeatedRowsAndOneNumberAreTold) {
  const Image<float> truth = scene(7), map = map_of(truth);
  const auto with = [&](auto row_of) {
    Image<float> made(seams_size);
    for (int y = 0; y < seams_size.height; ++y) std::copy_n(truth.row(row_of(y)), seams_size.width, made.row(y));
    return look_for_seams(map, made);
  };
  const int last = seams_size.height - 1;
  EXPECT_EQ(with([=](int y) { return y % 2 == 1 ? std::min(y + 16, last) : y; }).problem, TruthProblem::rows_in_turn);
  const TruthFindings repeated = with([](int y) { return y < 60 ? 60 : y; });
  EXPECT_EQ(repeated.problem, TruthProblem::repeated_rows);
  EXPECT_EQ(repeated.part, 61);
  const Image<float> one(seams_size, 9.0F);
  EXPECT_EQ(look_for_seams(one, truth).problem, TruthProblem::one_number);
}

TEST(InspectTruthSeams, ATurnAndAZoomAreTold) {
  const Image<float> truth = scene(8), map = map_of(truth);
  const auto with = [&](double degrees, double zoom) {
    const double angle = degrees * 3.14159265 / 180, x0 = seams_size.width / 2.0, y0 = seams_size.height / 2.0;
    Image<float> made(seams_size);
    for (int y = 0; y < seams_size.height; ++y)
      for (int x = 0; x < seams_size.width; ++x) {
        const double dx = (x - x0) / zoom, dy = (y - y0) / zoom;
        made(x, y) = truth(
            std::clamp(static_cast<int>(x0 + std::cos(angle) * dx + std::sin(angle) * dy), 0, seams_size.width - 1),
            std::clamp(static_cast<int>(y0 - std::sin(angle) * dx + std::cos(angle) * dy), 0, seams_size.height - 1));
      }
    return look_for_seams(map, made);
  };
  const TruthFindings turned = with(5, 1), zoomed = with(0, 1.08);
  EXPECT_EQ(turned.problem, TruthProblem::warped);
  EXPECT_NEAR(std::abs(turned.turn), 5, 1);
  EXPECT_EQ(zoomed.problem, TruthProblem::warped);
  EXPECT_NEAR(zoomed.factor, 1.08, 0.03);
}

/// Of which one half is hard to match, with a straight edge of depth between both.
TEST(InspectTruthSeams, GoodOnes) {
  Image<float> truth = scene(4);
  for (int y = 120; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x) truth(x, y) += 6;
  Image<float> map = map_of(truth);
  std::mt19937 random(5);
  for (int y = 124; y < seams_size.height; ++y)
    for (int x = 0; x < seams_size.width; ++x)
      if (random() % 100 < 45) map(x, y) = static_cast<float>(random() % 30);
  EXPECT_EQ(look_for_seams(map, truth).problem, TruthProblem::none);
  for (const unsigned wrong : {20u, 50u})
    EXPECT_EQ(look_for_seams(map_of(truth, wrong), truth).problem, TruthProblem::none);
}

}  // namespace
}  // namespace vergence
