// SPDX-License-Identifier: Apache-2.0
// The median filter on a GPU: one launch.
#include <vector>

#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {
namespace {

constexpr int pair_rows = 4;  ///< Of a work-item of median_pairs.cl; it has two columns.
constexpr int band = 8;       ///< Rows of a work-item of median_rows.cl.

}  // namespace

struct Median::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide, bool pairs)
      : grid(plan.size, programs.device().properties()) {
    const Defines defines = grid.defines().set("INVALID", plan.invalid);
    const int radius = plan.options.median / 2;
    bands = programs.device().properties().is_cpu ? groups_for(plan.size.height, band) : 0;
    if (bands > 0) {
      median = &programs.kernel("postfilter/median_rows.cl",
                                Defines(defines)
                                    .set("MAP", wide ? "int" : "short")
                                    .set("MAPS", wide ? "int16" : "short16")
                                    .set("LOWEST", wide ? "INT_MIN" : "SHRT_MIN")
                                    .set("HIGHEST", wide ? "INT_MAX" : "SHRT_MAX")
                                    .set("RADIUS", radius)
                                    .set("BAND", band),
                                "median_rows");
    } else if (pairs && !wide && plan.options.median == 3) {
      pixels = 2 * pair_rows;
      median = &programs.kernel("postfilter/median_pairs.cl", Defines(defines).set("ROWS", pair_rows), "median_pairs");
    } else {
      median = &programs.kernel("postfilter/median.cl",
                                Defines(defines).set("MAP", wide ? "int" : "short").set("RADIUS", radius), "median");
    }
  }
  Grid grid;
  int pixels = 1;         ///< Of a work-item, as many as groups have rows for each of theirs.
  std::size_t bands = 0;  ///< Of rows: median_rows.cl.
  const Kernel* median;
};

Median::Median(const StereoPlan& plan, Programs& programs, bool wide)
    : Median(plan, programs, wide, programs.device().properties().has_packed_minimum) {}
Median::Median(const StereoPlan& plan, Programs& programs, bool wide, bool pairs)
    : impl_(std::make_unique<Impl>(plan, programs, wide, pairs)) {}
Median::~Median() = default;

void Median::run(Queue& queue, const Buffer& in, Buffer& out) {
  const Impl& m = *impl_;
  const std::vector<Argument> arguments{in, out, m.grid.picture()};
  if (m.bands > 0)
    queue.launch(*m.median, {m.bands, 1, 1}, {1, 1, 1}, arguments);
  else
    m.grid.launch(queue, *m.median, arguments, m.pixels);
}

}  // namespace vergence::gpu
