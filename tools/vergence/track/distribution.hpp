// SPDX-License-Identifier: Apache-2.0
// How the values of a long run are distributed, in memory that does not grow with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vergence::cli {

/// Counts of values in 1/1024 of a unit, exact below 2^18; with `coarse`, of values without their lowest bits.
class Distribution {
 public:
  explicit Distribution(int coarse = 0) : coarse_(coarse) {}

  void add(std::uint32_t value) {
    constexpr std::size_t most = std::size_t{1} << 18;
    const std::size_t bin = std::min<std::size_t>(value >> coarse_, most - 1);
    if (bin >= counts_.size()) counts_.resize(std::min(most, std::max(bin + 1, 2 * counts_.size())));
    ++counts_[bin];
    ++count_;
    greatest_ = std::max(greatest_, value);
  }
  std::int64_t count() const { return count_; }
  /// The value of rank ceil(share x count), smallest first; NaN of nothing.
  double quantile(double share) const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto rank = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
    std::int64_t below = 0;
    for (std::size_t bin = 0;; ++bin)
      if ((below += counts_[bin]) >= rank) return static_cast<double>(bin << coarse_) / 1024;
  }
  double greatest() const { return count_ == 0 ? std::numeric_limits<double>::quiet_NaN() : greatest_ / 1024.0; }

 private:
  int coarse_;
  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  std::uint32_t greatest_ = 0;
};

}  // namespace vergence::cli
