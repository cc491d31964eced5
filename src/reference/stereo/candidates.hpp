// SPDX-License-Identifier: Apache-2.0
// All candidates of a pixel with their costs: what `match` decides from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stereo/plan.hpp"

namespace vergence::reference {

/// What taps compare: pixels after the prefilter, or census words.
struct Scene {
  const StereoPlan& plan;
  /// The picture whose pixels are matched; need not be the plan's own choice, the check matches the other one too.
  View reference = View::left;
  Image<std::uint64_t> left, right;

  const Image<std::uint64_t>& matched() const { return reference == View::left ? left : right; }
  const Image<std::uint64_t>& other() const { return reference == View::left ? right : left; }
};

template <class P>
Scene make_scene(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right);

/// One disparity of one pixel that is considered.
struct Candidate {
  int d = 0;
  std::uint64_t cost = 0;     ///< sum over the window's taps
  std::uint64_t columns = 0;  ///< tap columns, at least 1; the rows are common to all candidates of a pixel
};

/// The considered candidates of a pixel, by rising d; none where the border option leaves the pixel out.
std::vector<Candidate> candidates(const Scene& scene, int x, int y);

/// The cheapest candidate by mean cost per tap, the lowest d of equals (the highest with Tie::highest), if there is
/// any.
std::optional<Candidate> cheapest(const std::vector<Candidate>& candidates, Tie tie);
/// The same of those more than 1 px away from `winner`.
std::optional<Candidate> cheapest_rival(const std::vector<Candidate>& candidates, const Candidate& winner, Tie tie);

}  // namespace vergence::reference
