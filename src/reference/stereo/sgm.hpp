// SPDX-License-Identifier: Apache-2.0
// Semi-global matching before any decision: the costs of all candidates of all pixels, summed over the paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/stereo/plan.hpp"
#include "reference/stereo/scene.hpp"

namespace vergence::reference {

/// A number for each candidate of each pixel of a picture.
class CostVolume {
 public:
  /// Stands where there is no candidate.
  static constexpr std::uint32_t absent = no_cost;

  explicit CostVolume(const StereoPlan& plan)
      : size_(plan.size),
        first_(plan.options.min_disparity),
        count_(plan.options.disparities),
        costs_(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height) *
                   static_cast<std::size_t>(count_),
               absent) {}

  /// The disparity may be any; one that is not in the range is absent.
  std::uint32_t at(int x, int y, int d) const { return in_range(d) ? costs_[index(x, y, d)] : absent; }
  void set(int x, int y, int d, std::uint32_t cost) { costs_[index(x, y, d)] = cost; }
  bool contains(int x, int y) const { return x >= 0 && x < size_.width && y >= 0 && y < size_.height; }

 private:
  bool in_range(int d) const { return d >= first_ && d < first_ + count_; }
  std::size_t index(int x, int y, int d) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) + static_cast<std::size_t>(x)) *
               static_cast<std::size_t>(count_) +
           static_cast<std::size_t>(d - first_);
  }
  Size size_;
  int first_, count_;
  std::vector<std::uint32_t> costs_;
};

/// The sums over all paths of the view `scene.reference`, whose pixels before the prefilter `picture` holds.
template <class P>
CostVolume path_sums(const Scene& scene, ImageView<const P> picture);

}  // namespace vergence::reference
