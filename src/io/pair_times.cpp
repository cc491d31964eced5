// SPDX-License-Identifier: Apache-2.0
// Times of pairs. Where one camera, or its way into a file, lost a frame, all later pairs are of two times.
#include "io/pair_times.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vergence::io {

void PairTimes::take(std::int64_t frame, std::optional<double> left, std::optional<double> right, double rate) {
  constexpr double most = 0.75;  // of a frame time; times may be rounded to milliseconds
  constexpr int enough = 2;      // clocks may jitter
  if (!left || !right || rate <= 0 || !text_.empty()) return;
  if (!first_) first_ = Times{*left, *right};
  const Times now{*left - first_->left, *right - first_->right};
  apart_ = std::abs(now.left - now.right) * rate > most ? apart_ + 1 : 0;
  if (apart_ == 1) apart_from_ = now;
  if (apart_ < enough) return;
  text_ = fmt::format(
      "left and right are of different times from frame {} on: that frame is shown {:.3f} s behind the first one in "
      "left, and {:.3f} s in right: one of them lost frames, and frames are paired by their numbers: give both one "
      "constant rate, as with `ffmpeg -i FILE -vf fps={:.6g} OUT`",
      frame - enough + 1, apart_from_.left, apart_from_.right, rate);
}

}  // namespace vergence::io
