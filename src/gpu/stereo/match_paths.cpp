// SPDX-License-Identifier: Apache-2.0
// Launches of path_winners.cl, once the volumes are filled.
#include "gpu/stereo/match_paths.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/paths.h"
#include "gpu/stereo/match_settings.hpp"
#include "gpu/stereo/path_volumes.hpp"

namespace vergence::gpu {
namespace {

/// Of keys that hold a cost and a candidate in 32 bits, none of them the largest number; 0 where they do not fit.
int order_bits(const StereoPlan& plan) {
  const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(plan.options.disparities - 1))));
  return plan.max_cost + 1 <= 0xFFFFFFFF >> bits ? bits : 0;
}

StereoView opposite(StereoView view) { return view == StereoView::left ? StereoView::right : StereoView::left; }

/// 16 bytes of a volume for each work-item, whose numbers are added two at a time: where sums fit 16 bits.
bool adds_pairs(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning) {
  return (!properties.is_cpu || packs_paths(plan, properties, tuning)) && value_bytes(plan) <= 2 &&
         plan.max_cost <= 0xFFFF && static_cast<std::size_t>(plan.options.disparities) <= 32 * 16 / value_bytes(plan);
}
TeamShape winners_shape(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning) {
  if (!adds_pairs(plan, properties, tuning)) return team_shape(plan, properties, tuning);
  TeamShape shape{1, 16 / static_cast<int>(value_bytes(plan)), 1};
  const bool paired = packs_paths(plan, properties, tuning);  // then candidates lie in all places
  const int count = plan.options.disparities;
  while (shape.lanes * shape.own < (paired ? PATHS_PLACES(count) : count)) shape.lanes *= 2;
  shape.teams = 128 / shape.lanes;
  while (static_cast<std::size_t>(shape.group()) > properties.largest_group && shape.teams > 1) shape.teams /= 2;
  return shape;
}

}  // namespace

const Kernel* MatchPaths::make_winners(const StereoPlan& plan, Programs& programs, const MatchWants& wants,
                                       bool other_view, std::size_t word_bytes) const {
  StereoPlan view = plan;
  if (other_view) view.options.reference = plan.matches_left() ? StereoView::right : StereoView::left;
  const bool diagonal = view.options.reference != plan.sums_view;
  // Candidates on a diagonal are those whose pixel lies in the picture; the other view's winners know no border.
  if (diagonal) view.options.outside = StereoOutside::skip;
  if (other_view) view.options.border = StereoBorder::partial;
  Defines more = match_settings(view, wants, view.matches_left(), other_view);
  more.add(path_defines(plan, shape_, word_bytes, programs.device().properties()))
      .set("PAIRED", walk_.is_packed() ? 1 : 0)
      .set("PATHS", plan.options.paths)
      .set("SUM_BYTES", adds_pairs_ ? 2 : 4)
      .set("DIAGONAL", diagonal ? 1 : 0)
      .set("PIXELS", pixels_)
      .set("ORDER_BITS", order_bits_)
      .set("BOTH_VIEWS", both_views_ && !other_view ? 1 : 0)
      .set("SOURCES", plan.masks != nullptr ? 1 : 0)
      .set("FULL", asks_full(plan, wants, other_view) ? 1 : 0);
  // Many groups at once hide each other's waiting for memory; NVIDIA's OpenCL compiler needs more registers for it.
  if (adds_pairs_) more.registers(programs.device().dialect() == Dialect::opencl ? 64 : 56);
  return &programs.kernel("stereo/path_winners.cl", more, "path_winners");
}

MatchPaths::MatchPaths(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
                       std::size_t word_bytes, std::shared_ptr<const Buffer> volumes)
    : size_(plan.size),
      roi_(plan.roi),
      view_(plan.options.reference),
      sums_view_(plan.sums_view),
      walk_(plan, programs, tuning, word_bytes),
      adds_pairs_(adds_pairs(plan, programs.device().properties(), tuning)),
      shape_(winners_shape(plan, programs.device().properties(), tuning)),
      pixels_(adds_pairs_         ? std::max(shape_.lanes, 4)  // small groups: the last ones fill the device, too
              : shape_.teams > 16 ? shape_.lanes
              : shape_.lanes > 1  ? 64
                                  : 256),
      order_bits_(order_bits(plan)),
      volumes_(std::move(volumes)) {
  const Properties& properties = programs.device().properties();
  if (volumes_ == nullptr) volumes_ = make_path_volumes(plan, programs.device(), tuning);
  // The other view's keys lie in local memory besides what teams have there, and kept sums.
  const int kept = adds_pairs_ ? shape_.group() * shape_.own / 2 : 0;
  const std::size_t local =
      4 * static_cast<std::size_t>(PATHS_OTHER_KEYS(shape_.teams * pixels_, plan.options.disparities) +
                                   3 * shape_.group() + kept + 16);
  both_views_ = plan.options.left_right >= 0 && plan.options.reference == plan.sums_view && order_bits_ > 0 &&
                local <= properties.local_memory;
  winners_ = make_winners(plan, programs, wants, false, word_bytes);
  if (plan.options.left_right >= 0 && !both_views_)
    other_winners_ = make_winners(plan, programs, wants, true, word_bytes);
  none_ = programs.device().allocate(16);
}

void MatchPaths::sum(Queue& queue, const PathWalk::Pictures& pictures, const Masks& masks, Buffer& other_winner) const {
  walk_.run(queue, pictures, {masks.of(sums_view_), masks.of(opposite(sums_view_))}, *volumes_,
            both_views_ ? &other_winner : nullptr);  // no key yet
}

void MatchPaths::launch_winners(Queue& queue, const Kernel& kernel, const Buffer& textureless,
                                const MatchOutputs& outputs, Buffer& other_keys,
                                std::array<const Buffer*, 2> masks) const {
  const std::array<Argument, 10> arguments{
      *volumes_,     textureless, outputs.disparity, outputs.winner, outputs.confidences,
      outputs.costs, other_keys,  *masks[0],         *masks[1],      match_arguments(size_, roi_)};
  queue.launch(kernel, {groups_for(size_.width, shape_.teams * pixels_), static_cast<std::size_t>(size_.height), 1},
               {static_cast<std::size_t>(shape_.group()), 1, 1}, arguments);
}

void MatchPaths::find(Queue& queue, const Buffer& textureless, const Masks& masks, const MatchOutputs& outputs,
                      Buffer& other_winner) const {
  const Buffer* const own = &masks.of(view_);
  const Buffer* const other = &masks.of(opposite(view_));
  launch_winners(queue, *winners_, textureless, outputs, both_views_ ? other_winner : *none_, {own, other});
  if (other_winners_ != nullptr)
    launch_winners(queue, *other_winners_, *none_, {*none_, other_winner, *none_, *none_}, *none_, {other, own});
}

}  // namespace vergence::gpu
