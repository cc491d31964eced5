// SPDX-License-Identifier: Apache-2.0
// Reasons why a match cannot succeed: a first look at few points along rows, a closer look where few of them agree.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "inspect/alignment.hpp"
#include "inspect/blocks.hpp"
#include "inspect/close_look.hpp"
#include "inspect/fields.hpp"
#include "inspect/jitter.hpp"
#include "inspect/mixed.hpp"
#include "inspect/regions.hpp"
#include "inspect/repetition.hpp"
#include "inspect/rows_glance.hpp"
#include "inspect/samples.hpp"
#include "inspect/smooth.hpp"
#include "inspect/stripes.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect::Picture;
using inspect::Point;

constexpr Size least_size{64, 48};  // room for a closer look in the reduced picture

// The first look: 13 x 8 points, so that a good pair's share of agreeing points is known within some 5 %.
constexpr int columns = 13;
constexpr int rows = 8;
// A point shows 3 of 255 grey levels from pixel to pixel: twice the noise of a dim photograph.
constexpr inspect::Texture least_texture{.along_rows = 3 * 16, .across_rows = 0};
constexpr int enough_points = 16;  // fewer say nothing
// Doubts, in percent of the points. A closer look decides; these keep it from good pairs, for it takes milliseconds. Of
// the points of good pairs 74 and more agree. Chance lets 3 of all candidates agree: few candidates need more.
constexpr int doubt_below = 65;    // so few agree
constexpr int doubt_chance = 200;  // divided by the number of candidates, and added to that
constexpr int doubt_rows = 15;     // so many are better matched in a neighbouring row
constexpr int doubt_at_ends = 12;  // so many lie at the range's first or last two candidates

/// One row's candidates for a point. Disparity d of a point in the left picture leads to x - d in the right one.
class RowSearch {
 public:
  RowSearch(Picture from, Picture to, int direction, int first, int last)
      : from_(from), to_(to), direction_(direction), first_(first), last_(last) {}

  static constexpr int no_cost = std::numeric_limits<int>::max();
  struct Found {
    bool any = false;
    int disparity = 0;
    int cost = no_cost;
  };
  static constexpr int no_guess = std::numeric_limits<int>::min();
  /// `costs`, if any, become those of the candidates; what is no rival of the best one may have a part of its cost.
  /// `likely` is a disparity that may be a good one: then few others need to be looked at as a whole. Nothing is found
  /// but below `most_cost`.
  Found find(Point point, int likely, std::vector<int>* costs = nullptr, int most_cost = no_cost) const {
    Found best{.cost = most_cost};
    if (costs != nullptr) costs->clear();
    // Disparities whose patches lie inside the other picture.
    const int end = to_.width() - inspect::patch_width;
    const int low = direction_ < 0 ? std::max(first_, point.x - end) : std::max(first_, -point.x);
    const int high = direction_ < 0 ? std::min(last_, point.x) : std::min(last_, end - point.x);
    const inspect::Patch patch(from_, point);
    const auto at = [&](int d) { return Point{point.x + direction_ * d, point.y}; };
    const auto limit = [costs](int cost) { return costs != nullptr ? inspect::no_rival_above(cost) : cost; };
    const bool known = likely >= low && likely <= high;
    int most = limit(known ? inspect::difference(from_, point, to_, at(likely)) : best.cost);
    for (int d = low; d <= high; ++d) {
      const int cost = patch.difference_up_to(most, to_, at(d));
      if (cost < best.cost) {
        best = {true, d, cost};
        most = std::min(most, limit(cost));
      }
      if (costs != nullptr) costs->push_back(cost);
    }
    return best;
  }

 private:
  Picture from_, to_;
  int direction_, first_, last_;
};

/// The columns of the reference picture whose candidates all lie inside the other one; where that leaves out more than
/// half of the area, the half nearest to them.
Rect sampled_area(Size size, const StereoOptions& options) {
  Rect area = options.roi.value_or(Rect{0, 0, size.width, size.height});
  const int half = area.width / 2;
  const auto clamped = [half](std::int64_t value) {
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, half));
  };
  const std::int64_t last = std::int64_t{options.min_disparity} + options.disparities - 1;
  const bool left = options.reference == StereoView::left;
  const int from_start = clamped((left ? last : -std::int64_t{options.min_disparity}) - area.x);
  const int from_end =
      clamped((left ? -std::int64_t{options.min_disparity} : last) - (size.width - area.x - area.width));
  area.x += from_start;
  area.width -= std::min(area.width, from_start + from_end);
  return area;
}

struct FirstLook {
  int points = 0;
  int agreeing = 0;
  int other_row = 0;  ///< Agreeing ones that fit better in a neighbouring row.
  int at_ends = 0;
  bool beyond = false;  ///< One that does not lead back does so beyond the range.
  int candidates = 1;
  std::vector<inspect::Sight> sights;  ///< Agreeing ones.
  std::vector<inspect::Match> matches;
  std::vector<inspect::Match> all;  ///< Those that do not lead back, too.
  std::vector<int> rivals;          ///< Of points with more than one match: px from the best to the next one.
  int rival_points = 0;             ///< Those of which that is known.
  bool doubtful(Size size, bool sees_brightness) const {
    if (points < enough_points) return false;
    return 100 * agreeing < std::min(doubt_below + doubt_chance / candidates, 95) * points ||
           100 * other_row > doubt_rows * points || 100 * at_ends > doubt_at_ends * points || beyond ||
           inspect::looks_misaligned(sights, size) || (sees_brightness && inspect::looks_brighter(sights));
  }
};

bool fits_better_in_other_row(Picture from, Picture to, Point point, Point match, int cost) {
  const inspect::Patch patch(from, point);
  for (const int dy : {-2, -1, 1, 2})
    for (int dx = -1; dx <= 1; ++dx) {
      const Point there{match.x + dx, match.y + dy};
      // By a quarter: noise and the sub-pixel part of the disparity move it by less.
      if (inspect::inside(to, there) && 4 * patch.difference_up_to(3 * cost / 4, to, there) < 3 * cost) return true;
    }
  return false;
}

/// Of every second point, rivals are looked for with the match, which takes all its costs. Where some of these have
/// one, of the others, too.
constexpr int some_rivals = 12;  // percent; good pairs have up to 8, those that are told 30 and more

void look_for_more_rivals(const RowSearch& search, const std::vector<Point>& points, FirstLook& first) {
  const auto looked_at = static_cast<int>((points.size() + 1) / 2);
  first.rival_points = looked_at;
  if (100 * static_cast<int>(first.rivals.size()) < some_rivals * looked_at) return;
  std::vector<int> costs;
  for (std::size_t i = 1; i < points.size(); i += 2) {
    const RowSearch::Found found = search.find(points[i], RowSearch::no_guess, &costs);
    if (const int rival = found.any ? inspect::nearest_rival(costs) : 0; rival > 0) first.rivals.push_back(rival);
  }
  first.rival_points = static_cast<int>(points.size());
}

/// A point whose best match within the range, at this cost, does not lead back.
struct Stray {
  Point point;
  int cost = 0;
};

/// Do patches beside a point match there, too, and far better than within the range? Chance has hardly any company. At
/// negative disparities, which parallel cameras do not give, two have to.
bool has_company_beyond(const RowSearch& within, Picture reference, Picture other, Point point, int disparity,
                        int direction) {
  constexpr int slack = 1;  // px
  const int enough = disparity < 0 ? 2 : 1;
  const Point match{point.x + direction * disparity, point.y};
  int company = 0;
  for (const int down : {-inspect::patch_height, 0, inspect::patch_height})
    for (const int right : {-inspect::patch_width, 0, inspect::patch_width}) {
      const Point beside{point.x + right, point.y + down}, there{match.x + right, match.y + down};
      if ((right == 0 && down == 0) || !inspect::inside(reference, beside) || !inspect::inside(other, there)) continue;
      if (inspect::texture(reference, beside).along_rows < least_texture.along_rows) continue;
      int cost = std::numeric_limits<int>::max();
      for (int dx = -slack; dx <= slack; ++dx)
        if (const Point at{there.x + dx, there.y}; inspect::inside(other, at))
          cost = std::min(cost, inspect::difference(reference, beside, other, at));
      company += within.find(beside, RowSearch::no_guess, nullptr, 2 * cost).any ? 0 : 1;
    }
  return company >= enough;
}

/// Does one of them match far better beyond the range, as what lies beside it does, and lead back from there?
bool lies_beyond(Picture reference, Picture other, const std::vector<Stray>& strays, const StereoOptions& options) {
  constexpr int beside = 2, least_reach = 64;
  const int direction = options.reference == StereoView::left ? -1 : 1;
  const int reach = std::min(reference.width() / 2, std::max(least_reach, options.disparities));
  const int first = options.min_disparity, last = first + options.disparities - 1;
  const RowSearch within(reference, other, direction, first, last);
  const auto leads_back = [&](const Stray& stray, int from, int to) {
    const RowSearch there(reference, other, direction, from, to);
    const RowSearch::Found found = there.find(stray.point, RowSearch::no_guess, nullptr, stray.cost / 2 + 1);
    if (!found.any) return false;
    const RowSearch back(other, reference, -direction, from, to);
    const Point match{stray.point.x + direction * found.disparity, stray.point.y};
    return std::abs(back.find(match, found.disparity).disparity - found.disparity) <= 1 &&
           has_company_beyond(within, reference, other, stray.point, found.disparity, direction);
  };
  return std::any_of(strays.begin(), strays.end(), [&](const Stray& stray) {
    return leads_back(stray, last + beside, last + reach) || leads_back(stray, first - reach, first - beside);
  });
}

FirstLook look(Picture reference, Picture other, const StereoOptions& options) {
  const int first = options.min_disparity;
  const int last = options.min_disparity + options.disparities - 1;
  const int direction = options.reference == StereoView::left ? -1 : 1;
  const RowSearch there(reference, other, direction, first, last);
  const RowSearch back(other, reference, -direction, first, last);
  FirstLook result;
  result.candidates = options.disparities;
  std::vector<int> costs;
  int before = first;
  std::vector<Stray> strays;
  const std::vector<Point> points =
      inspect::choose_points(reference, sampled_area(reference.size(), options), columns, rows, least_texture);
  for (const Point& point : points) {
    const bool looks_for_rival = result.points++ % 2 == 0;
    const RowSearch::Found found = there.find(point, before, looks_for_rival ? &costs : nullptr);
    if (!found.any) continue;
    before = found.disparity;
    if (options.disparities >= 8 && (found.disparity <= first + 1 || found.disparity >= last - 1)) ++result.at_ends;
    const Point match{point.x + direction * found.disparity, point.y};
    result.all.push_back({point, match});
    if (const int rival = looks_for_rival ? inspect::nearest_rival(costs) : 0; rival > 0)
      result.rivals.push_back(rival);
    const int way_back = back.find(match, found.disparity).disparity;
    if (std::abs(way_back - found.disparity) > 1) {
      strays.push_back({point, found.cost});
      continue;
    }
    ++result.agreeing;
    result.sights.push_back(inspect::sight(reference, point, other, other, match));
    result.matches.push_back({point, match});
    // Of every second one, which counts for both.
    if (result.agreeing % 2 == 1 && fits_better_in_other_row(reference, other, point, match, found.cost))
      result.other_row += 2;
  }
  look_for_more_rivals(there, points, result);
  result.beyond = lies_beyond(reference, other, strays, options);
  return result;
}

/// Is there a rectangle of sampled cells whose points do not lead back, or that have texture in the other picture
/// alone?
bool lacks_a_part(Picture reference, Picture other, const FirstLook& first, StereoOptions options) {
  constexpr int doubtful = 8;  // four cells that say so
  constexpr int missing = 2;
  constexpr int other_alone = 1;  // depth moves texture from one cell to the next
  constexpr int agreeing = -4;
  const auto cell_of = [](Point point, const Rect& area) {
    const int width = area.width - inspect::patch_width + 1;
    const int height = area.height - inspect::patch_height + 1;
    const int row = static_cast<int>(std::int64_t{point.y - area.y} * rows / height);
    return static_cast<std::size_t>(row * columns + std::int64_t{point.x - area.x} * columns / width);
  };
  std::vector<int> values(std::size_t{rows} * columns, 0);
  const Rect here = sampled_area(reference.size(), options);
  options.reference = options.reference == StereoView::left ? StereoView::right : StereoView::left;
  const Rect there = sampled_area(reference.size(), options);
  for (const inspect::Match& match : first.all) values[cell_of(match.from, here)] = missing;
  for (const inspect::Match& match : first.matches) values[cell_of(match.from, here)] = agreeing;
  for (std::size_t cell = 0; cell < values.size(); ++cell)
    if (values[cell] == 0 && inspect::is_textured_cell(other, there, columns, rows, least_texture, cell))
      values[cell] = other_alone;
  return inspect::best_block(values, columns).score >= doubtful;
}

/// Cells that are searched for along rows are missing where rows are off or pictures exchanged, too. Then these come
/// first.
void prefer_rows(Picture left, Picture right, const StereoOptions& options, bool by_chance, PairFindings& findings) {
  PairFindings closer = findings;
  closer.problem = PairProblem::none;
  inspect::look_closely(left, right, options, by_chance, closer);
  // Less than that may come from a cover.
  if (closer.problem == PairProblem::not_rectified || closer.problem == PairProblem::exchanged) findings = closer;
}

/// Is the texture of one picture coarser than that of the same points in the other one? `a` is the left picture.
void compare_sharpness(Picture a, Picture b, const FirstLook& first, bool left_first, PairFindings& findings) {
  constexpr std::size_t enough_matches = 24;
  constexpr int harmful = 85;  // percent; good pairs have 92 and more, of sharp photographs blur of 0.6 px gives 80
  if (first.matches.size() < enough_matches) return;
  inspect::Sharpness left, right;
  const std::size_t step = first.matches.size() < 2 * enough_matches ? 1 : 2;
  for (std::size_t i = 0; i < first.matches.size(); i += step) {
    const inspect::Match& match = first.matches[i];
    left.add(a, left_first ? match.from : match.to);
    right.add(b, left_first ? match.to : match.from);
  }
  const std::int64_t here = left.fine * right.coarse, there = right.fine * left.coarse;
  if (here == 0 || there == 0) return;
  findings.sharpness_percent = static_cast<int>(std::min<std::int64_t>((100 * there + here / 2) / here, 10'000));
  if (100 * there < harmful * here || 100 * here < harmful * there) findings.problem = PairProblem::sharpness;
}

/// A picture without texture beside one that has several times its contrast is too dark, or has another depth.
void compare_contrast(Picture left, Picture right, PairFindings& findings) {
  constexpr int factor = 4;
  const std::int64_t a = std::max(inspect::levels(left).deviation, 1);
  const std::int64_t b = std::max(inspect::levels(right).deviation, 1);
  if (std::max(a, b) < factor * std::min(a, b)) return;
  findings.problem = PairProblem::exposure;
  findings.gain_percent = static_cast<int>((100 * b + a / 2) / a);
}

bool equal(Picture a, Picture b) {
  for (int y = 0; y < a.height(); ++y)
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width())) != 0) return false;
  return true;
}

/// Is one picture of it flat? Then equal pictures are no wonder.
bool shows_something(Picture picture) { return !inspect_picture(picture).flat; }

PairFindings inspect_bytes(Picture left, Picture right, const StereoOptions& options) {
  PairFindings findings;
  if (!shows_something(left) || !shows_something(right)) return findings;
  if (equal(left, right)) {
    findings.problem = PairProblem::same_picture;
    return findings;
  }
  if (inspect::almost_equal(left, right)) {
    findings.problem = PairProblem::same_picture;
    return findings;
  }
  const Size size = left.size();
  if (size.width < least_size.width || size.height < least_size.height) return findings;
  // What no pair of this size can have; the closer look must not count with it.
  if (options.min_disparity > size.width || std::int64_t{options.min_disparity} + options.disparities < -size.width)
    return findings;
  const bool left_first = options.reference == StereoView::left;
  const Picture reference = left_first ? left : right, other = left_first ? right : left;
  const FirstLook first = look(reference, other, options);
  findings.points = first.points;
  findings.agreeing = first.agreeing;
  findings.rows_within = inspect::rows_within(first.sights, size);
  inspect::compare_blocks(left, right, findings);
  if (findings.problem == PairProblem::none) inspect::compare_columns(left, right, findings);
  if (findings.problem == PairProblem::none) inspect::compare_smoothness(left, right, findings);
  if (findings.problem != PairProblem::none) return findings;
  inspect::compare_fields(left, right, first.all, left_first, findings);
  if (findings.problem == PairProblem::none)
    inspect::compare_residues(reference, other, first.matches, options, findings);
  if (findings.problem == PairProblem::none && lacks_a_part(reference, other, first, options))
    inspect::compare_regions(left, right, findings);
  const auto by_chance = [&] { return inspect::match_by_chance(reference, other, first.matches); };
  if (findings.problem == PairProblem::covered) prefer_rows(left, right, options, by_chance(), findings);
  if (findings.problem != PairProblem::none) return findings;
  if (first.doubtful(size, inspect::sees_brightness(options)))
    inspect::look_closely(left, right, options, by_chance(), findings, first.beyond);
  // What is off in all rows alike is told by the closer look, and chance matches in single rows, too.
  if (findings.problem == PairProblem::none || findings.problem == PairProblem::exposure)
    inspect::compare_jitter(reference, other, first.all, findings);
  // Of points with several matches few lead back, and those beyond the range are as good.
  constexpr std::array may_repeat{PairProblem::none, PairProblem::no_agreement, PairProblem::range_low,
                                  PairProblem::range_high};
  if (std::find(may_repeat.begin(), may_repeat.end(), findings.problem) != may_repeat.end())
    inspect::judge_rivals(first.rival_points, first.rivals, findings);
  const bool few = first.points < enough_points || (findings.closely && findings.close_points < enough_points);
  if (few && findings.problem == PairProblem::none && inspect::sees_brightness(options))
    compare_contrast(left, right, findings);
  if (findings.problem == PairProblem::none) inspect::find_blocks_of_one(left, right, findings);
  if (findings.problem == PairProblem::none) compare_sharpness(left, right, first, left_first, findings);
  if (findings.problem == PairProblem::none) inspect::find_blur(left, right, findings);
  return findings;
}

template <class Pixel>
PairFindings inspect_any(ImageView<const Pixel> left, ImageView<const Pixel> right, const StereoOptions& options) {
  if (left.size() != right.size() || left.empty())
    throw Error(ErrorCode::invalid_argument, fmt::format("left is {}x{} and right {}x{}: give pictures of one size",
                                                         left.width(), left.height(), right.width(), right.height()));
  // Of the bits that are in use, so that 8 bits in 16 are not black.
  const int most = std::min(options.max_value, inspect::highest(right, inspect::highest(left, 255)));
  const inspect::Bytes a(left, most);
  const inspect::Bytes b(right, most);
  return inspect_bytes(a.view(), b.view(), options);
}

}  // namespace

PairFindings inspect_pair(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                          const StereoOptions& options) {
  return inspect_any(left, right, options);
}
PairFindings inspect_pair(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                          const StereoOptions& options) {
  return inspect_any(left, right, options);
}

}  // namespace vergence
