// SPDX-License-Identifier: Apache-2.0
// Rows of both parities are searched for apart, and as exchanged ones.
#include "inspect/fields.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

namespace vergence::inspect {
namespace {

constexpr int reach = 12;                 // px by which rows may lie apart
constexpr int least_shift = 2;            // px; less is what sub-pixel disparities do
constexpr std::size_t first_points = 16;  // where half of these are as they should be, all are
constexpr int enough_points = 16;
constexpr int agreement = 60;  // percent of the points that say the same shift
// Percent of the points whose rows match better as exchanged ones: 77 and more where they are, 13 at most in good
// pairs.
constexpr int exchange_agreement = 65;
constexpr int least_across = 3 * 16;  // 1/16 grey levels from row to row: less does not tell rows

int row_difference(const std::uint8_t* a, const std::uint8_t* b) {
  int sum = 0;
  for (int x = 0; x < patch_width; ++x) sum += std::abs(a[x] - b[x]);
  return sum;
}

/// The same of every second row of two patches.
int half_difference(Picture a, Point at, Picture b, Point other) {
  int sum = 0;
  for (int y = 0; y < patch_height; y += 2) {
    const std::uint8_t* const p = a.row(at.y + y) + at.x;
    const std::uint8_t* const q = b.row(other.y + y) + other.x;
    for (int x = 0; x < patch_width; ++x) sum += std::abs(p[x] - q[x]);
  }
  return sum;
}

/// How much further right odd rows of the other picture match than even ones, near to where both match.
int shift_of(Picture from, Picture to, const Match& match) {
  std::array<int, 2> least{std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
  std::array<int, 2> best{};
  const int first = std::max(0, match.to.x - reach);
  const int last = std::min(to.width() - patch_width, match.to.x + reach);
  for (int x = first; x <= last; ++x) {
    for (const int down : {0, 1}) {
      const auto parity = static_cast<std::size_t>((match.to.y + down) & 1);
      const int cost = half_difference(from, {match.from.x, match.from.y + down}, to, {x, match.to.y + down});
      if (cost < least[parity]) least[parity] = cost, best[parity] = x;
    }
  }
  return std::clamp(best[1] - best[0], -reach, reach);
}

/// What the points say to one way of exchanging rows: 2k with 2k + 1, or 2k with 2k - 1.
struct Exchange {
  int partner = 0;
  int votes = 0;
  std::int64_t same = 0;    ///< What rows differ as they are,
  std::int64_t turned = 0;  ///< and as exchanged ones,
  std::int64_t lower = 0;   ///< and those of a picture that is a row lower,
  std::int64_t higher = 0;  ///< or higher: half of its rows match as exchanged ones, too.

  void add(Picture from, Picture to, const Match& match) {
    const int top = match.from.y - ((match.from.y + partner) & 1);  // whole pairs alone
    if (top < 1 || top + patch_height + 2 > to.height()) return;
    int as_it_is = std::numeric_limits<int>::max();
    int as_partners = as_it_is, as_lower = as_it_is, as_higher = as_it_is;
    for (int x = std::max(0, match.to.x - 1); x <= std::min(to.width() - patch_width, match.to.x + 1); ++x) {
      const Point even{match.from.x, top};
      const Point odd{match.from.x, top + 1};
      const int a = half_difference(from, even, to, {x, top}) + half_difference(from, odd, to, {x, top + 1});
      const int even_lower = half_difference(from, even, to, {x, top + 1});
      const int odd_higher = half_difference(from, odd, to, {x, top});
      as_it_is = std::min(as_it_is, a);
      as_partners = std::min(as_partners, even_lower + odd_higher);
      as_lower = std::min(as_lower, even_lower + half_difference(from, odd, to, {x, top + 2}));
      as_higher = std::min(as_higher, half_difference(from, even, to, {x, top - 1}) + odd_higher);
    }
    lower += as_lower;
    higher += as_higher;
    same += as_it_is;
    turned += as_partners;
    votes += as_partners < as_it_is ? 1 : 0;
  }
  bool is_so(int points) const {
    return 100 * votes >= exchange_agreement * points && 10 * turned < 9 * same && turned < std::min(lower, higher);
  }
};

using Counts = std::array<int, 2 * reach + 1>;  // of shifts
int count(const Counts& counts, int shift) {
  return std::abs(shift) > reach ? 0 : counts[static_cast<std::size_t>(shift + reach)];
}

/// The shift that most points say within 1 px, and these.
std::pair<int, int> usual_shift(const Counts& counts) {
  std::pair<int, int> best{0, 0};
  for (int shift = -reach; shift <= reach; ++shift) {
    if (std::abs(shift) < least_shift) continue;
    const int near = count(counts, shift - 1) + count(counts, shift) + count(counts, shift + 1);
    if (near > best.second || (near == best.second && count(counts, shift) > count(counts, best.first)))
      best = {shift, near};
  }
  return best;
}

/// How much more neighbouring rows of these patches differ than those two apart, in percent.
int combing(Picture picture, const std::vector<Point>& points) {
  std::int64_t next = 0;
  std::int64_t second = 0;
  for (const Point& point : points)
    for (int y = 0; y + 2 < patch_height; ++y) {
      const auto row = [&](int down) { return picture.row(point.y + y + down) + point.x; };
      next += row_difference(row(0), row(1));
      second += row_difference(row(0), row(2));
    }
  return static_cast<int>(100 * next / std::max<std::int64_t>(second, 1));
}

}  // namespace

void compare_fields(Picture left, Picture right, const std::vector<Match>& matches, bool left_first,
                    PairFindings& findings) {
  const Picture from = left_first ? left : right;
  const Picture to = left_first ? right : left;
  Counts counts{};
  std::array<Exchange, 2> exchanges{Exchange{.partner = 0}, Exchange{.partner = 1}};
  std::vector<Point> here;
  std::vector<Point> there;
  // From all over the picture: some first, the others where these are not as they should be.
  const std::size_t step = std::max<std::size_t>(1, matches.size() / first_points);
  for (std::size_t start = 0; start < step; ++start) {
    for (std::size_t i = start; i < matches.size(); i += step) {
      const Match& match = matches[i];
      if (texture(from, match.from).across_rows < least_across) continue;
      ++counts[static_cast<std::size_t>(shift_of(from, to, match) + reach)];
      for (Exchange& exchange : exchanges) exchange.add(from, to, match);
      here.push_back(match.from);
      there.push_back(match.to);
    }
    const int usual = count(counts, -1) + count(counts, 0) + count(counts, 1);
    if (2 * (usual - std::max(exchanges[0].votes, exchanges[1].votes)) >= static_cast<int>(here.size())) return;
  }
  const int points = static_cast<int>(here.size());
  if (points < enough_points) return;
  const auto [shift, votes] = usual_shift(counts);
  const bool shifted = 100 * votes >= agreement * points;
  const auto exchange =
      std::find_if(exchanges.begin(), exchanges.end(), [points](const Exchange& one) { return one.is_so(points); });
  if (!shifted && exchange == exchanges.end()) return;
  findings.problem = PairProblem::interlaced;
  findings.points = points;
  findings.found = shifted ? votes : exchange->votes;
  findings.field_shift = shifted ? std::abs(shift) : 0;
  findings.in_right = combing(right, left_first ? there : here) > combing(left, left_first ? here : there);
}

}  // namespace vergence::inspect
