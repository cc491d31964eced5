// SPDX-License-Identifier: Apache-2.0
// Cells of each picture, reduced, are searched for in the other one. What matters is a rectangle of them that are not
// found: true occlusions are narrow, and lie at edges of depth and of the picture.
#include "inspect/regions.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "core/reduce.hpp"
#include "inspect/close_look.hpp"
#include "inspect/for_avx2.hpp"

namespace vergence::inspect {
namespace {

constexpr int reduced_side = 320;  // the search takes some milliseconds whatever the pictures' size
constexpr int most_columns = 20;
constexpr int most_rows = 16;
constexpr int least_texture = 3 * 16;  // 1/16 grey levels from pixel to pixel
constexpr int against = 3;             // what a found cell counts against a part, beside one that is not

// Verdicts, chosen on good pairs, their parts and changed copies (docs/warnings.md).
constexpr std::size_t enough_found = 24;  // cells
constexpr int share_missing = 85;         // percent of a part's cells with texture
constexpr int share_found = 60;           // percent of the other cells with texture
// A part whose place in the other picture is flat: few cells tell.
constexpr int flat_missing = 8;
constexpr int flat_share = 20;  // percent of all cells of the part
constexpr int flat_area = 4;    // percent of the picture
constexpr int flat_texture = 15;
// Other parts must be larger than what depth hides, in pictures wider than depth hides much of.
constexpr int part_missing = 28;
constexpr int part_share = 50;
constexpr int part_area = 8;
constexpr int part_found = 70;
constexpr int least_width = 4;  // disparities

/// Steps along rows, which brightness does not change, around a middle grey.
Image<std::uint8_t> steps(Picture picture) {
  Image<std::uint8_t> result(picture.size(), 128);
  for (int y = 0; y < picture.height(); ++y) {
    const std::uint8_t* const from = picture.row(y);
    std::uint8_t* const to = result.row(y);
    for (int x = 1; x + 1 < picture.width(); ++x)
      to[x] = static_cast<std::uint8_t>(std::clamp(128 + from[x + 1] - from[x - 1], 0, 255));
  }
  return result;
}

enum class State { unknown, found, missing };

struct Cell {
  Point at;
  bool textured = false;
  bool leads_back = false;
  int disparity = 0;
  int cost = 0;    ///< Of the best match,
  int energy = 0;  ///< and what the cell differs from a flat one.
  State state = State::unknown;
};

/// The cells of one picture, row by row.
struct Cells {
  int columns = 0;
  int rows = 0;
  bool left = false;  ///< They are the left picture's.
  std::vector<Cell> all;
  const Cell& at(int column, int row) const { return all[static_cast<std::size_t>(row * columns + column)]; }
};

/// One picture, reduced.
struct Reduced {
  Reduced(Picture picture, int factor) : grey(reduced(picture, factor)), slopes(steps(grey.view())) {}
  Image<std::uint8_t> grey, slopes;
};

struct Place {
  int x = 0;
  int cost = std::numeric_limits<int>::max();
};
/// The first and the last place of a patch of this width, up to a third of the picture's width from its own.
std::pair<int, int> reach_of(Picture from, Point point, Picture to, bool from_left, int width) {
  const int near = from.width() / 16, far = from.width() / 3;
  return {std::max(0, point.x - (from_left ? far : near)),
          std::min(to.width() - width, point.x + (from_left ? near : far))};
}
/// Searches the row of the right picture for a point of the left one, or the other way round. A likely place spares
/// time.
VERGENCE_FOR_AVX2 Place find(Picture from, Point point, Picture to, bool from_left, int likely) {
  const auto [first, last] = reach_of(from, point, to, from_left, patch_width);
  const Patch patch(from, point);
  Place best;
  if (likely >= first && likely <= last) best.cost = difference(from, point, to, {likely, point.y}) + 1;
  for (int x = first; x <= last; ++x)
    if (const int cost = patch.difference_up_to(best.cost, to, {x, point.y}); cost < best.cost) best = {x, cost};
  return best;
}

int energy(Picture slopes, Point point, int width) {
  int sum = 0;
  for (int y = 0; y < patch_height; ++y)
    for (int x = 0; x < width; ++x) sum += std::abs(slopes(point.x + x, point.y + y) - 128);
  return sum;
}

Cells search(const Reduced& from, const Reduced& to, bool left) {
  const Picture a = from.slopes.view();
  const Picture b = to.slopes.view();
  Cells cells{
      std::min(most_columns, a.width() / patch_height), std::min(most_rows, a.height() / patch_height), left, {}};
  int offset = 0;  // of the cell before
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      Cell cell{.at = {column * (a.width() - patch_width) / (cells.columns - 1),
                       row * (a.height() - patch_height) / (cells.rows - 1)}};
      cell.textured = texture(from.grey.view(), cell.at).along_rows >= least_texture;
      if (cell.textured) {
        const Place there = find(a, cell.at, b, left, cell.at.x + offset);
        const Place back = find(b, {there.x, cell.at.y}, a, !left, cell.at.x);
        offset = there.x - cell.at.x;
        cell.leads_back = std::abs(back.x - cell.at.x) <= 1;
        cell.disparity = left ? cell.at.x - there.x : there.x - cell.at.x;
        cell.cost = there.cost;
        cell.energy = energy(a, cell.at, patch_width);
      }
      cells.all.push_back(cell);
    }
  return cells;
}

/// Does a neighbour lie as far? Chance matches do not.
bool has_company(const Cells& cells, int column, int row) {
  const Cell& cell = cells.at(column, row);
  for (int j = std::max(0, row - 1); j <= std::min(cells.rows - 1, row + 1); ++j)
    for (int i = std::max(0, column - 1); i <= std::min(cells.columns - 1, column + 1); ++i) {
      const Cell& other = cells.at(i, j);
      if (&other != &cell && other.leads_back && std::abs(other.disparity - cell.disparity) <= 2) return true;
    }
  return false;
}

/// What the found cells are like.
struct Usual {
  int low_cost = 0;           ///< A fifth of them match better.
  int cost_per_thousand = 0;  ///< Of their energy, in the median.
  std::vector<int> disparities;
  int disparity(std::size_t percent) const {
    return disparities[std::min(disparities.size() - 1, disparities.size() * percent / 100)];
  }
};

/// Sets the states. Missing is what differs by more than found cells do and shows more than their noise; not where the
/// other picture ends. Nothing where too few are found.
std::optional<Usual> judge(Cells& cells, int width) {
  std::vector<int> costs, ratios;
  Usual usual;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      Cell& cell = cells.all[static_cast<std::size_t>(row * cells.columns + column)];
      if (!cell.leads_back || !has_company(cells, column, row)) continue;
      cell.state = State::found;
      costs.push_back(cell.cost);
      ratios.push_back(static_cast<int>(std::int64_t{1000} * cell.cost / std::max(1, cell.energy)));
      usual.disparities.push_back(cell.disparity);
    }
  if (costs.size() < enough_found) return std::nullopt;
  std::sort(costs.begin(), costs.end());
  std::sort(ratios.begin(), ratios.end());
  std::sort(usual.disparities.begin(), usual.disparities.end());
  usual.low_cost = costs[costs.size() / 5];
  usual.cost_per_thousand = std::max(400, ratios[ratios.size() / 2]);
  const int hidden = usual.disparity(90) + patch_width / 2;
  for (Cell& cell : cells.all) {
    if (!cell.textured || cell.state == State::found) continue;
    const int from_edge = cells.left ? cell.at.x : width - patch_width - cell.at.x;
    if (from_edge < hidden || 2 * cell.energy < 3 * usual.low_cost) continue;
    if (std::int64_t{1000} * cell.cost >= std::int64_t{cell.energy} * usual.cost_per_thousand)
      cell.state = State::missing;
  }
  return usual;
}

struct Counts {
  int missing = 0, found = 0, cells = 0, textured = 0;
};
template <class Inside>
Counts count(const Cells& cells, Inside inside) {
  Counts counts;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      const Cell& cell = cells.at(column, row);
      if (!inside(cell, column, row)) continue;
      ++counts.cells;
      counts.textured += cell.textured ? 1 : 0;
      counts.missing += cell.state == State::missing ? 1 : 0;
      counts.found += cell.state == State::found ? 1 : 0;
    }
  return counts;
}

/// Is `share` percent of `whole` reached?
bool reaches(int part, int share, int whole) { return 100 * part >= share * whole; }

/// The part of one picture that the other one, whose cells `other` are, does not show.
struct Part {
  Rect cells;
  Counts inside, outside;
};
std::optional<Part> find_part(const Cells& cells, const Usual& usual, const Cells& other, int width) {
  std::vector<int> values;
  for (const Cell& cell : cells.all)
    values.push_back(cell.state == State::missing ? 1 : cell.state == State::found ? -against : 0);
  const Rect block = best_block(values, cells.columns).cells;
  const auto in_block = [&](const Cell&, int column, int row) {
    return column >= block.x && column < block.x + block.width && row >= block.y && row < block.y + block.height;
  };
  const Counts inside = count(cells, in_block);
  const Counts outside =
      count(cells, [&](const Cell& cell, int column, int row) { return !in_block(cell, column, row); });
  const int area = cells.columns * cells.rows;
  if (std::min(block.width, block.height) < 2 || outside.found < static_cast<int>(enough_found) ||
      !reaches(inside.missing, share_missing, inside.missing + inside.found) ||
      !reaches(outside.found, share_found, outside.found + outside.missing))
    return std::nullopt;
  // Something near hides a strip of what is far, as wide as their disparities differ.
  const int wide = cells.at(block.x + block.width - 1, block.y).at.x + patch_width - cells.at(block.x, block.y).at.x;
  if (wide <= usual.disparity(98) - usual.disparity(2) + patch_width) return std::nullopt;
  // The same place in the other picture.
  const int shift = cells.left ? -usual.disparity(50) : usual.disparity(50);
  const int first = cells.at(block.x, block.y).at.x + shift - patch_width / 4;
  const int last = cells.at(block.x + block.width - 1, block.y).at.x + shift + patch_width / 4;
  const Counts there = count(other, [&](const Cell& cell, int, int row) {
    return row >= block.y && row < block.y + block.height && cell.at.x >= first && cell.at.x <= last;
  });
  const bool flat = there.cells >= flat_missing && !reaches(there.textured, flat_texture + 1, there.cells) &&
                    inside.missing >= flat_missing && reaches(inside.missing, flat_share, inside.cells) &&
                    reaches(inside.cells, flat_area, area);
  const bool other_content = inside.missing >= part_missing && reaches(inside.missing, part_share, inside.cells) &&
                             reaches(inside.cells, part_area, area) && least_width * usual.disparity(98) <= width &&
                             reaches(outside.found, part_found, outside.found + outside.missing);
  if (!flat && !other_content) return std::nullopt;
  return Part{block, inside, outside};
}

/// Thin things before something far away leave no patch as a whole in both pictures, but pieces of it.
constexpr int pieces_in_cell = 2;
constexpr int piece_width = patch_width / pieces_in_cell;
constexpr int piece_found = 35;  // percent of the pieces with texture: of parts that are not there, chance finds few
constexpr int piece_cost = 40;   // percent of its energy: what a piece that is found differs by at most
constexpr std::int64_t least_energy = 4 * piece_width * patch_height;

int piece_difference(Picture a, Point at, Picture b, int x) {
  int sum = 0;
  for (int y = at.y; y < at.y + patch_height; ++y)
    for (int i = 0; i < piece_width; ++i) sum += std::abs(a(at.x + i, y) - b(x + i, y));
  return sum;
}
Place find_piece(Picture from, Point point, Picture to, bool from_left) {
  const auto [first, last] = reach_of(from, point, to, from_left, piece_width);
  Place best;
  for (int x = first; x <= last; ++x)
    if (const int cost = piece_difference(from, point, to, x); cost < best.cost) best = {x, cost};
  return best;
}

/// Are many pieces of the missing cells of this part in the other picture?
bool is_there_in_pieces(const Cells& cells, const Rect& part, Picture from, Picture to) {
  int known = 0, found = 0;
  for (int row = part.y; row < part.y + part.height; ++row)
    for (int column = part.x; column < part.x + part.width; ++column) {
      const Cell& cell = cells.at(column, row);
      if (cell.state != State::missing) continue;
      for (int piece = 0; piece < pieces_in_cell; ++piece) {
        const Point at{cell.at.x + piece * piece_width, cell.at.y};
        const int energy_of_piece = energy(from, at, piece_width);
        if (energy_of_piece < least_energy) continue;
        ++known;
        const Place there = find_piece(from, at, to, cells.left);
        if (100 * there.cost > piece_cost * energy_of_piece) continue;
        const Place back = find_piece(to, {there.x, at.y}, from, !cells.left);
        found += std::abs(back.x - at.x) <= 1 ? 1 : 0;
      }
    }
  return reaches(found, piece_found, std::max(known, 1));
}

}  // namespace

Block best_block(const std::vector<int>& values, int columns) {
  Block best;
  const int rows = static_cast<int>(values.size()) / columns;
  std::vector<int> sums(static_cast<std::size_t>(columns));
  for (int top = 0; top < rows; ++top) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int bottom = top; bottom < rows; ++bottom) {
      int run = 0;
      int first = 0;
      for (int column = 0; column < columns; ++column) {
        int& sum = sums[static_cast<std::size_t>(column)];
        sum += values[static_cast<std::size_t>(bottom * columns + column)];
        if (run <= 0) run = 0, first = column;
        run += sum;
        if (run > best.score) best = {{first, top, column - first + 1, bottom - top + 1}, run};
      }
    }
  }
  return best;
}

namespace {

/// A part of one picture, its cells, and how many times the contrast of the left picture the right one has where both
/// match, in percent.
struct Missing {
  std::optional<Part> part;
  Cells cells;
};
struct Searched {
  Missing found;
  int contrast = 100;
};

int contrast_of(const Cells& of_left, Picture slopes, Picture other) {
  std::int64_t here = 0, there = 0;
  for (const Cell& cell : of_left.all) {
    if (cell.state != State::found) continue;
    here += energy(slopes, cell.at, patch_width);
    there += energy(other, {cell.at.x - cell.disparity, cell.at.y}, patch_width);
  }
  return here > 0 ? static_cast<int>(100 * there / here) : 100;
}

Searched find_missing(const Reduced& a, const Reduced& b) {
  const int width = a.grey.width();
  Searched result;
  Cells of_left = search(a, b, true), of_right = search(b, a, false);
  const std::optional<Usual> left_usual = judge(of_left, width), right_usual = judge(of_right, width);
  result.contrast = contrast_of(of_left, a.slopes.view(), b.slopes.view());
  int most = 0;
  for (const bool in_right : {false, true}) {
    const std::optional<Usual>& usual = in_right ? right_usual : left_usual;
    const Cells& cells = in_right ? of_right : of_left;
    const std::optional<Part> part =
        usual ? find_part(cells, *usual, in_right ? of_left : of_right, width) : std::nullopt;
    if (!part || part->inside.missing <= most) continue;
    const Picture own = (in_right ? b : a).slopes.view(), other = (in_right ? a : b).slopes.view();
    if (is_there_in_pieces(cells, part->cells, own, other)) continue;
    most = part->inside.missing;
    result.found = {part, cells};
  }
  return result;
}

/// Steps of another contrast.
Image<std::uint8_t> with_contrast(Picture slopes, int percent) {
  Image<std::uint8_t> result(slopes.size());
  for (int y = 0; y < slopes.height(); ++y)
    for (int x = 0; x < slopes.width(); ++x)
      result(x, y) = static_cast<std::uint8_t>(std::clamp(128 + (slopes(x, y) - 128) * percent / 100, 0, 255));
  return result;
}

constexpr int least_contrast = 75, most_contrast = 133;  // percent; less haze leaves cells that match

}  // namespace

void compare_regions(Picture left, Picture right, PairFindings& findings) {
  int factor = 1;
  while (std::max(left.width(), left.height()) / factor > reduced_side) factor *= 2;
  Reduced a(left, factor), b(right, factor);
  if (a.grey.width() < 2 * patch_width || a.grey.height() < 2 * patch_height) return;
  Searched searched = find_missing(a, b);
  if (!searched.found.part) return;
  // Cells of haze differ from those of a clear picture by more than noise.
  if (const int contrast = searched.contrast; contrast < least_contrast || contrast > most_contrast) {
    Image<std::uint8_t>& weaker = contrast < 100 ? a.slopes : b.slopes;
    weaker = with_contrast(weaker.view(), contrast < 100 ? contrast : 10'000 / contrast);
    searched = find_missing(a, b);
    if (!searched.found.part) return;
  }
  const Part& part = *searched.found.part;
  const Cells& cells = searched.found.cells;
  findings.problem = PairProblem::covered;
  findings.in_right = !cells.left;
  const Point first = cells.at(part.cells.x, part.cells.y).at;
  const Point last = cells.at(part.cells.x + part.cells.width - 1, part.cells.y + part.cells.height - 1).at;
  findings.part = {factor * first.x, factor * first.y, factor * (last.x - first.x + patch_width),
                   factor * (last.y - first.y + patch_height)};
  findings.part_points = part.inside.missing + part.inside.found;
  findings.part_missing = part.inside.missing;
  const int known = part.outside.found + part.outside.missing;
  findings.rest_percent = (100 * part.outside.found + known / 2) / std::max(1, known);
}

}  // namespace vergence::inspect
