// SPDX-License-Identifier: Apache-2.0
// Hole filling on a GPU: a few launches for each way of filling.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/shared/postfilter/postfilter.h"

namespace vergence::gpu {
namespace {

/// Rows of the columns' sums that one work-item adds up: more save additions, fewer make more work-items.
int strip_of(const Properties& properties) { return properties.is_cpu ? 128 : 32; }

}  // namespace

struct FillStage::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : size(plan.size),
        way(plan.options.fill),
        words((size.width + 31) / 32),
        scalars{.width = size.width,
                .height = size.height,
                .words = words,
                .first_x = plan.roi.x,
                .first_y = plan.roi.y,
                .end_x = plan.roi.x + plan.roi.width,
                .end_y = plan.roi.y + plan.roi.height,
                .radius = plan.options.fill_window / 2,
                .all = way == StereoFill::mean_all ? 1 : 0},
        grid(size, programs.device().properties()),
        word_grid({words, size.height}, programs.device().properties()),
        row_grid({size.height, 1}, programs.device().properties()),
        strip_grid({size.width, static_cast<int>(groups_for(size.height, strip_of(programs.device().properties())))},
                   programs.device().properties()) {
    Device& device = programs.device();
    const char* const sum = wide ? "int64" : "int";  // 255 values of 16 bits fit an int
    const Defines defines = grid.defines()
                                .set("MAP", wide ? "int" : "short")
                                .set("INVALID", plan.invalid)
                                .set("SUM", sum)
                                .set("STRIP", strip_of(device.properties()));
    const auto kernel = [&](const char* name) { return &programs.kernel("postfilter/fill.cl", defines, name); };
    const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
    if (way == StereoFill::none) {
      first = kernel("copy");
    } else if (way == StereoFill::background || way == StereoFill::nearest) {
      first = kernel("mark_valid");
      filled_rows = kernel("find_filled_rows");
      bits = device.allocate(4 * static_cast<std::size_t>(words) * height);
      for (auto* const rows : {&is_filled, &above, &below}) *rows = device.allocate(4 * height);
      if (way == StereoFill::nearest) {
        nearest_columns = kernel("find_nearest_columns");
        columns = device.allocate(4 * width * height);
      }
      last = kernel(way == StereoFill::background ? "background" : "nearest");
    } else {
      first = kernel("add_columns");
      sums = device.allocate((wide ? 8U : 4U) * width * height);
      counts = device.allocate(width * height);
      last = kernel("mean");
    }
  }

  Size size;
  StereoFill way;
  int words;  ///< Of 32 bits a row.
  shared::FillArguments scalars;
  Grid grid, word_grid, row_grid, strip_grid;
  const Kernel *first = nullptr, *filled_rows = nullptr, *nearest_columns = nullptr, *last = nullptr;
  std::unique_ptr<Buffer> bits, is_filled, above, below;  ///< Valid pixels, and rows that have any.
  std::unique_ptr<Buffer> columns;                        ///< Of the nearest valid pixel in the row.
  std::unique_ptr<Buffer> sums, counts;
};

FillStage::FillStage(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
FillStage::~FillStage() = default;

void FillStage::run(Queue& queue, const Buffer& in, Buffer& out) {
  const Impl& f = *impl_;
  if (f.way == StereoFill::background || f.way == StereoFill::nearest) {
    queue.fill(*f.is_filled, 0);
    f.word_grid.run(queue, *f.first, {in, *f.bits, *f.is_filled}, f.scalars);
    f.row_grid.run(queue, *f.filled_rows, {*f.is_filled, *f.above, *f.below}, f.scalars);
  }
  switch (f.way) {
    case StereoFill::none:
      f.grid.run(queue, *f.first, {in, out}, f.scalars);
      return;
    case StereoFill::background:
      f.grid.run(queue, *f.last, {in, *f.bits, *f.above, *f.below, out}, f.scalars);
      return;
    case StereoFill::nearest:
      f.grid.run(queue, *f.nearest_columns, {*f.bits, *f.columns}, f.scalars);
      f.grid.run(queue, *f.last, {in, *f.columns, *f.above, *f.below, out}, f.scalars);
      return;
    case StereoFill::mean:
    case StereoFill::mean_all:
      f.strip_grid.run(queue, *f.first, {in, *f.sums, *f.counts}, f.scalars);
      f.grid.run(queue, *f.last, {in, *f.sums, *f.counts, out}, f.scalars);
      return;
  }
}

}  // namespace vergence::gpu
