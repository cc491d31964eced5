// SPDX-License-Identifier: Apache-2.0
// Launches of the kernels that fill the volumes, and how their groups share the work.
#include "gpu/stereo/path_walk.hpp"

#include <algorithm>
#include <array>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/paths.h"
#include "gpu/stereo/match_settings.hpp"
#include "gpu/stereo/path_volumes.hpp"

namespace vergence::gpu {
namespace {

constexpr int costs_group_k = 16, costs_group_x = 8, costs_rows = 64;

/// Of packed_paths.cl: teams are as many as lines.
TeamShape packed_shape(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning, bool given) {
  const int count = plan.options.disparities;
  const int places = PATHS_PLACES(count);
  // Eight lines, and on NVIDIA a warp or more.
  TeamShape shape{properties.is_nvidia ? 4 : 1, tuning.pair_own > 0 ? tuning.pair_own : count > 64 ? 16 : 8, 8};
  while (32 * shape.own < count) shape.own *= 2;
  while (shape.lanes * shape.own < places) shape.lanes *= 2;
  const auto local_bytes = [&] {
    const int tile = given ? 0 : PACKED_TILE_WORDS(shape.teams, places);
    return 4 * static_cast<std::size_t>(tile + 3 * shape.group());
  };
  while (shape.teams > 1 && (local_bytes() > properties.local_memory ||
                             static_cast<std::size_t>(shape.group()) > properties.largest_group))
    shape.teams /= 2;
  return shape;
}

/// So that six groups hide each other's waiting on a multiprocessor; eight where more than these are waiting.
int packed_registers(const TeamShape& shape, int paths) {
  const int groups = paths > 4 ? 8 : 6;
  return std::clamp(65536 / (groups * shape.group()), 64, paths > 4 ? 128 : 168);
}

/// Of all paths: those of rows first, whose lines are the longest.
std::size_t groups_of(const TeamShape& shape, Size size, int paths, bool packed) {
  const std::size_t rows = groups_for(size.height, shape.teams);
  const std::size_t columns = packed ? static_cast<std::size_t>(PACKED_COLUMN_GROUPS(size.width, shape.teams))
                                     : groups_for(size.width, shape.teams);
  return 2 * rows + static_cast<std::size_t>(paths - 2) * columns;
}

}  // namespace

TeamShape team_shape(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning) {
  const int places = PATHS_PLACES(plan.options.disparities);
  // In paired volumes the candidates lie in all places.
  const int count = packs_paths(plan, properties, tuning) ? places : plan.options.disparities;
  const int most_lanes = tuning.path_lanes > 0 ? std::min(tuning.path_lanes, 32) : properties.is_cpu ? 1 : 32;
  const int wanted = tuning.path_own > 0 ? tuning.path_own : 4;
  TeamShape shape{1, places, 1};
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

Defines path_defines(const StereoPlan& plan, const TeamShape& shape, std::size_t word_bytes,
                     const Properties& properties) {
  // Processors add more 16-bit integers at once; no sum of a cost and two penalties overflows.
  const bool is_short = properties.is_cpu && most_of_path(plan) < 0x8000;
  return Defines()
      .set("WORD", unsigned_type(word_bytes))
      .set("VALUE", unsigned_type(value_bytes(plan)))
      .set("VALUE_BYTES", static_cast<long long>(value_bytes(plan)))
      .set("LEVEL", unsigned_type(is_short ? 2 : 4))
      .set("LEVEL_BYTES", is_short ? 2 : 4)
      .set("LANES", shape.lanes)
      .set("OWN", shape.own)
      .set("TEAMS", shape.teams)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0);
}

PathWalk::PathWalk(const StereoPlan& plan, Programs& programs, const MatchTuning& tuning, std::size_t word_bytes)
    : size_(plan.size),
      paths_(plan.options.paths),
      p1_(plan.options.p1),
      p2_(plan.options.p2),
      p2_slope_(plan.options.p2_slope),
      places_(PATHS_PLACES(plan.options.disparities)),
      packed_(packs_paths(plan, programs.device().properties(), tuning)) {
  const Properties& properties = programs.device().properties();
  const bool given = keeps_costs(plan, packed_);
  shape_ = packed_ ? packed_shape(plan, properties, tuning, given) : team_shape(plan, properties, tuning);
  Defines common = match_settings(plan, {}, plan.sums_view == StereoView::left, false);
  common.add(path_defines(plan, shape_, word_bytes, properties)).set("PAIRED", packed_ ? 1 : 0);
  if (given)
    costs_ = &programs.kernel(
        "stereo/path_costs.cl",
        Defines(common).set("GROUP_K", costs_group_k).set("GROUP_X", costs_group_x).set("ROWS", costs_rows),
        "path_costs");
  common.set("GIVEN", given ? 1 : 0).set("PIXEL", plan.options.depth == Depth::u8 ? "uchar" : "ushort");
  if (packed_)
    walk_ = &programs.kernel("stereo/packed_paths.cl",
                             Defines(common)
                                 .set("LINES", shape_.teams)
                                 .set("SLOPED", p2_slope_ > 0 ? 1 : 0)
                                 .registers(packed_registers(shape_, paths_)),
                             "packed_paths");
  else
    walk_ = &programs.kernel("stereo/paths.cl", common, "paths");
}

void PathWalk::run(Queue& queue, const Pictures& pictures, const Buffer& volumes) const {
  const shared::PathsArguments scalars{
      .width = size_.width, .height = size_.height, .paths = paths_, .p1 = p1_, .p2 = p2_, .p2_slope = p2_slope_};
  if (costs_ != nullptr) {
    const std::array<Argument, 4> arguments{pictures.mine, pictures.theirs, volumes, scalars};
    queue.launch(*costs_,
                 {groups_for(places_, costs_group_k), groups_for(size_.width, costs_group_x),
                  groups_for(size_.height, costs_rows)},
                 {costs_group_k, costs_group_x, 1}, arguments);
  }
  const std::array<Argument, 5> arguments{pictures.mine, pictures.theirs, pictures.guide, volumes, scalars};
  queue.launch(*walk_, {groups_of(shape_, size_, paths_, packed_), 1, 1},
               {static_cast<std::size_t>(shape_.group()), 1, 1}, arguments);
}

}  // namespace vergence::gpu
