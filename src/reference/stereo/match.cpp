// SPDX-License-Identifier: Apache-2.0
// Reference: what every pixel's disparity is, and what is told about it. Reads as docs/algorithms/stereo/match.md does.
#include <cstdint>
#include <optional>
#include <vector>

#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "reference/stereo/candidates.hpp"
#include "reference/stereo/sgm.hpp"
#include "reference/stereo/stages.hpp"
#include "reference/stereo/xsobel_picture.hpp"

namespace vergence::reference {
namespace {

/// What the candidates of one pixel lead to.
struct Decision {
  std::optional<Candidate> winner;
  std::optional<Candidate> second;  ///< the cheapest candidate more than 1 px away
  std::optional<Candidate> before;
  std::optional<Candidate> after;
  bool tied = false;                 ///< others cost as little as the winner, more than 1 px apart
  bool without_second_best = false;  ///< too few candidates are left for one more than 1 px away
};

std::optional<Candidate> find(const std::vector<Candidate>& all, int d) {
  for (const Candidate& one : all)
    if (one.d == d) return one;
  return std::nullopt;
}

/// A view of the scene; `sums` are those of SGM, null where windows are summed.
struct View {
  const Scene& scene;
  const CostVolume* sums;
};

Decision decide(const View& view, int x, int y) {
  const Scene& scene = view.scene;
  const StereoTie tie = scene.plan.options.tie;
  const std::vector<Candidate> all =
      view.sums != nullptr ? candidates(scene, *view.sums, x, y) : candidates(scene, x, y);
  Decision decision;
  decision.winner = cheapest(all, tie);
  if (!decision.winner) return decision;
  const Candidate& winner = *decision.winner;
  decision.second = second_best(all, winner, tie);
  const LeastCost least = least_cost(all, winner);
  decision.tied = definitions::is_tied(least.lowest, least.highest);
  decision.without_second_best =
      definitions::edge_took_second_best(all.front().d, all.back().d, winner.d, scene.plan.options.disparities);
  // The neighbours serve the sub-pixel fit: both or none, and only where the three costs sum equally many taps.
  const std::optional<Candidate> before = find(all, winner.d - 1);
  const std::optional<Candidate> after = find(all, winner.d + 1);
  if (before && after && before->columns == winner.columns && after->columns == winner.columns) {
    decision.before = before;
    decision.after = after;
  }
  return decision;
}

bool is_unique(const Decision& decision, int ratio) {
  const std::optional<Candidate>& second = decision.second;
  return !second || !definitions::is_ambiguous(decision.winner->cost, decision.winner->columns, second->cost,
                                               second->columns, ratio);
}

bool keeps_tie_rule(const Decision& decision, bool reject_ties) {
  return !reject_ties || !(decision.tied || decision.without_second_best);
}

/// Sum over the window's taps inside the picture; `sobel` is the matched picture's x-Sobel.
bool has_texture(const StereoPlan& plan, const Image<std::uint16_t>& sobel, int x, int y) {
  if (plan.options.texture_threshold <= 0) return true;
  std::int64_t sum = 0;
  for (int v = y - plan.ry; v <= y + plan.ry; ++v)
    for (int u = x - plan.rx; u <= x + plan.rx; ++u) {
      if (u < 0 || u >= plan.size.width || v < 0 || v >= plan.size.height) continue;
      sum += definitions::texture_tap(sobel(u, v), plan.options.prefilter_cap);
    }
  return sum >= plan.options.texture_threshold;
}

std::int64_t refined(const StereoOptions& options, const Decision& decision) {
  const int d = decision.winner->d;
  if (!options.subpixel || !decision.before) return std::int64_t{16} * d;
  const auto before = static_cast<std::int64_t>(decision.before->cost);
  const auto at = static_cast<std::int64_t>(decision.winner->cost);
  const auto after = static_cast<std::int64_t>(decision.after->cost);
  const bool v_shaped = options.cost == StereoCost::sad && options.aggregate == StereoAggregate::window;
  return v_shaped ? definitions::vfit(d, before, at, after) : definitions::parabola(d, before, at, after);
}

int confidence_of(const Decision& decision) {
  if (!decision.second) return 255;
  return definitions::confidence(decision.winner->cost, decision.winner->columns, decision.second->cost,
                                 decision.second->columns);
}

void put_cost(ImageView<std::uint32_t> map, int x, int y, const std::optional<Candidate>& candidate) {
  if (!map.empty()) map(x, y) = candidate ? static_cast<std::uint32_t>(candidate->cost) : no_cost;
}

template <class T>
void put_costs(const MatchMaps<T>& maps, int x, int y, const Decision& decision) {
  put_cost(maps.cost, x, y, decision.winner);
  put_cost(maps.second_cost, x, y, decision.second);
  put_cost(maps.cost_before, x, y, decision.before);
  put_cost(maps.cost_after, x, y, decision.after);
}

bool contains(const Rect& rect, int x, int y) {
  return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

/// Integer winners of a whole view, in px, or no_winner: what the left-right check compares. Knows no region of
/// interest, because a pixel's partner may lie outside it.
Image<std::int32_t> winners(const View& view) {
  const Size size = view.scene.plan.size;
  Image<std::int32_t> result(size, no_winner);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const Decision decision = decide(view, x, y);
      if (decision.winner) result(x, y) = decision.winner->d;
    }
  return result;
}

/// Pixels of the region before the left-right check; their integer winners go to `winner`, rejected or not.
template <class T>
void match_view(const View& view, const Image<std::uint16_t>& sobel, Image<std::int32_t>& winner,
                const MatchMaps<T>& maps) {
  const StereoPlan& plan = view.scene.plan;
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      const bool matched = contains(plan.roi, x, y) && !is_in_margin(plan, x, y);
      const Decision decision = matched ? decide(view, x, y) : Decision{};
      put_costs(maps, x, y, decision);
      maps.disparity(x, y) = static_cast<T>(plan.invalid);
      if (!maps.confidence.empty()) maps.confidence(x, y) = 0;
      if (!decision.winner) continue;
      winner(x, y) = decision.winner->d;
      if (!is_unique(decision, plan.options.uniqueness_ratio)) continue;
      if (!keeps_tie_rule(decision, plan.options.reject_ties) || !has_texture(plan, sobel, x, y)) continue;
      maps.disparity(x, y) = static_cast<T>(refined(plan.options, decision));
      if (!maps.confidence.empty()) maps.confidence(x, y) = static_cast<std::uint8_t>(confidence_of(decision));
    }
}

template <class T>
void clear_confidence(const StereoPlan& plan, const MatchMaps<T>& maps) {
  if (maps.confidence.empty()) return;
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x)
      if (maps.disparity(x, y) == plan.invalid) maps.confidence(x, y) = 0;
}

}  // namespace

template <class P, class T>
void match(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps) {
  Scene scene = make_scene(plan, left, right);
  std::optional<CostVolume> sums;
  if (plan.sums_paths()) {
    scene.reference = plan.sums_view;
    sums = path_sums<P>(scene, plan.sums_view == StereoView::left ? left : right);
  }
  const View view{scene, sums ? &*sums : nullptr};
  Image<std::uint16_t> sobel(plan.size);
  xsobel_picture(plan, plan.matches_left() ? left : right, sobel);
  Image<std::int32_t> winner(plan.size, no_winner);
  scene.reference = plan.options.reference;
  match_view(view, sobel, winner, maps);
  if (plan.options.left_right < 0) return;
  scene.reference = plan.matches_left() ? StereoView::right : StereoView::left;
  const Image<std::int32_t> other_winner = winners(view);
  check<T>(plan, winner, other_winner, maps.disparity);
  clear_confidence(plan, maps);
}

template void match(const StereoPlan&, ImageView<const std::uint8_t>, ImageView<const std::uint8_t>,
                    const MatchMaps<std::int16_t>&);
template void match(const StereoPlan&, ImageView<const std::uint8_t>, ImageView<const std::uint8_t>,
                    const MatchMaps<std::int32_t>&);
template void match(const StereoPlan&, ImageView<const std::uint16_t>, ImageView<const std::uint16_t>,
                    const MatchMaps<std::int16_t>&);
template void match(const StereoPlan&, ImageView<const std::uint16_t>, ImageView<const std::uint16_t>,
                    const MatchMaps<std::int32_t>&);

}  // namespace vergence::reference
