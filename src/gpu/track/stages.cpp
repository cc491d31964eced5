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

TrackPoints::TrackPoints(const TrackPlan& plan, Programs& programs, const TrackTuning& tuning) : plan_(plan) {
  const Properties& properties = programs.device().properties();
  const int window = plan.options.window, fours = (window + 3) / 4 * window;
  const auto make = [&](int lanes) -> Lk {
    const int own = (fours + lanes - 1) / lanes;
    // Sums of up to 32 products of patches below 8161 and gradients below 4081, or of squares of these, fit 32 bits.
    const bool short_sums = plan.options.depth == Depth::u8 && own <= 8;
    const Defines defines = pixel_defines(plan, properties)
                                .set("WINDOW", window)
                                .set("LANES", lanes)
                                .set("SHORT_SUMS", short_sums ? 1 : 0)
                                .set("WARP_SUM", properties.has_warp_minimum ? 1 : 0)
                                .set("PATCH_SHIFT", plan.patch_shift)
                                .set("PATCH_SCALE", plan.patch_scale)
                                .set("DROPPED", plan.dropped_bits)
                                .set("GAIN_OFFSET", plan.options.gain_offset ? 1 : 0)
                                .set("BACK", plan.options.forward_backward > 0 ? 1 : 0)
                                .set("MUST_CONVERGE", plan.options.must_converge ? 1 : 0)
                                .registers(tuning.registers);
    return {lanes, &programs.kernel("track/lk.cl", defines, "lk")};
  };
  usual_ = few_ = make(track_lanes(tuning, window, properties));
  if (!properties.is_nvidia || tuning.lanes > 0 || tuning.registers == 0) return;
  // While all points are under way at once, the latency of one counts, and more work-items make it shorter.
  TrackTuning halves = tuning;
  halves.fours = std::max(1, tuning.fours / 2);
  const int lanes = track_lanes(halves, window, properties);
  if (lanes == usual_.lanes) return;
  few_ = make(lanes);
  few_points_ = static_cast<std::size_t>(properties.compute_units) *
                (65536 / static_cast<std::size_t>(tuning.registers)) / static_cast<std::size_t>(lanes);
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
  const Lk& lk = count <= few_points_ ? few_ : usual_;
  queue.launch(*lk.kernel, {count, 1, 1}, {static_cast<std::size_t>(lk.lanes), 1, 1}, arguments);
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
  cut_ = &programs.kernel("track/corners.cl", defines, "cut");
  keep_ = &programs.kernel("track/corners.cl", defines, "keep");
  groups_ = grid.groups();
  mask_ = device_->allocate(area(plan.size));
  scores_ = device_->allocate(area(plan.size) * sizeof(double));
  bests_ = device_->allocate(groups_ * sizeof(double));
  least_ = device_->allocate(2 * sizeof(double));
  counts_ = device_->allocate(CORNER_COUNT_WORDS * sizeof(std::int32_t));
  found_ = device_->allocate(capacity_ * sizeof(backend::Corner));
}

void TrackCorners::find_all(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame,
                            ImageView<const std::uint8_t> mask) {
  const Rect& roi = plan_.roi;
  scalars_ = {.has_mask = mask.empty() ? 0 : 1,
              .left = std::max(roi.x, 1),
              .top = std::max(roi.y, 1),
              .right = std::min(roi.x + roi.width, plan_.size.width - 1),
              .bottom = std::min(roi.y + roi.height, plan_.size.height - 1),
              .capacity = static_cast<std::int32_t>(capacity_)};
  if (!mask.empty()) {
    const auto row = static_cast<std::size_t>(mask.width());
    queue.upload(*mask_, {0, row, mask.stride(), row, static_cast<std::size_t>(mask.height())}, mask.data());
  }
  Grid(plan_.size, device_->properties())
      .launch(queue, *score_, {*frame.gradients, levels.table(), *mask_, *scores_, *bests_, scalars_});
  find_peaks(queue, levels);
}

void TrackCorners::find_peaks(Queue& queue, const TrackLevels& levels) {
  Grid({1, 1}, device_->properties())
      .launch(queue, *threshold_, {*bests_, static_cast<std::int32_t>(groups_), levels.numbers(), *least_, *counts_});
  Grid(plan_.size, device_->properties())
      .launch(queue, *peaks_, {*scores_, levels.table(), *mask_, *least_, *counts_, *found_, scalars_});
}

void TrackCorners::run(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame,
                       ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) {
  find_all(queue, levels, frame, mask);
  std::int32_t count = 0;
  for (;;) {
    queue.download(*counts_, one_row(sizeof(count)), &count);
    if (static_cast<std::size_t>(count) <= capacity_) break;
    capacity_ = static_cast<std::size_t>(count);  // pictures of one pattern are full of them
    scalars_.capacity = count;
    found_ = device_->allocate(capacity_ * sizeof(backend::Corner));
    find_peaks(queue, levels);
  }
  corners.resize(static_cast<std::size_t>(count));
  if (count > 0) queue.download(*found_, one_row(corners.size() * sizeof(backend::Corner)), corners.data());
}

bool TrackCorners::find_best(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame,
                             ImageView<const std::uint8_t> mask, std::size_t enough,
                             std::vector<backend::Corner>& best) {
  // The list begins with a head of a corner's size; scores that are cut off together are few.
  const std::size_t most = enough + enough / 4 + 256;
  if (most >= capacity_) {
    run(queue, levels, frame, mask, best);
    return true;
  }
  if (best_capacity_ < most) {
    best_ = device_->allocate((most + 1) * sizeof(backend::Corner));
    best_capacity_ = most;
  }
  find_all(queue, levels, frame, mask);
  Grid({1, 1}, device_->properties()).launch(queue, *cut_, {*counts_, static_cast<std::int32_t>(enough), *best_});
  Grid({1024, 16}, device_->properties())
      .launch(
          queue, *keep_,
          {*found_, *least_, *counts_, *best_, static_cast<std::int32_t>(capacity_), static_cast<std::int32_t>(most)});
  downloaded_.resize(most + 1);
  queue.download(*best_, one_row(downloaded_.size() * sizeof(backend::Corner)), downloaded_.data());
  const auto kept = static_cast<std::size_t>(downloaded_.front().x),
             all = static_cast<std::size_t>(downloaded_.front().y);
  if (kept > most || all > capacity_) {
    run(queue, levels, frame, mask, best);
    return true;
  }
  best.assign(downloaded_.begin() + 1, downloaded_.begin() + 1 + static_cast<std::ptrdiff_t>(kept));
  return kept == all;
}

}  // namespace vergence::gpu
