// SPDX-License-Identifier: Apache-2.0
// Times of pairs. Where one camera, or its way into a file, lost a frame, all later pairs are of two times.
#include "io/pair_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vergence::io {

bool are_of_other_rates(double left, double right) {
  constexpr double alike = 0.01;
  return left > 0 && right > 0 && std::abs(left - right) > alike * std::max(left, right);
}

void PairTimes::set_rates(double left, double right) { rate_ = are_of_other_rates(left, right) ? 0 : left; }

void PairTimes::take(std::int64_t frame, std::optional<double> left, std::optional<double> right) {
  constexpr double most = 0.75;  // of a frame time; times may be rounded to milliseconds
  constexpr int enough = 2;      // clocks may jitter
  if (!left || !right || rate_ <= 0 || !text_.empty()) return;
  if (!first_) first_ = Times{*left, *right};
  const Times now{*left - first_->left, *right - first_->right};
  apart_ = std::abs(now.left - now.right) * rate_ > most ? apart_ + 1 : 0;
  if (apart_ == 1) apart_from_ = now;
  if (apart_ < enough) return;
  text_ = fmt::format(
      "left and right are of different times from frame {} on: that frame is shown {:.3f} s behind the first one in "
      "left, and {:.3f} s in right: one of them lost frames, and frames are paired by their numbers: give both one "
      "constant rate, as with `ffmpeg -i FILE -vf fps={:.6g} OUT`",
      frame - enough + 1, apart_from_.left, apart_from_.right, rate_);
}

}  // namespace vergence::io
