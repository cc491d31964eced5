// SPDX-License-Identifier: Apache-2.0
// Views that hold a part of each other. Where the left picture is (1 - a) L + a R and the right one (1 - a) R + a L,
// what a match leaves, left(x) - right(x - d), is a / (1 - a) times right(x) - left(x - d), pixel by pixel. In a good
// pair it is noise, which knows nothing of that.
#include "inspect/mixed.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace vergence::inspect {
namespace {

constexpr int apart = 4;  // px: nearer to one place the two differences are nearly the same
constexpr std::size_t enough = 16;
// Of what matches leave and what both pictures show at one place, in percent. Good pairs have up to 14; one that holds
// 10 % of the other 23 to 45, 15 % 36 and more.
constexpr int told_correlation = 30;
// Where most points match best at 0 px, the other places of far scenes leave as much as both pictures show at one
// place, 79 % and more, of few points with a correlation. Of pairs that hold 40 % of each other one leaves 48 to 67, 45
// % 67.
constexpr int place_correlation = 70;
constexpr int told_place_correlation = 85;
constexpr int most_left = 72;
constexpr std::size_t most_places = 80;  // percent of the points

struct Residue {
  int correlation = 0;  ///< In percent.
  int factor = 0;       ///< What the match leaves, in percent of what both pictures show at one place: by both,
  int left = 0;         ///< and by the squares, which noise adds to.
};

/// Levels do not count, nor does what changes slowly.
int step(const std::uint8_t* pixel) { return pixel[1] - pixel[-1]; }

std::optional<Residue> residue(Picture reference, Picture other, const Match& match) {
  std::int64_t left = 0, same = 0, common = 0;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const from = reference.row(match.from.y + y);
    const std::uint8_t* const to = other.row(match.from.y + y);
    for (int x = 1; x + 1 < patch_width; ++x) {
      const int here = match.from.x + x, there = match.to.x + x;
      const int of_match = step(from + here) - step(to + there), of_place = step(to + here) - step(from + there);
      left += of_match * of_match;
      same += of_place * of_place;
      common += of_match * of_place;
    }
  }
  if (left == 0 || same == 0) return std::nullopt;
  // Roots are exact to the last bit everywhere.
  const double root = std::sqrt(static_cast<double>(left) * static_cast<double>(same));
  return Residue{static_cast<int>(100.0 * static_cast<double>(common) / root), static_cast<int>(100 * common / same),
                 static_cast<int>(std::min<std::int64_t>(100 * left / same, 10'000))};
}

/// The place of the range at which a match leaves least of what both pictures show at one place; not near to that.
std::optional<Residue> residue_elsewhere(Picture reference, Picture other, Point from, const StereoOptions& options) {
  const int direction = options.reference == StereoView::left ? -1 : 1;
  std::optional<Residue> best;
  for (int i = 0; i < options.disparities; ++i) {
    const Point to{from.x + direction * (options.min_disparity + i), from.y};
    if (std::abs(to.x - from.x) < apart || to.x < 1 || to.x + patch_width >= other.width()) continue;
    const auto found = residue(reference, other, {from, to});
    if (found && found->correlation >= place_correlation && (!best || found->left < best->left)) best = found;
  }
  return best;
}

int median(const std::vector<Residue>& all, int Residue::*member) {
  std::vector<int> values;
  values.reserve(all.size());
  for (const Residue& one : all) values.push_back(one.*member);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void tell(const std::vector<Residue>& residues, PairFindings& findings) {
  const int factor = median(residues, &Residue::factor);
  findings.problem = PairProblem::mixed;
  findings.mixed_points = static_cast<int>(residues.size());
  findings.mixed_correlation = median(residues, &Residue::correlation);
  findings.mixed_percent = 100 * factor / (100 + factor);
}

}  // namespace

void compare_residues(Picture reference, Picture other, const std::vector<Match>& matches, const StereoOptions& options,
                      PairFindings& findings) {
  std::vector<Residue> residues;
  std::vector<Point> at_one_place;
  for (const Match& match : matches) {
    if (std::abs(match.from.x - match.to.x) < apart)
      at_one_place.push_back(match.from);
    else if (const auto found = residue(reference, other, match))
      residues.push_back(*found);
  }
  if (residues.size() >= enough && median(residues, &Residue::correlation) >= told_correlation &&
      median(residues, &Residue::left) <= most_left)
    return tell(residues, findings);
  if (at_one_place.size() < enough || at_one_place.size() < residues.size()) return;
  residues.clear();
  for (const Point& point : at_one_place)
    if (const auto found = residue_elsewhere(reference, other, point, options)) residues.push_back(*found);
  if (residues.size() >= enough && 100 * residues.size() >= most_places * at_one_place.size() &&
      median(residues, &Residue::correlation) >= told_place_correlation &&
      median(residues, &Residue::left) <= most_left)
    tell(residues, findings);
}

}  // namespace vergence::inspect
