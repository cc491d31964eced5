// SPDX-License-Identifier: Apache-2.0
// A mask of visible pixels that is inverted (what it leaves out is what both pictures see), or the other picture's.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
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

/// A row of the truth, as a picture sees it whose columns are smaller by the disparity (`side` -1) or larger (1).
class SeenRow {
 public:
  SeenRow(const float* truth, int width, int side)
      : truth_(truth), width_(width), side_(side), nearest_(static_cast<std::size_t>(width), nothing) {
    for (int x = 0; x < width; ++x)
      if (known(x) && inside(column(x))) {
        float& at = nearest_[static_cast<std::size_t>(column(x))];
        at = std::max(at, truth[x]);
      }
  }
  bool known(int x) const { return std::isfinite(truth_[x]) && std::abs(truth_[x]) < static_cast<float>(width_); }
  /// Of a known pixel: something is before it there, or it lies outside.
  bool hidden(int x) const {
    return !inside(column(x)) || nearest_[static_cast<std::size_t>(column(x))] > truth_[x] + 1;
  }
  /// No pixel is seen at this column, nor at the next ones: slanted surfaces leave single ones out.
  bool is_hole(int x) const {
    const auto empty = [this](int at) {
      return at < 0 || at >= width_ || nearest_[static_cast<std::size_t>(at)] == nothing;
    };
    return empty(x) && (empty(x - 1) || empty(x + 1));
  }

 private:
  static constexpr float nothing = -std::numeric_limits<float>::infinity();
  long column(int x) const { return std::lround(static_cast<float>(x) + static_cast<float>(side_) * truth_[x]); }
  bool inside(long x) const { return x >= 0 && x < width_; }

  const float* truth_;
  int width_, side_;
  std::vector<float> nearest_;
};

/// `side` is -1 where the other picture's columns are smaller, as those of the right picture are, else 1.
void count_row(const float* truth, const std::uint8_t* mask, int width, int side, Counts& counts) {
  const SeenRow other(truth, width, side);
  for (int x = 0; x < width; ++x) {
    const bool kept = mask[x] == visible;
    if (!other.known(x)) {
      counts.unknown_kept += kept;
      continue;
    }
    const bool hidden = other.hidden(x);
    ++(hidden ? counts.hidden : counts.seen);
    (hidden ? counts.hidden_kept : counts.seen_kept) += kept;
  }
}

/// Pixels that a mask leaves out: all, those that are hidden from the other picture, those that would be if the mask
/// were the other picture's, and all of these, whatever the mask says.
struct LeftOut {
  std::int64_t all = 0, own = 0, other = 0, holes = 0;
  void add_row(const float* truth, const std::uint8_t* mask, int width, int side) {
    const SeenRow row(truth, width, side);
    for (int x = 0; x < width; ++x) {
      const bool hole = row.is_hole(x), out = mask[x] != visible;
      holes += hole;
      all += out;
      other += out && hole;
      own += out && row.known(x) && row.hidden(x);
    }
  }
};

void require_one_size(ImageView<const float> truth, ImageView<const std::uint8_t> mask) {
  if (truth.width() != mask.width() || truth.height() != mask.height())
    throw Error(ErrorCode::invalid_argument, "truth and mask differ in size: give maps of one size");
}

}  // namespace

bool inspect_inverted_mask(ImageView<const float> truth, ImageView<const std::uint8_t> mask) {
  require_one_size(truth, mask);
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

bool inspect_mask_of_other_view(ImageView<const float> truth, ImageView<const std::uint8_t> mask) {
  require_one_size(truth, mask);
  LeftOut of_left, of_right;  // should the truth be the left picture's, or the right one's
  for (int y = 0; y < truth.height(); ++y) {
    of_left.add_row(truth.row(y), mask.row(y), truth.width(), -1);
    of_right.add_row(truth.row(y), mask.row(y), truth.width(), 1);
  }
  const std::int64_t own = std::max(of_left.own, of_right.own);
  // Of the built-in scenes, masks of the other picture leave out 88 % and more such pixels, twice as many as own ones.
  const auto tells = [own](const LeftOut& one) {
    return one.other >= enough && 10 * one.other >= 6 * one.all && 10 * one.other >= 6 * one.holes &&
           2 * one.other >= 3 * own;
  };
  return tells(of_left) || tells(of_right);
}

TruthProblem inspect_turned_mask(ImageView<const float> truth, ImageView<const std::uint8_t> mask) {
  require_one_size(truth, mask);
  const int width = truth.width(), height = truth.height();
  std::vector<std::uint8_t> row(static_cast<std::size_t>(width));
  // Pixels that are left out and hidden by the truth; `all` of one that is turned are the same.
  const auto left_out = [&](bool rows, bool columns) {
    LeftOut of_left, of_right;
    for (int y = 0; y < height; ++y) {
      const std::uint8_t* const from = mask.row(rows ? height - 1 - y : y);
      if (columns)
        std::reverse_copy(from, from + width, row.begin());
      else
        std::copy_n(from, width, row.begin());
      of_left.add_row(truth.row(y), row.data(), width, -1);
      of_right.add_row(truth.row(y), row.data(), width, 1);
    }
    return of_left.own > of_right.own ? of_left : of_right;
  };
  const LeftOut as_it_is = left_out(false, false);
  if (as_it_is.all < enough || 10 * as_it_is.own >= 5 * as_it_is.all) return TruthProblem::none;
  TruthProblem found = TruthProblem::none;
  std::int64_t most = std::max(2 * as_it_is.own, (6 * as_it_is.all + 9) / 10);
  for (const auto& [problem, rows, columns] : {std::tuple{TruthProblem::upside_down, true, false},
                                               {TruthProblem::mirrored, false, true},
                                               {TruthProblem::turned, true, true}})
    if (const std::int64_t own = left_out(rows, columns).own; own >= most) most = own + 1, found = problem;
  return found;
}

}  // namespace vergence
