// SPDX-License-Identifier: Apache-2.0
// Truths some of whose numbers are no disparities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "core/expect_error.hpp"
#include "vergence/inspect.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"
#endif

namespace vergence {
namespace {

using Problem = TruthValues::Problem;

constexpr Size wide{160, 90};

/// A slope from 5 to 44.75 px.
template <class Change>
Image<float> slope(Change change) {
  Image<float> map(wide);
  for (int y = 0; y < wide.height; ++y)
    for (int x = 0; x < wide.width; ++x) map(x, y) = change(x, y, 5.0f + static_cast<float>(x) / 4);
  return map;
}
Image<float> slope() {
  return slope([](int, int, float d) { return d; });
}

bool in_hole(int x, int y) { return x > 40 && x < 80 && y > 20 && y < 40; }

TruthValues values_of(const Image<float>& truth) { return inspect_truth_values(slope().view(), truth.view()); }

TEST(TruthValues, NothingIsSaidOfATruthAndAMapWithErrors) {
  EXPECT_EQ(values_of(slope()).problem, Problem::none);
  const Image<float> wrong = slope([](int x, int y, float d) { return in_hole(x, y) ? d + 17 : d; });
  EXPECT_EQ(inspect_truth_values(wrong.view(), slope().view()).problem, Problem::none);
  EXPECT_EQ(inspect_truth_values(Image<float>(wide, 3.0f).view(), slope().view()).problem, Problem::none);
  // A wall that the map has missed is a wall.
  const Image<float> wall = slope([](int x, int y, float d) { return in_hole(x, y) ? 6.0f : d; });
  EXPECT_EQ(values_of(wall).problem, Problem::none);
}

TEST(TruthValues, ANumberForUnknownIsNamed) {
  for (const float number : {0.0f, -1.0f, -16.0f, 255.0f, 666.66f, 1e9f}) {
    const TruthValues found = values_of(slope([&](int x, int y, float d) { return in_hole(x, y) ? number : d; }));
    EXPECT_EQ(found.problem, Problem::unknown) << number;
    EXPECT_EQ(static_cast<float>(found.value), number);
    EXPECT_NEAR(found.percent, 100.0 * 39 * 19 / (160 * 90), 1e-9);
  }
}

TEST(TruthValues, ACutOffTruthIsNamed) {
  const TruthValues found = values_of(slope([](int, int, float d) { return std::min(d, 31.75f); }));
  EXPECT_EQ(found.problem, Problem::cut_off);
  EXPECT_EQ(found.value, 31.75);
}

TEST(TruthValues, ATruthThatBeginsAgainIsNamed) {
  const TruthValues found = values_of(slope([](int, int, float d) { return std::fmod(d, 32.0f); }));
  EXPECT_EQ(found.problem, Problem::begins_again);
  EXPECT_EQ(found.value, 32);
}

TEST(TruthValues, APictureIsNamed) {
  const TruthValues found =
      values_of(slope([](int x, int y, float) { return static_cast<float>((x * 37 + y * 11) % 64); }));
  EXPECT_EQ(found.problem, Problem::picture);
}

TEST(TruthValues, SingleWrongNumbersAreNamed) {
  const auto every = [](int n) {
    return values_of(slope([n](int x, int y, float d) {
      return (x * 7 + y * 13) % n == 0 ? static_cast<float>((x * 31 + y * 17) % 60) : d;
    }));
  };
  const TruthValues found = every(25);
  EXPECT_EQ(found.problem, Problem::scattered);
  EXPECT_NEAR(found.percent, 3.5, 1);
  EXPECT_EQ(every(250).problem, Problem::none);
}

TEST(TruthValues, ARectangleOfOneNumberIsNamed) {
  const auto scene = [](int x, int y) { return static_cast<float>(x < 80 ? 10 : 30) + static_cast<float>(y) / 64; };
  const Image<float> map = slope([&](int x, int y, float) { return scene(x, y); });
  const auto with = [&](float value, bool is_round, bool in_map) {
    const Image<float> filled = slope([&](int x, int y, float) {
      const bool within =
          is_round ? (x - 80) * (x - 80) + (y - 45) * (y - 45) < 900 : x >= 50 && x < 110 && y >= 20 && y < 70;
      return within ? value : scene(x, y);
    });
    return inspect_truth_values(in_map ? filled.view() : map.view(), filled.view());
  };
  const TruthValues found = with(20, false, false);
  EXPECT_EQ(found.problem, Problem::filled_part);
  EXPECT_EQ(found.part, (Rect{50, 20, 60, 50}));
  EXPECT_EQ(found.value, 20);
  EXPECT_EQ(with(20, true, false).problem, Problem::none);
  EXPECT_EQ(with(20, false, true).problem, Problem::none) << "a box that the map has";
  EXPECT_NE(with(40, false, false).problem, Problem::filled_part) << "a box that it has missed";
}

TEST(TruthValues, FewPixelsSayNothing) {
  EXPECT_EQ(inspect_truth_values(Image<float>(30, 30, 5.0f).view(), Image<float>(30, 30, 0.0f).view()).problem,
            Problem::none);
  EXPECT_ERROR(inspect_truth_values(slope().view(), Image<float>(9, 9, 3.0f).view()), ErrorCode::invalid_argument,
               "differ in size");
}

TEST(UnknownNumber, OfAMapIsNamed) {
  for (const float number : {0.0f, -1.0f, 63.0f, 1e9f}) {
    const Image<float> map = slope([&](int x, int y, float d) { return in_hole(x, y) ? number : d; });
    const auto found = inspect_unknown_number(map.view(), slope().view());
    ASSERT_TRUE(found.has_value()) << number;
    EXPECT_EQ(static_cast<float>(found->value), number);
    EXPECT_NEAR(found->percent, 100.0 * 39 * 19 / (160 * 90), 1e-9);
  }
}

TEST(UnknownNumber, IsNoneWhereTheTruthAgreesOrNearNumbersStandBesideIt) {
  const auto none = [](const Image<float>& map, const Image<float>& truth) {
    EXPECT_EQ(inspect_unknown_number(map.view(), truth.view()), std::nullopt);
  };
  none(slope(), slope());
  const Image<float> far = slope([](int x, int y, float d) { return in_hole(x, y) ? 0.0f : d; });
  none(far, far);
  // What a match without checks has where nothing fits: the first candidates, 0 the most often.
  const Image<float> winners =
      slope([](int x, int y, float d) { return in_hole(x, y) ? static_cast<float>(std::max(0, x % 8 - 4)) : d; });
  none(winners, slope());
  none(Image<float>(wide, 0.0f), slope());  // all of it is wrong
  none(Image<float>(30, 30, 0.0f), Image<float>(30, 30, 5.0f));
  EXPECT_ERROR(inspect_unknown_number(slope().view(), Image<float>(9, 9, 3.0f).view()), ErrorCode::invalid_argument,
               "differ in size");
}

TEST(UnknownNumber, IsFoundInSomeRowsOfHighMaps) {
  const Image<float> truth(20, 2000, 9.0f);
  Image<float> map(20, 2000, 9.0f);
  for (int y = 500; y < 900; ++y)
    for (int x = 0; x < 20; ++x) map(x, y) = -1;
  const auto found = inspect_unknown_number(map.view(), truth.view());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->value, -1);
  EXPECT_NEAR(found->percent, 20, 1);  // of every eighth row
}

#if VERGENCE_WITH_IO
TEST(TruthValues, Photographs) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
  for (const auto& [name, scale] : {std::pair{"venus", 8.0}, {"tsukuba", 16.0}}) {
    SCOPED_TRACE(name);
    const GreyPicture left = read_grey(folder + name + "/left.png"), right = read_grey(folder + name + "/right.png");
    const Image<float> truth = read_float_map(folder + name + "/disparity_left.png", {.scale = scale});
    Image<float> picture(left.size());
    for (int y = 0; y < left.size().height; ++y)
      for (int x = 0; x < left.size().width; ++x) picture(x, y) = static_cast<float>(left.u8(x, y) / scale);
    for (const char* preset : {"fast", "default", "quality"}) {
      StereoOptions options = stereo_preset(preset).options;
      options.disparities = 32;
      StereoMatcher matcher(Device("cpu"), left.size(), options);
      Image<std::int16_t> map(left.size());
      matcher.compute({left, right}, {.disparity = map});
      Image<float> pixels(left.size());
      disparity_to_pixels(map.view(), matcher.invalid(), pixels.view());
      EXPECT_EQ(inspect_truth_values(pixels.view(), truth.view()).problem, Problem::none) << preset;
      EXPECT_EQ(inspect_truth_values(pixels.view(), picture.view()).problem, Problem::picture) << preset;
    }
  }
}
#endif

}  // namespace
}  // namespace vergence
