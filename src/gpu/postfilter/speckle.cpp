// SPDX-License-Identifier: Apache-2.0
// The speckle filter on a GPU: runs, their trees, the sizes of regions, and the removal.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/shared/postfilter/postfilter.h"

namespace vergence::gpu {

struct Speckle::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : scalars{.width = plan.size.width,
                .height = plan.size.height,
                .range = plan.options.speckle_range,
                .size = plan.options.speckle_size},
        grid(plan.size, programs.device().properties()) {
    const Defines defines = grid.defines().set("MAP", wide ? "int" : "short").set("INVALID", plan.invalid);
    const auto kernel = [&](const char* name) { return &programs.kernel("postfilter/speckle.cl", defines, name); };
    find_runs = kernel("find_runs");
    join_runs = kernel("join_runs");
    count_regions = kernel("count_regions");
    remove_speckles = kernel("remove_speckles");
    const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    labels = programs.device().allocate(4 * pixels);
    sizes = programs.device().allocate(4 * pixels);
  }

  shared::SpeckleArguments scalars;
  Grid grid;
  const Kernel *find_runs, *join_runs, *count_regions, *remove_speckles;
  std::unique_ptr<Buffer> labels, sizes;
};

Speckle::Speckle(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
Speckle::~Speckle() = default;

void Speckle::run(Queue& queue, Buffer& map) {
  const Impl& s = *impl_;
  s.grid.run(queue, *s.find_runs, {map, *s.labels, *s.sizes}, s.scalars);
  s.grid.run(queue, *s.join_runs, {map, *s.labels}, s.scalars);
  s.grid.run(queue, *s.count_regions, {*s.labels, *s.sizes}, s.scalars);
  s.grid.run(queue, *s.remove_speckles, {*s.labels, *s.sizes, map}, s.scalars);
}

}  // namespace vergence::gpu
