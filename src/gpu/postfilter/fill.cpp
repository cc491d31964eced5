// SPDX-License-Identifier: Apache-2.0
// Hole filling on a GPU: a few launches for each way of filling.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {
namespace {

/// Rows of the columns' sums that one work-item adds up: more save additions, fewer make more work-items.
int strip_of(const Properties& properties) { return properties.is_cpu ? 128 : 32; }

}  // namespace

struct FillStage::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : size(plan.size),
        roi(plan.roi),
        way(plan.options.fill),
        radius(plan.options.fill_window / 2),
        words((size.width + 31) / 32),
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
  Rect roi;
  StereoFill way;
  int radius;
  int words;  ///< Of 32 bits a row.
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
  const int end_x = f.roi.x + f.roi.width, end_y = f.roi.y + f.roi.height;
  if (f.way == StereoFill::background || f.way == StereoFill::nearest) {
    queue.fill(*f.is_filled, 0);
    f.word_grid.run(queue, *f.first, {in, *f.bits, *f.is_filled}, {f.size.width});
    f.row_grid.run(queue, *f.filled_rows, {*f.is_filled, *f.above, *f.below});
  }
  switch (f.way) {
    case StereoFill::none:
      f.grid.run(queue, *f.first, {in, out});
      return;
    case StereoFill::background:
      f.grid.run(queue, *f.last, {in, *f.bits, *f.above, *f.below, out}, {f.words, f.roi.x, f.roi.y, end_x, end_y});
      return;
    case StereoFill::nearest:
      f.grid.run(queue, *f.nearest_columns, {*f.bits, *f.columns}, {f.words});
      f.grid.run(queue, *f.last, {in, *f.columns, *f.above, *f.below, out}, {f.roi.x, f.roi.y, end_x, end_y});
      return;
    case StereoFill::mean:
    case StereoFill::mean_all:
      f.strip_grid.run(queue, *f.first, {in, *f.sums, *f.counts}, {f.size.height, f.radius});
      f.grid.run(queue, *f.last, {in, *f.sums, *f.counts, out},
                 {f.roi.x, f.roi.y, end_x, end_y, f.radius, f.way == StereoFill::mean_all ? 1 : 0});
      return;
  }
}

}  // namespace vergence::gpu
