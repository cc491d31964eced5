// SPDX-License-Identifier: Apache-2.0
// Truth of another unit, another scene, another picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include "core/expect_error.hpp"
#include "vergence/inspect.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"
#endif

namespace vergence {
namespace {

constexpr Size size{200, 100};

/// A wall at 5 px and stripes before it, as the left or the right picture sees them.
Image<float> map_of(bool right, float scale = 1) {
  Image<float> map(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int at = x + (right ? 20 : 0);
      map(x, y) = scale * ((at / 25) % 2 == 0 ? 20.0f : 5.0f);
    }
  return map;
}

TruthFindings look(const Image<float>& map, const Image<float>& truth) {
  return inspect_truth(map.view(), truth.view());
}

TEST(InspectTruth, AnOffsetIsNoScale) {
  const auto moved = [](Image<float> map, float by) {
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) map(x, y) += by;
    return map;
  };
  for (const float by : {1.5f, 3.0f, 7.0f, 40.0f, -3.0f, -60.0f}) {
    const TruthFindings found = look(map_of(false), moved(map_of(false), by));
    EXPECT_EQ(found.problem, TruthProblem::offset) << by;
    EXPECT_DOUBLE_EQ(found.offset, static_cast<double>(by));
    EXPECT_DOUBLE_EQ(found.close_shifted, 100);
  }
  EXPECT_EQ(look(map_of(false), moved(map_of(false), 0.9f)).problem, TruthProblem::none);
  for (const float scale : {2.0f, 4.0f, 16.0f, 0.25f})
    EXPECT_EQ(look(map_of(false), map_of(false, scale)).problem, TruthProblem::scale) << scale;
}

TEST(InspectTruth, DepthIsTold) {
  const Image<float> map = map_of(false);
  for (const float product : {2.0f, 100.0f, 30000.0f}) {  // of 20 px, and of 5 px
    Image<float> depth(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) depth(x, y) = product / map(x, y);
    EXPECT_EQ(look(map, depth).problem, TruthProblem::depth) << product;
    EXPECT_EQ(look(depth, map).problem, TruthProblem::depth) << product;
    EXPECT_DOUBLE_EQ(look(map, depth).close_inverse, 100);
  }
  EXPECT_NE(look(Image<float>(size, 3.0f), Image<float>(size, 90.0f)).problem, TruthProblem::depth);
}

TEST(InspectTruth, GoodOnesPass) {
  const Image<float> truth = map_of(false);
  EXPECT_EQ(look(map_of(false), truth).problem, TruthProblem::none);
  EXPECT_DOUBLE_EQ(look(map_of(false), truth).close, 100);
  Image<float> poor = map_of(false);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if ((x * 7 + y * 13) % 10 < 6) poor(x, y) = static_cast<float>((x * 31 + y * 17) % 64);
  EXPECT_EQ(look(poor, truth).problem, TruthProblem::none) << "a bad map is a map all the same";
}

TEST(InspectTruth, OtherUnitsRangesAndPicturesAreTold) {
  const TruthFindings scaled = look(map_of(false), map_of(false, 16));
  EXPECT_EQ(scaled.problem, TruthProblem::scale);
  EXPECT_DOUBLE_EQ(scaled.truth_median / scaled.map_median, 16);
  EXPECT_EQ(look(map_of(false, 16), map_of(false)).problem, TruthProblem::scale);
  EXPECT_EQ(look(Image<float>(size, 3.0f), Image<float>(size, 90.0f)).problem, TruthProblem::scale);
  EXPECT_EQ(look(Image<float>(size, -3.0f), Image<float>(size, 90.0f)).problem, TruthProblem::range);
  EXPECT_EQ(look(map_of(true), map_of(false)).problem, TruthProblem::other_view);
  EXPECT_EQ(look(map_of(false), map_of(true)).problem, TruthProblem::other_view);
}

/// A wall at 5 px and a square at 20 px, as the left picture sees them; `nothing` stands for the square.
Image<float> square_before_wall(float nothing = 20) {
  Image<float> map(size, 5.0f);
  for (int y = 20; y < 80; ++y)
    for (int x = 80; x < 140; ++x) map(x, y) = nothing;
  return map;
}

// A window's width before the square, the map of a window matcher has the square's disparity, as the right picture has
// there.
TEST(InspectTruth, WindowsThatGrowObjectsAreNoOtherPicture) {
  Image<float> map = square_before_wall();
  for (int y = 20; y < 80; ++y)
    for (int x = 65; x < 80; ++x) map(x, y) = 20;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if (x < 60 || x >= 130) map(x, y) = INFINITY;  // a region with the square's left edge
  EXPECT_EQ(look(map, square_before_wall()).problem, TruthProblem::none);
}

// Without the square, what the right picture sees there is not known: the wall behind is hidden.
TEST(InspectTruth, SurfacesMissingFromTheTruthDoNotVote) {
  Image<float> truth = square_before_wall(INFINITY);
  Image<float> map(size, 5.0f);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (x >= 140) truth(x, y) = 12;              // another wall, seen from 128 on behind the square
      if (x >= 128 || y % 2 == 0) map(x, y) = 12;  // the map is wrong, but for the other wall
    }
  EXPECT_EQ(look(map, truth).problem, TruthProblem::none);
}

TEST(InspectTruth, TurnedTruthsAreTold) {
  const auto value = [](int x, int y) { return static_cast<float>(x) / 8 + static_cast<float>(y) / 4; };
  Image<float> map(size), down(size), mirrored(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      map(x, y) = value(x, y);
      down(x, y) = value(x, size.height - 1 - y);
      mirrored(x, y) = value(size.width - 1 - x, y);
    }
  EXPECT_EQ(look(map, map).problem, TruthProblem::none);
  EXPECT_EQ(look(map, down).problem, TruthProblem::upside_down);
  EXPECT_DOUBLE_EQ(look(map, down).close_turned, 100);
  EXPECT_EQ(look(map, mirrored).problem, TruthProblem::mirrored);
  Image<float> turned(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) turned(x, y) = value(size.width - 1 - x, size.height - 1 - y);
  EXPECT_EQ(look(map, turned).problem, TruthProblem::turned);
}

/// A box before a floor that comes nearer: their grey levels inverted, 255 - 8 d, are 31.875 px less the disparity.
Image<float> box_on_floor() {
  Image<float> map(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      map(x, y) = x > 40 && x < 90 && y > 20 && y < 80 ? 18.0f : 3.0f + static_cast<float>(y) / 10;
  return map;
}

/// Boxes of other depths in each quarter, with an edge of their own.
Image<float> quarters() {
  Image<float> map(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int step = 3 * (x / 13) + 5 * (y / 9);
      map(x, y) = static_cast<float>(4 + step * step % 23);
    }
  return map;
}

TEST(InspectTruth, TurnedHalvesAreTold) {
  const Image<float> map = quarters();
  EXPECT_EQ(look(map, quarters()).problem, TruthProblem::none);
  const std::array<Rect, 4> halves{{{0, 0, 200, 50}, {0, 50, 200, 50}, {0, 0, 100, 100}, {100, 0, 100, 100}}};
  for (int part = 0; part < 4; ++part)
    for (const TruthProblem turn : {TruthProblem::upside_down, TruthProblem::mirrored, TruthProblem::turned}) {
      const Rect& half = halves[static_cast<std::size_t>(part)];
      Image<float> truth = quarters();
      for (int y = half.y; y < half.y + half.height; ++y)
        for (int x = half.x; x < half.x + half.width; ++x)
          truth(x, y) = map(turn == TruthProblem::upside_down ? x : 2 * half.x + half.width - 1 - x,
                            turn == TruthProblem::mirrored ? y : 2 * half.y + half.height - 1 - y);
      const TruthFindings found = look(map, truth);
      EXPECT_EQ(found.problem, TruthProblem::part_turned) << part;
      EXPECT_EQ(found.part, part);
      EXPECT_EQ(found.part_turn, turn);
      EXPECT_EQ(found.close_turned, 100);
    }
}

TEST(InspectTruth, ExchangedHalvesAreTold) {
  const Image<float> map = quarters();
  for (const bool columns : {false, true}) {
    Image<float> truth(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) truth(x, y) = columns ? map((x + 100) % 200, y) : map(x, (y + 50) % 100);
    const TruthFindings found = look(map, truth);
    EXPECT_EQ(found.problem, TruthProblem::exchanged_halves);
    EXPECT_EQ(found.part, columns ? 2 : 0);
  }
}

/// The mean of so many px along rows.
Image<float> smoothed(const Image<float>& map, int width) {
  Image<float> result(map.size());
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      float sum = 0;
      for (int i = 0; i < width; ++i) sum += map(std::clamp(x + i - width / 2, 0, map.width() - 1), y);
      result(x, y) = sum / static_cast<float>(width);
    }
  return result;
}

TEST(InspectTruth, AFactorAndAnOffsetTogetherAreTold) {
  Image<float> map(size);  // a slope, and stripes before it
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) map(x, y) = (x / 25) % 2 == 0 ? 30.0f : 5.0f + 0.2f * static_cast<float>(y);
  const auto stretched = [&map](float factor, float offset) {
    Image<float> truth(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) truth(x, y) = factor * map(x, y) + offset;
    return truth;
  };
  for (const auto& [factor, offset] : {std::pair{0.9f, 2.5f}, {1.4f, -5.7f}, {8.0f, -40.0f}, {1.3f, -2.0f}}) {
    const TruthFindings found = look(map, stretched(factor, offset));
    EXPECT_EQ(found.problem, TruthProblem::linear) << factor;
    EXPECT_NEAR(found.factor, static_cast<double>(factor), 0.01);
    EXPECT_NEAR(found.offset, static_cast<double>(offset), 0.1);
    EXPECT_GE(found.close_line, 99);
  }
  EXPECT_EQ(look(map, stretched(4, 0)).problem, TruthProblem::scale);
  EXPECT_EQ(look(map, stretched(1, 4)).problem, TruthProblem::offset);
  EXPECT_EQ(look(map, stretched(1.02f, 0)).problem, TruthProblem::none);
}

TEST(InspectTruth, SmoothedTruthsAreTold) {
  const Image<float> map = map_of(false);
  for (const int width : {3, 5, 7}) {
    const TruthFindings found = look(map, smoothed(map, width));
    EXPECT_EQ(found.problem, TruthProblem::smoothed) << width;
    EXPECT_GE(found.gradual, 75) << width;
  }
  EXPECT_EQ(look(smoothed(map, 5), map).problem, TruthProblem::none) << "the map may be";
  EXPECT_EQ(look(map, smoothed(map, 2)).problem, TruthProblem::none) << "as truths of twice the size are";
}

TEST(InspectTruth, InvertedNumbersAreTold) {
  const Image<float> map = box_on_floor();
  Image<float> truth(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) truth(x, y) = 31.875f - map(x, y);
  const TruthFindings found = look(map, truth);
  EXPECT_EQ(found.problem, TruthProblem::inverted);
  EXPECT_DOUBLE_EQ(found.sum, 31.875);
  EXPECT_DOUBLE_EQ(found.close_inverted, 100);
}

/// Levels of 2 px that go from left to right, and from top to bottom: a quarter agrees, as by chance.
TEST(InspectTruth, AnotherSceneIsTold) {
  Image<float> map(size), truth(size), noise(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      map(x, y) = 5.0f + 2.0f * static_cast<float>(x / 10 % 4);
      truth(x, y) = 5.0f + 2.0f * static_cast<float>(y / 5 % 4);
      noise(x, y) = static_cast<float>((x * 31 + y * 17 + x * y) % 64);
    }
  const TruthFindings found = look(map, truth);
  EXPECT_EQ(found.problem, TruthProblem::unlike);
  EXPECT_NEAR(found.close, 25, 1);
  EXPECT_NEAR(found.close_chance, 25, 3);
  EXPECT_EQ(look(noise, box_on_floor()).problem, TruthProblem::unlike);
  EXPECT_EQ(look(box_on_floor(), box_on_floor()).problem, TruthProblem::none);
}

TEST(InspectTruth, MovedTruthsAreTold) {
  const auto map = [](int right, int down) {
    Image<float> result(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const int u = x - right, v = y - down;
        result(x, y) = u >= 70 && u < 130 && v >= 30 && v < 70 ? 25.0f : u < 60 ? 12.0f : 5.0f;
      }
    return result;
  };
  for (const auto& [right, down] : {std::pair{7, 0}, {0, -9}, {5, 8}, {-6, 4}, {11, -11}}) {
    const TruthFindings found = look(map(0, 0), map(right, down));
    EXPECT_EQ(found.problem, TruthProblem::moved) << right << down;
    EXPECT_EQ(found.moved_x, right);
    EXPECT_EQ(found.moved_y, down);
    EXPECT_EQ(found.wrong_moved, 0);
    EXPECT_GT(found.wrong, 4);
  }
  // Twice as high, up to 24 px across.
  const auto tall = [&](int down) {
    Image<float> result(size.width, 2 * size.height);
    for (int y = 0; y < result.height(); ++y)
      for (int x = 0; x < size.width; ++x)
        result(x, y) = x >= 70 && x < 130 && y - down >= 70 && y - down < 130 ? 25.0f : x < 60 ? 12.0f : 5.0f;
    return result;
  };
  for (const int down : {17, -24}) {
    const TruthFindings found = look(tall(0), tall(down));
    EXPECT_EQ(found.problem, TruthProblem::moved) << down;
    EXPECT_EQ(found.moved_x, 0);
    EXPECT_EQ(found.moved_y, down);
  }
  EXPECT_EQ(look(map(0, 0), map(1, 0)).problem, TruthProblem::none) << "4 % of the pixels are right then";
}

/// Boxes before a wall at 10 px, beginning at (x, y), and every 40 px from there.
float box(int x, int y, int first_x, int first_y) {
  const int column = x - first_x + 200, row = y - first_y + 200;
  return column % 40 < 14 && row % 40 < 20 ? 14.0f + static_cast<float>(column / 40) : 10.0f;
}
Image<float> boxes(int first_x, int first_y, float scale = 1) {
  Image<float> map(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) map(x, y) = scale * box(x, y, first_x, first_y);
  return map;
}

// Most of the wall is close to any wall; edges of depth are not.
TEST(InspectTruth, EdgesThatAreElsewhereAreTold) {
  Image<float> others(size);  // in rows and columns of their own: a pattern that is moved fits elsewhere
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      others(x, y) = (x + 13 * (y / 31)) % 47 >= 31 && y % 31 >= 20 ? 14.0f + static_cast<float>(x / 47) : 10.0f;
  const TruthFindings found = look(others, boxes(0, 0));
  EXPECT_EQ(found.problem, TruthProblem::other_edges);
  EXPECT_LT(found.edges_met, 10);
  EXPECT_GT(found.close, 60);
  EXPECT_EQ(look(boxes(0, 0), boxes(0, 0)).problem, TruthProblem::none);
  Image<float> poor(size);  // edges moved by 4 px, half of it wrong
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      poor(x, y) = y % 2 == 0 ? box(x, y, 4, 0) : 3.0f + static_cast<float>(x / 9 % 7);
  EXPECT_NE(look(poor, boxes(0, 0)).problem, TruthProblem::other_edges);
}

TEST(InspectTruth, OneWrongUnitOfBothIsTold) {
  const auto with = [](float scale) { return look(boxes(0, 0, scale), boxes(0, 0, scale)); };
  EXPECT_EQ(with(1).problem, TruthProblem::none);
  EXPECT_EQ(with(3).problem, TruthProblem::none);
  EXPECT_EQ(with(16).problem, TruthProblem::too_large);
  EXPECT_EQ(with(-16).problem, TruthProblem::too_large) << "to the right";
  EXPECT_GE(with(16).outside, 50);
  EXPECT_EQ(with(1.0f / 16).problem, TruthProblem::too_small);
  EXPECT_LE(with(1.0f / 16).truth_high, 1.5);
  EXPECT_EQ(look(Image<float>(size, 0.0f), Image<float>(size, 0.0f)).problem, TruthProblem::none) << "infinitely far";
}

/// Known at every second or fourth pixel, or at 150 pixels, wherever these lie.
TEST(InspectTruth, AGridOfKnownPixelsIsLookedAt) {
  constexpr Size large{520, 300};  // more than 256 pixels a side: every second or third is looked at
  for (const int step : {1, 2, 4, 30})
    for (const int first : {0, 1}) {
      Image<float> map(large), truth(large);
      for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x) {
          map(x, y) = (x / 25) % 2 == 0 ? 20.0f : 5.0f;
          truth(x, y) = x % step == first % step && y % step == first % step ? 256 * map(x, y) : INFINITY;
        }
      EXPECT_EQ(look(map, truth).problem, TruthProblem::scale) << step << ", from " << first;
    }
}

TEST(InspectTruth, SaysNothingOfFewPixels) {
  EXPECT_EQ(look(Image<float>(size, INFINITY), map_of(false)).problem, TruthProblem::none);
  EXPECT_EQ(look(Image<float>(9, 9, 3.0f), Image<float>(9, 9, 90.0f)).problem, TruthProblem::none);
  EXPECT_ERROR(look(Image<float>(9, 9, 3.0f), map_of(false)), ErrorCode::invalid_argument, "9x9");
}

#if VERGENCE_WITH_IO
TEST(InspectTruth, Photographs) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
  for (const auto& [name, scale] : {std::pair{"venus", 8}, {"tsukuba", 16}}) {
    SCOPED_TRACE(name);
    const GreyPicture left = read_grey(folder + name + "/left.png");
    const GreyPicture right = read_grey(folder + name + "/right.png");
    const auto match = [&](StereoView reference) {
      StereoOptions options;
      options.disparities = 32;
      options.reference = reference;
      StereoMatcher matcher(Device("cpu"), left.size(), options);
      Image<std::int16_t> map(left.size());
      matcher.compute({left, right}, {.disparity = map});
      Image<float> pixels(left.size());
      disparity_to_pixels(map.view(), matcher.invalid(), pixels.view());
      return pixels;
    };
    const std::string truth = folder + name + "/disparity_left.png";
    const Image<float> good = read_float_map(truth, {.scale = static_cast<double>(scale)});
    EXPECT_EQ(look(match(StereoView::left), good).problem, TruthProblem::none);
    EXPECT_EQ(look(match(StereoView::right), good).problem, TruthProblem::other_view);
    EXPECT_EQ(look(match(StereoView::left), read_float_map(truth)).problem, TruthProblem::scale);
  }
}
#endif

}  // namespace
}  // namespace vergence
