// SPDX-License-Identifier: Apache-2.0
// Scores of predictions and fields by hand, and SSIM against direct sums over its window.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "score/ssim.hpp"
#include "vergence/score.hpp"

namespace vergence {
namespace {

TEST(PredictionScore, ByHand) {
  Image<std::uint8_t> frame(4, 2, 100);
  const Image<std::uint8_t> prediction(4, 2, 100);
  frame(1, 0) = 104;
  frame(3, 1) = 98;
  const PredictionScore score = score_prediction(frame, prediction);
  EXPECT_EQ(score.residue, 6u);
  EXPECT_DOUBLE_EQ(score.mse, 20.0 / 8);
  EXPECT_NEAR(score.psnr, 44.1514035, 1e-6);  // 10 log10(65025 / 2.5)
  EXPECT_TRUE(std::isnan(score.ssim));
  EXPECT_EQ(score_prediction(prediction, prediction).psnr, std::numeric_limits<double>::infinity());
  const Image<std::uint16_t> dark(20, 20, 0);
  const Image<std::uint16_t> bright(20, 20, 1023);
  EXPECT_NEAR(score_prediction(dark, bright, 1023).psnr, 0.0, 1e-12);
  EXPECT_EQ(score_prediction(dark, bright, 1023).residue, 400u * 1023u);
}

template <class P>
double direct_ssim(const Image<P>& a, const Image<P>& b, int max_value) {
  double norm = 0;
  for (int v = -5; v <= 5; ++v)
    for (int u = -5; u <= 5; ++u) norm += std::exp(-(u * u + v * v) / 4.5);
  const double c1 = 1e-4 * max_value * max_value;
  const double c2 = 9e-4 * max_value * max_value;
  double sum = 0;
  for (int y = 5; y < a.height() - 5; ++y)
    for (int x = 5; x < a.width() - 5; ++x) {
      double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
      for (int v = -5; v <= 5; ++v)
        for (int u = -5; u <= 5; ++u) {
          const double w = std::exp(-(u * u + v * v) / 4.5) / norm;
          ma += w * a(x + u, y + v);
          mb += w * b(x + u, y + v);
        }
      for (int v = -5; v <= 5; ++v)
        for (int u = -5; u <= 5; ++u) {
          const double w = std::exp(-(u * u + v * v) / 4.5) / norm;
          va += w * (a(x + u, y + v) - ma) * (a(x + u, y + v) - ma);
          vb += w * (b(x + u, y + v) - mb) * (b(x + u, y + v) - mb);
          cov += w * (a(x + u, y + v) - ma) * (b(x + u, y + v) - mb);
        }
      sum += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
    }
  return sum / (static_cast<double>(a.width() - 10) * (a.height() - 10));
}

template <class P>
void expect_direct_sum(Size size, int max_value) {
  const Image<P> a = test::noise<P>(size, 1, static_cast<unsigned>(max_value));
  Image<P> b = a.clone();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) b(x, y) = static_cast<P>(a(x, y) / 2 + (x * y) % 50);
  EXPECT_NEAR(score_prediction(a, b, max_value).ssim, direct_ssim(a, b, max_value), 1e-9);
  EXPECT_EQ(score_prediction(a, a, max_value).ssim, 1.0);
  EXPECT_EQ(ssim(a, b, max_value), plain_ssim(a, b, max_value));
  EXPECT_TRUE(std::isnan(score_prediction(a, b, max_value, false).ssim));
}

TEST(PredictionScore, SsimIsTheDirectSum) {
  expect_direct_sum<std::uint8_t>({11, 11}, 255);
  expect_direct_sum<std::uint8_t>({17, 14}, 255);
  expect_direct_sum<std::uint8_t>({303, 23}, 255);  // several strips of columns
  expect_direct_sum<std::uint16_t>({140, 25}, 1023);
  expect_direct_sum<std::uint16_t>({20, 13}, 65535);
}

TEST(PredictionScore, Refuses) {
  const Image<std::uint8_t> a(4, 4, 0);
  const Image<std::uint8_t> b(4, 5, 0);
  EXPECT_ERROR(score_prediction(a, b), ErrorCode::invalid_argument, "the prediction is 4x5 but the frame is 4x4");
  EXPECT_ERROR(score_prediction(a, a, 256), ErrorCode::invalid_argument, "max_value is 256");
  EXPECT_ERROR(score_prediction(a, a, 0), ErrorCode::invalid_argument, "max_value is 0");
  const ImageView<const std::uint8_t> nothing;
  EXPECT_ERROR(score_prediction(nothing, nothing), ErrorCode::invalid_argument, "no pixels");
  EXPECT_ERROR(vector_entropy({}), ErrorCode::invalid_argument, "empty");
}

TEST(VectorEntropy, ByHand) {
  Image<MotionVector> field(4, 2, MotionVector{});
  EXPECT_DOUBLE_EQ(vector_entropy(field), 0.0);
  for (int x = 0; x < 4; ++x) field(x, 1) = {4, 0};
  EXPECT_DOUBLE_EQ(vector_entropy(field), 1.0);
  field(0, 1) = field(1, 1) = {0, 4};
  EXPECT_DOUBLE_EQ(vector_entropy(field), 1.5);  // 1/2, 1/4, 1/4
}

TEST(SceneCut, OnlyWherePredictionIsNoBetterThanFlatTiles) {
  const Image<std::uint8_t> frame = test::noise<std::uint8_t>({40, 40}, 1, 255);
  const Image<std::uint8_t> other = test::noise<std::uint8_t>({40, 40}, 2, 255);
  EXPECT_TRUE(is_scene_cut(frame, other));
  EXPECT_FALSE(is_scene_cut(frame, frame));
  // By hand: tiles of 0 and 200 halves have mean 100 and cost 100 per pixel; 3/4 of it is the border.
  Image<std::uint8_t> halves(16, 16);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) halves(x, y) = x < 8 ? 0 : 200;
  Image<std::uint8_t> prediction(16, 16);
  for (const int off : {74, 75}) {
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) prediction(x, y) = static_cast<std::uint8_t>(x < 8 ? off : 200 - off);
    EXPECT_EQ(is_scene_cut(halves, prediction), off == 75) << off;
  }
  // Flat frames: a few levels are noise, more are a cut; 255 / 64 is the border.
  const Image<std::uint8_t> flat(32, 32, 50);
  EXPECT_FALSE(is_scene_cut(flat, Image<std::uint8_t>(32, 32, 53).view()));
  EXPECT_TRUE(is_scene_cut(flat, Image<std::uint8_t>(32, 32, 54).view()));
}

}  // namespace
}  // namespace vergence
