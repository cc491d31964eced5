// SPDX-License-Identifier: Apache-2.0
// The median filter on a GPU: one launch.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {

struct Median::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : grid(plan.size, programs.device().properties()),
        median(&programs.kernel("postfilter/median.cl",
                                grid.defines()
                                    .set("MAP", wide ? "int" : "short")
                                    .set("INVALID", plan.invalid)
                                    .set("RADIUS", plan.options.median / 2),
                                "median")) {}
  Grid grid;
  const Kernel* median;
};

Median::Median(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
Median::~Median() = default;

void Median::run(Queue& queue, const Buffer& in, Buffer& out) { impl_->grid.run(queue, *impl_->median, {in, out}); }

}  // namespace vergence::gpu
