// SPDX-License-Identifier: Apache-2.0
// Masks of visible pixels that are inverted, by a truth whose hidden pixels are worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int width = 160, height = 60;
using Chosen = std::function<bool(int x, int y)>;

/// A wall at 6 px, and before it a board at 20 px in the columns 60 .. 99.
Image<float> board_before_wall(bool right) {
  Image<float> truth(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int left = right ? width - 1 - x : x;
      truth(x, y) = left >= 60 && left < 100 ? 20 : 6;
    }
  return truth;
}
/// In the left picture: the board's columns are 40 .. 79 in the right one, where the wall's 46 .. 59 lie behind it; the
/// wall's first six lie outside.
bool is_visible(int x, int) { return x >= 6 && (x < 46 || x >= 60); }

bool inverted(const Image<float>& truth, const Chosen& chosen, bool right = false) {
  Image<std::uint8_t> mask(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mask(x, y) = chosen(right ? width - 1 - x : x, y) ? 255 : 0;
  return inspect_inverted_mask(truth.view(), mask.view());
}

TEST(InspectMask, InvertedOnesAreTold) {
  for (const bool right : {false, true}) {
    const Image<float> truth = board_before_wall(right);
    EXPECT_FALSE(inverted(truth, is_visible, right));
    EXPECT_TRUE(inverted(
        truth, [](int x, int y) { return !is_visible(x, y); }, right));
    // A mask that a program made need not hold the same pixels.
    EXPECT_TRUE(inverted(
        truth, [](int x, int y) { return !is_visible(x + 2, y) || x % 16 == 1; }, right));
  }
}

TEST(InspectMask, OthersAreNot) {
  const Image<float> truth = board_before_wall(false);
  EXPECT_FALSE(inverted(truth, [](int, int) { return true; }));
  EXPECT_FALSE(inverted(truth, [](int x, int) { return x >= 60 && x < 100; })) << "the board alone";
  EXPECT_FALSE(inverted(truth, [](int x, int) { return (x >= 44 && x < 76) || (x >= 84 && x < 116); })) << "edges";
  EXPECT_FALSE(inverted(truth, [](int x, int y) { return (x / 8 + y / 8) % 2 == 0; }));
  EXPECT_FALSE(inverted(truth, [](int x, int y) { return x < 10 && y < 10; })) << "a few pixels";
}

TEST(InspectMask, ThoseThatKeepWhatHasNoTruth) {
  Image<float> truth(width, height, 6);
  const auto has_truth = [](int x, int y) { return x >= 18 && x < width - 18 && y >= 6; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (!has_truth(x, y)) truth(x, y) = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(inverted(truth, has_truth));
  EXPECT_TRUE(inverted(truth, [&](int x, int y) { return !has_truth(x, y); }));
  EXPECT_TRUE(inverted(truth, [&](int x, int y) { return !has_truth(x, y) || (x == 50 && y == 30); }));
  EXPECT_THROW(inspect_inverted_mask(truth.view(), Image<std::uint8_t>(3, 3, 0).view()), Error);
}

/// In the right picture, the wall's columns 74 .. 93 lie where the board hides 80 .. 99 from the left one, and the last
/// six outside.
bool is_visible_from_left(int x, int) { return (x < 80 || x >= 94) && x < width - 6; }

bool of_other_view(const Image<float>& truth, const Chosen& chosen, bool right = false) {
  Image<std::uint8_t> mask(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mask(x, y) = chosen(right ? width - 1 - x : x, y) ? 255 : 0;
  return inspect_mask_of_other_view(truth.view(), mask.view());
}

TEST(InspectMask, OfTheOtherPicture) {
  for (const bool right : {false, true}) {
    const Image<float> truth = board_before_wall(right);
    EXPECT_TRUE(of_other_view(truth, is_visible_from_left, right));
    EXPECT_TRUE(of_other_view(
        truth, [](int x, int y) { return is_visible_from_left(x + 1, y); }, right));
    EXPECT_FALSE(of_other_view(truth, is_visible, right));
    EXPECT_FALSE(of_other_view(
        truth, [](int x, int y) { return !is_visible(x, y); }, right));
    EXPECT_FALSE(of_other_view(
        truth, [](int x, int y) { return !is_visible_from_left(x, y); }, right));
    EXPECT_FALSE(of_other_view(
        truth, [](int x, int y) { return is_visible(x, y) && is_visible_from_left(x, y); }, right))
        << "what either sees alone";
    EXPECT_FALSE(of_other_view(
        truth, [](int x, int y) { return (x / 8 + y / 8) % 2 == 0; }, right));
  }
}

/// A board in the columns 30 .. 69 of the upper `rows`, before a wall; it hides the columns 16 .. 29 of that.
Image<float> board_at_the_left(int rows) {
  Image<float> truth(width, height, 6);
  for (int y = 0; y < rows; ++y) std::fill_n(truth.row(y) + 30, 40, 20.0f);
  return truth;
}

TEST(InspectMask, TurnedOnesAreTold) {
  for (const int rows : {height, 40}) {
    const Image<float> truth = board_at_the_left(rows);
    const auto of = [&truth](const Chosen& chosen) {
      Image<std::uint8_t> mask(width, height);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) mask(x, y) = chosen(x, y) ? 255 : 0;
      return inspect_turned_mask(truth.view(), mask.view());
    };
    const Chosen visible = [rows](int x, int y) { return x >= 6 && (y >= rows || x < 16 || x >= 30); };
    EXPECT_TRUE(of(visible) == TruthProblem::none);
    EXPECT_TRUE(of([&](int x, int y) { return visible(x + 2, y); }) == TruthProblem::none) << "a little off";
    EXPECT_TRUE(of([&](int x, int y) { return visible(width - 1 - x, y); }) == TruthProblem::mirrored);
    EXPECT_TRUE(of([&](int x, int y) { return visible(width - 1 - x, height - 1 - y); }) ==
                (rows == height ? TruthProblem::mirrored : TruthProblem::turned));
    EXPECT_TRUE(of([](int x, int y) { return (x / 8 + y / 8) % 2 == 0; }) == TruthProblem::none);
    EXPECT_TRUE(of([](int, int) { return true; }) == TruthProblem::none);
  }
}

}  // namespace
}  // namespace vergence
