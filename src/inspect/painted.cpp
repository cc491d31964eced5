// SPDX-License-Identifier: Apache-2.0
// Logos, captions and dashboards that were painted over both pictures. Their steps are the same ones bit for bit, at
// the same place; two cameras never see any so.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/regions.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int cell_side = 8;    // px: blocks of JPEG, so that what fills one stays equal
constexpr int step_share = 16;  // a step is 1 in so many of the largest value, from pixel to pixel along a row
// Cells are painted by so many of their 56 places, and by so much of their steps: letters have edges that let the scene
// through. Of good pairs no cell is, of scenes without parallax and with noise of half a grey level 2 %, here and
// there.
constexpr int steps_of_cell = 8;
constexpr int some_steps = 2;  // of these, in every second row, where it is worth a look at all,
constexpr int few_rows = 512;  // of pictures; of higher ones 1 of these in every fourth row
constexpr int equal_percent = 50;
constexpr int enough_cells = 8;    // that lie together
constexpr int few_steps = 2;       // of a cell that is not painted
constexpr int most_percent = 60;   // of all cells with steps: more is a drawn scene that is far away
constexpr int for_block = 3;       // a painted cell speaks so loud for a rectangle
constexpr int against_block = -1;  // and another one against it
constexpr Size least_size{64, 48};

template <class Pixel>
class Steps {
 public:
  Steps(ImageView<const Pixel> left, ImageView<const Pixel> right, int least)
      : left_(left), right_(right), least_(least), apart_(left.height() < few_rows ? 2 : 4) {}

  /// For each cell of a row of cells, in every second or fourth of its rows, the steps of the left picture that the
  /// right one has, too.
  VERGENCE_FOR_AVX2 void some_equal(int row, std::vector<int>& cells) {
    const auto width = static_cast<std::size_t>(left_.width());
    counts_.assign(width, 0);
    std::uint8_t* const counts = counts_.data();
    const auto least = static_cast<Pixel>(least_);
    for (int y = row * cell_side + apart_ / 2; y < (row + 1) * cell_side; y += apart_) {
      const Pixel *const a = left_.row(y), *const b = right_.row(y);
      // Compilers make SIMD of this form.
      for (std::size_t x = 0; x + 1 < width; ++x) {
        const auto step = static_cast<Pixel>(a[x] > a[x + 1] ? a[x] - a[x + 1] : a[x + 1] - a[x]);
        counts[x] =
            static_cast<std::uint8_t>(counts[x] + (int{a[x] == b[x]} & int{a[x + 1] == b[x + 1]} & int{step >= least}));
      }
    }
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      std::uint8_t* const of_cell = counts + cell * cell_side;
      of_cell[cell_side - 1] = 0;  // the step to the next cell
      std::uint64_t all = 0;
      static_assert(sizeof(all) == cell_side);
      std::memcpy(&all, of_cell, cell_side);
      cells[cell] = all == 0 ? 0 : std::accumulate(of_cell, of_cell + cell_side, 0);
    }
  }
  /// Are these enough for a look at all rows of the cell?
  bool are_enough(int some) const { return apart_ * some >= 2 * some_steps; }
  /// The same in all rows of one cell.
  int equal(int column, int row) const {
    int sum = 0;
    for (int y = row * cell_side; y < (row + 1) * cell_side; ++y) {
      const Pixel *const a = left_.row(y) + column * cell_side, *const b = right_.row(y) + column * cell_side;
      for (int x = 0; x + 1 < cell_side; ++x)
        sum += a[x] == b[x] && a[x + 1] == b[x + 1] && std::abs(a[x + 1] - a[x]) >= least_ ? 1 : 0;
    }
    return sum;
  }
  /// All steps of a cell of the left picture.
  int all(int column, int row) const {
    int sum = 0;
    for (int y = row * cell_side; y < (row + 1) * cell_side; ++y) {
      const Pixel* const a = left_.row(y) + column * cell_side;
      for (int x = 0; x + 1 < cell_side; ++x) sum += std::abs(a[x + 1] - a[x]) >= least_ ? 1 : 0;
    }
    return sum;
  }

 private:
  ImageView<const Pixel> left_, right_;
  int least_;
  int apart_;  ///< Rows that are looked at first.
  std::vector<std::uint8_t> counts_;
};

/// The rectangle with most painted cells. A column of cells is none: sensors have columns that are dead or bright.
PaintedFindings largest(const std::vector<int>& votes, int columns) {
  const Rect in = inspect::best_block(votes, columns).cells;
  PaintedFindings found;
  for (int row = in.y; row < in.y + in.height; ++row)
    for (int column = in.x; column < in.x + in.width; ++column)
      found.cells += votes[static_cast<std::size_t>(row * columns + column)] == for_block ? 1 : 0;
  if (found.cells < enough_cells || in.width < 2) return {};
  found.part = {in.x * cell_side, in.y * cell_side, in.width * cell_side, in.height * cell_side};
  return found;
}

template <class Pixel>
PaintedFindings find_painted(ImageView<const Pixel> left, ImageView<const Pixel> right, int max_value) {
  if (left.size() != right.size() || left.empty())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size or are empty: give pictures of one size");
  if (left.width() < least_size.width || left.height() < least_size.height) return {};
  const int columns = left.width() / cell_side, rows = left.height() / cell_side;
  // Of the bits that are in use.
  const int most = std::min(max_value, inspect::highest(right, inspect::highest(left, 255)));
  Steps<Pixel> steps(left, right, std::max(1, most / step_share));
  std::vector<int> votes(static_cast<std::size_t>(columns * rows), against_block);
  std::vector<int> some(static_cast<std::size_t>(columns));
  int painted = 0;
  for (int row = 0; row < rows; ++row) {
    steps.some_equal(row, some);
    for (int column = 0; column < columns; ++column) {
      if (!steps.are_enough(some[static_cast<std::size_t>(column)])) continue;
      const int found = steps.equal(column, row);
      if (found < steps_of_cell || 100 * found < equal_percent * steps.all(column, row)) continue;
      votes[static_cast<std::size_t>(row * columns + column)] = for_block;
      ++painted;
    }
  }
  if (painted < enough_cells) return {};
  int with_steps = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) with_steps += steps.all(column, row) >= few_steps ? 1 : 0;
  return 100 * painted < most_percent * with_steps ? largest(votes, columns) : PaintedFindings{};
}

}  // namespace

PaintedFindings inspect_painted(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                                int max_value) {
  return find_painted(left, right, max_value);
}
PaintedFindings inspect_painted(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                int max_value) {
  return find_painted(left, right, max_value);
}

}  // namespace vergence
