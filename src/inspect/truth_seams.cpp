// SPDX-License-Identifier: Apache-2.0
// Bands of rows are compared with the truth of rows elsewhere; and where the truth steps along a whole row or column,
// and the map does not, both sides of it are compared.
#include "inspect/truth_seams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/truth_edges.hpp"

namespace vergence::inspect {
namespace {

constexpr float close_to_truth = 1;  // px

double percent(std::int64_t some, std::int64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(some) / static_cast<double>(all);
}

// --- bands ---

constexpr int bands = 32;           // at most
constexpr int least_band = 4;       // rows
constexpr int rows_of_band = 4;     // that are compared,
constexpr int columns_of_row = 96;  // and of each so many pixels
constexpr int least_move = 24;      // rows; nearer ones are find_move's, and of slanted surfaces
constexpr std::int64_t enough_of_band = 20;
// Percent of pixels that are wrong. Elsewhere half of them at most are, and 5 % less. Of good maps of 26 scenes, their
// halves and crops, such bands have 3 % fewer wrong pixels in all; of truths in another order 7 % in three quarters.
constexpr double told_of_band = 50, less_of_band = 5;
constexpr double less_of_all = 7, left_of_all = 75;
constexpr double least_share = 12;  // percent of the rows
constexpr double least_varied = 20;

struct Wrong {
  std::int64_t known = 0, wrong = 0;
  double percent() const { return inspect::percent(wrong, known); }
};

/// Rows [first, first + count) of the map beside the truth `move` rows lower.
Wrong wrong_of_band(ImageView<const float> map, ImageView<const float> truth, int first, int count, int move) {
  const int step_y = std::max(1, count / rows_of_band), step_x = std::max(1, map.width() / columns_of_row);
  Wrong sum;
  for (int y = first; y < first + count; y += step_y) {
    const float *const here = map.row(y), *const there = truth.row(y + move);
    for (int x = step_x / 2; x < map.width(); x += step_x) {
      const float away = std::abs(here[x] - there[x]);
      sum.known += std::isfinite(away) ? 1 : 0;
      sum.wrong += std::isfinite(away) && away > close_to_truth ? 1 : 0;
    }
  }
  return sum;
}

/// Percent of a band's pixels whose truth differs from that a third of the width away: rows of one level fit many.
double varied_percent(ImageView<const float> truth, int first, int count) {
  const int step_y = std::max(1, count / rows_of_band), step_x = std::max(1, truth.width() / columns_of_row);
  std::int64_t known = 0, varied = 0;
  for (int y = first; y < first + count; y += step_y)
    for (int x = step_x / 2; x < truth.width(); x += step_x) {
      const float away = std::abs(truth(x, y) - truth((x + truth.width() / 3) % truth.width(), y));
      known += std::isfinite(away) ? 1 : 0;
      varied += std::isfinite(away) && away > close_to_truth ? 1 : 0;
    }
  return percent(varied, known);
}

struct Band {
  int first = 0, move = 0;
  Wrong own, best;
};

/// With the best place of its truth, where that is far better than its own.
Band place_band(ImageView<const float> map, ImageView<const float> truth, int first, int count) {
  Band band{.first = first, .move = 0, .own = wrong_of_band(map, truth, first, count, 0), .best = {}};
  band.best = band.own;
  if (band.own.known < enough_of_band || band.own.percent() < less_of_band) return band;
  const int step = std::max(1, map.height() / 240);
  for (int move = -first; first + count + move <= map.height(); move += step) {
    if (std::abs(move) < least_move) continue;
    const Wrong there = wrong_of_band(map, truth, first, count, move);
    if (5 * there.known < 4 * band.own.known || there.percent() >= band.best.percent()) continue;
    band.best = there;
    band.move = move;
  }
  if (100 * band.best.percent() > told_of_band * band.own.percent() ||
      band.own.percent() - band.best.percent() < less_of_band ||
      varied_percent(truth, first + band.move, count) < least_varied)
    band.best = band.own, band.move = 0;
  return band;
}

/// The first of those whose move most others share: a band that a seam goes through has another one. At least one.
Band with_usual_move(const std::vector<Band>& elsewhere) {
  Band usual = elsewhere.front();
  std::int64_t most = 0;
  for (const Band& band : elsewhere) {
    const auto same = std::count_if(elsewhere.begin(), elsewhere.end(),
                                    [&band](const Band& other) { return std::abs(other.move - band.move) <= 2; });
    if (same > most) most = same, usual = band;
  }
  return usual;
}

// --- parts ---

constexpr int near = 5, far = 12;  // rows to either side of a seam; windows move edges by some px
constexpr float least_step = 1.5F;
constexpr double least_votes = 15;      // percent of the pixels along a seam
constexpr int samples_along = 256;      // of a seam
constexpr std::size_t seams_tried = 6;  // those with the most votes
constexpr std::int64_t enough_along = 30;
constexpr int part_side = 160;  // pixels of a part that are compared along each side, at most
constexpr std::size_t enough_of_part = 400;
constexpr double least_part = 0.25;  // of the width or height
// Percent of the pixels that are close: in the better part, how many fewer in the other one, and there not so many
// times what chance gives. The edges that both have there: of the share in the better part. Of good maps of 26 scenes
// by five presets, their halves and crops, none has all of these.
constexpr double good_part = 75, fewer = 30, times_chance = 1.8, edges_left = 0.5;
constexpr double most_alike = 70;  // of a truth of one level chance gives as much as anything

/// Lines across which a seam is looked for: rows, or columns.
class Lines {
 public:
  Lines(ImageView<const float> map, ImageView<const float> truth, bool columns)
      : map_(map), truth_(truth), columns_(columns) {}
  int count() const { return columns_ ? map_.width() : map_.height(); }
  int length() const { return columns_ ? map_.height() : map_.width(); }
  float map(int line, int at) const { return columns_ ? map_(line, at) : map_(at, line); }
  float truth(int line, int at) const { return columns_ ? truth_(line, at) : truth_(at, line); }
  Rect before(int line) const { return columns_ ? Rect{0, 0, line, map_.height()} : Rect{0, 0, map_.width(), line}; }
  Rect behind(int line) const {
    return columns_ ? Rect{line, 0, map_.width() - line, map_.height()}
                    : Rect{0, line, map_.width(), map_.height() - line};
  }

 private:
  ImageView<const float> map_, truth_;
  bool columns_;
};

/// Percent of the pixels along a line at which the truth steps from the line before it, and the map does not.
double votes_at(const Lines& lines, int line) {
  const int step = std::max(1, lines.length() / samples_along);
  std::int64_t all = 0, known = 0, votes = 0;
  for (int at = step / 2; at < lines.length(); at += step) {
    ++all;
    const float rise = lines.truth(line, at) - lines.truth(line - 1, at);
    const float of_map = lines.map(line + near - 1, at) - lines.map(line - near, at);
    const float of_far = lines.map(line + far - 1, at) - lines.map(line - far, at);
    if (!std::isfinite(rise) || !std::isfinite(of_map) || !std::isfinite(of_far)) continue;
    ++known;
    const float sign = rise > 0 ? 1.0F : -1.0F, half = std::abs(rise) / 2;
    votes += 2 * half >= least_step && sign * of_map < half && sign * of_far < half ? 1 : 0;
  }
  return known < enough_along || 10 * known < 3 * all ? 0 : percent(votes, known);
}

struct Part {
  double close = 0, chance = 0;  ///< Percent.
  double alike = 100;            ///< Percent of the truth that is close to that of another pixel.
  bool known = false;
};
Part look_at_part(ImageView<const float> map, ImageView<const float> truth, const Rect& part) {
  const int step_x = std::max(1, part.width / part_side), step_y = std::max(1, part.height / part_side);
  std::vector<std::array<float, 2>> pixels;
  for (int y = part.y + step_y / 2; y < part.y + part.height; y += step_y)
    for (int x = part.x + step_x / 2; x < part.x + part.width; x += step_x)
      if (std::isfinite(map(x, y)) && std::isfinite(truth(x, y))) pixels.push_back({map(x, y), truth(x, y)});
  if (pixels.size() < enough_of_part) return {};
  std::int64_t close = 0, by_chance = 0, alike = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const float away = pixels[i][0] - pixels[i][1];
    const float elsewhere = pixels[(i * 7919 + 1) % pixels.size()][1];  // a prime: anywhere else
    close += std::abs(away) <= close_to_truth ? 1 : 0;
    by_chance += std::abs(pixels[i][0] - elsewhere) <= close_to_truth ? 1 : 0;
    alike += std::abs(pixels[i][1] - elsewhere) <= close_to_truth ? 1 : 0;
  }
  return {percent(close, std::ssize(pixels)), percent(by_chance, std::ssize(pixels)),
          percent(alike, std::ssize(pixels)), true};
}

/// Of the lines with the most votes, those that are far enough from both ends.
std::vector<int> likely_seams(const Lines& lines) {
  struct Seam {
    double votes = 0;
    int line = 0;
  };
  std::vector<Seam> seams;
  const int margin = std::max(far, static_cast<int>(least_part * lines.count()));
  for (int line = margin; line < lines.count() - margin; ++line)
    if (const double votes = votes_at(lines, line); votes >= least_votes) seams.push_back({votes, line});
  std::stable_sort(seams.begin(), seams.end(), [](const Seam& a, const Seam& b) { return a.votes > b.votes; });
  if (seams.size() > seams_tried) seams.resize(seams_tried);
  std::vector<int> found;
  for (const Seam& seam : seams) found.push_back(seam.line);
  return found;
}

}  // namespace

void judge_bands(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  const int count = std::max(least_band, map.height() / bands);
  std::int64_t known = 0, wrong = 0, all = 0;
  double wrong_moved = 0;
  std::vector<Band> elsewhere;
  for (int y = 0; y + count <= map.height(); y += count) {
    const Band band = place_band(map, truth, y, count);
    known += band.own.known;
    wrong += band.own.wrong;
    wrong_moved += band.best.percent() / 100 * static_cast<double>(band.own.known);
    ++all;
    if (band.move != 0) elsewhere.push_back(band);
  }
  if (known < std::int64_t{enough_of_band} * bands || percent(std::ssize(elsewhere), all) < least_share) return;
  const double own = percent(wrong, known), left = 100 * wrong_moved / static_cast<double>(known);
  if (own - left < less_of_all || 100 * left > left_of_all * own) return;
  findings.problem = TruthProblem::moved_bands;
  findings.wrong = own;
  findings.wrong_moved = left;
  const Band usual = with_usual_move(elsewhere);
  findings.seam = usual.first;
  findings.moved_y = usual.move;
}

void judge_other_part(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  double most = fewer;
  for (const bool columns : {false, true}) {
    const Lines lines(map, truth, columns);
    bool found = false;  // the likeliest of those that tell
    for (const int line : likely_seams(lines)) {
      if (found) break;
      const std::array<Rect, 2> rects{lines.before(line), lines.behind(line)};
      const std::array<Part, 2> parts{look_at_part(map, truth, rects[0]), look_at_part(map, truth, rects[1])};
      if (!parts[0].known || !parts[1].known) continue;
      const std::size_t other = parts[0].close < parts[1].close ? 0 : 1, good = 1 - other;
      const double less = parts[good].close - parts[other].close;
      if (less < most || parts[good].close < good_part || parts[other].close >= times_chance * parts[other].chance ||
          parts[other].alike > most_alike)
        continue;
      const auto edges = [&](const Rect& rect) { return edges_met(map.crop(rect), truth.crop(rect)); };
      if (edges(rects[other]).value_or(0) > edges_left * edges(rects[good]).value_or(100)) continue;
      most = less;
      found = true;
      findings.problem = TruthProblem::other_part;
      findings.part = (columns ? 2 : 0) + static_cast<int>(other);
      findings.seam = line;
      findings.close_in_part = parts[other].close;
      findings.close_elsewhere = parts[good].close;
    }
  }
}

namespace {

/// What is known of the map and the truth in a part.
struct PartPixels {
  std::vector<std::array<float, 2>> pixels;
  /// The median of what `of` makes of both.
  template <class Of>
  float median(Of of) const {
    std::vector<float> values;
    for (const auto& [map, truth] : pixels) values.push_back(of(map, truth));
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }
  double close(float offset, float factor) const {
    return percent(std::count_if(pixels.begin(), pixels.end(),
                                 [=](const auto& both) {
                                   return std::abs(both[0] - (both[1] - offset) / factor) <= close_to_truth;
                                 }),
                   std::ssize(pixels));
  }
};
PartPixels pixels_of(ImageView<const float> map, ImageView<const float> truth, const Rect& part) {
  const int step_x = std::max(1, part.width / part_side), step_y = std::max(1, part.height / part_side);
  PartPixels found;
  for (int y = part.y + step_y / 2; y < part.y + part.height; y += step_y)
    for (int x = part.x + step_x / 2; x < part.x + part.width; x += step_x)
      if (std::isfinite(map(x, y)) && std::isfinite(truth(x, y))) found.pixels.push_back({map(x, y), truth(x, y)});
  return found;
}

}  // namespace

void judge_beside_part(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  // Percent: of the votes along the seam, where a depth that ends there has some; and of the pixels that are close.
  constexpr double most_votes = 45, good = 60, left = 50;
  constexpr float least_off = 1, least_factor = 1.06F, lowest = 1;  // px; times; px
  for (const bool columns : {false, true}) {
    const Lines lines(map, truth, columns);
    for (const int line : likely_seams(lines)) {
      if (votes_at(lines, line) < most_votes) break;  // they are in order
      const std::array<Rect, 2> rects{lines.before(line), lines.behind(line)};
      const std::array<PartPixels, 2> parts{pixels_of(map, truth, rects[0]), pixels_of(map, truth, rects[1])};
      if (std::min(parts[0].pixels.size(), parts[1].pixels.size()) < enough_of_part) continue;
      const std::size_t other = parts[0].close(0, 1) < parts[1].close(0, 1) ? 0 : 1;
      const double own = parts[other].close(0, 1), elsewhere = parts[1 - other].close(0, 1);
      const float offset = parts[other].median([](float a, float b) { return b - a; });
      const float factor = parts[other].median([](float a, float b) { return std::abs(a) < lowest ? 1.0F : b / a; });
      const bool by_offset = std::abs(offset) >= least_off,
                 by_factor = factor > 0 && std::max(factor, 1 / factor) >= least_factor;
      const double shifted = by_offset ? parts[other].close(offset, 1) : 0,
                   scaled = by_factor ? parts[other].close(0, factor) : 0, best = std::max(shifted, scaled);
      if (elsewhere < good || best < good || 100 * (100 - best) > left * (100 - own)) continue;
      findings.problem = TruthProblem::beside_part;
      findings.part = (columns ? 2 : 0) + static_cast<int>(other);
      findings.seam = line;
      findings.close_in_part = own;
      findings.close_elsewhere = elsewhere;
      findings.close_shifted = best;
      findings.offset = shifted >= scaled ? static_cast<double>(offset) : 0;
      findings.factor = shifted >= scaled ? 1 : static_cast<double>(factor);
      return;
    }
  }
}

}  // namespace vergence::inspect
