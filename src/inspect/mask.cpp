// SPDX-License-Identifier: Apache-2.0
// A mask of visible pixels that is inverted: what it leaves out is what both pictures see.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr std::int64_t enough = 100;  // pixels; fewer say nothing
constexpr std::uint8_t visible = 255;

struct Counts {
  std::int64_t hidden = 0, hidden_kept = 0;  ///< Pixels of which the truth says that something is before them.
  std::int64_t seen = 0, seen_kept = 0;      ///< The others that have a truth.
  std::int64_t unknown_kept = 0;
};

/// `side` is -1 where the other picture's columns are smaller, as those of the right picture are, else 1.
void count_row(const float* truth, const std::uint8_t* mask, int width, int side, Counts& counts) {
  constexpr float nothing = -std::numeric_limits<float>::infinity();
  std::vector<float> nearest(static_cast<std::size_t>(width), nothing);
  const auto column = [&](int x) { return std::lround(static_cast<float>(x) + static_cast<float>(side) * truth[x]); };
  const auto inside = [width](long x) { return x >= 0 && x < width; };
  const auto known = [truth, width](int x) {
    return std::isfinite(truth[x]) && std::abs(truth[x]) < static_cast<float>(width);
  };
  for (int x = 0; x < width; ++x)
    if (known(x) && inside(column(x))) {
      float& at = nearest[static_cast<std::size_t>(column(x))];
      at = std::max(at, truth[x]);
    }
  for (int x = 0; x < width; ++x) {
    const bool kept = mask[x] == visible;
    if (!known(x)) {
      counts.unknown_kept += kept;
      continue;
    }
    const bool hidden = !inside(column(x)) || nearest[static_cast<std::size_t>(column(x))] > truth[x] + 1;
    ++(hidden ? counts.hidden : counts.seen);
    (hidden ? counts.hidden_kept : counts.seen_kept) += kept;
  }
}

}  // namespace

bool inspect_inverted_mask(ImageView<const float> truth, ImageView<const std::uint8_t> mask) {
  if (truth.width() != mask.width() || truth.height() != mask.height())
    throw Error(ErrorCode::invalid_argument, "truth and mask differ in size: give maps of one size");
  for (const int side : {-1, 1}) {
    Counts counts;
    for (int y = 0; y < truth.height(); ++y) count_row(truth.row(y), mask.row(y), truth.width(), side, counts);
    const std::int64_t kept = counts.hidden_kept + counts.seen_kept, known = counts.hidden + counts.seen;
    // It keeps what is hidden, and hardly anything else.
    if (counts.hidden >= enough && 2 * counts.hidden_kept > counts.hidden && 2 * counts.hidden_kept > kept &&
        5 * counts.seen_kept < counts.seen)
      return true;
    // It keeps pixels without a truth alone, of a truth that has most pixels.
    const std::int64_t unknown = std::int64_t{truth.width()} * truth.height() - known;
    if (known > unknown && unknown >= enough && 100 * kept < known && 2 * counts.unknown_kept > unknown) return true;
  }
  return false;
}

}  // namespace vergence
