// SPDX-License-Identifier: Apache-2.0
// Launches of the stages of tracks.
#include "gpu/track/stages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "gpu/grid.hpp"
#include "gpu/shared/track/points.h"
#include "gpu/shared/track/tile.h"

namespace vergence::gpu {
namespace {

static_assert(sizeof(backend::TrackQuery) == 16 && offsetof(backend::TrackQuery, guess) == 8);
static_assert(sizeof(TrackedPoint) == 20 && offsetof(TrackedPoint, status) == 8 &&
              offsetof(TrackedPoint, converged) == 9 && offsetof(TrackedPoint, residual) == 12 &&
              offsetof(TrackedPoint, way_back) == 16);
static_assert(sizeof(backend::Corner) == 16 && offsetof(backend::Corner, x) == 8 && offsetof(backend::Corner, y) == 12);

constexpr std::size_t unit = 16;   // pixels that rows and levels begin at multiples of
constexpr std::size_t slack = 64;  // pixels that kernels may read beyond the last level

std::size_t whole_units(int pixels) { return (static_cast<std::size_t>(pixels) + unit - 1) / unit * unit; }
std::size_t area(Size size) { return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height); }
std::size_t pixel_bytes(const TrackPlan& plan) { return plan.options.depth == Depth::u8 ? 1 : 2; }

Rows one_row(std::size_t bytes) { return {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}; }

Defines pixel_defines(const TrackPlan& plan, const Properties& properties) {
  const bool bytes = plan.options.depth == Depth::u8;
  return Defines()
      .set("PIXEL", bytes ? "uchar" : "ushort")
      .set("BYTES", bytes ? 1 : 0)
      .set("ROLLED", properties.is_cpu ? 1 : 0);
}

}  // namespace

TrackLevels::TrackLevels(const TrackPlan& plan, Device& device, Queue& queue) {
  std::vector<std::int32_t> table;
  for (const Size& size : plan.levels) {
    const std::size_t pitch = whole_units(size.width);
    offsets_.push_back(pixels_);
    pitches_.push_back(pitch);
    table.insert(table.end(), {size.width, size.height, static_cast<std::int32_t>(pitch),
                               static_cast<std::int32_t>(pixels_ / unit)});
    pixels_ += pitch * static_cast<std::size_t>(size.height);
  }
  table_ = device.allocate(table.size() * sizeof(table[0]));
  queue.upload(*table_, one_row(table.size() * sizeof(table[0])), table.data());
  const std::array<double, 3> numbers{plan.eigen_limit, plan.step_unit, plan.options.quality};
  numbers_ = device.allocate(sizeof(numbers));
  queue.upload(*numbers_, one_row(sizeof(numbers)), numbers.data());
}

TrackBuffers::TrackBuffers(const TrackPlan& plan, const TrackLevels& levels, Device& device)
    : pictures(device.allocate((levels.pixels() + slack) * pixel_bytes(plan))),
      gradients(device.allocate((levels.pixels() + slack) * sizeof(std::int32_t))) {}

namespace {

/// Bytes of local memory that a group of prepare.cl has.
std::size_t tile_bytes(const TrackPlan& plan, int count, bool halve, int width, int height) {
  const int bytes = static_cast<int>(pixel_bytes(plan));
  int pixels = TILE_SLACK;
  for (int k = 0; k < count; ++k) pixels += TILE_LEVEL(k, count, halve, width, height, bytes);
  return static_cast<std::size_t>(pixels * bytes);
}

}  // namespace

TrackPrepare::TrackPrepare(const TrackPlan& plan, Programs& programs, const TrackTuning& tuning)
    : size_(plan.size), threads_(static_cast<std::size_t>(tuning.threads)) {
  const auto pictures = static_cast<int>(plan.levels.size());
  const Properties& properties = programs.device().properties();
  const auto defines = [&](int count, bool halve, int tile_height) {
    return pixel_defines(plan, properties)
        .set("TWO", plan.options.depth == Depth::u8 ? "ushort" : "uint")
        .set("FOUR", plan.options.depth == Depth::u8 ? "uint" : "ulong")
        .set("DROPPED", plan.dropped_bits)
        .set("SHIFT", plan.gradient_shift)
        .set("COUNT", count)
        .set("HALVE", halve ? 1 : 0)
        .set("TILE_W", tuning.tile_width)
        .set("TILE_H", tile_height)
        .set("THREADS", tuning.threads);
  };
  for (int first = 0; first < pictures; first += tuning.pass) {
    const int count = std::min(tuning.pass, pictures - first);
    const bool halve = first + count < pictures;
    int height = tuning.tile_height;
    while (height > 2 << count && tile_bytes(plan, count, halve, tuning.tile_width, height) > properties.local_memory)
      height /= 2;
    passes_.push_back({&programs.kernel("track/prepare.cl", defines(count, halve, height), "prepare"),
                       first,
                       {groups_for(plan.levels[static_cast<std::size_t>(first)].width, tuning.tile_width),
                        groups_for(plan.levels[static_cast<std::size_t>(first)].height, height), 1}});
  }
  if (plan.dropped_bits > 0) drop_ = &programs.kernel("track/prepare.cl", defines(1, false, 4), "drop_bits");
}

void TrackPrepare::run(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame) const {
  const Range group{threads_, 1, 1};
  if (drop_ != nullptr)
    queue.launch(*drop_,
                 {groups_for(size_.width, static_cast<int>(threads_)), static_cast<std::size_t>(size_.height), 1},
                 group, std::array<Argument, 2>{*frame.pictures, levels.table()});
  for (const Pass& pass : passes_)
    queue.launch(*pass.kernel, pass.groups, group,
                 std::array<Argument, 4>{*frame.pictures, *frame.gradients, levels.table(), pass.first});
}

TrackPoints::TrackPoints(const TrackPlan& plan, Programs& programs, const TrackTuning& tuning)
    : plan_(plan), lanes_(track_lanes(tuning, plan.options.window, programs.device().properties())) {
  const int window = plan.options.window, fours = (window + 3) / 4 * window, own = (fours + lanes_ - 1) / lanes_;
  // Sums of up to 32 products of patches below 8161 and gradients below 4081, or of squares of these, fit 32 bits.
  const bool short_sums = plan.options.depth == Depth::u8 && own <= 8;
  lk_ = &programs.kernel("track/lk.cl",
                         pixel_defines(plan, programs.device().properties())
                             .set("WINDOW", window)
                             .set("LANES", lanes_)
                             .set("SHORT_SUMS", short_sums ? 1 : 0)
                             .set("WARP_SUM", programs.device().properties().has_warp_minimum ? 1 : 0)
                             .set("PATCH_SHIFT", plan.patch_shift)
                             .set("PATCH_SCALE", plan.patch_scale)
                             .set("DROPPED", plan.dropped_bits)
                             .set("GAIN_OFFSET", plan.options.gain_offset ? 1 : 0)
                             .set("BACK", plan.options.forward_backward > 0 ? 1 : 0)
                             .set("MUST_CONVERGE", plan.options.must_converge ? 1 : 0)
                             .registers(tuning.registers),
                         "lk");
}

void TrackPoints::run(Queue& queue, const TrackLevels& levels, const TrackBuffers& previous,
                      const TrackBuffers& current, const Buffer& queries, const Buffer& found,
                      std::size_t count) const {
  const shared::LkArguments scalars{.short_step = plan_.short_step,
                                    .back_limit = plan_.back_limit,
                                    .residual_limit = plan_.residual_limit,
                                    .top = plan_.top(),
                                    .iterations = plan_.options.iterations};
  const std::array<Argument, 9> arguments{*previous.pictures,
                                          *previous.gradients,
                                          *current.pictures,
                                          *current.gradients,
                                          levels.table(),
                                          levels.numbers(),
                                          queries,
                                          found,
                                          scalars};
  queue.launch(*lk_, {count, 1, 1}, {static_cast<std::size_t>(lanes_), 1, 1}, arguments);
}

TrackCorners::TrackCorners(const TrackPlan& plan, Programs& programs)
    : plan_(plan), device_(&programs.device()), capacity_(area(plan.size) / 16 + 1024) {
  const Grid grid(plan.size, device_->properties());
  const Defines defines = grid.defines()
                              .set("ROLLED", device_->properties().is_cpu ? 1 : 0)
                              .set("BLOCK", plan.options.block)
                              .set("HARRIS", plan.options.corner == TrackCorner::harris ? 1 : 0)
                              .set("HARRIS_K", plan.options.harris_k)
                              .set("CORNER_SHIFT", plan.corner_shift);
  score_ = &programs.kernel("track/corners.cl", defines, "score");
  threshold_ = &programs.kernel("track/corners.cl", defines, "threshold");
  peaks_ = &programs.kernel("track/corners.cl", defines, "peaks");
  groups_ = grid.groups();
  mask_ = device_->allocate(area(plan.size));
  scores_ = device_->allocate(area(plan.size) * sizeof(double));
  bests_ = device_->allocate(groups_ * sizeof(double));
  least_ = device_->allocate(sizeof(double));
  count_ = device_->allocate(sizeof(std::int32_t));
  found_ = device_->allocate(capacity_ * sizeof(backend::Corner));
}

void TrackCorners::run(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame,
                       ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) {
  const Rect& roi = plan_.roi;
  shared::CornerArguments scalars{.has_mask = mask.empty() ? 0 : 1,
                                  .left = std::max(roi.x, 1),
                                  .top = std::max(roi.y, 1),
                                  .right = std::min(roi.x + roi.width, plan_.size.width - 1),
                                  .bottom = std::min(roi.y + roi.height, plan_.size.height - 1),
                                  .capacity = static_cast<std::int32_t>(capacity_)};
  const Grid grid(plan_.size, device_->properties()), group({1, 1}, device_->properties());
  if (!mask.empty()) {
    const auto row = static_cast<std::size_t>(mask.width());
    queue.upload(*mask_, {0, row, mask.stride(), row, static_cast<std::size_t>(mask.height())}, mask.data());
  }
  grid.launch(queue, *score_, {*frame.gradients, levels.table(), *mask_, *scores_, *bests_, scalars});
  std::int32_t count = 0;
  for (;;) {
    group.launch(queue, *threshold_, {*bests_, static_cast<std::int32_t>(groups_), levels.numbers(), *least_, *count_});
    grid.launch(queue, *peaks_, {*scores_, levels.table(), *mask_, *least_, *count_, *found_, scalars});
    queue.download(*count_, one_row(sizeof(count)), &count);
    if (static_cast<std::size_t>(count) <= capacity_) break;
    capacity_ = static_cast<std::size_t>(count);  // pictures of one pattern are full of them
    scalars.capacity = count;
    found_ = device_->allocate(capacity_ * sizeof(backend::Corner));
  }
  corners.resize(static_cast<std::size_t>(count));
  if (count > 0) queue.download(*found_, one_row(corners.size() * sizeof(backend::Corner)), corners.data());
}

}  // namespace vergence::gpu
