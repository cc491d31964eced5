// SPDX-License-Identifier: Apache-2.0
// Scores of a disparity map against the truth (Scharstein et al., "High-resolution stereo datasets with
// subpixel-accurate ground truth", GCPR 2014, and its evaluation; D1: Menze and Geiger, "Object scene flow for
// autonomous vehicles", CVPR 2015).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "vergence/score.hpp"

namespace vergence {
namespace {

constexpr double d1_pixels = 3.0;
constexpr double d1_share = 0.05;

/// Counts and sums over one set of pixels, in the order in which they are added.
class Tally {
 public:
  void add_invalid() { ++pixels_; }

  void add(double error, double truth) {
    ++pixels_;
    for (std::size_t i = 0; i < bad_.size(); ++i) bad_[i] += error > StereoScore::thresholds[i] ? 1 : 0;
    d1_ += error > d1_pixels && error > d1_share * std::abs(truth) ? 1 : 0;
    sum_ += error;
    sum_of_squares_ += error * error;
    // Errors are kept for the quantiles alone; float keeps their order and halves the memory.
    errors_.push_back(static_cast<float>(error));
  }

  std::int64_t pixels() const { return pixels_; }

  /// The scores; reorders the kept errors.
  StereoScore finish() {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const auto valid = static_cast<std::int64_t>(errors_.size());
    const bool any = valid > 0;
    StereoScore score;
    score.pixels = pixels_;
    score.valid_pixels = valid;
    score.invalid = percent(pixels_ - valid);
    score.density = percent(valid);
    for (std::size_t i = 0; i < bad_.size(); ++i) {
      score.bad[i] = percent(bad_[i]);
      score.total_bad[i] = percent(bad_[i] + pixels_ - valid);
      score.quantiles[i] = any ? quantile(StereoScore::quantile_percents[i]) : nothing;
    }
    score.average_error = any ? sum_ / static_cast<double>(valid) : nothing;
    score.rms = any ? std::sqrt(sum_of_squares_ / static_cast<double>(valid)) : nothing;
    score.d1 = percent(d1_);
    score.total_d1 = percent(d1_ + pixels_ - valid);
    return score;
  }

 private:
  double percent(std::int64_t count) const { return 100.0 * static_cast<double>(count) / static_cast<double>(pixels_); }

  /// The error of rank ceil(percent / 100 * count), counted from 1.
  double quantile(int percent_of_pixels) {
    const std::size_t rank = (errors_.size() * static_cast<std::size_t>(percent_of_pixels) + 99) / 100;
    const auto nth = errors_.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(errors_.begin(), nth, errors_.end());
    return static_cast<double>(*nth);
  }

  std::int64_t pixels_ = 0;
  std::array<std::int64_t, 4> bad_{};
  std::int64_t d1_ = 0;
  double sum_ = 0;
  double sum_of_squares_ = 0;
  std::vector<float> errors_;
};

constexpr std::uint8_t measured = 1;  // in the matcher's mask

void check(Size disparity, Size truth, Size mask, bool has_mask, const StereoScoreOptions& options) {
  const auto fail = [](const std::string& message) { throw Error(ErrorCode::invalid_argument, message); };
  const auto text = [](Size size) { return fmt::format("{}x{}", size.width, size.height); };
  if (disparity != truth)
    fail(fmt::format("truth is {} but the disparity map is {}: give maps of the same size", text(truth),
                     text(disparity)));
  if (has_mask && mask != truth)
    fail(fmt::format("mask is {} but the truth is {}: give a mask of the same size", text(mask), text(truth)));
  if (!options.validity.empty() && options.validity.size() != truth)
    fail(fmt::format("validity is {} but the disparity map is {}: give a mask of the same size",
                     text(options.validity.size()), text(truth)));
  if (options.max_disparity && !(*options.max_disparity >= 0 && std::isfinite(*options.max_disparity)))
    fail(fmt::format("max_disparity is {}: give a number of pixels of at least 0", *options.max_disparity));
}

/// The disparity as it is compared.
double prepared(double disparity, const StereoScoreOptions& options) {
  if (options.max_disparity) disparity = std::clamp(disparity, 0.0, *options.max_disparity);
  return options.round ? std::floor(disparity + 0.5) : disparity;
}

}  // namespace

StereoScores score_stereo(ImageView<const float> disparity, ImageView<const float> truth,
                          ImageView<const std::uint8_t> mask, const StereoScoreOptions& options) try {
  const bool has_mask = mask.data() != nullptr;
  check(disparity.size(), truth.size(), mask.size(), has_mask, options);
  Tally all;
  Tally visible;
  Tally seen;  // measured
  const bool has_validity = !options.validity.empty();
  for (int y = 0; y < truth.height(); ++y) {
    for (int x = 0; x < truth.width(); ++x) {
      const auto wanted = static_cast<double>(truth(x, y));
      if (!std::isfinite(wanted)) continue;
      const auto found = static_cast<double>(disparity(x, y));
      const bool scored_twice = has_mask && mask(x, y) == 255;
      const bool is_measured = has_validity && options.validity(x, y) == measured;
      if (!std::isfinite(found)) {
        all.add_invalid();
        if (scored_twice) visible.add_invalid();
        if (is_measured) seen.add_invalid();
        continue;
      }
      const double error = std::abs(prepared(found, options) - wanted);
      all.add(error, wanted);
      if (scored_twice) visible.add(error, wanted);
      if (is_measured) seen.add(error, wanted);
    }
  }
  if (all.pixels() == 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("truth of {}x{} pixels is nowhere known: give a map with finite disparities", truth.width(),
                            truth.height()));
  if (has_mask && visible.pixels() == 0)
    throw Error(ErrorCode::invalid_argument,
                "mask has no pixel of value 255 (visible in both pictures) where the truth is known: give another mask "
                "or none");
  StereoScores scores;
  scores.all = all.finish();
  if (has_mask) scores.non_occluded = visible.finish();
  if (has_validity) scores.measured = seen.finish();
  return scores;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, fmt::format("no memory for the errors of {}x{} pixels: score a smaller map",
                                                    truth.width(), truth.height()));
}

}  // namespace vergence
