// SPDX-License-Identifier: Apache-2.0
// The exhaustive search: the costs of all candidates in grids, or, for SAD, of those that bounds leave.
#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "cpu/motion/scratch.hpp"
#include "definitions/motion/elimination.h"

namespace vergence::cpu {
namespace {

/// Rows of candidates whose costs are computed together.
constexpr int strip = 4;

int count_of(MotionRange range) { return range.last - range.first + 1; }

/// Rows first .. last of the block's candidates by brute force.
template <class P>
void try_rows(const MotionScratch<P>& scratch, const BlockWalk<P>& walk, MotionWorker<P>& worker, int first, int last,
              Candidate& best) {
  const int columns = count_of(walk.x());
  const std::ptrdiff_t pitch = columns + grid_slack;
  const SearchFrame<P>& frame = walk.frame();
  for (int dy = first; dy <= last; dy += strip) {
    const int rows = std::min(strip, last - dy + 1);
    frame.costs.grid(walk.pixels(), walk.there(walk.x().first, dy), frame.reference->stride(),
                     {columns, rows, worker.costs.data(), pitch});
    for (int i = 0; i < rows; ++i)
      scan_row(scratch.minimum, worker.rates, worker.costs.data() + i * pitch, walk.x().first, columns, dy + i, best);
  }
}

/// Costs of all candidates at once, then the best of them and its second-best candidate.
template <class E>
Candidate choose(const RateTable& rates, MotionRange x, MotionRange y, const E* costs, std::ptrdiff_t pitch,
                 Candidate best, std::uint64_t& second) {
  for (int dy = y.first; dy <= y.last; ++dy)
    scan_row(rates, costs + (dy - y.first) * pitch, x.first, count_of(x), dy, best);
  second = no_motion_cost;
  for (int dy = y.first; dy <= y.last; ++dy)
    second = std::min(second, second_in_row(rates, costs + (dy - y.first) * pitch, x.first, count_of(x), dy, best));
  return best;
}

template <class P>
Candidate find_with_second(MotionWorker<P>& worker, bool wide, std::uint64_t& second) {
  const BlockWalk<P>& walk = worker.walk;
  const MotionRange x = walk.x(), y = walk.y();
  const SearchFrame<P>& frame = walk.frame();
  const std::ptrdiff_t pitch = count_of(x) + grid_slack;
  const auto size = static_cast<std::size_t>(pitch * count_of(y));
  const Candidate start = walk.candidate(0, 0);
  if (!wide) {
    worker.costs.resize(std::max(worker.costs.size(), size));
    frame.costs.grid(walk.pixels(), walk.there(x.first, y.first), frame.reference->stride(),
                     {count_of(x), count_of(y), worker.costs.data(), pitch});
    return choose(worker.rates, x, y, worker.costs.data(), pitch, start, second);
  }
  worker.wide_costs.resize(std::max(worker.wide_costs.size(), size));
  for (int dy = y.first; dy <= y.last; ++dy)
    for (int dx = x.first; dx <= x.last; ++dx)
      worker.wide_costs[static_cast<std::size_t>((dy - y.first) * pitch + dx - x.first)] = walk.distortion(dx, dy);
  return choose(worker.rates, x, y, worker.wide_costs.data(), pitch, start, second);
}

/// A walk downhill in four directions with ever smaller steps: a good start lets more be eliminated, and changes
/// nothing else.
template <class P>
void descend(const BlockWalk<P>& walk, Candidate& best) {
  for (const int distance : {8, 4, 2, 1}) {
    const std::array<PixelVector, 4> around = {{{0, -distance}, {-distance, 0}, {distance, 0}, {0, distance}}};
    for (bool moves = best.cost > 0; moves;) {
      moves = false;
      walk.improve_all(best, best.dx, best.dy, around, distance, [&](std::size_t) { moves = true; });
    }
  }
}

/// The search of one block by successive elimination.
template <class P>
class Elimination {
 public:
  using Scratch = MotionScratch<P>;
  using Worker = MotionWorker<P>;

  Elimination(const Scratch& scratch, Worker& worker, const Candidate& start)
      : scratch_(scratch), worker_(worker), walk_(worker.walk), best_(start) {}

  Candidate run() {
    // Rows outwards from the start's: near rows hold better candidates, which eliminate more of the others. A block is
    // mostly like the one before.
    const int rows = worker_.bounds.rows;
    const bool excluded = 4 * worker_.rows_by_force > 3 * worker_.rows;
    worker_.rows = rows;
    worker_.rows_by_force = 0;
    const int middle = (best_.dy - worker_.bounds.dy) / height;
    Side up{middle, -1}, down{middle + 1, 1};
    if (excluded) {
      up.give_up();
      down.give_up();
      down.look = 0;  // what a row above the start tells is enough
    }
    while (up.next >= 0 || down.next < rows) {
      if (up.next >= 0) go_on(up, up.next + 1);
      if (down.next < rows) go_on(down, rows - down.next);
    }
    return best_;
  }

 private:
  static constexpr int height = PlaceGroup::height;

  /// The rows of groups above or below the start.
  struct Side {
    static constexpr int most_by_force = 32;
    int next = 0;
    int step = 1;
    int look = BoundStrip::most_rows;  ///< rows that are looked at together
    int by_force = 1;                  ///< rows that go by brute force where bounds leave too much

    int first_of(int rows) const { return step > 0 ? next : next - rows + 1; }
    void give_up() {
      look = 1;
      by_force = most_by_force;
    }
  };

  /// Looks at the next rows. Where bounds are wasted on them, as they are on noise, they and those behind them go by
  /// brute force, ever more of them, and fewer are looked at.
  void go_on(Side& side, int rows_left) {
    int rows = std::min(side.look, rows_left);
    if (rows > 0 && look(side.first_of(rows), rows)) {
      side.look = std::min(4 * side.look, BoundStrip::most_rows);
      side.by_force = 1;
    } else {
      rows = std::min(side.by_force, rows_left);
      const MotionRange y = candidates_of(side.first_of(rows), rows);
      try_rows(scratch_, walk_, worker_, y.first, y.last, best_);
      worker_.rows_by_force += rows;
      side.look = 1;
      side.by_force = std::min(4 * side.by_force, Side::most_by_force);
    }
    side.next += side.step * rows;
  }

  /// The displacements of rows of groups.
  MotionRange candidates_of(int row, int rows) const {
    const int first = worker_.bounds.dy + row * height;
    return {std::max(first, walk_.y().first), std::min(first + rows * height - 1, walk_.y().last)};
  }

  /// False, and nothing is done, where so many candidates are left that brute force is faster.
  bool look(int row, int rows) {
    const MotionRange y = candidates_of(row, rows);
    std::uint64_t bound = 0;
    bool can_win = false;
    for (int dy = y.first; dy <= y.last; ++dy) {
      std::uint64_t most = 0;
      const std::uint64_t least_rate = worker_.rates.least(dy);
      if (!largest_winner(best_, dy, most) || least_rate > most) continue;
      can_win = true;
      bound = std::max(bound, most - least_rate);
    }
    if (!can_win) return true;
    // When so many are left, their costs one by one take longer than those of all.
    const Rect& block = walk_.block();
    const int enough = count_of(y) * count_of(walk_.x()) * block.width * block.height /
                       (single_cost<P>(block.width, block.height) * walk_.frame().costs.grid_speed);
    const int count = scratch_.find_survivors(worker_.bounds, {row, rows, worker_.bounds.most_of(bound), enough},
                                              worker_.left.data());
    if (count > enough) return false;
    for (int i = 0; i < count; ++i) {
      const Survivor& one = worker_.left[static_cast<std::size_t>(i)];
      // The best may have changed since the rows were looked at.
      const std::uint64_t least = worker_.bounds.sad_of(one.bound) + worker_.rates.rate(one.dx, one.dy);
      if (!definitions::is_eliminated(least, one.dx, one.dy, best_.j, best_.dx, best_.dy))
        walk_.improve(best_, one.dx, one.dy);
    }
    return true;
  }

  const Scratch& scratch_;
  Worker& worker_;
  const BlockWalk<P>& walk_;
  Candidate best_;
};

/// Starts from what the neighbours found, too.
template <class P>
Candidate find_by_elimination(Context& context, const MotionPlan& plan, const MotionScratch<P>& scratch,
                              MotionWorker<P>& worker, MotionVector left) {
  const BlockWalk<P>& walk = worker.walk;
  Candidate best = walk.start();
  walk.improve(best, left.dx >> 2, left.dy >> 2);
  descend(walk, best);
  begin_bounds(context, scratch.tiles, scratch.sums, walk, cell_shift(plan.max_pixel), worker.bounds);
  return Elimination<P>(scratch, worker, best).run();
}

}  // namespace

template <class P>
Candidate best_of_all(const MotionScratch<P>& scratch, const BlockWalk<P>& walk, MotionWorker<P>& worker,
                      PixelVector likely) {
  worker.rates.begin(walk);
  Candidate best = walk.candidate(0, 0);
  if (likely != PixelVector{}) walk.improve(best, likely.dx, likely.dy);
  if constexpr (std::is_same_v<P, std::uint8_t>) {
    if (scratch.best_of_small != nullptr && walk.frame().lambda == 0 &&
        scratch.best_of_small(walk.pixels(), walk.there(walk.x().first, walk.y().first),
                              walk.frame().reference->stride(), walk.x(), walk.y(), best))
      return best;
  }
  if (scratch.wide) {
    for (int dy = walk.y().first; dy <= walk.y().last; ++dy)
      for (int dx = walk.x().first; dx <= walk.x().last; ++dx) walk.improve(best, dx, dy);
    return best;
  }
  try_rows(scratch, walk, worker, walk.y().first, walk.y().last, best);
  return best;
}

template <class P>
void full(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  const bool second = !maps.second_j.empty();
  for_blocks(context, scratch, plan.grids.front(), [&](MotionWorker<P>& worker, int column, int row) {
    worker.walk.begin(scratch.frame, block_rect(plan.size, plan.blocks.front(), column, row),
                      prediction_of(maps, column, row));
    worker.rates.begin(worker.walk);
    Candidate best;
    if (second || scratch.wide) {
      std::uint64_t j = 0;
      best = find_with_second(worker, scratch.wide, j);
      if (second) maps.second_j(column, row) = j;
    } else if (scratch.tiles.any()) {
      best = find_by_elimination(context, plan, scratch, worker,
                                 column > 0 ? maps.vectors(column - 1, row) : MotionVector{});
    } else {
      best = best_of_all(scratch, worker.walk, worker);
    }
    put_match(maps, column, row, best);
  });
}

template Candidate best_of_all(const MotionScratch<std::uint8_t>&, const BlockWalk<std::uint8_t>&,
                               MotionWorker<std::uint8_t>&, PixelVector);
template Candidate best_of_all(const MotionScratch<std::uint16_t>&, const BlockWalk<std::uint16_t>&,
                               MotionWorker<std::uint16_t>&, PixelVector);
template void full(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void full(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
