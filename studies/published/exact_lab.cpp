// SPDX-License-Identifier: Apache-2.0
// Reference: a published teaching encoder's block motion, faults included.
#include "published/exact_lab.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "definitions/motion/tz.h"

namespace vergence::reference::exact_lab {
namespace {

/// One block's search; `best` is the first of the smallest candidates that were tried.
class Search {
 public:
  Search(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference, int x, int y,
         const Geometry& geometry)
      : current_(current), reference_(reference), x_(x), y_(y), geometry_(geometry) {}

  /// True where it is strictly better than all before.
  bool attempt(int dx, int dy) {
    if (!is_valid(current_.size(), x_, y_, dx, dy, geometry_)) return false;
    const int cost = sad(dx, dy);
    if (cost >= best.sad) return false;
    best = {dx, dy, cost};
    return true;
  }
  /// All displacements of a square grid about the best one so far, which stays its centre.
  void attempt_grid(int reach, int spacing, Scan scan) {
    const Match centre = best;
    for (int outer = -reach; outer <= reach; ++outer)
      for (int inner = -reach; inner <= reach; ++inner) {
        const int x = scan == Scan::rows ? inner : outer;
        const int y = scan == Scan::rows ? outer : inner;
        attempt(centre.dx + x * spacing, centre.dy + y * spacing);
      }
  }

  Match best;

 private:
  /// Against zeros where the candidate leaves the frame.
  int sad(int dx, int dy) const {
    int sum = 0;
    for (int y = y_; y < y_ + geometry_.block; ++y)
      for (int x = x_; x < x_ + geometry_.block; ++x) {
        const int u = x + dx;
        const int v = y + dy;
        const bool inside = u >= 0 && u < reference_.width() && v >= 0 && v < reference_.height();
        sum += std::abs(current_(x, y) - (inside ? reference_(u, v) : 0));
      }
    return sum;
  }

  ImageView<const std::uint8_t> current_, reference_;
  int x_, y_;
  Geometry geometry_;
};

template <class F>
Image<Match> for_blocks(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                        const Geometry& geometry, F&& run) {
  Image<Match> matches(blocks(current.size(), geometry));
  for (int row = 0; row < matches.height(); ++row)
    for (int column = 0; column < matches.width(); ++column) {
      Search search(current, reference, column * geometry.block, row * geometry.block, geometry);
      run(search);
      matches(column, row) = search.best;
    }
  return matches;
}

/// A diamond about a centre; one that improves makes its distance the last one. Points in the order of
/// definitions/motion/tz.h.
void diamond(Search& search, const Match& centre, int distance, int& last_distance) {
  bool better = false;
  for (int k = 0; k < definitions::tz_count(distance); ++k)
    better |= search.attempt(centre.dx + definitions::tz_x(distance, k), centre.dy + definitions::tz_y(distance, k));
  if (better) last_distance = distance;
}

void run_test_zones(Search& search, int farthest_point) {
  int last_distance = 0;
  search.attempt(0, 0);
  for (int distance = 1; distance <= farthest_point; distance *= 2) diamond(search, {0, 0, 0}, distance, last_distance);
  constexpr int mesh = definitions::tz_raster();
  if (std::abs(search.best.dx) > mesh || std::abs(search.best.dy) > mesh)
    for (int dx = -farthest_point / 2; dx < farthest_point / 2; dx += mesh)
      for (int dy = -farthest_point / 2; dy < farthest_point / 2; dy += mesh) search.attempt(dx, dy);
  if (search.best.dx == 0 && search.best.dy == 0) return;
  constexpr int most_refinements = 8;
  for (int i = 0; i < most_refinements; ++i) {
    const Match centre = search.best;
    for (int distance = 1; distance <= farthest_point; distance *= 2) {
      diamond(search, centre, distance, last_distance);
      if (ends_early(distance, last_distance)) break;
    }
    if (search.best == centre) break;
  }
}

}  // namespace

Size blocks(Size frame, const Geometry& geometry) {
  return {frame.width / geometry.block, frame.height / geometry.block};
}

bool is_valid(Size frame, int x, int y, int dx, int dy, const Geometry& geometry) {
  // The indices are those of the search area, shifted by the reach: meant was y + dy.
  return y + geometry.reach + dy < frame.height && x + geometry.reach + dx < frame.width &&
         std::abs(dx) <= geometry.reach && std::abs(dy) <= geometry.reach;
}

int half_of(Grid grid) { return grid == Grid::g3x3 ? 1 : grid == Grid::g7x7 ? 3 : grid == Grid::g13x13 ? 6 : 7; }

int first_spacing(Grid grid, const Geometry& geometry) {
  return std::max(geometry.reach / (grid == Grid::g3x3 ? 2 : grid == Grid::g7x7 ? 4 : 8), 1);
}

int next_spacing(Grid grid, int spacing) {
  return spacing == 1 ? 0 : std::max(spacing / (grid == Grid::g3x3 ? 2 : grid == Grid::g7x7 ? 4 : 8), 1);
}

bool ends_early(int distance, int last_distance) {
  return (distance >= 4 && last_distance == 0) || (distance >= 8 && last_distance <= 1) ||
         (distance >= 16 && last_distance <= 2) || (distance >= 32 && last_distance <= 4);
}

Image<Match> full(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference, Scan scan,
                  const Geometry& geometry) {
  return for_blocks(current, reference, geometry, [&](Search& search) {
    for (int outer = -geometry.reach; outer < geometry.reach; ++outer)
      for (int inner = -geometry.reach; inner < geometry.reach; ++inner)
        search.attempt(scan == Scan::rows ? inner : outer, scan == Scan::rows ? outer : inner);
  });
}

Image<Match> step(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference, Grid grid, Scan scan,
                  const Geometry& geometry) {
  return for_blocks(current, reference, geometry, [&](Search& search) {
    search.attempt(0, 0);
    // The centre is tried again with its grid, which changes nothing: only strictly smaller costs win.
    for (int spacing = first_spacing(grid, geometry); spacing >= 1; spacing = next_spacing(grid, spacing))
      search.attempt_grid(half_of(grid), spacing, scan);
  });
}

Image<Match> test_zones(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                        const Geometry& geometry) {
  return for_blocks(current, reference, geometry,
                    [&geometry](Search& search) { run_test_zones(search, geometry.reach); });
}

void reconstruct(ImageView<const std::uint8_t> reference, const Image<Match>& matches,
                 ImageView<std::uint8_t> reconstruction, const Geometry& geometry) {
  const Size size = reference.size();
  for (int y = 0; y < matches.height() * geometry.block; ++y)
    for (int x = 0; x < matches.width() * geometry.block; ++x) {
      const Match& match = matches(x / geometry.block, y / geometry.block);
      const int u = x + match.dx;
      const int v = y + match.dy;
      if (u >= 0 && u < size.width && v >= 0 && v < size.height) reconstruction(x, y) = reference(u, v);
    }
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if (y > size.height - geometry.block + 1 || x > size.width - geometry.block + 1)
        reconstruction(x, y) = reference(x, y);
}

std::uint64_t residue(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reconstruction) {
  std::uint64_t sum = 0;
  for (int y = 0; y < current.height(); ++y)
    for (int x = 0; x < current.width(); ++x)
      sum += static_cast<std::uint64_t>(std::abs(current(x, y) - reconstruction(x, y)));
  return sum;
}

}  // namespace vergence::reference::exact_lab
