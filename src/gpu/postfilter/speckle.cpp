// SPDX-License-Identifier: Apache-2.0
// The speckle filter on a GPU: runs, their trees, the sizes of regions, and the removal.
#include <functional>
#include <initializer_list>
#include <vector>

#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/shared/postfilter/postfilter.h"

namespace vergence::gpu {

namespace {

constexpr int speckle_band = 8;  ///< Rows of a work-item of speckle_rows.cl.

}  // namespace

struct Speckle::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : scalars{.width = plan.size.width,
                .height = plan.size.height,
                .range = plan.options.speckle_range,
                .size = plan.options.speckle_size},
        grid(plan.size, programs.device().properties()) {
    const bool in_rows = programs.device().properties().is_cpu;
    const char* const file = in_rows ? "postfilter/speckle_rows.cl" : "postfilter/speckle.cl";
    const Defines defines =
        grid.defines().set("MAP", wide ? "int" : "short").set("INVALID", plan.invalid).set("BAND", speckle_band);
    const auto kernel = [&](const char* name) { return &programs.kernel(file, defines, name); };
    if (in_rows) bands = groups_for(plan.size.height, speckle_band);
    find_runs = kernel("find_runs");
    join_runs = kernel("join_runs");
    count_regions = kernel("count_regions");
    remove_speckles = kernel("remove_speckles");
    const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    labels = programs.device().allocate(4 * pixels);
    sizes = programs.device().allocate(4 * pixels);
  }

  void run(Queue& queue, const Kernel& kernel,
           std::initializer_list<std::reference_wrapper<const Buffer>> buffers) const {
    std::vector<Argument> arguments(buffers.begin(), buffers.end());
    arguments.emplace_back(scalars);
    if (bands > 0)
      queue.launch(kernel, {bands, 1, 1}, {1, 1, 1}, arguments);
    else
      grid.launch(queue, kernel, arguments);
  }

  shared::SpeckleArguments scalars;
  Grid grid;
  std::size_t bands = 0;  ///< Of rows: speckle_rows.cl.
  const Kernel *find_runs, *join_runs, *count_regions, *remove_speckles;
  std::unique_ptr<Buffer> labels, sizes;
};

Speckle::Speckle(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
Speckle::~Speckle() = default;

void Speckle::run(Queue& queue, Buffer& map) {
  const Impl& s = *impl_;
  s.run(queue, *s.find_runs, {map, *s.labels, *s.sizes});
  s.run(queue, *s.join_runs, {map, *s.labels});
  s.run(queue, *s.count_regions, {*s.labels, *s.sizes});
  s.run(queue, *s.remove_speckles, {*s.labels, *s.sizes, map});
}

}  // namespace vergence::gpu
