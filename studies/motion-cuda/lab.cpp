// SPDX-License-Identifier: Apache-2.0
// The scalar program: copies of block and area, and the order of candidates. lab_plain.cpp and lab_vectors.cpp hold its
// SAD, compiled in two ways.
#include "motion-cuda/lab.hpp"

#include <algorithm>
#include <cstring>

#include "motion-cuda/zones.hpp"

namespace vergence::studies::motion_cuda {

const char* name_of(Code code) { return code == Code::plain ? "plain" : "vectors"; }

Place place_of(Size blocks, int index, const Geometry& geometry) {
  return {index % blocks.width * geometry.block, index / blocks.width * geometry.block};
}

void get_block(ImageView<const std::uint8_t> current, Place place, const Geometry& geometry, Block& block) {
  const auto side = static_cast<std::size_t>(geometry.block);
  block.resize(side * side);
  for (std::size_t i = 0; i < side; ++i)
    std::memcpy(&block[i * side], current.row(place.y + static_cast<int>(i)) + place.x, side);
}

void get_area(ImageView<const std::uint8_t> reference, Place place, const Geometry& geometry, Area& area) {
  const int side = geometry.area(), reach = geometry.reach;
  area.assign(static_cast<std::size_t>(geometry.area_pixels()), 0);
  const int left = std::max(place.x - reach, 0);
  const int right = std::min(place.x + reach + geometry.block, reference.width());
  for (int i = 0; i < side; ++i) {
    const int y = place.y - reach + i;
    if (y < 0 || y >= reference.height() || left >= right) continue;
    std::memcpy(&area[static_cast<std::size_t>(i * side + left - (place.x - reach))], reference.row(y) + left,
                static_cast<std::size_t>(right - left));
  }
}

LabSearch::LabSearch(const FramePair& frames, Place place, const Geometry& geometry, Code code)
    : size_(frames.current.size()), place_(place), geometry_(geometry), code_(code) {
  get_block(frames.current, place, geometry, block_);
  get_area(frames.reference, place, geometry, area_);
}

int LabSearch::sad(int dx, int dy) const {
  if (!exact::is_valid(size_, place_.x, place_.y, dx, dy, geometry_)) return sentinel;
  const int reach = geometry_.reach, stride = geometry_.area();
  const std::uint8_t* const theirs = area_.data() + static_cast<std::ptrdiff_t>(dy + reach) * stride + dx + reach;
  return (code_ == Code::plain ? sad_plain : sad_vectors)(block_.data(), theirs, stride, geometry_.block);
}

void LabSearch::attempt(int dx, int dy) {
  const int cost = sad(dx, dy);
  if (cost < best_.sad) best_ = {dx, dy, cost};
}

bool LabSearch::advance(int count) {
  const int span = geometry_.span();
  for (const int end = std::min(next_ + count, geometry_.candidates()); next_ < end; ++next_)
    attempt(next_ % span - geometry_.reach, next_ / span - geometry_.reach);
  return next_ < geometry_.candidates();
}

void LabSearch::full(exact::Scan scan) {
  const int reach = geometry_.reach;
  for (int outer = -reach; outer < reach; ++outer)
    for (int inner = -reach; inner < reach; ++inner)
      attempt(scan == exact::Scan::rows ? inner : outer, scan == exact::Scan::rows ? outer : inner);
}

void LabSearch::step(exact::Grid grid, exact::Scan scan) {
  const int half = exact::half_of(grid);
  attempt(0, 0);
  for (int spacing = exact::first_spacing(grid, geometry_); spacing >= 1;
       spacing = exact::next_spacing(grid, spacing)) {
    const exact::Match centre = best_;
    for (int outer = -half; outer <= half; ++outer)
      for (int inner = -half; inner <= half; ++inner) {
        if (outer == 0 && inner == 0) continue;
        const int x = scan == exact::Scan::rows ? inner : outer, y = scan == exact::Scan::rows ? outer : inner;
        attempt(centre.dx + x * spacing, centre.dy + y * spacing);
      }
  }
}

void LabSearch::test_zones() {
  best_ = walk_zones(
      geometry_, [](Zone, const exact::Match&) {}, [this](std::size_t, int dx, int dy) { return sad(dx, dy); });
}

}  // namespace vergence::studies::motion_cuda
