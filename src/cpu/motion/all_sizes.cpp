// SPDX-License-Identifier: Apache-2.0
// The exhaustive search for blocks of 8, 16, 32 and 64 px at once: the frame is divided into squares of 64 px; in each,
// a few rows of displacements at a time, the costs of 8x8 blocks are computed and then added up, size by size.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {
namespace {

/// Rows of displacements whose costs are computed together.
constexpr int strip = 4;
constexpr int sizes = 4;

/// A block of some size within a square, and its candidates.
struct Part {
  bool exists = false;
  int column = 0, row = 0;  ///< in the grid of its size
  MotionRange x, y;
  RateTable rates;
  Candidate best;
  std::uint64_t second = no_motion_cost;
};

/// The blocks of one size within a square, and their costs under some rows of displacements.
template <class E>
struct Level {
  int side = 0;    ///< of the blocks, in px
  int across = 0;  ///< blocks
  std::vector<Part> parts;
  std::vector<E> costs;
  Part& part(int x, int y) { return parts[static_cast<std::size_t>(y * across + x)]; }
  const Part& part(int x, int y) const { return parts[static_cast<std::size_t>(y * across + x)]; }
};

/// E holds costs: 32 or 64 bits.
template <class P, class E>
class Square final : public SquareScratch {
 public:
  /// The scratch must outlive it.
  Square(const MotionPlan& plan, const MotionScratch<P>& scratch)
      : plan_(plan),
        scratch_(scratch),
        first_x_(plan.options.range_x.first),
        pitch_(plan.options.range_x.last - first_x_ + 1 + grid_slack),
        walks_(64) {
    for (int i = 0; i < sizes; ++i) {
      Level<E>& level = levels_[static_cast<std::size_t>(i)];
      level.side = 8 << i;
      level.across = 8 >> i;
      level.parts.resize(static_cast<std::size_t>(level.across * level.across));
      level.costs.resize(level.parts.size() * strip * static_cast<std::size_t>(pitch_));
    }
  }

  /// A new frame.
  void begin(std::span<const MotionMaps> maps) {
    maps_ = maps;
    wants_second_ = std::any_of(maps.begin(), maps.end(), [](const MotionMaps& one) { return !one.second_j.empty(); });
  }

  void run(int column, int row) {
    for (int i = 0; i < sizes; ++i) begin(i, column, row);
    for_strips([&](int i, const E* costs, int dy, Part& part) {
      scan(costs + part.x.first - first_x_, dy, part);
      (void)i;
    });
    if (wants_second_)
      for_strips([&](int i, const E* costs, int dy, Part& part) {
        if (maps_[static_cast<std::size_t>(i)].second_j.empty()) return;
        part.second = std::min(part.second, second_in_row(part.rates, costs + part.x.first - first_x_, part.x.first,
                                                          count_of(part.x), dy, part.best));
      });
    for (int i = 0; i < sizes; ++i) put(maps_[static_cast<std::size_t>(i)], levels_[static_cast<std::size_t>(i)]);
  }

 private:
  static int count_of(MotionRange range) { return range.last - range.first + 1; }

  /// Blocks of size i in the square of that column and row.
  void begin(int i, int column, int row) {
    Level<E>& level = levels_[static_cast<std::size_t>(i)];
    const Size grid = plan_.grids[static_cast<std::size_t>(i)];
    const SearchFrame<P>& frame = scratch_.frame;
    for (int y = 0; y < level.across; ++y)
      for (int x = 0; x < level.across; ++x) {
        Part& part = level.part(x, y);
        part.column = column * level.across + x;
        part.row = row * level.across + y;
        part.exists = part.column < grid.width && part.row < grid.height;
        if (!part.exists) continue;
        const Rect block = block_rect(plan_.size, {level.side, level.side}, part.column, part.row);
        part.x = BlockWalk<P>::candidates(frame, frame.range_x, block.x, block.width, plan_.size.width);
        part.y = BlockWalk<P>::candidates(frame, frame.range_y, block.y, block.height, plan_.size.height);
        part.rates.begin(frame.lambda, part.x,
                         prediction_of(maps_[static_cast<std::size_t>(i)], part.column, part.row));
        part.best = {0, 0, 0, no_motion_cost};
        part.second = no_motion_cost;
        if (i == 0) walks_[static_cast<std::size_t>(y * level.across + x)].begin(frame, block, {});
      }
  }

  E* costs_of(Level<E>& level, int x, int y, int line) {
    return level.costs.data() + (static_cast<std::ptrdiff_t>(y * level.across + x) * strip + line) * pitch_;
  }

  /// Calls f(size, costs of the row from the range's first column on, dy, block) for all rows of displacements.
  template <class F>
  void for_strips(F&& f) {
    const MotionRange range = plan_.options.range_y;
    for (int dy = range.first; dy <= range.last; dy += strip) {
      const int lines = std::min(strip, range.last - dy + 1);
      tiles(dy, lines);
      for (int i = 1; i < sizes; ++i)
        sum(levels_[static_cast<std::size_t>(i - 1)], levels_[static_cast<std::size_t>(i)], dy, lines);
      for (int i = 0; i < sizes; ++i) {
        Level<E>& level = levels_[static_cast<std::size_t>(i)];
        for_parts(level, [&](int x, int y, Part& part) {
          for (int line = 0; line < lines; ++line)
            if (dy + line >= part.y.first && dy + line <= part.y.last)
              f(i, costs_of(level, x, y, line), dy + line, part);
        });
      }
    }
  }
  template <class F>
  static void for_parts(Level<E>& level, F&& f) {
    for (int y = 0; y < level.across; ++y)
      for (int x = 0; x < level.across; ++x)
        if (level.part(x, y).exists) f(x, y, level.part(x, y));
  }

  /// Costs of the 8x8 blocks where these have candidates.
  void tiles(int dy, int lines) {
    Level<E>& level = levels_[0];
    for_parts(level, [&](int x, int y, Part& part) {
      const int first = std::max(dy, part.y.first), last = std::min(dy + lines - 1, part.y.last);
      if (first > last) return;
      const BlockWalk<P>& walk = walks_[static_cast<std::size_t>(y * level.across + x)];
      E* const out = costs_of(level, x, y, first - dy) + part.x.first - first_x_;
      const int columns = count_of(part.x), rows = last - first + 1;
      if constexpr (sizeof(E) == 4) {
        scratch_.frame.costs.grid(walk.pixels(), walk.there(part.x.first, first), scratch_.plane.stride(),
                                  {columns, rows, out, pitch_});
      } else {
        for (int i = 0; i < rows; ++i)
          for (int k = 0; k < columns; ++k) out[i * pitch_ + k] = walk.distortion(part.x.first + k, first + i);
      }
    });
  }

  /// Costs of blocks from the four, or what the frame leaves of them, that they consist of.
  void sum(Level<E>& from, Level<E>& to, int dy, int lines) {
    for_parts(to, [&](int x, int y, Part& part) {
      const std::ptrdiff_t start = part.x.first - first_x_;
      const int columns = count_of(part.x);
      for (int line = 0; line < lines; ++line) {
        if (dy + line < part.y.first || dy + line > part.y.last) continue;
        E* const out = costs_of(to, x, y, line) + start;
        std::fill_n(out, columns, E{0});
        for (int k = 0; k < 4; ++k) {
          const int u = 2 * x + k % 2, v = 2 * y + k / 2;
          if (!from.part(u, v).exists) continue;
          const E* const in = costs_of(from, u, v, line) + start;
          for (int i = 0; i < columns; ++i) out[i] += in[i];
        }
      }
    });
  }

  void scan(const E* costs, int dy, Part& part) {
    if constexpr (sizeof(E) == 4)
      scan_row(scratch_.minimum, part.rates, costs, part.x.first, count_of(part.x), dy, part.best);
    else
      scan_row(part.rates, costs, part.x.first, count_of(part.x), dy, part.best);
  }

  static void put(const MotionMaps& maps, const Level<E>& level) {
    for (const Part& part : level.parts) {
      if (!part.exists) continue;
      put_match(maps, part.column, part.row, part.best);
      if (!maps.second_j.empty()) maps.second_j(part.column, part.row) = part.second;
    }
  }

  std::size_t bytes() const override {
    std::size_t bytes = sizeof(*this) + walks_.capacity() * sizeof(walks_[0]);
    for (const Level<E>& level : levels_)
      bytes += level.parts.capacity() * sizeof(Part) + level.costs.capacity() * sizeof(E);
    return bytes;
  }

 private:
  const MotionPlan plan_;
  const MotionScratch<P>& scratch_;
  std::span<const MotionMaps> maps_;
  int first_x_;
  std::ptrdiff_t pitch_;
  bool wants_second_ = false;
  std::vector<BlockWalk<P>> walks_;
  std::array<Level<E>, sizes> levels_;
};

template <class P, class E>
void run(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, std::span<const MotionMaps> maps) {
  const Size grid = plan.grids.back();  // of the squares
  std::atomic<int> next{0};
  context.threads.rows(grid.height, 1, [&](int, int, int worker) {
    auto& square = static_cast<Square<P, E>&>(*scratch.workers[static_cast<std::size_t>(worker)]->square);
    square.begin(maps);
    for (int row = next++; row < grid.height; row = next++)
      for (int column = 0; column < grid.width; ++column) square.run(column, row);
  });
}

}  // namespace

template <class P>
std::unique_ptr<SquareScratch> make_square(const MotionPlan& plan, const MotionScratch<P>& scratch) {
  if (scratch.wide) return std::make_unique<Square<P, std::uint64_t>>(plan, scratch);
  return std::make_unique<Square<P, std::uint32_t>>(plan, scratch);
}

template <class P>
void all_sizes(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, std::span<const MotionMaps> maps) {
  if (scratch.wide)
    run<P, std::uint64_t>(plan, context, scratch, maps);
  else
    run<P, std::uint32_t>(plan, context, scratch, maps);
}

template std::unique_ptr<SquareScratch> make_square(const MotionPlan&, const MotionScratch<std::uint8_t>&);
template std::unique_ptr<SquareScratch> make_square(const MotionPlan&, const MotionScratch<std::uint16_t>&);
template void all_sizes(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, std::span<const MotionMaps>);
template void all_sizes(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, std::span<const MotionMaps>);

}  // namespace vergence::cpu
