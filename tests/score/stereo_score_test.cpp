// SPDX-License-Identifier: Apache-2.0
// Scores against figures worked out by hand, and against a plain second computation.
#include "vergence/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace vergence {
namespace {

constexpr float unknown = std::numeric_limits<float>::infinity();

Image<float> map_of(int width, int height, const std::vector<float>& values) {
  Image<float> map(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) map(x, y) = values[static_cast<std::size_t>(y * width + x)];
  return map;
}

void expect_error(ErrorCode code, const std::string& part, const std::function<void()>& call) {
  try {
    call();
    FAIL() << "nothing was thrown; wanted: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// Ten pixels: one of unknown truth, one invalid, errors 0, 0.5, 0.75, 1, 1.5, 2.5, 5, 3.5 (3.5 of 100 is within 5 %).
const std::vector<float> truth10{10, 10, 10, 10, 10, 10, 10, 100, unknown, 10};
const std::vector<float> found10{10, 10.5F, 9.25F, 11, 8.5F, 12.5F, 5, 103.5F, 7, unknown};

TEST(StereoScore, HandWorked) {
  const Image<float> truth = map_of(5, 2, truth10);
  const Image<float> found = map_of(5, 2, found10);
  const StereoScores scores = score_stereo(found, truth);
  EXPECT_FALSE(scores.non_occluded);
  const StereoScore& all = scores.all;
  EXPECT_EQ(all.pixels, 9);
  EXPECT_EQ(all.valid_pixels, 8);
  EXPECT_DOUBLE_EQ(all.invalid, 100.0 / 9);
  EXPECT_DOUBLE_EQ(all.density, 800.0 / 9);
  const int bad[4] = {6, 4, 3, 1};  // an error equal to the threshold is not bad
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(all.bad[i], 100.0 * bad[i] / 9) << i;
    EXPECT_DOUBLE_EQ(all.total_bad[i], 100.0 * (bad[i] + 1) / 9) << i;
  }
  EXPECT_DOUBLE_EQ(all.d1, 100.0 / 9);
  EXPECT_DOUBLE_EQ(all.total_d1, 200.0 / 9);
  EXPECT_DOUBLE_EQ(all.average_error, 14.75 / 8);
  EXPECT_DOUBLE_EQ(all.rms, std::sqrt(47.5625 / 8));
  EXPECT_DOUBLE_EQ(all.quantiles[0], 1.0);  // the fourth of eight
  for (std::size_t i = 1; i < 4; ++i) EXPECT_DOUBLE_EQ(all.quantiles[i], 5.0) << i;
}

TEST(StereoScore, MaskClipAndRound) {
  const Image<float> truth = map_of(5, 2, truth10);
  const Image<float> found = map_of(5, 2, found10);
  Image<std::uint8_t> mask(5, 2, 255);
  mask(1, 1) = 128;  // the pixel of error 5: anything but 255 is occluded
  mask(4, 0) = 0;    // the pixel of error 1.5
  const StereoScores masked = score_stereo(found, truth, mask);
  ASSERT_TRUE(masked.non_occluded);
  EXPECT_EQ(masked.all.pixels, 9);
  EXPECT_EQ(masked.non_occluded->pixels, 7);
  EXPECT_DOUBLE_EQ(masked.non_occluded->average_error, 8.25 / 6);
  EXPECT_DOUBLE_EQ(masked.non_occluded->bad[1], 200.0 / 7);

  const StereoScores clipped = score_stereo(found, truth, {}, {.max_disparity = 10.0});
  // Errors now: 0 0 0.75 0 1.5 0 5 90.
  EXPECT_DOUBLE_EQ(clipped.all.average_error, 97.25 / 8);
  const StereoScores rounded = score_stereo(found, truth, {}, {.round = true});
  // 10 11 9 11 9 13 5 104.
  EXPECT_DOUBLE_EQ(rounded.all.average_error, 16.0 / 8);
  EXPECT_DOUBLE_EQ(rounded.all.bad[1], 300.0 / 9);
}

TEST(StereoScore, NegativeDisparitiesAreClippedOnRequestOnly) {
  const Image<float> truth(1, 1, -3.0F);
  const Image<float> found(1, 1, -3.0F);
  EXPECT_DOUBLE_EQ(score_stereo(found, truth).all.average_error, 0.0);
  EXPECT_DOUBLE_EQ(score_stereo(found, truth, {}, {.max_disparity = 8.0}).all.average_error, 3.0);
  const Image<float> half(1, 1, -2.5F);
  EXPECT_DOUBLE_EQ(score_stereo(half, truth, {}, {.round = true}).all.average_error, 1.0);  // halves go up: -2
}

TEST(StereoScore, NothingValid) {
  const Image<float> truth(3, 1, 4.0F);
  Image<float> found(3, 1, unknown);
  found(1, 0) = std::numeric_limits<float>::quiet_NaN();
  found(2, 0) = -unknown;
  const StereoScore all = score_stereo(found, truth).all;
  EXPECT_DOUBLE_EQ(all.invalid, 100.0);
  EXPECT_DOUBLE_EQ(all.density, 0.0);
  EXPECT_DOUBLE_EQ(all.bad[0], 0.0);
  EXPECT_DOUBLE_EQ(all.total_bad[3], 100.0);
  EXPECT_TRUE(std::isnan(all.average_error));
  EXPECT_TRUE(std::isnan(all.rms));
  EXPECT_TRUE(std::isnan(all.quantiles[3]));
}

TEST(StereoScore, Refusals) {
  const Image<float> map(4, 3, 1.0F);
  const Image<float> other(3, 4, 1.0F);
  const Image<float> nowhere(4, 3, unknown);
  const Image<std::uint8_t> dark(4, 3, 254);
  const Image<std::uint8_t> small(4, 2, 255);
  const auto bad = ErrorCode::invalid_argument;
  expect_error(bad, "truth is 3x4 but the disparity map is 4x3", [&] { score_stereo(map, other); });
  expect_error(bad, "mask is 4x2", [&] { score_stereo(map, map, small); });
  expect_error(bad, "nowhere known", [&] { score_stereo(map, nowhere); });
  expect_error(bad, "no pixel of value 255", [&] { score_stereo(map, map, dark); });
  expect_error(bad, "max_disparity is -1", [&] { score_stereo(map, map, {}, {.max_disparity = -1.0}); });
  expect_error(bad, "max_disparity is", [&] { score_stereo(map, map, {}, {.max_disparity = std::nan("")}); });
  expect_error(bad, "nowhere known", [&] { score_stereo({}, {}); });
}

// Odd sizes with strides that are wider than the row, against sorting and counting over a list.
TEST(StereoScore, AgreesWithAPlainComputation) {
  std::mt19937 random(20240611);
  for (const Size size : {Size{1, 1}, Size{1, 17}, Size{19, 1}, Size{37, 23}}) {
    SCOPED_TRACE(testing::Message() << size.width << "x" << size.height);
    const int stride = size.width + 3;
    std::vector<float> truth(static_cast<std::size_t>(stride * size.height), 1e6F);
    std::vector<float> found(truth.size(), -1e6F);
    std::vector<double> errors;
    std::int64_t known = 0;
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const auto at = static_cast<std::size_t>(y * stride + x);
        const bool first = x == 0 && y == 0;
        truth[at] = !first && random() % 7 == 0 ? unknown : static_cast<float>(random() % 512) / 16;
        found[at] = !first && random() % 5 == 0 ? unknown : static_cast<float>(random() % 8192) / 256;
        if (truth[at] == unknown) continue;
        ++known;
        if (found[at] != unknown) errors.push_back(std::abs(double{found[at]} - double{truth[at]}));
      }
    }
    const auto bytes = static_cast<std::ptrdiff_t>(sizeof(float)) * stride;
    const StereoScore all =
        score_stereo({found.data(), size.width, size.height, bytes}, {truth.data(), size.width, size.height, bytes})
            .all;
    EXPECT_EQ(all.pixels, known);
    EXPECT_EQ(all.valid_pixels, static_cast<std::int64_t>(errors.size()));
    const double n = static_cast<double>(known);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto bad =
          std::count_if(errors.begin(), errors.end(), [&](double e) { return e > StereoScore::thresholds[i]; });
      EXPECT_DOUBLE_EQ(all.bad[i], 100.0 * static_cast<double>(bad) / n);
      EXPECT_DOUBLE_EQ(all.total_bad[i], 100.0 * static_cast<double>(bad + known - std::ssize(errors)) / n);
    }
    std::sort(errors.begin(), errors.end());
    for (std::size_t i = 0; i < 4; ++i) {
      const double rank = std::ceil(StereoScore::quantile_percents[i] * static_cast<double>(errors.size()) / 100.0);
      EXPECT_DOUBLE_EQ(all.quantiles[i], errors[static_cast<std::size_t>(rank) - 1]);
    }
  }
}

}  // namespace
}  // namespace vergence
