// SPDX-License-Identifier: Apache-2.0
// The median filter on a GPU: one launch.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {
namespace {

constexpr int pair_rows = 4;  ///< Of a work-item of median_pairs.cl; it has two columns.

}  // namespace

struct Median::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide, bool pairs)
      : grid(plan.size, programs.device().properties()) {
    const Defines defines = grid.defines().set("INVALID", plan.invalid);
    if (pairs && !wide && plan.options.median == 3) {
      pixels = 2 * pair_rows;
      median = &programs.kernel("postfilter/median_pairs.cl", Defines(defines).set("ROWS", pair_rows), "median_pairs");
    } else {
      median = &programs.kernel(
          "postfilter/median.cl",
          Defines(defines).set("MAP", wide ? "int" : "short").set("RADIUS", plan.options.median / 2), "median");
    }
  }
  Grid grid;
  int pixels = 1;  ///< Of a work-item, as many as groups have rows for each of theirs.
  const Kernel* median;
};

Median::Median(const StereoPlan& plan, Programs& programs, bool wide)
    : Median(plan, programs, wide, programs.device().properties().has_packed_minimum) {}
Median::Median(const StereoPlan& plan, Programs& programs, bool wide, bool pairs)
    : impl_(std::make_unique<Impl>(plan, programs, wide, pairs)) {}
Median::~Median() = default;

void Median::run(Queue& queue, const Buffer& in, Buffer& out) {
  impl_->grid.launch(queue, *impl_->median, {in, out, impl_->grid.picture()}, impl_->pixels);
}

}  // namespace vergence::gpu
