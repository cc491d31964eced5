// SPDX-License-Identifier: Apache-2.0
// Views that hold a part of each other. Where the left picture is (1 - a) L + a R and the right one (1 - a) R + a L,
// what a match leaves, left(x) - right(x - d), is a / (1 - a) times right(x) - left(x - d), pixel by pixel. In a good
// pair it is noise, which knows nothing of that.
#include "inspect/mixed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace vergence::inspect {
namespace {

constexpr int apart = 4;  // px: nearer to one place the two differences are nearly the same
constexpr std::size_t enough = 16;
// Of what matches leave and what both pictures show at one place, in percent. Good pairs have up to 14; one that holds
// 10 % of the other 23 to 45, 15 % 36 and more.
constexpr int told_correlation = 30;
constexpr int doubtful_correlation = 18;  // of half of the points: fewer tell that sooner
// Where most points match best at 0 px, the other places of far scenes leave as much as both pictures show at one
// place, 79 % and more, of few points with a correlation. Pairs that hold 40 % of each other leave 48 to 67, one that
// holds 45 % leaves 67.
constexpr int place_correlation = 70;
constexpr int told_place_correlation = 85;
constexpr int most_left = 72;
constexpr std::size_t most_places = 80;  // percent of the points
// Every place of the range is looked at for these points. So many tell whether the others are worth that.
constexpr std::size_t first_places = 16;
constexpr std::size_t some_places = 50;  // percent of these
constexpr int doubtful_left = 80;

struct Residue {
  int correlation = 0;  ///< In percent.
  int factor = 0;       ///< What the match leaves, in percent of what both pictures show at one place: by both,
  int left = 0;         ///< and by the squares, which noise adds to.
};

/// Steps of a patch over two pixels, row by row: levels do not count, nor does what changes slowly. The first and last
/// pixel of a row have no neighbours in the patch, and 0.
using Steps = std::array<std::int16_t, patch_width * patch_height>;
Steps steps(Picture picture, Point at) {
  // In a row, for the registers' sake.
  constexpr std::size_t inner = patch_width - 2;
  std::array<std::uint8_t, patch_width * patch_height> before{}, after{};
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = picture.row(at.y + y) + at.x;
    std::memcpy(before.data() + y * patch_width + 1, row, inner);
    std::memcpy(after.data() + y * patch_width + 1, row + 2, inner);
  }
  Steps result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::int16_t>(after[i] - before[i]);
  return result;
}

/// Sums of 112 products of numbers up to 510 fit. Compilers know this form.
int product(const Steps& a, const Steps& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::optional<Residue> residue(Picture reference, Picture other, const Match& match) {
  const Point there{match.to.x, match.from.y};
  Steps of_match = steps(reference, match.from), of_place = steps(other, match.from);
  const Steps own = steps(reference, there), found = steps(other, there);
  for (std::size_t i = 0; i < of_match.size(); ++i) {
    of_match[i] = static_cast<std::int16_t>(of_match[i] - found[i]);
    of_place[i] = static_cast<std::int16_t>(of_place[i] - own[i]);
  }
  const std::int64_t left = product(of_match, of_match), same = product(of_place, of_place);
  const std::int64_t common = product(of_match, of_place);
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

int median_of(const std::vector<Residue>& all, int Residue::*member) {
  std::vector<int> values;
  values.reserve(all.size());
  for (const Residue& one : all) values.push_back(one.*member);
  return median(values);
}

void tell(const std::vector<Residue>& residues, PairFindings& findings) {
  const int factor = median_of(residues, &Residue::factor);
  findings.problem = PairProblem::mixed;
  findings.mixed_points = static_cast<int>(residues.size());
  findings.mixed_correlation = median_of(residues, &Residue::correlation);
  findings.mixed_percent = 100 * factor / (100 + factor);
}

/// What these matches leave; of every second one, where these tell that there is nothing to tell.
std::vector<Residue> residues_of(Picture reference, Picture other, const std::vector<Match>& matches) {
  std::vector<Residue> residues;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
    for (std::size_t i = first; i < matches.size(); i += 2)
      if (const auto found = residue(reference, other, matches[i])) residues.push_back(*found);
    if (residues.size() >= enough && median_of(residues, &Residue::correlation) < doubtful_correlation) break;
  }
  return residues;
}

/// Where nearly all points match at one place: what is left elsewhere in the range, of every `step`-th of them.
std::vector<Residue> residues_elsewhere(Picture reference, Picture other, const std::vector<Point>& points,
                                        std::size_t step, const StereoOptions& options) {
  std::vector<Residue> residues;
  for (std::size_t i = 0; i < points.size(); i += step)
    if (const auto found = residue_elsewhere(reference, other, points[i], options)) residues.push_back(*found);
  return residues;
}

void compare_elsewhere(Picture reference, Picture other, const std::vector<Point>& points, const StereoOptions& options,
                       PairFindings& findings) {
  const std::size_t step = std::max<std::size_t>(points.size() / first_places, 1);
  std::vector<Residue> residues = residues_elsewhere(reference, other, points, step, options);
  if (step > 1) {
    const std::size_t asked = (points.size() + step - 1) / step;
    if (100 * residues.size() < some_places * asked || median_of(residues, &Residue::left) > doubtful_left) return;
    residues = residues_elsewhere(reference, other, points, 1, options);
  }
  if (residues.size() >= enough && 100 * residues.size() >= most_places * points.size() &&
      median_of(residues, &Residue::correlation) >= told_place_correlation &&
      median_of(residues, &Residue::left) <= most_left)
    tell(residues, findings);
}

}  // namespace

void compare_residues(Picture reference, Picture other, const std::vector<Match>& matches, const StereoOptions& options,
                      PairFindings& findings) {
  std::vector<Match> elsewhere;
  std::vector<Point> at_one_place;
  for (const Match& match : matches) {
    if (std::abs(match.from.x - match.to.x) < apart)
      at_one_place.push_back(match.from);
    else
      elsewhere.push_back(match);
  }
  if (const std::vector<Residue> residues = residues_of(reference, other, elsewhere);
      residues.size() >= enough && median_of(residues, &Residue::correlation) >= told_correlation &&
      median_of(residues, &Residue::left) <= most_left)
    return tell(residues, findings);
  if (at_one_place.size() >= enough && at_one_place.size() >= elsewhere.size())
    compare_elsewhere(reference, other, at_one_place, options, findings);
}

}  // namespace vergence::inspect
