// SPDX-License-Identifier: Apache-2.0
// Reference: costs summed over the paths of semi-global matching. Reads as docs/algorithms/stereo/sgm.md does.
#include "reference/stereo/sgm.hpp"

#include <span>

#include "definitions/stereo/candidate.h"
#include "definitions/stereo/sgm.h"

namespace vergence::reference {
namespace {

/// The step from a pixel to the next one on a path.
struct Direction {
  int x, y;
};
/// The first 2, 4 or 8 are the paths of these numbers; 5 paths have a list of their own.
constexpr Direction directions[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
constexpr Direction five_directions[] = {{1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}};

std::span<const Direction> paths_of(const StereoOptions& options) {
  if (options.paths == 5) return five_directions;
  return std::span(directions).first(static_cast<std::size_t>(options.paths));
}

/// Window costs; all windows have equally many taps, those outside the pictures are taken from the edges.
CostVolume window_costs(const Scene& scene) {
  const StereoPlan& plan = scene.plan;
  const StereoOptions& o = plan.options;
  const Size size = plan.size;
  CostVolume costs(plan);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int d = o.min_disparity; d <= plan.last_disparity(); ++d) {
        const int partner = definitions::partner_column(x, d, scene.reference == StereoView::left);
        if (!is_considered(scene, x, y, partner)) continue;
        std::uint64_t cost = 0;
        for (int v = -plan.ry; v <= plan.ry; ++v)
          for (int u = -plan.rx; u <= plan.rx; ++u) {
            const int row = clamped(y + v, size.height);
            cost += tap_cost(o.cost, scene.matched()(clamped(x + u, size.width), row),
                             other_value(scene, partner + u, row));
          }
        costs.set(x, y, d, static_cast<std::uint32_t>(cost));
      }
  return costs;
}

std::int64_t or_none(std::uint32_t cost) {
  return cost == CostVolume::absent ? definitions::no_path_cost() : std::int64_t{cost};
}

/// What the path that comes from the pixel before adds to the sums.
template <class P>
class Path {
 public:
  Path(const StereoPlan& plan, const CostVolume& costs, ImageView<const P> picture, Direction direction)
      : plan_(plan), costs_(costs), picture_(picture), direction_(direction), path_(plan) {}

  void add_to(CostVolume& sums) {
    const Size size = plan_.size;
    // Pixels follow each other so that the one before is done.
    for (int i = 0; i < size.height; ++i)
      for (int k = 0; k < size.width; ++k)
        visit(direction_.x >= 0 ? k : size.width - 1 - k, direction_.y >= 0 ? i : size.height - 1 - i, sums);
  }

 private:
  void visit(int x, int y, CostVolume& sums) {
    const StereoOptions& o = plan_.options;
    const int before_x = x - direction_.x, before_y = y - direction_.y;
    const bool starts = !costs_.contains(before_x, before_y);
    const std::int64_t least = starts ? 0 : least_at(before_x, before_y);
    std::int64_t p2 = o.p2;
    if (!starts)
      p2 = definitions::penalty_at_edge(
          o.p1, o.p2, definitions::absolute_difference(picture_(x, y), picture_(before_x, before_y)), o.p2_slope);
    for (int d = o.min_disparity; d <= plan_.last_disparity(); ++d) {
      if (costs_.at(x, y, d) == CostVolume::absent) continue;
      std::int64_t cost = costs_.at(x, y, d);
      if (!starts)
        cost = definitions::path_cost(cost, or_none(path_.at(before_x, before_y, d)),
                                      or_none(path_.at(before_x, before_y, d - 1)),
                                      or_none(path_.at(before_x, before_y, d + 1)), least, o.p1, p2);
      path_.set(x, y, d, static_cast<std::uint32_t>(cost));
      const std::uint32_t sum = sums.at(x, y, d);
      sums.set(x, y, d, (sum == CostVolume::absent ? 0 : sum) + static_cast<std::uint32_t>(cost));
    }
  }

  std::int64_t least_at(int x, int y) const {
    std::int64_t least = definitions::no_path_cost();
    for (int d = plan_.options.min_disparity; d <= plan_.last_disparity(); ++d)
      least = definitions::smaller(least, or_none(path_.at(x, y, d)));
    return least;
  }

  const StereoPlan& plan_;
  const CostVolume& costs_;
  ImageView<const P> picture_;
  Direction direction_;
  CostVolume path_;
};

}  // namespace

template <class P>
CostVolume path_sums(const Scene& scene, ImageView<const P> picture) {
  const CostVolume costs = window_costs(scene);
  CostVolume sums(scene.plan);
  for (const Direction direction : paths_of(scene.plan.options))
    Path<P>(scene.plan, costs, picture, direction).add_to(sums);
  return sums;
}

template CostVolume path_sums(const Scene&, ImageView<const std::uint8_t>);
template CostVolume path_sums(const Scene&, ImageView<const std::uint16_t>);

}  // namespace vergence::reference
