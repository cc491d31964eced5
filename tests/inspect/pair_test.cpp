// SPDX-License-Identifier: Apache-2.0
// Pairs that cannot be matched are told from good ones: made-up ones, and photographs and broken forms of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"
#endif

namespace vergence {

void PrintTo(PairProblem problem, std::ostream* stream) {
  constexpr const char* names[] = {"none",      "same_picture", "not_rectified", "exchanged",
                                   "range_low", "range_high",   "no_agreement",  "row_offset",
                                   "exposure",  "sharpness",    "interlaced",    "covered"};
  *stream << names[static_cast<std::size_t>(problem)];
}

namespace {

using inspect_test::Picture;
using inspect_test::view;

StereoOptions range(int low, int count) {
  StereoOptions options;
  options.min_disparity = low;
  options.disparities = count;
  return options;
}

PairFindings look(const Picture& left, const Picture& right, const StereoOptions& options) {
  return inspect_pair(left.view(), right.view(), options);
}
PairProblem problem(const Picture& left, const Picture& right, const StereoOptions& options) {
  return look(left, right, options).problem;
}

Picture lowered(const Picture& picture, int rows) {
  Picture result(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    std::copy_n(picture.row(std::clamp(y - rows, 0, picture.height() - 1)), picture.width(), result.row(y));
  return result;
}

Picture turned(const Picture& picture, double degrees) {
  Picture result(picture.size());
  const double angle = degrees * 3.14159265358979 / 180;
  const double cx = picture.width() / 2.0;
  const double cy = picture.height() / 2.0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const double sx =
          std::clamp(cx + std::cos(angle) * (x - cx) - std::sin(angle) * (y - cy), 0.0, picture.width() - 1.001);
      const double sy =
          std::clamp(cy + std::sin(angle) * (x - cx) + std::cos(angle) * (y - cy), 0.0, picture.height() - 1.001);
      const int i = static_cast<int>(sx);
      const int j = static_cast<int>(sy);
      const double a = sx - i;
      const double b = sy - j;
      const double value = (1 - a) * ((1 - b) * picture(i, j) + b * picture(i, j + 1)) +
                           a * ((1 - b) * picture(i + 1, j) + b * picture(i + 1, j + 1));
      result(x, y) = static_cast<std::uint8_t>(std::lround(value));
    }
  return result;
}

Picture brighter(const Picture& picture, double gain, int offset) {
  Picture result(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      result(x, y) = static_cast<std::uint8_t>(std::clamp(static_cast<int>(picture(x, y) * gain) + offset, 0, 255));
  return result;
}

/// Which spares good pairs the closer look at their rows, and no other ones.
TEST(InspectPair, TheFirstLookTellsHowFarRowsAreOffAtMost) {
  const auto within = [](double degrees, double rows) {
    return inspect_test::look(view(false), view(true, degrees, rows)).rows_within;
  };
  ASSERT_TRUE(within(0, 0));
  EXPECT_LE(*within(0, 0), 7);
  for (const double sign : {-1.0, 1.0}) {
    for (const double rows : {0.64, 0.8, 1.0}) EXPECT_GE(within(0, sign * rows).value_or(16), 10) << sign * rows;
    EXPECT_GE(within(sign * 0.7, 0).value_or(16), 10) << "0.7 degrees move rows by 0.85 px in the mean of this picture";
  }
  EXPECT_FALSE(inspect_test::look(Picture({240, 180}, 9), view(true)).rows_within) << "nothing tells it";
}

TEST(InspectPair, GoodPairsAreGoodWhateverTheSettings) {
  const Picture left = view(false);
  const Picture right = view(true);
  for (const StereoView reference : {StereoView::left, StereoView::right})
    for (const auto& [low, count] : {std::pair{0, 16}, {0, 64}, {0, 128}, {4, 12}, {-16, 48}}) {
      StereoOptions options = range(low, count);
      options.reference = reference;
      const PairFindings found = look(left, right, options);
      EXPECT_EQ(found.problem, PairProblem::none) << low << ' ' << count;
      EXPECT_FALSE(found.closely) << "a good pair costs no closer look";
      EXPECT_GT(found.points, 80);
      EXPECT_GT(found.agreeing, found.points * 3 / 4);
    }
  EXPECT_EQ(problem(left, brighter(right, 0.99, 0), range(0, 32)), PairProblem::none);
}

TEST(InspectPair, BrokenPairsAreTold) {
  const Picture left = view(false);
  const Picture right = view(true);
  EXPECT_EQ(problem(left, left, range(0, 32)), PairProblem::same_picture);
  EXPECT_EQ(problem(right, left, range(0, 32)), PairProblem::exchanged);
  EXPECT_EQ(problem(left, right, range(0, 10)), PairProblem::range_high);
  EXPECT_EQ(problem(left, right, range(10, 32)), PairProblem::range_low);
  EXPECT_EQ(problem(left, right, range(30, 32)), PairProblem::range_low);
  for (const int rows : {5, -5, 9})
    EXPECT_EQ(problem(left, view(true, 0, rows), range(0, 32)), PairProblem::not_rectified) << rows;
  for (const double degrees : {1.5, -2.0})
    EXPECT_EQ(problem(left, view(true, degrees), range(0, 32)), PairProblem::not_rectified) << degrees;
  Picture other(left.size());
  for (int y = 0; y < other.height(); ++y)
    for (int x = 0; x < other.width(); ++x)
      other(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x + 5000, y - 3000));
  EXPECT_EQ(problem(left, other, range(0, 32)), PairProblem::no_agreement);
}

TEST(InspectPair, FindingsHoldTheFiguresOfTheCure) {
  const Picture left = view(false);
  const PairFindings exchanged = look(view(true), left, range(0, 32));
  EXPECT_EQ(exchanged.low, -inspect_test::square);
  EXPECT_EQ(exchanged.high, -inspect_test::wall);
  const PairFindings lower = look(left, view(true, 0, 5), range(0, 32));
  EXPECT_EQ(lower.row_low, 5);
  EXPECT_EQ(lower.row_high, 5);
}

TEST(InspectPair, RowsThatAreOffByOneAreTold) {
  const Picture left = view(false);
  for (const int rows : {1, -1}) {
    const PairFindings found = look(left, view(true, 0, rows), range(0, 32));
    EXPECT_EQ(found.problem, PairProblem::row_offset);
    EXPECT_NEAR(found.row_shift, 16 * rows, 3);
    EXPECT_NEAR(found.row_tilt, 0, 3);
  }
  // 0.5 degrees over 240 px: 2.1 px.
  const PairFindings turned = look(left, view(true, 0.5), range(0, 32));
  EXPECT_EQ(turned.problem, PairProblem::row_offset);
  EXPECT_NEAR(std::abs(turned.row_tilt), 34, 7);
  EXPECT_EQ(problem(left, view(true, 0, 0.25), range(0, 32)), PairProblem::none);
}

/// Cameras of different focal lengths: rows meet in the middle alone.
TEST(InspectPair, RowsThatSpreadAreTold) {
  const Picture left = view(false), right = view(true);
  for (const double size : {1.02, 0.98}) {
    Picture other(right.size());
    for (int y = 0; y < other.height(); ++y) {
      const double middle = (right.height() - 1) / 2.0, from = middle + (y - middle) / size;
      const int row = std::clamp(static_cast<int>(std::lround(from)), 0, right.height() - 1);
      std::copy(right.row(row), right.row(row) + right.width(), other.row(y));
    }
    const PairFindings found = look(left, other, range(0, 32));
    EXPECT_EQ(found.problem, PairProblem::row_offset) << size;
    EXPECT_NEAR(found.row_growth, 16 * (size - 1) * right.height(), 24) << size;
    EXPECT_NEAR(found.row_tilt, 0, 6) << size;
  }
}

/// A picture so dark that it shows no texture, beside one that does.
TEST(InspectPair, AnotherContrastIsTold) {
  const Picture left = view(false), right = view(true);
  const PairFindings dark = look(brighter(left, 1.0 / 16, 0), right, range(0, 32));
  EXPECT_EQ(dark.problem, PairProblem::exposure);
  EXPECT_EQ(dark.found, 0);
  EXPECT_NEAR(dark.gain_percent, 1600, 200);
  StereoOptions options = range(0, 32);
  options.reference = StereoView::right;
  EXPECT_EQ(problem(brighter(left, 1.0 / 16, 0), right, options), PairProblem::exposure);
  options = range(0, 32);
  options.cost = StereoCost::census_9x7;
  EXPECT_EQ(problem(brighter(left, 1.0 / 16, 0), right, options), PairProblem::none);
  EXPECT_EQ(problem(brighter(left, 1.0 / 16, 0), brighter(right, 1.0 / 16, 0), range(0, 32)), PairProblem::none);
}

TEST(InspectPair, BrightnessIsToldToCostsThatSeeIt) {
  const Picture left = view(false);
  const Picture right = view(true);
  for (const auto& [gain, offset] : {std::pair{0.8, 5}, {0.9, 0}, {1.0, 6}, {1.0, -20}, {1.2, 3}, {0.6, 0}}) {
    const PairFindings found = look(left, brighter(right, gain, offset), range(0, 32));
    EXPECT_EQ(found.problem, PairProblem::exposure) << gain << ' ' << offset;
    EXPECT_NEAR(found.gain_percent, 100 * gain, 3);
    EXPECT_NEAR(found.offset, offset, 4);
  }
  StereoOptions options = range(0, 32);
  options.cost = StereoCost::ssd;
  EXPECT_EQ(problem(left, brighter(right, 0.8, 5), options), PairProblem::exposure);
  options.prefilter = StereoPrefilter::xsobel;
  EXPECT_EQ(problem(left, brighter(right, 0.8, 5), options), PairProblem::none);
  options.prefilter = StereoPrefilter::none;
  options.cost = StereoCost::census_9x7;
  EXPECT_EQ(problem(left, brighter(right, 0.8, 5), options), PairProblem::none);
}

/// The mean of three pixels of the row, so often.
Picture blurred(Picture picture, int times) {
  for (; times > 0; --times) {
    const Picture sharp = picture.clone();
    for (int y = 0; y < sharp.height(); ++y)
      for (int x = 1; x + 1 < sharp.width(); ++x)
        picture(x, y) = static_cast<std::uint8_t>((sharp(x - 1, y) + sharp(x, y) + sharp(x + 1, y) + 1) / 3);
  }
  return picture;
}

/// Every pixel by itself.
Picture noise(Size size, int seed) {
  Picture picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = static_cast<std::uint8_t>(2 * inspect_test::hash(x + 1000 * seed, y));
  return picture;
}

/// 320 columns.
Picture crop(const Picture& wide, int first) {
  Picture picture(320, wide.height());
  for (int y = 0; y < wide.height(); ++y) std::copy_n(wide.row(y) + first, 320, picture.row(y));
  return picture;
}

TEST(InspectPair, UnrelatedNoiseIsToldWhateverItsSize) {
  for (const Size size : {Size{64, 48}, {96, 72}, {160, 120}, {320, 240}, {640, 480}})
    for (const int count : {8, 16, 64})
      EXPECT_EQ(problem(noise(size, 1), noise(size, 2), range(0, count)), PairProblem::no_agreement)
          << size.width << ' ' << count;
}

TEST(InspectPair, NoiseThatMatchesIsAPair) {
  const Picture wide = noise({400, 240}, 1);
  for (const int count : {16, 64})
    EXPECT_EQ(problem(crop(wide, 0), crop(wide, 6), range(0, count)), PairProblem::none) << count;
}

TEST(InspectPair, BlurOfOnePictureIsTold) {
  const Picture wide = noise({400, 240}, 1);
  const Picture left = blurred(crop(wide, 0), 1), right = blurred(crop(wide, 6), 1);
  EXPECT_EQ(problem(left, right, range(0, 32)), PairProblem::none);
  const PairFindings found = look(left, blurred(right.clone(), 1), range(0, 32));
  EXPECT_EQ(found.problem, PairProblem::sharpness);
  EXPECT_LT(found.sharpness_percent, 85);
  const PairFindings turned = look(blurred(left.clone(), 1), right, range(0, 32));
  EXPECT_EQ(turned.problem, PairProblem::sharpness);
  EXPECT_GT(turned.sharpness_percent, 117);
  StereoOptions options = range(0, 32);
  options.reference = StereoView::right;
  EXPECT_EQ(look(left, blurred(right.clone(), 1), options).problem, PairProblem::sharpness);
  EXPECT_LT(look(left, blurred(right.clone(), 1), options).sharpness_percent, 85);
}

TEST(InspectPair, DeepPicturesAreTakenByTheirUpperBits) {
  const auto deep = [](const Picture& picture) {
    Image<std::uint16_t> result(picture.size());
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        result(x, y) = static_cast<std::uint16_t>(16 * picture(x, y) + (x & 15));
    return result;
  };
  StereoOptions options = range(0, 32);
  options.max_value = 4095;
  const Image<std::uint16_t> left = deep(view(false));
  const Image<std::uint16_t> right = deep(view(true));
  EXPECT_EQ(inspect_pair(left.view(), right.view(), options).problem, PairProblem::none);
  EXPECT_EQ(inspect_pair(right.view(), left.view(), options).problem, PairProblem::exchanged);
}

TEST(InspectPair, SaysNothingWithoutEvidence) {
  EXPECT_EQ(problem(Picture(640, 480, 80), Picture(640, 480, 80), range(0, 64)), PairProblem::none) << "flat";
  EXPECT_EQ(problem(view(false), Picture(inspect_test::scene_size, 80), range(0, 64)), PairProblem::none);
  for (const Size size : {Size{1, 1}, {1, 200}, {200, 1}, {63, 48}, {64, 47}}) {
    Picture a(size);
    Picture b(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        a(x, y) = static_cast<std::uint8_t>(inspect_test::hash(x, y));
        b(x, y) = static_cast<std::uint8_t>(inspect_test::hash(y, x + 9));
      }
    EXPECT_EQ(problem(a, b, range(0, 64)), PairProblem::none) << size.width;
  }
}

TEST(InspectPair, OddSettingsDoNoHarm) {
  const Picture left = view(false);
  const Picture right = view(true);
  for (const auto& [low, count] :
       {std::pair{0, 1}, {-2000000000, 16}, {2000000000, 16}, {239, 16}, {-239, 1000}, {0, 65536}})
    for (const StereoView reference : {StereoView::left, StereoView::right}) {
      StereoOptions options = range(low, count);
      options.reference = reference;
      EXPECT_NO_THROW(look(left, right, options)) << low;
      options.roi = Rect{230, 170, 10, 10};
      EXPECT_EQ(problem(left, right, options), PairProblem::none) << low;
    }
  EXPECT_ERROR(look(left, Picture(8, 8, 0), range(0, 16)), ErrorCode::invalid_argument, "240x180");
}

#if VERGENCE_WITH_IO
struct Photograph {
  const char* name;
  int low, high;  // disparities
};
void PrintTo(const Photograph& photograph, std::ostream* stream) { *stream << photograph.name; }

class InspectPhotographs : public testing::TestWithParam<Photograph> {
 protected:
  void SetUp() override {
    const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/" + GetParam().name;
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
    left = read_grey(folder + "/left.png").u8.clone();
    right = read_grey(folder + "/right.png").u8.clone();
  }
  Picture left, right;
};

TEST_P(InspectPhotographs, GoodOnesPass) {
  const auto [name, low, high] = GetParam();
  for (const StereoView reference : {StereoView::left, StereoView::right})
    for (const auto& [first, count] :
         {std::pair{0, high + 1}, {0, 32}, {0, 64}, {0, 128}, {0, 256}, {low, high - low + 1}, {-16, 48}}) {
      StereoOptions options = range(first, count);
      options.reference = reference;
      EXPECT_EQ(problem(left, right, options), PairProblem::none) << first << ' ' << count;
      if (first == low) continue;  // the ends of a tight range are in use
      EXPECT_FALSE(look(left, right, options).closely) << first << ' ' << count;
    }
  StereoOptions census = range(0, 32);
  census.cost = StereoCost::census_9x7;
  for (const auto& [gain, offset] : {std::pair{0.8, 0}, {1.1, 8}})
    EXPECT_EQ(problem(left, brighter(right, gain, offset), census), PairProblem::none) << gain;
}

TEST_P(InspectPhotographs, BrokenOnesAreTold) {
  const auto [name, low, high] = GetParam();
  const StereoOptions good = range(0, 32);
  for (const int rows : {5, -5, 8, 12})
    EXPECT_EQ(problem(left, lowered(right, rows), good), PairProblem::not_rectified) << rows;
  for (const double degrees : {1.0, -1.0, 1.5, 2.0, -2.0})
    EXPECT_EQ(problem(left, turned(right, degrees), good), PairProblem::not_rectified) << degrees;
  for (const int rows : {1, -1}) EXPECT_EQ(problem(left, lowered(right, rows), good), PairProblem::row_offset) << rows;
  for (const double degrees : {0.3, -0.3, 0.5})
    EXPECT_NE(problem(left, turned(right, degrees), good), PairProblem::none) << degrees;
  for (const auto& [gain, offset] : {std::pair{0.95, 0}, {0.9, 0}, {0.8, 0}, {0.6, 0}, {1.1, 8}, {1.0, 5}, {1.0, 20}})
    EXPECT_EQ(problem(left, brighter(right, gain, offset), good), PairProblem::exposure) << gain << ' ' << offset;
  EXPECT_EQ(problem(right, left, good), PairProblem::exchanged);
  EXPECT_EQ(problem(right, left, range(0, 64)), PairProblem::exchanged);
  EXPECT_EQ(problem(left, left, good), PairProblem::same_picture);
  EXPECT_EQ(problem(left, right, range(0, (low + high) / 2)), PairProblem::range_high);
  EXPECT_EQ(problem(left, right, range((low + high) / 2, 64)), PairProblem::range_low);
  EXPECT_EQ(problem(left, right, range(high + 4, 64)), PairProblem::range_low);
  EXPECT_EQ(problem(left, turned(right, 180), good), PairProblem::no_agreement);
  EXPECT_EQ(problem(left, blurred(right.clone(), 1), good), PairProblem::sharpness);
  EXPECT_EQ(problem(blurred(left.clone(), 1), right, good), PairProblem::sharpness);
  EXPECT_EQ(problem(blurred(left.clone(), 1), blurred(right.clone(), 1), good), PairProblem::none);
}

INSTANTIATE_TEST_SUITE_P(, InspectPhotographs,
                         testing::Values(Photograph{"venus", 3, 19}, Photograph{"tsukuba", 4, 14}),
                         [](const auto& one) { return std::string(one.param.name); });
#endif

}  // namespace
}  // namespace vergence
