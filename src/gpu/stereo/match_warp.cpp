// SPDX-License-Identifier: Apache-2.0
// Launches of match_warp.cl: which settings it serves, and its launch configuration.
#include "gpu/stereo/match_warp.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/warp.h"
#include "gpu/stereo/group_rows.hpp"
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {
namespace {

constexpr int lanes = 32;
constexpr int most_threads = 512;  ///< Of a group; each may then have 128 registers.
constexpr int most_sums = 84;      ///< Registers of a work-item that hold columns' sums.

/// The launch configuration but for rows and registers.
struct Shape {
  int words = 0, own = 2, columns = 16, warps = 4, chunk = 4;
  int candidates() const { return WARP_CANDIDATES(own); }
  int order_bits() const { return static_cast<int>(std::bit_width(static_cast<unsigned>(candidates() - 1))); }
  int step() const { return WARP_STEP(warps, columns); }
};

bool taps_differ(const StereoPlan& plan) {
  return plan.rx > 0 && plan.options.outside == StereoOutside::skip && plan.options.border != StereoBorder::invalid;
}
/// The other view's keys know no masks.
bool finds_both_views(const StereoPlan& plan, bool winner_only) {
  return !winner_only && plan.masks == nullptr && plan.options.left_right >= 0 &&
         plan.options.outside == StereoOutside::skip;
}
/// Divided by any number of tap columns without remainder.
std::uint64_t common_taps(const StereoPlan& plan) {
  std::uint64_t common = 1;
  if (taps_differ(plan))
    for (std::uint64_t columns = 1; columns <= static_cast<std::uint64_t>(2 * plan.rx + 1); ++columns)
      common = std::lcm(common, columns);
  return common;
}

/// Of a group; the compiler may need some for alignment.
std::size_t local_bytes(const StereoPlan& plan, const Shape& s, bool both) {
  const auto alignment = static_cast<std::size_t>(4 * (12 + WARP_PAIRS(s.own)));
  return 4 * static_cast<std::size_t>(
                 WARP_LOCAL_WORDS(s.words, both, s.own, s.warps, s.columns, s.chunk, plan.rx, plan.ry)) +
         alignment;
}

/// chunk = 0 where nothing fits.
Shape shape_for(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning, bool both) {
  Shape shape;
  shape.words = plan.options.cost == StereoCost::sad ? 0 : plan.options.cost == StereoCost::census_9x7 ? 2 : 1;
  // What census takes is counting bits, for each candidate by itself; pairs of bytes begin at words.
  const int disparities = plan.options.disparities;
  shape.own = disparities <= 64 ? 2 : disparities <= 96 && shape.words > 0 ? 3 : disparities <= 128 ? 4 : 8;
  const auto fits = [&](int columns) { return WARP_SPAN(columns, plan.rx) * WARP_PAIRS(shape.own) <= most_sums; };
  shape.columns = tuning.warp_columns > 0 && fits(tuning.warp_columns) ? tuning.warp_columns : fits(16) ? 16 : 8;
  // Strips two apart share no pixel of the other view.
  shape.warps = std::max(4, lanes * 2 * WARP_PAIRS(shape.own) / shape.columns);
  const bool possible = fits(shape.columns) && lanes * shape.warps <= most_threads;
  for (shape.chunk = 8; shape.chunk > 0; shape.chunk /= 2)
    if (possible && local_bytes(plan, shape, both) <= properties.local_memory) return shape;
  return shape;
}

}  // namespace

bool MatchWarp::serves(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning,
                       bool winner_only) {
  const StereoOptions& o = plan.options;
  if (!tuning.warps || !properties.is_nvidia || (o.cost == StereoCost::sad && !compares_bytes(plan)) ||
      o.cost == StereoCost::ssd || o.disparities > 256 || properties.largest_group < most_threads ||
      plan.max_cost >= 0xFFFF)
    return false;
  const Shape shape = shape_for(plan, properties, tuning, finds_both_views(plan, winner_only));
  if (taps_differ(plan)) {
    // Costs brought to a common number of taps leave bits for the candidate.
    const std::uint64_t column_cost = plan.max_tap_cost * static_cast<std::uint64_t>(o.window.height);
    if (o.min_disparity < 0 || column_cost * common_taps(plan) >= 1ULL << (30 - shape.order_bits())) return false;
  }
  return shape.chunk > 0;
}

MatchWarp::MatchWarp(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
                     bool matches_left, bool winner_only, Columns inner)
    : size_(plan.size), roi_(plan.roi), inner_(inner), both_views_(finds_both_views(plan, winner_only)) {
  const StereoOptions& o = plan.options;
  Device& device = programs.device();
  const Properties& properties = device.properties();
  const Shape shape = shape_for(plan, properties, tuning, both_views_);
  const int registers = tuning.warp_registers > 0 ? tuning.warp_registers : 128;
  warps_ = shape.warps;
  columns_ = shape.columns;
  count_strips(plan);
  // Small pictures have no groups to spare for the sides, which then hold the others up.
  const bool small = static_cast<std::int64_t>(plan.size.width) * plan.size.height < 300'000;
  const bool slow_sides = taps_differ(plan) && inner_.end == 0;
  const double starting = 0.6 * plan.ry + (small ? 2 : 4), spread = small && taps_differ(plan) ? 1.6 : 0.6;
  rows_ = tuning.warp_rows > 0 ? tuning.warp_rows
                               : rows_for({strips_ * shape.step(), plan.size.height}, shape.step(), starting, spread,
                                          groups_of(lanes * warps_, registers), properties);
  const int at_sides = slow_sides && !small ? std::max(std::min(rows_, 8), rows_ * 3 / 5) : rows_;
  side_rows_ = tuning.warp_side_rows > 0 ? tuning.warp_side_rows : at_sides;
  const bool full = asks_full(plan, wants, winner_only);
  shape_.set("TAPS_DIFFER", taps_differ(plan) ? 1 : 0)
      .set("ORDER_BITS", shape.order_bits())
      .set("OWN", shape.own)
      .set("COLUMNS", columns_)
      .set("WARPS", warps_);
  Defines defines = match_settings(plan, wants, matches_left, winner_only);
  defines.add(shape_)
      .set("ROWS", rows_)
      .set("SIDE_ROWS", side_rows_)
      .set("CHUNK", shape.chunk)
      .set("HALF_SUMS", plan.max_tap_cost * static_cast<std::uint64_t>(o.window.height) < 2048 ? 1 : 0)
      .set("SMALL_COSTS", 1)
      .set("WORDS", shape.words)
      .set("WORD", unsigned_type(shape.words == 0 ? 1 : 4 * static_cast<std::size_t>(shape.words)))
      .set("COMMON_TAPS", static_cast<long long>(common_taps(plan)))
      .set("BOTH_VIEWS", both_views_ ? 1 : 0)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0)
      .set("FULL", full ? 1 : 0)
      .registers(registers);
  kernel_ = &programs.kernel("stereo/match_warp.cl", defines, "match_warp");
  const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
  const auto last = static_cast<std::size_t>(WARP_LAST_WORDS(shape.own, plan.rx));
  keys_ = device.allocate(both_views_ ? 2 * 4 * pixels : 16);
  last_costs_ = device.allocate(
      both_views_ && taps_differ(plan) && last > 0 ? 4 * last * static_cast<std::size_t>(plan.size.height) : 16);
}

void MatchWarp::count_strips(const StereoPlan& plan) {
  const int step = warps_ * columns_, width = plan.size.width;
  const bool skips = plan.options.outside == StereoOutside::skip;
  strips_ = static_cast<int>(groups_for(inner_.first, step) + groups_for(width - inner_.end, step));
  const int first = plan.rx + (skips ? std::max(plan.last_disparity(), 0) : 0);
  const int last = width - plan.rx + (skips ? std::min(plan.options.min_disparity, 0) : 0);
  const auto strips_before = [&](int x) { return static_cast<int>(groups_for(std::clamp(x, 0, width), step)); };
  front_ = inner_.end > 0 ? strips_ : std::min(strips_before(first), strips_);
  back_ = inner_.end > 0 ? 0 : std::min(strips_ - std::clamp(last, 0, width) / step, strips_ - front_);
}

Defines MatchWarp::add_to(Defines defines) const { return defines.add(shape_); }

void MatchWarp::run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
                    const MatchOutputs& outputs) const {
  const std::array<Argument, 10> arguments{
      mine,
      theirs,
      textureless,
      outputs.disparity,
      outputs.winner,
      outputs.confidences,
      outputs.costs,
      *keys_,
      *last_costs_,
      shared::MatchWarpArguments{
          .match = match_arguments(size_, roi_, inner_), .strips = strips_, .front = front_, .back = back_}};
  const auto sides = static_cast<std::size_t>(front_ + back_), others = static_cast<std::size_t>(strips_) - sides;
  queue.launch(*kernel_,
               {sides * groups_for(size_.height, side_rows_) + others * groups_for(size_.height, rows_), 1, 1},
               {static_cast<std::size_t>(lanes * warps_), 1, 1}, arguments);
}

}  // namespace vergence::gpu
