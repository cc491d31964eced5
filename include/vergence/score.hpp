// SPDX-License-Identifier: Apache-2.0
// How far a disparity map is from the truth, in the measures of the Middlebury stereo evaluation (version 3) and
// KITTI's D1; how well a predicted frame meets the real one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vergence/image.hpp"
#include "vergence/motion.hpp"

namespace vergence {

/// The scores over one set of pixels. Shares are in percent of `pixels`; errors are |disparity - truth| in px. The
/// errors of average_error, rms and quantiles are those of valid pixels alone; they are NaN where no pixel is valid.
struct StereoScore {
  /// Thresholds of bad, total_bad, in px.
  static constexpr std::array<double, 4> thresholds{0.5, 1.0, 2.0, 4.0};
  /// Percentages of quantiles: A50, A90, A95, A99.
  static constexpr std::array<int, 4> quantile_percents{50, 90, 95, 99};

  std::int64_t pixels = 0;            ///< Pixels that are scored: truth known, and not masked out.
  std::int64_t valid_pixels = 0;      ///< Those of them that have a disparity.
  std::array<double, 4> bad{};        ///< Share that is valid and off by more than thresholds[i].
  std::array<double, 4> total_bad{};  ///< bad[i] + invalid: a missing disparity counted as a wrong one.
  double invalid = 0;                 ///< Share without a disparity.
  double density = 0;                 ///< 100 - invalid.
  double average_error = 0;           ///< Mean error.
  double rms = 0;                     ///< Square root of the mean squared error.
  std::array<double, 4>
      quantiles{};      ///< The smallest error that at least quantile_percents[i] % of valid pixels do not exceed.
  double d1 = 0;        ///< KITTI D1: share that is valid and off by more than 3 px and more than 5 % of the truth.
  double total_d1 = 0;  ///< d1 + invalid.
};

/// Options of score_stereo.
struct StereoScoreOptions {
  /// Disparities are clipped to [0, max_disparity] before they are compared, in px, at least 0 (the Middlebury
  /// evaluation does so with the scene's known range). Default: not clipped.
  std::optional<double> max_disparity = std::nullopt;
  /// Round disparities to whole px, halves up, before they are compared: for truth that is whole px itself. Default:
  /// off.
  bool round = false;
};

/// What score_stereo finds.
struct StereoScores {
  StereoScore all;                          ///< Over all pixels of known truth.
  std::optional<StereoScore> non_occluded;  ///< Over those whose mask is 255; present where a mask was given.
};

/// Compares a disparity map with the truth. Both in px; +inf (or any value that is not finite) means invalid in
/// `disparity`, unknown in `truth`. `mask` (optional: an empty view) is 255 where a pixel is visible in both pictures.
/// Computed in double, row by row, so that the result depends on the pixels alone. Throws Error(invalid_argument) where
/// sizes differ, an option is out of range, the truth is nowhere known, or the mask leaves no pixel of known truth.
StereoScores score_stereo(ImageView<const float> disparity, ImageView<const float> truth,
                          ImageView<const std::uint8_t> mask = {}, const StereoScoreOptions& options = {});

/// How well a prediction meets its frame.
struct PredictionScore {
  std::uint64_t residue = 0;  ///< Sum of |frame - prediction|.
  double mse = 0;             ///< Mean of (frame - prediction)^2.
  double psnr = 0;            ///< 10 log10(max_value^2 / mse) in dB; +infinity where mse is 0.
  /// Mean structural similarity (Wang, Bovik, Sheikh and Simoncelli, IEEE Trans. Image Processing, 2004): Gaussian
  /// window 11x11 of sigma 1.5, K1 0.01, K2 0.03, where the window lies inside. NaN for frames under 11 px wide or
  /// high.
  double ssim = 0;
};

/// Compares a prediction with its frame, in double, row by row. `max_value` is the largest possible pixel, 1..255 or
/// 1..65535. Throws Error(invalid_argument) where sizes differ or there are no pixels.
PredictionScore score_prediction(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction,
                                 int max_value = 255);
PredictionScore score_prediction(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction,
                                 int max_value = 65535);

/// Shannon entropy of a field's vectors, in bits per vector: what an ideal code without prediction would spend. Throws
/// Error(invalid_argument) for an empty field.
double vector_entropy(ImageView<const MotionVector> vectors);

/// True where motion explains the frame hardly better than flat tiles do: with r the sum of |frame - prediction| and f
/// the sum of |frame - mean| over tiles of 16x16 (means rounded to the nearest, halves up), iff 4 r >= 3 f and the mean
/// of |frame - prediction| is above 1/64 of `max_value`. Integers alone. Throws as score_prediction.
bool is_scene_cut(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value = 255);
bool is_scene_cut(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction,
                  int max_value = 65535);

}  // namespace vergence
