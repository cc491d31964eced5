// SPDX-License-Identifier: Apache-2.0
// What semi-global matching keeps of a frame: costs and sums of one band of rows, the rows along paths that are at
// work, and those with which bands begin from below.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/stereo/sgm.hpp"

namespace vergence::cpu {

/// The step from a pixel to the next one on a path that changes rows.
struct PathDirection {
  int dx, dy;
};

/// The paths of a plan, but for the horizontal ones, which every plan has.
inline std::vector<PathDirection> vertical_paths(const StereoOptions& options, int dy) {
  const bool up = dy < 0;
  if (options.paths == 2 || (up && options.paths == 5)) return {};
  if (options.paths == 4) return {{0, dy}};
  return {{0, dy}, {1, dy}, {-1, dy}};
}

/// Rows of costs along a path, pixels -1 and `width` included, which have no candidates.
template <class L>
class PathRows {
 public:
  void resize(const MatchLayout& layout, int count) {
    padded_ = layout.padded;
    row_ = (layout.width + 2) * std::ptrdiff_t{layout.padded};
    least_row_ = layout.width + 2;
    if (count_ >= count) return;
    costs_.reserve(static_cast<std::size_t>(row_ * count));
    least_.resize(static_cast<std::size_t>(least_row_ * count));
    count_ = count;
    std::fill_n(costs_.get(), row_ * count, no_candidate<L>);  // pixels -1 and `width` stay so
  }
  PathRow<L> row(int i) { return {costs_.get() + i * row_ + padded_, least_.data() + i * least_row_ + 1}; }
  std::size_t bytes() const { return costs_.bytes() + least_.capacity() * sizeof(L); }

 private:
  std::ptrdiff_t padded_ = 0, row_ = 0, least_row_ = 0;
  int count_ = 0;
  AlignedBuffer<L> costs_;
  std::vector<L> least_;
};

template <class L, class S>
struct SgmMemory {
  int rows = 0;  ///< Of a band.
  int bands = 0;
  int bands_at_once = 1;  ///< In the first sweep.
  int up_rows = 0;        ///< Of work_up, for each path.
  std::vector<PathDirection> up, down;
  bool keeps_costs = false;  ///< Those of the whole picture are kept: where one path comes from below.
  PathRows<L> costs;         ///< Of the band, or of the picture.
  AlignedBuffer<S> sums;     ///< Of the band.
  PathRows<L> work_down;     ///< Two for each path: the row before and this one, in turn.
  PathRows<L> work_up;       ///< The same; of a single path all rows of the band.
  PathRows<L> across;        ///< Both horizontal paths of each row of the band.
  PathRows<L> nothing;       ///< A row without candidates.
  PathRows<L> starts;        ///< For each band but the last: the paths' rows just below it.
  std::vector<L> penalties;  ///< p2 of each pixel, for each row of the band and each path, horizontal ones first.
  std::ptrdiff_t sums_row = 0;
  int width = 0;

  void resize(const StereoPlan& plan, const MatchLayout& layout) {
    // Small bands stay in the processor's caches, but each starts with rows for the paths from below: the wider the
    // costs, the fewer bands. And each begins with a window's height of rows more.
    rows = std::min(plan.size.height, std::max(4 * static_cast<int>(sizeof(L)), plan.ry == 0 ? 0 : 8 + 4 * plan.ry));
    bands = (plan.size.height + rows - 1) / rows;
    width = layout.width;
    up = vertical_paths(plan.options, -1);
    down = vertical_paths(plan.options, 1);
    keeps_costs = sizeof(L) == 1 && up.size() == 1;
    costs.resize(layout, keeps_costs ? plan.size.height : rows);
    sums_row = static_cast<std::ptrdiff_t>(layout.width) * layout.padded;
    sums.reserve(static_cast<std::size_t>(sums_row * rows));
    const int paths = static_cast<int>(up.size());
    up_rows = paths == 1 ? rows : 2;
    work_up.resize(layout, up_rows * paths);
    work_down.resize(layout, 2 * static_cast<int>(down.size()));
    starts.resize(layout, (bands - 1) * paths);
    across.resize(layout, 2 * rows);
    nothing.resize(layout, 1);
    const bool varies = plan.options.p2_slope > 0;
    // Threads meet twice for each group of bands, whose costs should still be in a cache when the paths read them.
    const std::ptrdiff_t band_bytes = sums_row * rows * static_cast<std::ptrdiff_t>(sizeof(L));
    bands_at_once =
        keeps_costs && !varies ? static_cast<int>(std::clamp<std::ptrdiff_t>((1 << 21) / band_bytes, 1, 16)) : 1;
    penalties.assign(static_cast<std::size_t>(layout.width) * (varies ? static_cast<std::size_t>(8 * rows) : 1),
                     static_cast<L>(plan.options.p2));
  }
  /// Costs of row y, where `first` is the first row of its band.
  const L* costs_of(int y, int first) { return costs.row(keeps_costs ? y : y - first).costs; }
  /// p2 for path `path` of a row of the band.
  L* penalty(int row, int path) {
    const bool varies = penalties.size() > static_cast<std::size_t>(width);
    return penalties.data() + (varies ? static_cast<std::ptrdiff_t>(row * 8 + path) * width : 0);
  }
  /// A path from below in row `row` of the band.
  PathRow<L> up_row(int path, int row) { return work_up.row(path * up_rows + row % up_rows); }
  PathRow<L> start(int band, int path) { return starts.row(band * static_cast<int>(up.size()) + path); }
  std::size_t bytes() const {
    return costs.bytes() + sums.bytes() + work_up.bytes() + work_down.bytes() + starts.bytes() + across.bytes() +
           nothing.bytes() + penalties.capacity() * sizeof(L);
  }
};

}  // namespace vergence::cpu
