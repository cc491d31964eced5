// SPDX-License-Identifier: Apache-2.0
// The published tracker's golden sets to the printed digits, and its fault.
#include "published/exact_sdvbs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "support/golden.hpp"
#include "track/track_pictures.hpp"
#ifdef VERGENCE_TEST_IO
#include "vergence/io.hpp"
#endif

namespace vergence::reference::exact_sdvbs {
namespace {

#ifdef VERGENCE_TEST_IO
std::string data(const std::string& name) { return std::string(VERGENCE_TEST_DATA) + "/tracking/" + name; }

/// The program keeps the green channel of colour pictures.
Image<std::uint8_t> green(const std::string& path) {
  const Image<Rgb> colour = read_rgb(path);
  Image<std::uint8_t> out(colour.size());
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) out(x, y) = colour(x, y).g;
  return out;
}

/// A row of x, a row of y.
std::vector<std::vector<float>> golden(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::vector<float>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<float> row;
    for (float value = 0; words >> value;) row.push_back(value);
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

struct Set {
  const char* name;
  Settings settings;
  std::size_t left;  ///< features at the end
};

class ExactSdvbs : public testing::TestWithParam<Set> {};

TEST_P(ExactSdvbs, GoldenSet) {
  const Set& set = GetParam();
  const std::string folder = data(std::string("sdvbs_") + set.name);
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no golden set at " << folder;
  const auto expected = golden(folder + "/expected_C.txt");
  ASSERT_EQ(expected.size(), 2u);
  const std::vector<Feature> features =
      track([&](int k) { return green(folder + "/0" + std::to_string(k) + ".png"); }, set.settings);
  ASSERT_EQ(expected[0].size(), set.left);
  ASSERT_EQ(features.size(), set.left);
  for (std::size_t i = 0; i < features.size(); ++i) {
    char text[2][64];
    std::snprintf(text[0], 64, "%.6f %.6f", double{features[i].x}, double{features[i].y});
    std::snprintf(text[1], 64, "%.6f %.6f", double{expected[0][i]}, double{expected[1][i]});
    EXPECT_STREQ(text[0], text[1]) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Sets, ExactSdvbs,
                         testing::Values(Set{"sqcif", {8, 500, 15, 2, 0.03F}, 14},
                                         Set{"cif", {20, 500, 20, 4, 0.03F}, 9}),
                         [](const auto& set) { return std::string(set.param.name); });
#endif

/// Frames of the built-in scene. The golden coordinates are those of golden/exact_sdvbs.py, which shares no line with
/// the program.
struct Scene {
  const char* name;
  Size size;
  std::uint64_t seed;
  int frames;
  Settings settings;
  const char* options;  ///< the same settings for the script
};

class ExactSdvbsScene : public testing::TestWithParam<Scene> {
 protected:
  static std::string golden_text() {
    const std::string name = GetParam().name;
    return test::text_of(std::filesystem::path(VERGENCE_GOLDEN) / ("sdvbs_" + name + ".txt"));
  }
  static std::vector<Image<std::uint8_t>> frames() {
    return test::scene_frames(GetParam().size, GetParam().seed, GetParam().frames);
  }
};

TEST_P(ExactSdvbsScene, GoldenCoordinates) {
  const std::vector<Image<std::uint8_t>> pictures = frames();
  const std::vector<Feature> features =
      track([&](int k) { return pictures[static_cast<std::size_t>(k) - 1].clone(); }, GetParam().settings);
  std::string text[2];
  for (const Feature& feature : features)
    for (const int axis : {0, 1}) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.6f", double{axis == 0 ? feature.x : feature.y});
      text[axis] += (text[axis].empty() ? "" : " ") + std::string(digits);
    }
  EXPECT_GE(features.size(), 5u);
  EXPECT_EQ(text[0] + "\n" + text[1] + "\n", golden_text());
}

TEST_P(ExactSdvbsScene, TheGoldenIsThePlainPrograms) {
  if (!test::has_python()) GTEST_SKIP() << "no python3";
  EXPECT_EQ(test::said_of(std::filesystem::path(VERGENCE_GOLDEN) / "exact_sdvbs.py", GetParam().options, frames()),
            golden_text());
}
INSTANTIATE_TEST_SUITE_P(Scenes, ExactSdvbsScene,
                         testing::Values(Scene{"room", {128, 96}, 6, 3, {8, 300, 15, 3, 0.03F}, "8 300 15 0.03"},
                                         Scene{"small", {64, 48}, 2, 2, {4, 1600, 20, 2, 0.03F}, "4 1600 20 0.03"}),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(ExactSdvbsFaults, TheBlurDarkensItsEdge) {
  // A flat picture of 16: rows 2 and 3 read one or two rows of zeros.
  const Levels made = levels(Image<std::uint8_t>(12, 12, 16).view());
  const Image<float>& blurred = made.pictures[0];
  const std::vector<float> column{0, 0, 11, 15, 16, 16, 16, 16, 15, 11, 0, 0};
  for (int y = 0; y < 12; ++y) EXPECT_EQ(blurred(5, y), column[static_cast<std::size_t>(y)]) << y;
  EXPECT_EQ(blurred(1, 5), 0);
  EXPECT_EQ(blurred(2, 5), 16);
  // Pixel m of the half lies over pixel 2 m + 2; the last ones stay 0.
  const Image<float>& half = made.pictures[1];
  ASSERT_EQ(half.size(), (Size{6, 6}));
  EXPECT_EQ(half(1, 1), (11 + 4 * 15 + (6 + 4 + 1) * 16) / 16.0F);
  EXPECT_EQ(half(5, 1), 0);
  EXPECT_EQ(half(1, 4), 0);
}

TEST(ExactSdvbsFaults, GradientsHaveTheWrongSign) {
  Image<std::uint8_t> ramp(20, 20);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) ramp(x, y) = static_cast<std::uint8_t>(4 * x + 3 * y);
  const Levels made = levels(ramp);
  EXPECT_EQ(made.dx[0](10, 10), -4);
  EXPECT_EQ(made.dy[0](10, 10), -3);
}

TEST(ExactSdvbsFaults, FewFeaturesSurviveAndNoneGoesWhereItShould) {
  const Image<std::uint8_t> previous = test::textured<std::uint8_t>({160, 120}, 0, 0);
  const Image<std::uint8_t> next = test::textured<std::uint8_t>({160, 120}, -1.5, 1);
  const Settings settings{8, 300, 20, 2, 0.03F};
  const Levels from = levels(previous), to = levels(next);
  const std::vector<Feature> features = detect(from, settings);
  EXPECT_GE(features.size(), 2u);
  EXPECT_LE(features.size(), 30u);  // of 300: the strongest lie side by side
  for (std::size_t i = 0; i < features.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_GT(std::hypot(features[i].x - features[k].x, features[i].y - features[k].y), 10);
  for (const Feature& feature : features)
    for (const Feature& left : follow(from, to, {feature}, settings))
      EXPECT_GT(std::hypot(left.x - feature.x - 1.5F, left.y - feature.y + 1), 1.5F);
}

TEST(ExactSdvbsFaults, SlotsWithoutAFeatureAreFeatures) {
  const Settings settings{12, 4000, 2, 1, 0.1F};
  const std::vector<Feature> features = detect(levels(test::noise<std::uint8_t>({48, 48}, 4, 255).view()), settings);
  EXPECT_EQ(std::count(features.begin(), features.end(), Feature{-1, -1}), 1);
}

}  // namespace
}  // namespace vergence::reference::exact_sdvbs
