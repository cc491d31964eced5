// SPDX-License-Identifier: Apache-2.0
// How far a disparity map is from the truth, in the measures of the Middlebury stereo evaluation (version 3) and
// KITTI's D1; how well a predicted frame meets the real one; how far points that were followed are from where they
// went.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "vergence/flow.hpp"
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
  /// The matcher's mask, of the map's size: 1 measured, 2 filled, 0 invalid. With it, measured pixels are also scored
  /// apart. Default: an empty view.
  ImageView<const std::uint8_t> validity{};
};

/// What score_stereo finds.
struct StereoScores {
  StereoScore all;                          ///< Over all pixels of known truth.
  std::optional<StereoScore> non_occluded;  ///< Over those whose mask is 255; present where a mask was given.
  /// Over those that were measured; present where options.validity was given. Its shares are of measured pixels. Where
  /// there is none, `pixels` is 0 and all else NaN.
  std::optional<StereoScore> measured;
};

/// Compares a disparity map with the truth, in the measures of the Middlebury evaluation (D. Scharstein et al.,
/// "High-resolution stereo datasets with subpixel-accurate ground truth", GCPR 2014) and KITTI's D1 (M. Menze and
/// A. Geiger, "Object scene flow for autonomous vehicles", CVPR 2015). Both maps are in px; +inf (or any value that is
/// not finite) means invalid in `disparity`, unknown in `truth`. `mask` (optional: an empty view) is 255 where a pixel
/// is visible in both pictures. Computed in double, row by row, so that the result depends on the pixels alone. Throws
/// Error(invalid_argument) where sizes differ, an option is out of range, the truth is nowhere known, or the mask
/// leaves no pixel of known truth.
///
/// ```cpp
/// const Image<float> map({640, 480}, 12.4F), truth({640, 480}, 12);
/// const StereoScores scores = score_stereo(map, truth);
/// double off_by_more_than_1_px = scores.all.bad[1];  // percent
/// double mean_error = scores.all.average_error;      // px
/// ```
StereoScores score_stereo(ImageView<const float> disparity, ImageView<const float> truth,
                          ImageView<const std::uint8_t> mask = {}, const StereoScoreOptions& options = {});

/// How well a prediction meets its frame.
struct PredictionScore {
  std::uint64_t residue = 0;  ///< Sum of |frame - prediction|.
  double mse = 0;             ///< Mean of (frame - prediction)^2.
  double psnr = 0;            ///< 10 log10(max_value^2 / mse) in dB; +infinity where mse is 0.
  /// Mean structural similarity (Wang, Bovik, Sheikh and Simoncelli, IEEE Trans. Image Processing, 2004): Gaussian
  /// window 11x11 of sigma 1.5, K1 0.01, K2 0.03, where the window lies inside. NaN for frames under 11 px wide or
  /// high, and where it was left out.
  double ssim = 0;
};

/// Compares a prediction with its frame, in double, row by row. `max_value` is the largest possible pixel, 1..255 or
/// 1..65535. `with_ssim` false leaves out `ssim`, which takes most of the time. Throws Error(invalid_argument) where
/// sizes differ or there are no pixels.
///
/// ```cpp
/// const Image<std::uint8_t> frame({640, 480}, 100), prediction({640, 480}, 101);
/// const PredictionScore score = score_prediction(frame, prediction);
/// double decibels = score.psnr, similarity = score.ssim;
/// ```
PredictionScore score_prediction(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction,
                                 int max_value = 255, bool with_ssim = true);
PredictionScore score_prediction(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction,
                                 int max_value = 65535, bool with_ssim = true);

/// Entropy of a field's vectors (C. E. Shannon, "A mathematical theory of communication", Bell System Technical Journal
/// 27, 1948), in bits per vector: what an ideal code without prediction would spend. Throws
/// Error(invalid_argument) for an empty field.
double vector_entropy(ImageView<const MotionVector> vectors);

/// True where motion explains the frame hardly better than flat tiles do: with r the sum of |frame - prediction| and f
/// the sum of |frame - mean| over tiles of 16x16 (means rounded to the nearest, halves up), iff 4 r >= 3 f and the mean
/// of |frame - prediction| is above 1/64 of `max_value`. Integers alone. Throws as score_prediction.
bool is_scene_cut(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value = 255);
bool is_scene_cut(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction,
                  int max_value = 65535);

/// A point of one frame, and where it was found in the next. In px: (0, 0) is the centre of the first pixel.
struct TrackStep {
  double x = 0;
  double y = 0;
  bool found = false;
  double found_x = 0;
  double found_y = 0;
};

/// How far followed points are from where they went. The end-point error of a point is the distance in px between where
/// it was found and where the flow leads (Baker et al., A Database and Evaluation Methodology for Optical Flow, IJCV,
/// 2011). Errors are those of found points alone, and NaN where there is none.
struct TrackScore {
  /// Thresholds of bad, in px.
  static constexpr std::array<double, 3> thresholds{0.5, 1.0, 2.0};

  std::int64_t points = 0;      ///< Steps where the flow is known.
  std::int64_t found = 0;       ///< Those of them whose point was found.
  std::int64_t unknown = 0;     ///< Steps where it is not known, or outside the picture: left out of all else.
  double survival = 0;          ///< Share of `points` that was found, in percent; NaN where there is none.
  double mean_error = 0;        ///< Mean end-point error.
  double median_error = 0;      ///< The smallest one that at least half of the found points do not exceed.
  std::array<double, 3> bad{};  ///< Share of `found` off by more than thresholds[i], in percent.
};

/// Scores the steps of any number of frames. Computed in double, step by step, so that the result depends on the steps
/// and their order alone.
///
/// ```cpp
/// const Image<FlowVector> truth({640, 480}, FlowVector{2, 0});
/// TrackScorer scorer;
/// scorer.add({.x = 10, .y = 20, .found = true, .found_x = 12.25, .found_y = 20}, truth);
/// const TrackScore score = scorer.score();
/// double pixels = score.mean_error;  // 0.25
/// ```
class TrackScorer {
 public:
  /// `truth` is the flow from the step's frame to the next one. Between pixels it is interpolated linearly; where a
  /// pixel that takes part in that is unknown, so is the flow. Returns whether it is known. Throws
  /// Error(invalid_argument) for positions that are not finite and for an empty flow.
  bool add(const TrackStep& step, ImageView<const FlowVector> truth);
  TrackScore score() const;

 private:
  std::vector<double> errors_;
  std::int64_t points_ = 0;
  std::int64_t unknown_ = 0;
};

}  // namespace vergence
