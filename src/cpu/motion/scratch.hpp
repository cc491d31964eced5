// SPDX-License-Identifier: Apache-2.0
// What the stages of one estimator share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/motion/block_walk.hpp"
#include "cpu/motion/elimination.hpp"
#include "cpu/motion/plane.hpp"
#include "cpu/motion/scan.hpp"
#include "cpu/motion/stages.hpp"

namespace vergence::cpu {

/// What all_sizes keeps between frames.
class SquareScratch {
 public:
  virtual ~SquareScratch() = default;
  virtual std::size_t bytes() const = 0;
};

/// Scratch memory of one worker.
template <class P>
struct MotionWorker {
  BlockWalk<P> walk;    ///< the block at hand
  BlockWalk<P> coarse;  ///< the same on a coarse level
  RateTable rates;
  std::vector<std::uint32_t> costs;       ///< of a few rows of candidates, or of all
  std::vector<std::uint64_t> wide_costs;  ///< where 32 bits are too few
  std::vector<Survivor> left;
  BoundLevels bounds;
  std::unique_ptr<SquareScratch> square;  ///< where all sizes are searched
  int rows = 0;                           ///< of candidates of the last block
  int rows_by_force = 0;                  ///< of them, those where bounds were wasted
  PackedBlock<P> moved;                   ///< a block between pixels
  PackedBlock<P> pairs;                   ///< a part of a block
  std::vector<std::int32_t> filtered;     ///< rows that were filtered across
};

/// A coarse level of both frames.
template <class P>
struct MotionLevel {
  Image<P> current, reference;
  Plane<P> plane;
  SearchFrame<P> frame;
  /// The cells of search tz, and their vectors.
  Size cell, grid;
  std::vector<PixelVector> found;
};

template <class P>
class MotionScratch {
 public:
  /// Pixels that interpolation reads beside the farthest candidate.
  static constexpr int taps = 8;

  MotionScratch(const MotionPlan& plan, Context& context);

  Plane<P> plane;                      ///< the reference frame
  SearchFrame<P> frame;                ///< what is searched
  std::vector<MotionLevel<P>> levels;  ///< 1, 2, ...
  bool wide = false;                   ///< 32 bits are too few for costs
  TileLevels tiles;                    ///< none: candidates are not eliminated
  EliminationFrame sums;
  RowMinimum minimum = nullptr;
  BestOfGrid best_of_small = nullptr;  ///< none for other costs than SAD of bytes
  Survivors find_survivors = nullptr;
  std::vector<std::unique_ptr<MotionWorker<P>>> workers;
  std::size_t bytes() const;
};

/// Scratch memory for a square of 64 px, whose blocks of all sizes are searched together.
template <class P>
std::unique_ptr<SquareScratch> make_square(const MotionPlan& plan, const MotionScratch<P>& scratch);

/// Calls f(worker, column, row) for every block of a grid; rows go to threads as these become free. What is computed
/// does not depend on who computes it.
template <class P, class F>
void for_blocks(Context& context, MotionScratch<P>& scratch, Size grid, F&& f) {
  std::atomic<int> next{0};
  context.threads.rows(grid.height, 1, [&](int, int, int worker) {
    MotionWorker<P>& own = *scratch.workers[static_cast<std::size_t>(worker)];
    for (int row = next++; row < grid.height; row = next++)
      for (int column = 0; column < grid.width; ++column) f(own, column, row);
  });
}

/// Runs `find(worker)`, which returns the best candidate of worker.walk, for every block of plan.blocks.front().
template <class P, class F>
void search_blocks(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps,
                   F&& find) {
  for_blocks(context, scratch, plan.grids.front(), [&](MotionWorker<P>& worker, int column, int row) {
    worker.walk.begin(scratch.frame, block_rect(plan.size, plan.blocks.front(), column, row),
                      prediction_of(maps, column, row));
    put_match(maps, column, row, find(worker));
  });
}

/// The best of all candidates of a block, by brute force; faster where `likely` is near it.
template <class P>
Candidate best_of_all(const MotionScratch<P>& scratch, const BlockWalk<P>& walk, MotionWorker<P>& worker,
                      PixelVector likely = {});

}  // namespace vergence::cpu
