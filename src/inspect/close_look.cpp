// SPDX-License-Identifier: Apache-2.0
// The closer look at a doubtful pair. Points are found in reduced pictures, in both directions, then refined in the
// pictures themselves.
#include "inspect/close_look.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/reduce.hpp"
#include "inspect/alignment.hpp"
#include "inspect/colours.hpp"
#include "inspect/for_avx2.hpp"

namespace vergence::inspect {
namespace {

constexpr int reduced_side = 320;  // the search takes milliseconds whatever the pictures' size
constexpr int columns = 16;
constexpr int rows = 10;
// Structure in both directions, or the row would be a guess.
constexpr Texture least_texture{.along_rows = 3 * 16, .across_rows = 2 * 16};

// Verdicts, in percent. docs/warnings.md has what the pairs that they were chosen on give.
constexpr int enough_points = 24;
constexpr int doubtful_found = 45;    // of the points; below that the light may be uneven
constexpr int enough_found = 30;      // of the points; below that nothing is known about rows and range
constexpr int off_row = 35;           // of found ones: not rectified. Good pairs have up to 10, 1 degree of rotation 45
constexpr int on_row = 88;            // of found ones: rows are so right that ranges can be told
constexpr int exchanged_share = 65;   // of those in their row at negative disparities
constexpr int outside_share = 4;      // of those in their row outside the range; good ranges leave out 1
constexpr int outside_points = 5;     // at least
constexpr int good_cost = 2;          // times the median of those within: what matches outside the range may differ by
constexpr int even_found = 45;        // of the points, once uneven light is taken off
constexpr int harmful_lift = 8 * 16;  // 1/16 grey levels by which that makes one picture brighter, at some points
constexpr int not_found = 15;         // of the points: no agreement, where fewer are found,
constexpr int no_agreement = 50;      // and of those of the first look fewer agree
// Of those in their row outside the range, where points of the first look match there, too.
constexpr int outside_share_seen = 2, outside_points_seen = 3;

/// The best place within `reach` of `centre`. Another row than `row` must be better by an eighth: where the texture
/// does not tell the row, the point keeps its own.
VERGENCE_FOR_AVX2 Point search(Picture from, Point point, Picture to, Point centre, Size reach, int row) {
  constexpr int here = 7, elsewhere = 8;
  const int left = std::max(centre.x - reach.width, 0), top = std::max(centre.y - reach.height, 0);
  const int right = std::min(centre.x + reach.width, to.width() - patch_width),
            bottom = std::min(centre.y + reach.height, to.height() - patch_height);
  const Patch patch(from, point);
  Point best = centre;
  int least = elsewhere * patch_width * patch_height * 256;
  const auto look_at_row = [&](int y) {
    const int times = y == row ? here : elsewhere;
    for (int x = left; x <= right; ++x)
      if (const int cost = patch.difference_up_to((least - 1) / times, to, {x, y}) * times; cost < least)
        least = cost, best = {x, y};
  };
  // The likely row first, so that few other places need to be looked at as a whole. Of equal ones the first counts.
  if (row >= top && row <= bottom) {
    look_at_row(row);
    ++least;
  }
  for (int y = top; y <= bottom; ++y) look_at_row(y);
  return best;
}

/// Points of the left picture that lead to the right one and back, at full resolution.
std::vector<Match> find_matches(Picture left, Picture right, int& points) {
  int factor = 1;
  while (std::max(left.width(), left.height()) / factor > reduced_side) factor *= 2;
  const Image<std::uint8_t> small_left = reduced(left, factor);
  const Image<std::uint8_t> small_right = reduced(right, factor);
  const Picture a = small_left.view();
  const Picture b = small_right.view();
  const Size reach{std::max(8, a.width() / 3), std::max(4, a.height() / 12)};
  std::vector<Match> matches;
  for (const Point& point : choose_points(a, {0, 0, a.width(), a.height()}, columns, rows, least_texture)) {
    ++points;
    const Point there = search(a, point, b, point, reach, point.y);
    const Point back = search(b, there, a, there, reach, there.y);
    if (std::abs(back.x - point.x) > 1 || std::abs(back.y - point.y) > 1) continue;
    // The middle of the reduced patch, at full resolution.
    const auto middle = [factor](Point p) {
      return Point{p.x * factor + patch_width * (factor - 1) / 2, p.y * factor + patch_height * (factor - 1) / 2};
    };
    const Point from = middle(point);
    matches.push_back({from, search(left, from, right, middle(there), {factor, factor}, from.y)});
  }
  return matches;
}

/// Does a neighbour go the same way? Surfaces are larger than a point, and chance matches are not alike.
bool has_company(const std::vector<Match>& matches, const Match& match, Size size) {
  const Size near{5 * size.width / (2 * columns), 5 * size.height / (2 * rows)};  // 2.5 cells
  const int slack = 2 + size.width / 128;
  return std::any_of(matches.begin(), matches.end(), [&](const Match& other) {
    return &other != &match && std::abs(other.from.x - match.from.x) <= near.width &&
           std::abs(other.from.y - match.from.y) <= near.height &&
           std::abs(other.to.x - other.from.x - match.to.x + match.from.x) <= slack &&
           std::abs(other.to.y - other.from.y - match.to.y + match.from.y) <= 2;
  });
}

/// The value that `percent` of the sorted ones do not exceed.
int rank(const std::vector<int>& sorted, std::size_t percent) {
  return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
}

/// A match in its row.
struct InRow {
  int disparity = 0;
  int cost = 0;  ///< The difference of its patches.
};

/// Beyond a range that is too small lie matches that are as good as those within. What occlusions and leaves are
/// matched with by chance differs by more.
void judge_range(std::vector<InRow> matches, const StereoOptions& options, bool beyond, PairFindings& findings) {
  const int first = options.min_disparity;
  const int last = options.min_disparity + options.disparities - 1;
  std::vector<int> costs;
  for (const InRow& match : matches)
    if (match.disparity >= first - 1 && match.disparity <= last + 1) costs.push_back(match.cost);
  if (std::ssize(costs) >= enough_points) {
    const int most = good_cost * median(costs);
    std::erase_if(matches, [&](const InRow& match) {
      return match.cost > most && (match.disparity < first - 1 || match.disparity > last + 1);
    });
  }
  const auto count = [&](auto test) {
    return static_cast<int>(
        std::count_if(matches.begin(), matches.end(), [&](const InRow& match) { return test(match.disparity); }));
  };
  const int all = static_cast<int>(matches.size());
  const int below = count([&](int d) { return d < first - 1; });
  const int above = count([&](int d) { return d > last + 1; });
  const int negative = count([](int d) { return d < -1; });
  const auto many = [all, beyond](int some) {
    return (some >= outside_points && 100 * some >= outside_share * all) ||
           (beyond && some >= outside_points_seen && 100 * some >= outside_share_seen * all);
  };
  findings.outside = std::max(below, above);
  if (first >= 0 && 100 * negative >= exchanged_share * all) {
    findings.problem = PairProblem::exchanged;
    findings.outside = negative;
  } else if (below >= above && many(below)) {
    findings.problem = PairProblem::range_low;
  } else if (many(above)) {
    findings.problem = PairProblem::range_high;
  }
}

/// What a part that one picture alone shows was matched with is chance.
bool lies_in_part(const Match& match, const PairFindings& findings) {
  const Rect& part = findings.part;
  const Point at = findings.in_right ? match.to : match.from;
  return at.x + patch_width > part.x && at.x < part.x + part.width && at.y + patch_height > part.y &&
         at.y < part.y + part.height;
}

/// Where there is less, a twist rests on points of a few px and is carried on to the corners.
bool has_room_for_rows(Size size) { return size.width >= 112 && size.height >= 84; }

}  // namespace

Levels levels(Picture picture) {
  const std::int64_t pixels = std::int64_t{picture.width()} * picture.height();
  std::array<std::int64_t, 256> counts{};
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) ++counts[picture(x, y)];
  std::int64_t sum = 0;
  for (int value = 0; value < 256; ++value) sum += 16 * value * counts[static_cast<std::size_t>(value)];
  const auto mean = static_cast<int>(sum / pixels);
  std::int64_t away = 0;
  for (int value = 0; value < 256; ++value)
    away += std::abs(16 * value - mean) * counts[static_cast<std::size_t>(value)];
  return {mean, static_cast<int>(away / pixels)};
}

Image<std::uint8_t> with_levels(Picture picture, const Levels& own, const Levels& wanted) {
  std::array<std::uint8_t, 256> table{};
  for (int value = 0; value < 256; ++value) {
    const int moved =
        wanted.mean + (16 * value - own.mean) * std::max(1, wanted.deviation) / std::max(1, own.deviation);
    table[static_cast<std::size_t>(value)] = static_cast<std::uint8_t>(std::clamp((moved + 8) / 16, 0, 255));
  }
  Image<std::uint8_t> changed(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) changed(x, y) = table[picture(x, y)];
  return changed;
}

namespace {

/// What each pixel is above the mean around it: light that changes from one side to the other does not show.
Image<std::uint8_t> flattened(Picture picture) {
  constexpr int share = 24;  // of the longer side: how far around
  const int radius = std::max(4, std::max(picture.width(), picture.height()) / share);
  const int width = picture.width(), height = picture.height();
  std::vector<int> sums(static_cast<std::size_t>(width), 0);
  int count_of_rows = 0;
  const auto add_row = [&](int y, int sign) {
    if (y < 0 || y >= height) return;
    for (int x = 0; x < width; ++x) sums[static_cast<std::size_t>(x)] += sign * picture(x, y);
    count_of_rows += sign;
  };
  for (int y = 0; y < radius; ++y) add_row(y, 1);
  Image<std::uint8_t> result(picture.size());
  for (int y = 0; y < height; ++y) {
    add_row(y + radius, 1);
    add_row(y - radius - 1, -1);
    std::int64_t sum = 0;
    int count = 0;
    const auto add_column = [&](int x, int sign) {
      if (x < 0 || x >= width) return;
      sum += sign * sums[static_cast<std::size_t>(x)];
      count += sign;
    };
    for (int x = 0; x < radius; ++x) add_column(x, 1);
    for (int x = 0; x < width; ++x) {
      add_column(x + radius, 1);
      add_column(x - radius - 1, -1);
      const auto mean = static_cast<int>(sum / (std::int64_t{count} * count_of_rows));
      result(x, y) = static_cast<std::uint8_t>(std::clamp(128 + picture(x, y) - mean, 0, 255));
    }
  }
  return result;
}

/// Where hardly a point is found: are they, once light that changes along the pictures is taken off?
void look_for_uneven_light(Picture left, Picture right, PairFindings& findings) {
  const Image<std::uint8_t> flat_left = flattened(left), flat_right = flattened(right);
  int points = 0;
  const std::vector<Match> matches = find_matches(flat_left.view(), flat_right.view(), points);
  std::vector<int> lifts;
  int same_row = 0;
  for (const Match& match : matches) {
    if (!has_company(matches, match, left.size())) continue;
    const Sight seen = sight(left, match.from, right, right, match.to);
    lifts.push_back(seen.right - seen.left);
    same_row += std::abs(match.to.y - match.from.y) <= 1 ? 1 : 0;
  }
  if (points < enough_points || 100 * std::ssize(lifts) < even_found * std::int64_t{points} ||
      100 * same_row < on_row * static_cast<int>(lifts.size()))
    return;
  std::sort(lifts.begin(), lifts.end());
  const int low = rank(lifts, 10), high = rank(lifts, 90);
  if (std::max(std::abs(low), std::abs(high)) < harmful_lift) return;
  findings.problem = PairProblem::exposure;
  findings.uneven = true;
  findings.found = static_cast<int>(lifts.size());
  findings.lift_low = low;
  findings.lift_high = high;
}

}  // namespace

void look_closely(Picture left, Picture right, const StereoOptions& options, bool by_chance, PairFindings& findings,
                  bool beyond) {
  const Image<std::uint8_t> even = with_levels(right, levels(right), levels(left));
  const std::vector<Match> matches = find_matches(left, even.view(), findings.close_points);
  findings.closely = true;
  std::vector<int> disparities;
  std::vector<int> offsets;
  std::vector<Sight> sights;
  std::vector<Match> company;
  std::vector<InRow> in_row;
  for (const Match& match : matches) {
    if (!has_company(matches, match, left.size()) || lies_in_part(match, findings)) continue;
    company.push_back(match);
    offsets.push_back(match.to.y - match.from.y);
    if (std::abs(offsets.back()) <= 1) {
      disparities.push_back(match.from.x - match.to.x);
      in_row.push_back({disparities.back(), difference(left, match.from, even.view(), match.to)});
    }
    sights.push_back(sight(left, match.from, right, even.view(), match.to));
  }
  compare_brightness(sights, findings);
  compare_rows(sights, left.size(), findings);
  findings.found = static_cast<int>(offsets.size());
  findings.same_row = static_cast<int>(disparities.size());
  std::sort(disparities.begin(), disparities.end());
  std::sort(offsets.begin(), offsets.end());
  if (!offsets.empty()) findings.row_low = rank(offsets, 5), findings.row_high = rank(offsets, 95);
  if (!disparities.empty()) findings.low = rank(disparities, 2), findings.high = rank(disparities, 98);
  if (findings.close_points < enough_points) return;
  if (by_chance && match_by_chance(left, even.view(), company)) {
    findings.problem = PairProblem::no_agreement;
    return;
  }
  compare_colours(left, even.view(), company, findings);
  if (findings.problem != PairProblem::none) return;
  if (100 * findings.found < doubtful_found * findings.close_points && sees_brightness(options)) {
    look_for_uneven_light(left, right, findings);
    if (findings.problem != PairProblem::none) return;
  }
  if (100 * findings.found < enough_found * findings.close_points) {
    if (100 * findings.found < not_found * findings.close_points &&
        100 * findings.agreeing < no_agreement * findings.points)
      findings.problem = PairProblem::no_agreement;
    return;
  }
  if (100 * (findings.found - findings.same_row) >= off_row * findings.found)
    findings.problem = PairProblem::not_rectified;
  else if (100 * findings.same_row >= on_row * findings.found)
    judge_range(std::move(in_row), options, beyond, findings);
  if (findings.problem != PairProblem::none) return;
  if (has_room_for_rows(left.size()) && rows_are_off(findings))
    findings.problem = PairProblem::row_offset;
  else if (sees_brightness(options) && brightness_differs(findings))
    findings.problem = PairProblem::exposure;
}

}  // namespace vergence::inspect
