// SPDX-License-Identifier: Apache-2.0
// Launches of semi-global matching, and the memory that it takes.
#include "gpu/stereo/match_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/paths.h"
#include "gpu/stereo/match_settings.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

constexpr int costs_group_k = 16, costs_group_x = 8, costs_rows = 64;

/// The largest cost at the end of a path.
std::uint64_t most_of_path(const StereoPlan& plan) {
  return plan.max_window_cost + static_cast<std::uint64_t>(plan.options.p2);
}
std::size_t value_bytes(const StereoPlan& plan) {
  const std::uint64_t most = most_of_path(plan);
  return most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : 4;
}
/// Whether window costs have a volume too: windows of several pixels would be summed again for every path.
bool keeps_costs(const StereoPlan& plan) { return plan.rx > 0 || plan.ry > 0; }

/// What the volumes of a plan take.
struct Need {
  std::uint64_t pixels, of_candidate, of_pixel;  ///< of_candidate, of_pixel: bytes in all volumes.
  std::uint64_t bytes() const { return pixels * of_pixel; }
};
Need need_of(const StereoPlan& plan) {
  const std::uint64_t volumes = static_cast<std::uint64_t>(plan.options.paths) + (keeps_costs(plan) ? 1 : 0);
  Need need{};
  need.pixels = static_cast<std::uint64_t>(plan.size.width) * static_cast<std::uint64_t>(plan.size.height);
  need.of_candidate = volumes * value_bytes(plan);
  need.of_pixel = need.of_candidate * static_cast<std::uint64_t>(PATHS_PLACES(plan.options.disparities));
  return need;
}

/// Of keys that hold a cost and a candidate in 32 bits, none of them the largest number; 0 where they do not fit.
int order_bits(const StereoPlan& plan) {
  const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(plan.options.disparities - 1))));
  return plan.max_cost + 1 <= 0xFFFFFFFF >> bits ? bits : 0;
}

/// Of pictures and maps, about, for each pixel.
constexpr std::uint64_t other_bytes = 64;

/// What the device could do, of a plan that exceeds it.
std::string what_fits(const StereoPlan& plan, const Properties& device) {
  const Need need = need_of(plan);
  const std::uint64_t all = device.global_memory / need.pixels;  // for a pixel of this picture
  const std::uint64_t of_pixel = std::min(device.largest_buffer / need.pixels, all - std::min(all, other_bytes));
  const std::uint64_t disparities = of_pixel / need.of_candidate / 16 * 16;
  const std::uint64_t pixels =
      std::min(device.largest_buffer / need.of_pixel, device.global_memory / (need.of_pixel + other_bytes));
  const std::uint64_t rows = pixels / static_cast<std::uint64_t>(plan.size.width);
  if (disparities == 0 && rows == 0) return "neither 16 disparities nor one row of this width would fit";
  if (disparities == 0) return fmt::format("{} rows of this width would fit", rows);
  if (rows == 0) return fmt::format("{} disparities would fit", disparities);
  return fmt::format("{} disparities, or {} rows of this width, would fit", disparities, rows);
}

[[noreturn]] void refuse(const StereoPlan& plan, const Properties& device, const std::string& problem) {
  throw Error(
      ErrorCode::out_of_memory,
      fmt::format("the costs of {} paths for {}x{} pixels and {} disparities take {} bytes in one piece: {}; {}",
                  plan.options.paths, plan.size.width, plan.size.height, plan.options.disparities,
                  need_of(plan).bytes(), problem, what_fits(plan, device)));
}

}  // namespace

std::unique_ptr<Buffer> make_path_volumes(const StereoPlan& plan, Device& device) {
  const Properties& properties = device.properties();
  const std::uint64_t most = std::min(properties.largest_buffer, properties.global_memory);
  const std::uint64_t bytes = need_of(plan).bytes();
  if (most == 0) return device.allocate(static_cast<std::size_t>(bytes));  // a device that only compiles
  if (bytes > most) refuse(plan, properties, fmt::format("{} gives at most {}", properties.device, most));
  try {
    return device.allocate(static_cast<std::size_t>(bytes));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    refuse(plan, properties, error.what());
  }
}

MatchPaths::Shape MatchPaths::shape_for(const StereoPlan& plan, const Properties& properties,
                                        const MatchTuning& tuning) {
  const int count = plan.options.disparities, places = PATHS_PLACES(count);
  const int most_lanes = tuning.path_lanes > 0 ? std::min(tuning.path_lanes, 32) : properties.is_cpu ? 1 : 32;
  const int wanted = tuning.path_own > 0 ? tuning.path_own : 4;
  Shape shape{1, places, 1};
  while (shape.lanes < most_lanes && shape.lanes * wanted < count) shape.lanes *= 2;
  if (shape.lanes > 1) {
    const int own = (count + shape.lanes - 1) / shape.lanes;
    shape.own = own <= 4 ? 4 : own <= 8 ? 8 : (own + 15) / 16 * 16;
    shape.own = std::max(shape.own, wanted);
  }
  // Lines of rows are as many as rows: small groups spread them over the device.
  if (!properties.is_cpu || shape.lanes > 1) shape.teams = std::max(1, 64 / shape.lanes);
  while (static_cast<std::size_t>(shape.group()) > properties.largest_group && shape.teams > 1) shape.teams /= 2;
  return shape;
}

Defines MatchPaths::defines(const StereoPlan& plan, const MatchWants& wants, bool matches_left, bool winner_only,
                            std::size_t word_bytes, const Properties& properties) const {
  // Processors add more 16-bit integers at once; no sum of a cost and two penalties overflows.
  const bool is_short = properties.is_cpu && most_of_path(plan) < 0x8000;
  Defines defines = match_settings(plan, wants, matches_left, winner_only);
  defines.set("WORD", unsigned_type(word_bytes))
      .set("VALUE", unsigned_type(value_bytes(plan)))
      .set("VALUE_BYTES", static_cast<long long>(value_bytes(plan)))
      .set("LEVEL", unsigned_type(is_short ? 2 : 4))
      .set("LEVEL_BYTES", is_short ? 2 : 4)
      .set("LANES", shape_.lanes)
      .set("OWN", shape_.own)
      .set("TEAMS", shape_.teams)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0);
  return defines;
}

const Kernel* MatchPaths::make_winners(const StereoPlan& plan, Programs& programs, const MatchWants& wants,
                                       bool other_view, std::size_t word_bytes) const {
  StereoPlan view = plan;
  if (other_view) view.options.reference = plan.matches_left() ? StereoView::right : StereoView::left;
  const bool diagonal = view.options.reference != plan.sums_view;
  // Candidates on a diagonal are those whose pixel lies in the picture; the other view's winners know no border.
  if (diagonal) view.options.outside = StereoOutside::skip;
  if (other_view) view.options.border = StereoBorder::partial;
  Defines more = defines(view, wants, view.matches_left(), other_view, word_bytes, programs.device().properties());
  more.set("DIAGONAL", diagonal ? 1 : 0)
      .set("PIXELS", pixels_)
      .set("ORDER_BITS", order_bits_)
      .set("BOTH_VIEWS", both_views_ && !other_view ? 1 : 0)
      .set("FULL", asks_full(plan, wants, other_view) ? 1 : 0);
  return &programs.kernel("stereo/path_winners.cl", more, "path_winners");
}

MatchPaths::MatchPaths(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
                       std::size_t word_bytes, std::shared_ptr<const Buffer> volumes)
    : size_(plan.size),
      roi_(plan.roi),
      paths_(plan.options.paths),
      p1_(plan.options.p1),
      p2_(plan.options.p2),
      p2_slope_(plan.options.p2_slope),
      places_(PATHS_PLACES(plan.options.disparities)),
      shape_(shape_for(plan, programs.device().properties(), tuning)),
      pixels_(shape_.teams > 16  ? shape_.lanes
              : shape_.lanes > 1 ? 64
                                 : 256),
      order_bits_(order_bits(plan)),
      volumes_(std::move(volumes)) {
  const Properties& properties = programs.device().properties();
  if (volumes_ == nullptr) volumes_ = make_path_volumes(plan, programs.device());
  const bool sums_left = plan.sums_view == StereoView::left;
  const Defines common = defines(plan, wants, sums_left, false, word_bytes, properties);
  if (keeps_costs(plan))
    costs_ = &programs.kernel(
        "stereo/path_costs.cl",
        Defines(common).set("GROUP_K", costs_group_k).set("GROUP_X", costs_group_x).set("ROWS", costs_rows),
        "path_costs");
  walk_ = &programs.kernel("stereo/paths.cl",
                           Defines(common)
                               .set("GIVEN", keeps_costs(plan) ? 1 : 0)
                               .set("PIXEL", plan.options.depth == Depth::u8 ? "uchar" : "ushort"),
                           "paths");
  // The other view's keys lie in local memory besides what teams have there.
  const std::size_t keys =
      4 * static_cast<std::size_t>(PATHS_OTHER_KEYS(shape_.teams * pixels_, plan.options.disparities) +
                                   3 * shape_.group() + 16);
  both_views_ = plan.options.left_right >= 0 && plan.options.reference == plan.sums_view && order_bits_ > 0 &&
                keys <= properties.local_memory;
  winners_ = make_winners(plan, programs, wants, false, word_bytes);
  if (plan.options.left_right >= 0 && !both_views_)
    other_winners_ = make_winners(plan, programs, wants, true, word_bytes);
  none_ = programs.device().allocate(16);
}

void MatchPaths::sum(Queue& queue, const Pictures& pictures) const {
  const shared::PathsArguments scalars{
      .width = size_.width, .height = size_.height, .paths = paths_, .p1 = p1_, .p2 = p2_, .p2_slope = p2_slope_};
  if (costs_ != nullptr) {
    const std::array<Argument, 4> arguments{pictures.mine, pictures.theirs, *volumes_, scalars};
    queue.launch(*costs_,
                 {groups_for(places_, costs_group_k), groups_for(size_.width, costs_group_x),
                  groups_for(size_.height, costs_rows)},
                 {costs_group_k, costs_group_x, 1}, arguments);
  }
  const std::array<Argument, 5> arguments{pictures.mine, pictures.theirs, pictures.guide, *volumes_, scalars};
  const std::size_t groups = 2 * groups_for(size_.height, shape_.teams) +
                             static_cast<std::size_t>(paths_ - 2) * groups_for(size_.width, shape_.teams);
  queue.launch(*walk_, {groups, 1, 1}, {static_cast<std::size_t>(shape_.group()), 1, 1}, arguments);
}

void MatchPaths::launch_winners(Queue& queue, const Kernel& kernel, const Buffer& textureless,
                                const MatchOutputs& outputs, Buffer& other_keys) const {
  const std::array<Argument, 8> arguments{
      *volumes_,           textureless,
      outputs.disparity,   outputs.winner,
      outputs.confidences, outputs.costs,
      other_keys,          shared::PathWinnersArguments{.match = match_arguments(size_, roi_), .paths = paths_}};
  queue.launch(kernel, {groups_for(size_.width, shape_.teams * pixels_), static_cast<std::size_t>(size_.height), 1},
               {static_cast<std::size_t>(shape_.group()), 1, 1}, arguments);
}

void MatchPaths::find(Queue& queue, const Buffer& textureless, const MatchOutputs& outputs,
                      Buffer& other_winner) const {
  if (both_views_) queue.fill(other_winner, 0xFF);  // no key yet
  launch_winners(queue, *winners_, textureless, outputs, both_views_ ? other_winner : *none_);
  if (other_winners_ != nullptr)
    launch_winners(queue, *other_winners_, *none_, {*none_, other_winner, *none_, *none_}, *none_);
}

}  // namespace vergence::gpu
