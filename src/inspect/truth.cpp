// SPDX-License-Identifier: Apache-2.0
// A map that was scored against the truth of something else.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "inspect/moved.hpp"
#include "inspect/truth_edges.hpp"
#include "inspect/truth_line.hpp"
#include "inspect/truth_parts.hpp"
#include "inspect/truth_seams.hpp"
#include "inspect/truth_shape.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int sample_side = 256;      // pixels looked at along each side, at most
constexpr std::int64_t enough = 100;  // known pixels; fewer say nothing
constexpr std::int64_t enough_for_unit = 20;
constexpr std::int64_t many = 2000;   // with fewer all known pixels are looked at,
constexpr std::int64_t most = 65536;  // or so many of them
constexpr std::int64_t enough_farther = 25;
constexpr double near = 1.0;  // px: what counts as close to the truth
// Percent of the pixels that are close.
constexpr double few = 20;   // a map of this truth has more, however bad
constexpr double half = 50;  // after the truth was divided by the factor of the medians
constexpr double told = 60;  // in the other view, of the pixels where it matters; good maps have up to 55,
constexpr double told_farther =
    30;                          // of those where the other view is farther; good maps have up to 23, others from 33
constexpr double opposite = 80;  // of pairs of pixels, those that are ordered the other way round
constexpr double gain = 2;       // and so many times as many as in their own; good maps up to 1.3, others from 2.6
constexpr double turned_gain = 1.5;  // the same against the truth upside down or mirrored, of all pixels
constexpr double chance_gain =
    1.15;                       // over chance, of maps of which few are close; another scene's truth has up to 1.2
constexpr double apart = 2;     // px between both truths where it matters
constexpr double factor = 1.5;  // of the medians
constexpr double left_by_bands =
    0.45;  // of the wrong pixels, where bands of rows are moved; else a part may be another scene's
constexpr double halves_below = 90;  // a map of which more is close fits both halves

struct Sample {
  double map = 0;
  double truth = 0;
};

/// truth_at(x, y) is the truth of the map's pixel.
template <class TruthAt>
std::vector<Sample> take_samples(ImageView<const float> map, TruthAt truth_at) {
  const int step_x = (map.width() + sample_side - 1) / sample_side;
  const int step_y = (map.height() + sample_side - 1) / sample_side;
  std::vector<Sample> samples;
  const auto take = [&](int x, int y) {
    if (std::isfinite(map(x, y)) && std::isfinite(truth_at(x, y)))
      samples.push_back({static_cast<double>(map(x, y)), static_cast<double>(truth_at(x, y))});
  };
  for (int y = step_y / 2; y < map.height(); y += step_y)
    for (int x = step_x / 2; x < map.width(); x += step_x) take(x, y);
  if (std::ssize(samples) >= many) return samples;
  // A truth of few pixels, or one that is known on a grid of its own.
  samples.clear();
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) take(x, y);
  if (std::ssize(samples) <= most) return samples;
  const auto step = static_cast<std::size_t>((std::ssize(samples) + most - 1) / most);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); i += step) samples[kept++] = samples[i];
  samples.resize(kept);
  return samples;
}

double rank(std::vector<double> values, std::size_t percent) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

template <class Member>
std::vector<double> all(const std::vector<Sample>& samples, Member member) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Sample& sample : samples) values.push_back(sample.*member);
  return values;
}

/// Percent of the samples whose map is within 1 px of the truth, the latter divided by `divisor` (where that is above
/// 1, the map must be within 5 % if that is more: small factors cannot be told from the medians exactly).
double close_share(const std::vector<Sample>& samples, double divisor, double least = near) {
  const auto close = [divisor, least](const Sample& sample) {
    const double wanted = sample.truth / divisor;
    return std::abs(sample.map - wanted) <= (divisor == 1 ? near : std::max(least, 0.05 * std::abs(wanted)));
  };
  return 100.0 * static_cast<double>(std::count_if(samples.begin(), samples.end(), close)) /
         static_cast<double>(samples.size());
}

/// The same of the truth less `offset`.
double shifted_share(const std::vector<Sample>& samples, double offset) {
  const auto close = [offset](const Sample& sample) { return std::abs(sample.map - sample.truth + offset) <= near; };
  return 100.0 * static_cast<double>(std::count_if(samples.begin(), samples.end(), close)) /
         static_cast<double>(samples.size());
}

/// Percent of the samples where map times truth is within 5 % of what it is in the median.
double inverse_share(const std::vector<Sample>& samples) {
  std::vector<double> products;
  products.reserve(samples.size());
  for (const Sample& sample : samples) products.push_back(sample.map * sample.truth);
  const double middle = rank(products, 50);
  if (middle <= 0) return 0;
  const auto close = [middle](double product) { return std::abs(product - middle) <= 0.05 * middle; };
  return 100.0 * static_cast<double>(std::count_if(products.begin(), products.end(), close)) /
         static_cast<double>(samples.size());
}

/// Of pairs of samples that are a tenth apart in both, the percentage of which one is larger where the other is
/// smaller.
double opposite_share(const std::vector<Sample>& samples) {
  constexpr double least = 1.1;
  std::int64_t pairs = 0, turned = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample &a = samples[i], &b = samples[i * 7919 % samples.size()];  // a prime: anywhere else
    if (std::min({a.map, b.map, a.truth, b.truth}) <= 0) continue;
    const double map = a.map / b.map, truth = a.truth / b.truth;
    if (std::max(map, 1 / map) < least || std::max(truth, 1 / truth) < least) continue;
    ++pairs;
    turned += (map > 1) != (truth > 1) ? 1 : 0;
  }
  return pairs < enough / 2 ? 0 : 100.0 * static_cast<double>(turned) / static_cast<double>(pairs);
}

double offset_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Sample& sample : samples) values.push_back(sample.truth - sample.map);
  return rank(std::move(values), 50);
}

/// As close_share, against the truth with its rows, its columns or both in reverse order.
double turned_share(ImageView<const float> map, ImageView<const float> truth, TruthProblem problem) {
  const bool rows = problem != TruthProblem::mirrored, columns = problem != TruthProblem::upside_down;
  const std::vector<Sample> samples = take_samples(
      map, [&](int x, int y) { return truth(columns ? truth.width() - 1 - x : x, rows ? truth.height() - 1 - y : y); });
  return std::ssize(samples) < enough ? 0 : close_share(samples, 1);
}

void judge_turned(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  for (const TruthProblem problem : {TruthProblem::upside_down, TruthProblem::mirrored, TruthProblem::turned}) {
    const double share = turned_share(map, truth, problem);
    if (share < told || share < turned_gain * findings.close || share <= findings.close_turned) continue;
    findings.close_turned = share;
    findings.problem = problem;
  }
}

/// How the map fares at some of the pixels where the truths as both pictures see them are apart: at edges of depth.
struct Votes {
  std::int64_t pixels = 0;
  std::int64_t own = 0;    ///< Close to the truth as it is,
  std::int64_t other = 0;  ///< and to the truth moved to the other picture.

  void add(float value, float truth, float moved) {
    ++pixels;
    own += std::abs(value - truth) <= static_cast<float>(near) ? 1 : 0;
    other += std::abs(value - moved) <= static_cast<float>(near) ? 1 : 0;
  }
  double percent(std::int64_t some) const { return 100.0 * static_cast<double>(some) / static_cast<double>(pixels); }
};

/// Near an edge, windows give the far side the near side's disparity, as the other picture's truth may do. Where that
/// truth is the farther one, nothing else explains a map that is close to it.
struct EdgeVotes {
  Votes everywhere;  ///< Of all pixels that are known.
  Votes all;
  Votes farther;
};

/// A row of the truth as the other picture sees it: the truth's pixel x is seen at x + direction * d there. Where
/// several pixels lead to one, the nearest surface is seen.
class MovedRow {
 public:
  MovedRow(const float* truth, int width, int direction, float nearest)
      : direction_(direction),
        reach_(static_cast<int>(std::lround(std::clamp(nearest, 0.0f, static_cast<float>(width))))),
        moved_(static_cast<std::size_t>(width), -INFINITY),
        unknown_(static_cast<std::size_t>(width) + 1) {
    for (int x = 0; x < width; ++x) {
      const float d = truth[x];
      const bool known = std::isfinite(d) && std::abs(d) < static_cast<float>(width);
      unknown_[index(x) + 1] = unknown_[index(x)] + (known ? 0 : 1);
      const int there = known ? x + direction * static_cast<int>(std::lround(d)) : -1;
      if (there >= 0 && there < width) moved_[index(there)] = std::max(moved_[index(there)], d);
    }
  }
  /// Not finite where it is not known: a pixel of unknown disparity might be seen before what was found.
  float at(int x) const {
    const float d = moved_[index(x)];
    if (!std::isfinite(d)) return d;
    const int width = static_cast<int>(moved_.size());
    const int from = x - direction_ * static_cast<int>(std::lround(d));
    const int end = std::clamp(x - direction_ * reach_, 0, width - 1);
    const int unknown = unknown_[index(std::max(from, end)) + 1] - unknown_[index(std::min(from, end))];
    return unknown > 0 ? -INFINITY : d;
  }

 private:
  static std::size_t index(int x) { return static_cast<std::size_t>(x); }
  int direction_;
  int reach_;  ///< The largest disparity there is.
  std::vector<float> moved_;
  std::vector<int> unknown_;  ///< Pixels of unknown disparity before each column.
};

EdgeVotes take_votes(ImageView<const float> map, ImageView<const float> truth, int direction, float nearest) {
  EdgeVotes votes;
  const int step = (map.height() + sample_side - 1) / sample_side;
  for (int y = step / 2; y < map.height(); y += step) {
    const MovedRow moved(truth.row(y), map.width(), direction, nearest);
    for (int x = 0; x < map.width(); ++x) {
      const float other = moved.at(x);
      if (!std::isfinite(other) || !std::isfinite(truth(x, y)) || !std::isfinite(map(x, y))) continue;
      votes.everywhere.add(map(x, y), truth(x, y), other);
      if (std::abs(other - truth(x, y)) <= static_cast<float>(apart)) continue;
      votes.all.add(map(x, y), truth(x, y), other);
      if (other < truth(x, y)) votes.farther.add(map(x, y), truth(x, y), other);
    }
  }
  return votes;
}

bool is_of_other_view(const EdgeVotes& votes, TruthFindings& findings) {
  if (votes.all.pixels < enough || votes.farther.pixels < enough_farther) return false;
  const double own = votes.all.percent(votes.all.own);
  const double other = votes.all.percent(votes.all.other);
  if (other < told || other < gain * own || votes.farther.percent(votes.farther.other) < told_farther) return false;
  findings.close = own;
  findings.close_in_other = other;
  findings.problem = TruthProblem::other_view;
  return true;
}

/// Does the map fit a truth beside it better than that of the other picture? An edge that is moved along rows by about
/// the disparity looks like one of the other picture.
void prefer_move(ImageView<const float> map, ImageView<const float> truth, const EdgeVotes& votes, float nearest,
                 TruthFindings& findings) {
  TruthFindings moved = findings;
  moved.problem = TruthProblem::none;
  inspect::find_move(map, truth, moved);
  if (moved.problem == TruthProblem::none) return;
  const int x = std::abs(moved.moved_x);
  if (x > 12 && std::abs(static_cast<float>(x) - nearest) <= 2) return;  // as edges of what is near do
  if (moved.wrong_moved < 0.8 * (100 - votes.everywhere.percent(votes.everywhere.other))) findings = moved;
}

/// Is the product of both what does not change?
bool is_depth(const std::vector<Sample>& samples, TruthFindings& findings) {
  const std::vector<double> map = all(samples, &Sample::map);
  const bool differ_much = rank(map, 10) > 0 && rank(map, 90) > 1.25 * rank(map, 10);
  findings.close_inverse = inverse_share(samples);
  return differ_much && findings.close_inverse >= half &&
         findings.close_inverse > close_share(samples, findings.truth_median / findings.map_median, 0) &&
         findings.close_inverse > findings.close_shifted;
}

/// Some other sample than the i-th: a prime apart.
std::size_t another(std::size_t i, std::size_t count) { return (i * 7919 + 1) % count; }

/// Is the sum of both what does not change?
bool is_inverted(const std::vector<Sample>& samples, TruthFindings& findings) {
  std::vector<double> sums;
  sums.reserve(samples.size());
  for (const Sample& sample : samples) sums.push_back(sample.map + sample.truth);
  findings.sum = rank(sums, 50);
  const auto close = [&findings](double sum) { return std::abs(sum - findings.sum) <= near; };
  findings.close_inverted =
      100.0 * static_cast<double>(std::count_if(sums.begin(), sums.end(), close)) / static_cast<double>(sums.size());
  return findings.close_inverted >= told && findings.close_inverted > turned_gain * findings.close &&
         findings.close_inverted > findings.close_shifted && findings.close_inverted > inverse_share(samples) &&
         opposite_share(samples) >= opposite;
}

/// Do map and truth agree no better than each pixel's map with another pixel's truth? Of surfaces that are alike
/// everywhere these agree, too, but then most of the map is close.
bool is_unlike(const std::vector<Sample>& samples, TruthFindings& findings) {
  std::int64_t agree = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    agree += std::abs(samples[i].map - samples[another(i, samples.size())].truth) <= near ? 1 : 0;
  findings.close_chance = 100.0 * static_cast<double>(agree) / static_cast<double>(samples.size());
  return findings.close < few || (findings.close < told && findings.close < chance_gain * findings.close_chance);
}

void judge_values(const std::vector<Sample>& samples, TruthFindings& findings) {
  const std::vector<double> map = all(samples, &Sample::map);
  const std::vector<double> truth = all(samples, &Sample::truth);
  const double ratio = findings.truth_median / findings.map_median;
  const bool factors = findings.map_median > 0 && findings.truth_median > 0 && (ratio >= factor || ratio <= 1 / factor);
  const double scaled = factors ? close_share(samples, ratio) : 0;
  const bool varied = rank(map, 90) > rank(map, 10) + 2 * near;  // any number fits what is alike everywhere
  if (findings.close < few && is_depth(samples, findings))
    findings.problem = TruthProblem::depth;
  else if (findings.close < few && varied && findings.close_shifted >= told && findings.close_shifted > scaled)
    findings.problem = TruthProblem::offset;
  else if (findings.close < few && scaled >= half)
    findings.problem = TruthProblem::scale;
  if (findings.problem != TruthProblem::depth) {
    inspect::judge_line(map, truth, scaled, findings);
    inspect::judge_curve(map, truth, scaled, findings);
  }
  if (findings.problem != TruthProblem::none) return;
  if (rank(map, 98) < rank(truth, 2) - near || rank(truth, 98) < rank(map, 2) - near)
    findings.problem = TruthProblem::range;
}

/// Of few known pixels, another unit alone can be told, where nearly all say so.
void judge_few(const std::vector<Sample>& samples, TruthFindings& findings) {
  constexpr double hardly_any = 10, nearly_all = 85;  // percent
  findings.map_median = rank(all(samples, &Sample::map), 50);
  findings.truth_median = rank(all(samples, &Sample::truth), 50);
  findings.close = close_share(samples, 1);
  const double ratio = findings.truth_median / findings.map_median;
  const std::vector<double> map = all(samples, &Sample::map);
  if (rank(map, 90) <= rank(map, 10) + 2 * near) return;  // any number fits what is alike everywhere
  if (findings.map_median <= 0 || findings.truth_median <= 0 || (ratio < factor && ratio > 1 / factor)) return;
  if (findings.close < hardly_any && close_share(samples, ratio) >= nearly_all) findings.problem = TruthProblem::scale;
}

/// Bands of rows that lie elsewhere. One that is turned or moved as a whole has such bands, too.
void look_for_bands(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  TruthFindings bands = findings;
  inspect::judge_bands(map, truth, bands);
  if (bands.problem == TruthProblem::none) return;
  judge_turned(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::judge_halves(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::find_move(map, truth, findings);
  // Some bands of another scene fit somewhere, and leave much.
  if (findings.problem == TruthProblem::none && bands.wrong_moved > left_by_bands * bands.wrong)
    inspect::judge_other_part(map, truth, findings);
  if (findings.problem == TruthProblem::none) findings = bands;
}

}  // namespace

TruthFindings inspect_truth(ImageView<const float> map, ImageView<const float> truth) {
  if (map.size() != truth.size())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("truth is {}x{} but the map is {}x{}: give maps of the same size", truth.width(),
                            truth.height(), map.width(), map.height()));
  TruthFindings findings;
  const std::vector<Sample> samples = take_samples(map, [&](int x, int y) { return truth(x, y); });
  if (std::ssize(samples) < enough) {
    if (std::ssize(samples) >= enough_for_unit) judge_few(samples, findings);
    return findings;
  }
  findings.map_median = rank(all(samples, &Sample::map), 50);
  findings.truth_median = rank(all(samples, &Sample::truth), 50);
  findings.close = close_share(samples, 1);
  findings.offset = offset_of(samples);
  findings.close_shifted = shifted_share(samples, findings.offset);
  inspect::judge_one_number(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::judge_rows_in_turn(map, truth, findings);
  if (findings.problem == TruthProblem::none && findings.close < halves_below)
    inspect::judge_shape(map, truth, findings);
  if (findings.problem != TruthProblem::none) return findings;
  if (is_inverted(samples, findings)) {
    judge_turned(map, truth, findings);  // of a plane both fit
    if (findings.close_turned < findings.close_inverted) findings.problem = TruthProblem::inverted;
  } else {
    judge_values(samples, findings);
  }
  if (findings.problem != TruthProblem::none) return findings;
  if (findings.close < halves_below) look_for_bands(map, truth, findings);
  const auto nearest = static_cast<float>(rank(all(samples, &Sample::truth), 99));
  for (const int direction : {-1, 1}) {
    if (findings.problem != TruthProblem::none) break;
    const EdgeVotes votes = take_votes(map, truth, direction, nearest);
    if (is_of_other_view(votes, findings)) prefer_move(map, truth, votes, nearest, findings);
  }
  // Depths may lie among the disparities by chance; then the order of both tells. No map of a truth has that.
  if (findings.problem == TruthProblem::none && findings.close < told && opposite_share(samples) >= opposite &&
      is_depth(samples, findings))
    findings.problem = TruthProblem::depth;
  if (findings.problem == TruthProblem::none) judge_turned(map, truth, findings);
  if (findings.problem == TruthProblem::none && findings.close < halves_below)
    inspect::judge_halves(map, truth, findings);
  if (findings.problem == TruthProblem::none && findings.close < halves_below)
    inspect::judge_warp(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::find_move(map, truth, findings);
  if (findings.problem == TruthProblem::none && findings.close < halves_below)
    inspect::judge_other_part(map, truth, findings);
  if (findings.problem == TruthProblem::none && is_unlike(samples, findings)) findings.problem = TruthProblem::unlike;
  if (findings.problem == TruthProblem::none) inspect::compare_edges(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::judge_unit_of_both(map, truth, findings);
  if (findings.problem == TruthProblem::none) inspect::judge_smoothing(truth, findings);
  return findings;
}

}  // namespace vergence
