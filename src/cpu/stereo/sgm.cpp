// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on the CPU. Equal to reference/stereo/sgm.cpp and match.cpp.
//
// A first sweep goes up through the bands of rows and keeps, for each band, the paths' rows just below it. Then the
// bands follow each other down. In each one all paths meet: those from below begin with what was kept, those from above
// with the last row of the band before. So no more than a band of sums is ever in memory. Costs are made twice, but
// where SgmMemory keeps those of the first sweep.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/rows.hpp"
#include "cpu/stereo/sgm.hpp"
#include "cpu/stereo/sgm_memory.hpp"
#include "cpu/stereo/sgm_worker.hpp"
#include "cpu/stereo/stages.hpp"
#include "definitions/stereo/sgm.h"

namespace vergence::cpu {
namespace {

/// What all threads work in.
template <class L, class S>
struct SharedMemory : MatchScratch::Worker {
  SgmMemory<L, S> memory;
  std::size_t bytes() const override { return memory.bytes(); }
};

/// All that the steps have in common, whatever the pixels and the map are.
MatchLayout make_layout(const StereoPlan& plan, int padded) {
  const StereoOptions& o = plan.options;
  return {.width = plan.size.width,
          .height = plan.size.height,
          .rx = 0,
          .ry = 0,
          .dmin = o.min_disparity,
          .count = o.disparities,
          .padded = padded,
          .planes = census_planes(o.cost),
          .skip = o.outside == StereoOutside::skip,
          .partial = true};
}

/// Takes a finished row to the maps.
template <class S>
using PutRow = std::function<void(int y, const MatchedRow<S>&)>;

template <class L, class S>
class Sgm {
  using Worker = SgmWorker<L, S>;

 public:
  /// The workers have begun the frame.
  Sgm(const StereoPlan& plan, Context& context, MatchScratch& scratch, const MatchLayout& layout, PutRow<S> put)
      : plan_(plan),
        context_(context),
        scratch_(scratch),
        put_(std::move(put)),
        shown_(shown_pixels(plan)),
        layout_(layout),
        diagonal_(plan.options.reference != plan.sums_view) {
    if (scratch.shared != nullptr) return;
    scratch.shared = std::make_unique<SharedMemory<L, S>>();
    memory().resize(plan, layout_);
  }

  void run() {
    SgmMemory<L, S>& m = memory();
    if (!m.up.empty())
      for (int last = m.bands; last > 1; last -= m.bands_at_once) sweep_up(std::max(1, last - m.bands_at_once), last);
    // What ends a band and what begins the next one take turns with the steps between rows: two meetings of all
    // threads.
    for (int band = -1; band < m.bands; ++band) {
      if (band >= 0) walk(band);
      context_.threads.rows(rows_of(std::max(band, 0)), 1, [&](int from, int to, int index) {
        if (band >= 0) decide(band, from, to, worker(index));
        if (band + 1 < m.bands) begin(band + 1, from, std::min(to, rows_of(band + 1)), index);
      });
    }
  }

 private:
  SgmMemory<L, S>& memory() { return static_cast<SharedMemory<L, S>&>(*scratch_.shared).memory; }
  Worker& worker(int index) { return static_cast<Worker&>(*scratch_.workers[static_cast<std::size_t>(index)]); }

  int first_row(int band) { return band * memory().rows; }
  int end_row(int band) { return std::min(plan_.size.height, first_row(band) + memory().rows); }
  int rows_of(int band) { return end_row(band) - first_row(band); }

  /// Penalties of a row for all paths.
  void make_penalties(int y, int at, Worker& worker) {
    const StereoOptions& o = plan_.options;
    if (o.p2_slope == 0) return;
    const std::uint16_t* const own = worker.grey(y);
    const auto fill = [&](int path, int dx, int dy) {
      L* const out = memory().penalty(at, path);
      const std::uint16_t* const before = worker.grey(y - dy);
      for (int x = 0; x < layout_.width; ++x) {
        const bool starts = x - dx < 0 || x - dx >= layout_.width || y - dy < 0 || y - dy >= layout_.height;
        const auto g = starts ? 0 : definitions::absolute_difference(own[x], before[x - dx]);
        out[x] = static_cast<L>(definitions::penalty_at_edge(o.p1, o.p2, g, o.p2_slope));
      }
    };
    fill(0, 1, 0);
    fill(1, -1, 0);
    int path = 2;
    for (const PathDirection one : memory().down) fill(path++, one.dx, one.dy);
    path = 5;
    for (const PathDirection one : memory().up) fill(path++, one.dx, one.dy);
  }

  /// Costs of rows [from, to) of a band, unless they were kept.
  void make_costs(int band, int from, int to, int index, bool kept) {
    SgmMemory<L, S>& m = memory();
    const int first = first_row(band);
    if (from < to && !kept)
      worker(index).make_costs(first + from, first + to, m.costs, m.keeps_costs ? first + from : from);
  }

  /// Costs, penalties and horizontal paths of rows [from, to) of a band.
  void begin(int band, int from, int to, int index) {
    SgmMemory<L, S>& m = memory();
    const int first = first_row(band);
    make_costs(band, from, to, index,
               m.keeps_costs && band > 0);  // the sweep has made those of all bands but the first
    for (int i = from; i < to; ++i) {
      make_penalties(first + i, i, worker(index));
      step_horizontally<L, S>(
          context_, layout_,
          {m.costs_of(first + i, first), static_cast<L>(plan_.options.p1), m.penalty(i, 0), m.penalty(i, 1),
           m.across.row(2 * i), m.across.row(2 * i + 1),
           m.up.empty() && m.down.empty() ? m.sums.get() + i * m.sums_row : nullptr, row_has_holes(plan_, first + i)});
    }
  }

  void decide(int band, int from, int to, Worker& worker) {
    const int first = first_row(band);
    for (int i = from; i < to; ++i)
      if (first + i >= shown_.y && first + i < shown_.y + shown_.height)
        put_(first + i, worker.decide(first + i, memory().sums.get() + i * memory().sums_row, diagonal_));
  }

  /// Paths from below through row y of a band. Where `kept` is a band, those of the first row are kept as its start.
  /// A single path's sums are made with those of the path from above.
  VerticalStep<L, S> up_step(int band, int y, int kept, bool sums) {
    SgmMemory<L, S>& m = memory();
    const int first = first_row(band), last = end_row(band) - 1, at = y - first;
    VerticalStep<L, S> step{.costs = m.costs_of(y, first),
                            .p1 = static_cast<L>(plan_.options.p1),
                            .paths = {},
                            .count = static_cast<int>(m.up.size()),
                            .starts = y == plan_.size.height - 1 || row_has_holes(plan_, y + 1),
                            .sums = sums && m.up.size() > 1 ? m.sums.get() + at * m.sums_row : nullptr,
                            .others = {m.across.row(2 * at).costs, m.across.row(2 * at + 1).costs},
                            .other_count = 2};
    for (int i = 0; i < step.count; ++i) {
      const bool starts = y == last && band + 1 < m.bands;
      const PathRow<L> before = y == plan_.size.height - 1 ? m.nothing.row(0)
                                : starts                   ? m.start(band, i)
                                                           : m.up_row(i, at + 1);
      const PathRow<L> after = y == first && kept >= 0 ? m.start(kept, i) : m.up_row(i, at);
      step.paths[static_cast<std::size_t>(i)] = {m.up[static_cast<std::size_t>(i)].dx, before, after,
                                                 m.penalty(at, 5 + i)};
    }
    return step;
  }
  VerticalStep<L, S> down_step(int band, int y) {
    SgmMemory<L, S>& m = memory();
    const int first = first_row(band), at = y - first;
    VerticalStep<L, S> step{.costs = m.costs_of(y, first),
                            .p1 = static_cast<L>(plan_.options.p1),
                            .paths = {},
                            .count = static_cast<int>(m.down.size()),
                            .starts = y == 0 || row_has_holes(plan_, y - 1),
                            .sums = m.sums.get() + at * m.sums_row,
                            .others = {m.across.row(2 * at).costs, m.across.row(2 * at + 1).costs},
                            .other_count = m.up.empty() ? 2 : 0};
    if (step.count == 1) step.others[2] = m.up_row(0, at).costs;
    for (int i = 0; i < step.count; ++i)
      step.paths[static_cast<std::size_t>(i)] = {m.down[static_cast<std::size_t>(i)].dx,
                                                 y == 0 ? m.nothing.row(0) : m.work_down.row(2 * i + (y + 1) % 2),
                                                 m.work_down.row(2 * i + y % 2), m.penalty(at, 2 + i)};
    return step;
  }

  /// Calls step(row, first, last) for `rows` rows in their order, each pixel after its neighbours of the row before.
  /// Strips of columns are done at the same time: first trapezoids that shrink by a column with each row, where paths
  /// are diagonal, then the triangles between them.
  void in_strips(int rows, bool diagonal, const RowBody& step) {
    const int width = layout_.width;
    const int most = diagonal ? context_.threads.count() : width / 64;
    const int strips = std::clamp(std::min(most, width / std::max(64, 2 * rows)), 1, width);
    const auto border = [&](int strip) { return static_cast<int>(static_cast<std::int64_t>(width) * strip / strips); };
    const int shrink = diagonal ? 1 : 0;
    context_.threads.rows(strips, 1, [&](int from, int to, int) {
      for (int strip = from; strip < to; ++strip)
        for (int i = 0; i < rows; ++i)
          step(i, border(strip) + (strip > 0 ? shrink * i : 0),
               border(strip + 1) - (strip + 1 < strips ? shrink * i : 0));
    });
    if (!diagonal || strips == 1) return;
    context_.threads.rows(strips - 1, 1, [&](int from, int to, int) {
      for (int strip = from + 1; strip <= to; ++strip)
        for (int i = 1; i < rows; ++i) step(i, border(strip) - i, border(strip) + i);
    });
  }

  void step_up(int band, int i, int kept, bool sums, int first, int last) {
    step_vertically<L, S>(context_, layout_, up_step(band, end_row(band) - 1 - i, kept, sums), first, last);
  }
  void step_down(int band, int i, int first, int last) {
    step_vertically<L, S>(context_, layout_, down_step(band, first_row(band) + i), first, last);
  }

  /// Bands [band, end): more than one only where costs are kept and penalties do not vary.
  void sweep_up(int band, int end) {
    const int rows = end_row(end - 1) - first_row(band);
    context_.threads.rows(rows, 1, [&](int from, int to, int index) {
      make_costs(band, from, to, index, false);
      for (int i = from; i < std::min(to, rows_of(band)); ++i) make_penalties(first_row(band) + i, i, worker(index));
    });
    if (memory().up.size() > 1) {
      in_strips(rows, true, [&](int i, int from, int to) { step_up(band, i, band - 1, false, from, to); });
    } else {
      in_strips(1, false, [&](int, int from, int to) {
        for (int each = end - 1; each >= band; --each)
          for (int i = 0; i < rows_of(each); ++i) step_up(each, i, each - 1, false, from, to);
      });
    }
  }

  /// The paths that change rows, through a band.
  void walk(int band) {
    const int rows = rows_of(band);
    const bool up = !memory().up.empty();
    if (memory().down.size() == 1) {  // straight paths: a strip goes up and down before the next one
      in_strips(1, false, [&](int, int from, int to) {
        for (int i = 0; i < rows; ++i) step_up(band, i, -1, true, from, to);
        for (int i = 0; i < rows; ++i) step_down(band, i, from, to);
      });
    } else if (!memory().down.empty()) {
      if (up) in_strips(rows, true, [&](int i, int from, int to) { step_up(band, i, -1, true, from, to); });
      in_strips(rows, true, [&](int i, int from, int to) { step_down(band, i, from, to); });
    }
  }

  const StereoPlan& plan_;
  Context& context_;
  MatchScratch& scratch_;
  const PutRow<S> put_;
  const Rect shown_;
  const MatchLayout layout_;
  const bool diagonal_;  ///< The map is the other view's.
};

// The types of pixels, of costs and of the map meet in small functions alone: there are dozens of combinations.

template <class P, class F, class E>
std::unique_ptr<MatchedRows<E>> make_rows(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<MatchedRowsOf<P, F, E>>(plan, layout);
}

template <class E, class L, class S>
std::unique_ptr<MatchScratch::Worker> make_worker(const StereoPlan& plan, const Context& context,
                                                  const MatchLayout& layout, std::unique_ptr<MatchedRows<E>> rows) {
  return std::make_unique<SgmWorkerOf<E, L, S>>(plan, context, layout, std::move(rows));
}

template <class L, class S, class T>
void run_paths(const StereoPlan& plan, Context& context, MatchScratch& scratch, const MatchLayout& layout,
               const MatchMaps<T>& maps) {
  const Output<S, T> output(plan, maps);
  Sgm<L, S>(plan, context, scratch, layout, [&](int y, const MatchedRow<S>& row) { output.put(y, row); }).run();
}

/// A frame with its types.
template <class P, class F, class E, class T>
struct Frame {
  ImageView<const P> left, right;
  const MatchMaps<T>& maps;

  template <class L, class S>
  void match(const StereoPlan& plan, Context& context, MatchScratch& scratch) const {
    const MatchLayout layout = make_layout(plan, padded_candidates<S>(context, plan.options.disparities));
    const MatchWants wants = wants_of(plan, maps);
    scratch.workers.resize(static_cast<std::size_t>(context.threads.count()));
    for (auto& slot : scratch.workers) {
      if (slot == nullptr) slot = make_worker<E, L, S>(plan, context, layout, make_rows<P, F, E>(plan, layout));
      auto& worker = static_cast<SgmWorkerOf<E, L, S>&>(*slot);
      static_cast<MatchedRowsOf<P, F, E>&>(worker.rows()).begin(context, left, right);
      worker.begin(wants);
    }
    run_paths<L, S>(plan, context, scratch, layout, maps);
  }
};

}  // namespace

template <class P, class F, class E, class T>
void match_paths(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
                 ImageView<const P> right, const MatchMaps<T>& maps) {
  clear_other_rows(plan, maps);
  if (shown_pixels(plan).height == 0) return;
  const Frame<P, F, E, T> frame{left, right, maps};
  const std::uint64_t path_cost = plan.max_window_cost + static_cast<std::uint64_t>(plan.options.p2);
  if constexpr (sizeof(E) == 1) {
    // Sums of 16 bits must also hold a column number for the other view.
    if (path_cost < no_candidate<std::uint8_t> && plan.options.cost != StereoCost::ssd && plan.size.width < 0x8000)
      return frame.template match<std::uint8_t, std::uint16_t>(plan, context, scratch);
  }
  if (path_cost < no_candidate<std::uint16_t>)
    return frame.template match<std::uint16_t, std::uint32_t>(plan, context, scratch);
  if (plan.max_cost < 0x7FFFFFFF) return frame.template match<std::uint32_t, std::uint32_t>(plan, context, scratch);
  frame.template match<std::uint32_t, std::uint64_t>(plan, context, scratch);
}

#define VERGENCE_MATCH_PATHS(P, F, E, T)                                                                \
  template void match_paths<P, F, E, T>(const StereoPlan&, Context&, MatchScratch&, ImageView<const P>, \
                                        ImageView<const P>, const MatchMaps<T>&);
#define VERGENCE_MATCH_ELEMENTS(T)                                    \
  VERGENCE_MATCH_PATHS(std::uint8_t, std::uint8_t, std::uint8_t, T)   \
  VERGENCE_MATCH_PATHS(std::uint16_t, std::uint8_t, std::uint8_t, T)  \
  VERGENCE_MATCH_PATHS(std::uint16_t, std::uint16_t, std::uint8_t, T) \
  VERGENCE_MATCH_PATHS(std::uint16_t, std::uint16_t, std::uint16_t, T)
VERGENCE_MATCH_ELEMENTS(std::int16_t)
VERGENCE_MATCH_ELEMENTS(std::int32_t)
#undef VERGENCE_MATCH_ELEMENTS
#undef VERGENCE_MATCH_PATHS

}  // namespace vergence::cpu
