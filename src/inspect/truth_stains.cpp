// SPDX-License-Identifier: Apache-2.0
// Wrong numbers among right ones of a truth: single ones, and rectangles of one.
#include "inspect/truth_stains.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace vergence::inspect {
namespace {

constexpr std::int64_t enough_looked = 1000;
constexpr float alike_beside = 2, apart_from_all = 3;  // px

constexpr int cells_along = 128;                            // at most
constexpr int least_cell = 8;                               // px
constexpr std::int64_t least_area = 3, most_area = 60;      // percent of the picture
constexpr std::int64_t wrong_inside = 20, times_wrong = 3;  // percent; as much as outside
constexpr int most_same_edge = 10;                          // percent of what lies at the edges: of the same number
constexpr int aside = 12;                                   // px to either side of an edge; windows move steps
constexpr float edge_in_truth = 1.5F;                       // px
constexpr std::int64_t enough_edges = 24;

constexpr float no_number = std::numeric_limits<float>::infinity();

/// The one number of a square, else infinity.
float number_of(ImageView<const float> truth, int left, int top, int side) {
  const float first = truth(left, top);
  for (int y = top; y < top + side; ++y)
    if (!std::all_of(truth.row(y) + left, truth.row(y) + left + side, [first](float one) { return one == first; }))
      return no_number;
  return first;
}

/// The largest rectangle of whole squares of one number, in px.
Rect largest_part(ImageView<const float> truth) {
  const int cell = std::max({least_cell, truth.width() / cells_along, truth.height() / cells_along});
  const int columns = truth.width() / cell, rows = truth.height() / cell;
  std::vector<float> numbers(static_cast<std::size_t>(columns), no_number);  // of the row of squares above
  std::vector<int> heights(numbers.size());
  Rect best;
  for (int row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const float number = number_of(truth, static_cast<int>(i) * cell, row * cell, cell);
      heights[i] = !std::isfinite(number) ? 0 : number == numbers[i] ? heights[i] + 1 : 1;
      numbers[i] = number;
    }
    for (std::size_t first = 0; first < numbers.size(); ++first) {
      int height = heights[first];
      for (std::size_t end = first; end < numbers.size() && heights[end] > 0 && numbers[end] == numbers[first]; ++end) {
        height = std::min(height, heights[end]);
        const Rect part{static_cast<int>(first), row + 1 - height, static_cast<int>(end - first) + 1, height};
        if (part.width * part.height > best.width * best.height) best = part;
      }
    }
  }
  return {best.x * cell, best.y * cell, best.width * cell, best.height * cell};
}

/// Its rows and columns of the same number around are added.
void grow(ImageView<const float> truth, Rect& part) {
  const float number = truth(part.x, part.y);
  const auto is_row = [&](int y) {
    return y >= 0 && y < truth.height() &&
           std::all_of(truth.row(y) + part.x, truth.row(y) + part.x + part.width,
                       [number](float one) { return one == number; });
  };
  const auto is_column = [&](int x) {
    if (x < 0 || x >= truth.width()) return false;
    for (int y = part.y; y < part.y + part.height; ++y)
      if (truth(x, y) != number) return false;
    return true;
  };
  while (is_row(part.y - 1)) --part.y, ++part.height;
  while (is_row(part.y + part.height)) ++part.height;
  while (is_column(part.x - 1)) --part.x, ++part.width;
  while (is_column(part.x + part.width)) ++part.width;
}

/// What lies at the edges of a part.
struct Edges {
  std::int64_t all = 0, same = 0;      ///< Pixels beside it, and those of its number.
  std::int64_t steps = 0, missed = 0;  ///< Of those that are far from it: at which the map does not step;
  std::int64_t nearer = 0;             ///< and which are nearer.
};
Edges edges_of(ImageView<const float> map, ImageView<const float> truth, const Rect& part) {
  Edges edges;
  const float number = truth(part.x, part.y);
  const auto look = [&](int x, int y, int right, int down) {  // beside the part, and which way is out of it
    const int out_x = x + (aside - 1) * right, out_y = y + (aside - 1) * down;
    const int in_x = x - aside * right, in_y = y - aside * down;
    const Rect whole{0, 0, map.width(), map.height()};
    const auto within = [&whole](int column, int row) {
      return column >= 0 && row >= 0 && column < whole.width && row < whole.height;
    };
    if (!within(out_x, out_y) || !within(in_x, in_y)) return;
    ++edges.all;
    edges.same += truth(x, y) == number ? 1 : 0;
    const float rise = truth(x, y) - number, of_map = map(out_x, out_y) - map(in_x, in_y);
    if (!std::isfinite(rise) || !std::isfinite(of_map) || std::abs(rise) < edge_in_truth) return;
    ++edges.steps;
    edges.nearer += rise > 0 ? 1 : 0;
    edges.missed += (rise > 0 ? of_map : -of_map) < std::abs(rise) / 2 ? 1 : 0;
  };
  for (int x = part.x; x < part.x + part.width; ++x) look(x, part.y - 1, 0, -1), look(x, part.y + part.height, 0, 1);
  for (int y = part.y; y < part.y + part.height; ++y) look(part.x - 1, y, -1, 0), look(part.x + part.width, y, 1, 0);
  return edges;
}

}  // namespace

double scattered_percent(ImageView<const float> map, ImageView<const float> truth, int row_step) {
  std::int64_t looked = 0, apart = 0;
  for (int y = std::max(1, row_step / 2); y + 1 < truth.height(); y += row_step)
    for (int x = 1; x + 1 < truth.width(); ++x) {
      const auto [low, high] = std::minmax({truth(x - 1, y), truth(x + 1, y), truth(x, y - 1), truth(x, y + 1)});
      const float value = truth(x, y);
      if (!(high - low <= alike_beside) || !std::isfinite(value)) continue;
      ++looked;
      apart += (value > high + apart_from_all || value < low - apart_from_all) &&
                       !(std::abs(map(x, y) - value) <= apart_from_all)
                   ? 1
                   : 0;
    }
  return looked < enough_looked ? 0 : 100.0 * static_cast<double>(apart) / static_cast<double>(looked);
}

std::optional<Rect> filled_part(ImageView<const float> map, ImageView<const float> truth) {
  Rect part = largest_part(truth);
  const auto percent_of_all = [&](std::int64_t pixels) {
    return 100 * pixels / std::max<std::int64_t>(std::int64_t{truth.width()} * truth.height(), 1);
  };
  if (part.width == 0 || percent_of_all(std::int64_t{part.width} * part.height) < least_area) return std::nullopt;
  grow(truth, part);
  if (percent_of_all(std::int64_t{part.width} * part.height) > most_area) return std::nullopt;
  const Edges edges = edges_of(map, truth, part);
  if (100 * edges.same > most_same_edge * edges.all || edges.steps < enough_edges || 2 * edges.missed < edges.steps)
    return std::nullopt;
  // A wall that the map has missed is nearer, or farther, than all around it.
  if (5 * std::min(edges.nearer, edges.steps - edges.nearer) < edges.steps) return std::nullopt;
  std::array<std::int64_t, 2> known{}, wrong{};
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      const float away = std::abs(map(x, y) - truth(x, y));
      if (!std::isfinite(away)) continue;
      const bool inside = x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
      const std::size_t i = inside ? 1 : 0;
      ++known[i];
      wrong[i] += away > 1 ? 1 : 0;
    }
  if (known[0] < enough_looked || 100 * wrong[1] < wrong_inside * known[1] ||
      wrong[1] * known[0] < times_wrong * wrong[0] * known[1])
    return std::nullopt;
  return part;
}

}  // namespace vergence::inspect
