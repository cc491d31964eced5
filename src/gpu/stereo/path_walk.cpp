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

/// Of packed_paths.cl: teams are as many as lines. `own`: candidates of a work-item.
TeamShape packed_shape(const StereoPlan& plan, const Properties& properties, int own, bool given) {
  const int count = plan.options.disparities;
  const int places = PATHS_PLACES(count);
  // Eight lines, and on NVIDIA a warp or more.
  TeamShape shape{properties.is_nvidia ? 4 : 1, own, 8};
  while (32 * shape.own < count) shape.own *= 2;
  while (shape.lanes * shape.own < places) shape.lanes *= 2;
  const auto local_bytes = [&] {
    const int tile = given ? 0 : PACKED_TILE_WORDS(shape.teams, places);
    return 4 * static_cast<std::size_t>(tile + 3 * shape.group() + 1);
  };
  while (shape.teams > 1 && (local_bytes() > properties.local_memory ||
                             static_cast<std::size_t>(shape.group()) > properties.largest_group))
    shape.teams /= 2;
  return shape;
}

/// Steps of a part, where so many are wanted: a multiple of 16, where there are several.
int steps_of_part(int steps, int parts) { return parts <= 1 ? steps : ((steps + parts - 1) / parts + 15) / 16 * 16; }

/// Of packed_paths.cl; those of rows come first, whose lines are often the longest.
std::size_t packed_groups(const TeamShape& shape, const StereoPlan& plan, const PathWalk::Parts& parts) {
  const Size size = plan.size;
  const auto parts_of = [](int steps, int of_part) { return static_cast<std::size_t>(PACKED_PARTS(steps, of_part)); };
  const auto rows = static_cast<std::size_t>(PACKED_ROW_GROUPS(size.height, shape.teams));
  const auto columns = static_cast<std::size_t>(PACKED_COLUMN_GROUPS(size.width, shape.teams));
  return 2 * rows * parts_of(size.width, parts.row_steps) +
         static_cast<std::size_t>(plan.options.paths - 2) * columns * parts_of(size.height, parts.column_steps);
}

/// Lines of rows in so many parts, others in parts that are about as long.
PathWalk::Parts parts_of_lines(Size size, int parts) {
  const int row_steps = steps_of_part(size.width, parts);
  return {row_steps, steps_of_part(size.height, parts <= 1 ? 1 : (size.height + row_steps / 2) / row_steps)};
}

constexpr int registers_of_all = 65536;  // of an NVIDIA multiprocessor
constexpr int registers_in_parts = 128;  // of a work-item
/// Whether all groups are under way at once: then lines in two parts take less time than lines in one.
bool all_at_once(const TeamShape& shape, const StereoPlan& plan, const Properties& properties) {
  const auto at_once = static_cast<std::size_t>(properties.compute_units) *
                       static_cast<std::size_t>(registers_of_all / (registers_in_parts * shape.group()));
  return properties.is_nvidia && packed_groups(shape, plan, parts_of_lines(plan.size, 2)) <= at_once;
}

/// What a work-item of the packed walk gets.
struct Share {
  int registers;
  int strips_ahead;  ///< STRIPS_AHEAD of packed_strips.h: all, where registers are enough.
};
/// So that six groups hide each other's waiting on a multiprocessor; eight where more than these are waiting, and fewer
/// registers are enough, or groups are so many that they take more than two turns.
Share packed_share(const TeamShape& shape, int paths, std::size_t groups, bool parted, const Properties& properties) {
  if (parted) return {registers_in_parts, shape.teams};
  const auto of_group = [&](int groups_at_once) { return registers_of_all / (groups_at_once * shape.group()); };
  const std::size_t places = static_cast<std::size_t>(properties.compute_units) * 6;
  // Of 128 registers 16 candidates leave too few for all strips.
  if (shape.own == 16 && of_group(8) >= 128 && properties.is_nvidia && groups > 2 * places) return {128, 1};
  const bool eight = paths > 4 && shape.own <= 8;
  return {std::clamp(of_group(eight ? 8 : 6), 64, eight ? 128 : 168), shape.teams};
}

/// Of paths.cl, for all paths.
std::size_t groups_of(const TeamShape& shape, Size size, int paths) {
  return 2 * groups_for(size.height, shape.teams) +
         static_cast<std::size_t>(paths - 2) * groups_for(size.width, shape.teams);
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

void PathWalk::choose_packed(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning,
                             bool given) {
  const auto shape = [&](int own) { return packed_shape(plan, properties, own, given); };
  const bool many = plan.options.disparities > 64;
  int own = tuning.pair_own, parts = tuning.path_parts;
  // Few lines leave room for more work-items.
  if (own == 0) own = many ? 16 : 8;
  if (tuning.pair_own == 0 && all_at_once(shape(own / 2), plan, properties)) own /= 2;
  shape_ = shape(own);
  if (parts == 0) parts = shape_.own <= 8 && all_at_once(shape_, plan, properties) ? 2 : 1;
  parts_ = parts_of_lines(plan.size, parts);
  groups_ = packed_groups(shape_, plan, parts_);
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
  if (packed_) {
    choose_packed(plan, properties, tuning, given);
  } else {
    shape_ = team_shape(plan, properties, tuning);
    groups_ = groups_of(shape_, size_, paths_);
  }
  Defines common = match_settings(plan, {}, plan.sums_view == StereoView::left, false);
  common.add(path_defines(plan, shape_, word_bytes, properties)).set("PAIRED", packed_ ? 1 : 0);
  if (given)
    costs_ = &programs.kernel(
        "stereo/path_costs.cl",
        Defines(common).set("GROUP_K", costs_group_k).set("GROUP_X", costs_group_x).set("ROWS", costs_rows),
        "path_costs");
  common.set("SOURCES", plan.masks != nullptr ? 1 : 0);
  common.set("GIVEN", given ? 1 : 0).set("PIXEL", plan.options.depth == Depth::u8 ? "uchar" : "ushort");
  if (!packed_) {
    walk_ = &programs.kernel("stereo/paths.cl", common, "paths");
    return;
  }
  parted_ = parts_.row_steps < size_.width || parts_.column_steps < size_.height;
  const Share share = packed_share(shape_, paths_, groups_, parted_, properties);
  common.set("LINES", shape_.teams)
      .set("SLOPED", p2_slope_ > 0 ? 1 : 0)
      .set("PARTED", parted_ ? 1 : 0)
      .set("WARM", tuning.path_warm)
      .set("STRIPS_AHEAD", tuning.pair_strips > 0 ? tuning.pair_strips : share.strips_ahead)
      .registers(share.registers);
  walk_ = &programs.kernel("stereo/packed_paths.cl", common, "packed_paths");
  if (parted_ && !properties.is_nvidia) mends_ = &programs.kernel("stereo/packed_paths.cl", common, "packed_mends");
  const auto words = static_cast<std::size_t>(PACKED_SEAM_WORDS(shape_.group(), shape_.own));
  seam_levels_ = programs.device().allocate(parted_ ? 4 * groups_ * words : 16);
  parts_done_ = programs.device().allocate(parted_ ? 4 * groups_ : 16);
  const bool only_compiles = properties.global_memory == 0;
  if (!parted_ || !properties.is_nvidia || only_compiles) return;
  const std::unique_ptr<Queue> queue = programs.device().make_queue();
  queue->fill(*parts_done_, 0);
  queue->finish();
}

void PathWalk::run(Queue& queue, const Pictures& pictures, const Masks& masks, const Buffer& volumes,
                   Buffer* keys) const {
  const shared::PathsArguments scalars{.width = size_.width,
                                       .height = size_.height,
                                       .paths = paths_,
                                       .p1 = p1_,
                                       .p2 = p2_,
                                       .p2_slope = p2_slope_,
                                       .row_steps = parts_.row_steps,
                                       .column_steps = parts_.column_steps,
                                       .keys = packed_ && keys != nullptr ? size_.width * size_.height : 0};
  if (costs_ != nullptr) {
    const std::array<Argument, 4> arguments{pictures.mine, pictures.theirs, volumes, scalars};
    queue.launch(*costs_,
                 {groups_for(places_, costs_group_k), groups_for(size_.width, costs_group_x),
                  groups_for(size_.height, costs_rows)},
                 {costs_group_k, costs_group_x, 1}, arguments);
  }
  const Range groups{groups_, 1, 1}, group{static_cast<std::size_t>(shape_.group()), 1, 1};
  if (!packed_) {
    if (keys != nullptr) queue.fill(*keys, 0xFF);
    const std::array<Argument, 7> arguments{pictures.mine, pictures.theirs, pictures.guide, volumes,
                                            masks.mine,    masks.theirs,    scalars};
    queue.launch(*walk_, groups, group, arguments);
    return;
  }
  const std::array<Argument, 10> arguments{pictures.mine, pictures.theirs, pictures.guide,
                                           volumes,       masks.mine,      masks.theirs,
                                           *parts_done_,  *seam_levels_,   keys != nullptr ? *keys : *parts_done_,
                                           scalars};
  queue.launch(*walk_, groups, group, arguments);
  if (mends_ != nullptr) queue.launch(*mends_, groups, group, arguments);
}

}  // namespace vergence::gpu
