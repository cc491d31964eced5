// SPDX-License-Identifier: Apache-2.0
// Launches of match_warp.cl: which settings it serves, and how the work is cut.
#include "gpu/stereo/match_warp.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "gpu/grid.hpp"
#include "gpu/stereo/strip_rows.hpp"

namespace vergence::gpu {
namespace {

constexpr int lanes = 32;
constexpr int most_threads = 512;  ///< Of a group; each may then have 128 registers.
constexpr int most_sums = 84;      ///< Registers of a work-item that hold columns' sums.

/// How the work is cut.
struct Shape {
  int pairs = 1, columns = 16, warps = 4, chunk = 4;
  int candidates() const { return 2 * pairs * lanes; }
  int order_bits() const { return static_cast<int>(std::bit_width(static_cast<unsigned>(candidates() - 1))); }
  int step() const { return warps * columns; }
};

bool taps_differ(const StereoPlan& plan) {
  return plan.rx > 0 && plan.options.outside == StereoOutside::skip && plan.options.border != StereoBorder::invalid;
}
bool finds_both_views(const StereoPlan& plan, bool winner_only) {
  return !winner_only && plan.options.left_right >= 0 && plan.options.outside == StereoOutside::skip;
}
/// Divided by any number of tap columns without remainder.
std::uint64_t common_taps(const StereoPlan& plan) {
  std::uint64_t common = 1;
  if (taps_differ(plan))
    for (std::uint64_t columns = 1; columns <= static_cast<std::uint64_t>(2 * plan.rx + 1); ++columns)
      common = std::lcm(common, columns);
  return common;
}

std::size_t local_bytes(const StereoPlan& plan, const Shape& shape, bool both) {
  const int ring = 2 * plan.ry + 2 + 2 * shape.chunk;
  const int my_quads = (shape.step() - shape.columns) / 4 + (shape.columns + 2 * plan.rx + 3) / 4;
  const int row = 4 * my_quads + (2 * (my_quads + shape.candidates() / 4) + 3) / 4 * 4;
  const int notes = shape.warps * lanes * (2 + 2 * shape.pairs) + 2 * shape.warps * lanes / shape.columns;
  const int right = both ? 2 * shape.chunk * (shape.step() + shape.candidates()) + shape.step() : 2;
  return 4 * static_cast<std::size_t>(ring * row + notes + right + (4 * shape.pairs + 5) * shape.pairs + 2 * plan.rx +
                                      2 + 16);
}

/// chunk = 0 where nothing fits.
Shape shape_for(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning, bool both) {
  Shape shape;
  shape.pairs = plan.options.disparities <= 64 ? 1 : plan.options.disparities <= 128 ? 2 : 4;
  const auto fits = [&](int columns) { return (columns + 2 * plan.rx) * shape.pairs <= most_sums; };
  shape.columns = tuning.warp_columns > 0 && fits(tuning.warp_columns) ? tuning.warp_columns : fits(16) ? 16 : 8;
  // Strips two apart share no pixel of the other view.
  shape.warps = std::max(4, shape.candidates() / shape.columns);
  const bool possible = fits(shape.columns) && lanes * shape.warps <= most_threads;
  for (shape.chunk = 8; shape.chunk > 0; shape.chunk /= 2)
    if (possible && local_bytes(plan, shape, both) <= properties.local_memory) return shape;
  return shape;
}

}  // namespace

bool MatchWarp::serves(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning,
                       bool winner_only) {
  const StereoOptions& o = plan.options;
  const bool bytes = o.depth == Depth::u8 || o.prefilter != StereoPrefilter::none;
  if (!tuning.warps || !properties.is_nvidia || !bytes || o.cost != StereoCost::sad || o.disparities > 256 ||
      properties.largest_group < most_threads || plan.max_cost >= 0xFFFF)
    return false;
  const Shape shape = shape_for(plan, properties, tuning, finds_both_views(plan, winner_only));
  if (taps_differ(plan)) {
    // Costs brought to a common number of taps leave room for the candidate.
    const std::uint64_t column_cost = plan.max_tap_cost * static_cast<std::uint64_t>(o.window.height);
    if (o.min_disparity < 0 || column_cost * common_taps(plan) >= 1ULL << (30 - shape.order_bits())) return false;
  }
  return shape.chunk > 0;
}

MatchWarp::MatchWarp(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
                     bool matches_left, bool winner_only)
    : size_(plan.size), roi_(plan.roi), both_views_(finds_both_views(plan, winner_only)) {
  const StereoOptions& o = plan.options;
  Device& device = programs.device();
  const Properties& properties = device.properties();
  const Shape shape = shape_for(plan, properties, tuning, both_views_);
  const int registers = tuning.warp_registers > 0 ? tuning.warp_registers : 128;
  warps_ = shape.warps;
  columns_ = shape.columns;
  rows_ = tuning.warp_rows > 0 ? tuning.warp_rows
                               : rows_for(plan.size, shape.step(), 0.6 * plan.ry + 2, taps_differ(plan) ? 1.6 : 0.6,
                                          lanes * warps_, registers, properties);
  shape_.set("RX", plan.rx)
      .set("RY", plan.ry)
      .set("DMIN", o.min_disparity)
      .set("WHOLE_WINDOWS", o.border == StereoBorder::invalid ? 1 : 0)
      .set("OUTSIDE", static_cast<int>(o.outside))
      .set("TAPS_DIFFER", taps_differ(plan) ? 1 : 0)
      .set("TIE_HIGHEST", o.tie == StereoTie::highest ? 1 : 0)
      .set("ORDER_BITS", shape.order_bits());
  const auto flag = [&](bool on) { return on && !winner_only ? 1 : 0; };
  Defines defines = shape_;
  defines.set("COST", 0)
      .set("COUNT", o.disparities)
      .set("MATCHES_LEFT", matches_left ? 1 : 0)
      .set("PAIRS", shape.pairs)
      .set("COLUMNS", columns_)
      .set("WARPS", warps_)
      .set("ROWS", rows_)
      .set("CHUNK", shape.chunk)
      .set("HALF_SUMS", plan.max_tap_cost * static_cast<std::uint64_t>(o.window.height) < 2048 ? 1 : 0)
      .set("SMALL_COSTS", 1)
      .set("COMMON_TAPS", static_cast<long long>(common_taps(plan)))
      .set("BOTH_VIEWS", both_views_ ? 1 : 0)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0)
      .set("FULL", flag(o.subpixel || o.uniqueness_ratio > 0 || wants.confidence || wants.costs))
      .set("RATIO", winner_only ? 0 : o.uniqueness_ratio)
      .set("TEXTURE", flag(o.texture_threshold > 0))
      .set("SUBPIXEL", flag(o.subpixel))
      .set("CONFIDENCE", flag(wants.confidence))
      .set("COSTS", flag(wants.costs))
      .set("MAP", wants.wide ? "int" : "short")
      .set("INVALID", plan.invalid)
      .set("NO_WINNER", "(-2147483647 - 1)")
      .set("WANT_WINNER", winner_only || o.left_right >= 0 ? 1 : 0)
      .set("WANT_DISPARITY", winner_only ? 0 : 1)
      .registers(registers);
  kernel_ = &programs.kernel("stereo/match_warp.cl", defines, "match_warp");
  shape_.set("STRIP", shape.step()).set("CANDIDATES", shape.candidates()).set("NO_KEY", 0xFFFF << shape.order_bits());
  const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
  const std::size_t last = static_cast<std::size_t>(plan.rx * shape.candidates() / 2);
  keys_ = device.allocate(both_views_ ? 2 * 4 * pixels : 16);
  last_costs_ = device.allocate(
      both_views_ && taps_differ(plan) && last > 0 ? 4 * last * static_cast<std::size_t>(plan.size.height) : 16);
}

Defines MatchWarp::add_to(Defines defines) const { return defines.add(shape_); }

void MatchWarp::run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
                    const MatchOutputs& outputs) const {
  const std::array<Argument, 15> arguments{
      mine,          theirs,     textureless,  outputs.disparity, outputs.winner, outputs.confidences,
      outputs.costs, *keys_,     *last_costs_, size_.width,       size_.height,   roi_.x,
      roi_.y,        roi_.width, roi_.height};
  queue.launch(*kernel_, {groups_for(size_.height, rows_), groups_for(size_.width, warps_ * columns_), 1},
               {static_cast<std::size_t>(lanes * warps_), 1, 1}, arguments);
}

}  // namespace vergence::gpu
