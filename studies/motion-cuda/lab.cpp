// SPDX-License-Identifier: Apache-2.0
// The scalar program. Compiled without the compiler's vectorisers, as the paper's was: CMakeLists.txt says so.
#include "motion-cuda/lab.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vergence::studies::motion_cuda {

Place place_of(Size blocks, int index) {
  return {index % blocks.width * block_side, index / blocks.width * block_side};
}

void get_block(ImageView<const std::uint8_t> current, Place place, Block& block) {
  for (int i = 0; i < block_side; ++i)
    std::memcpy(&block[static_cast<std::size_t>(i * block_side)], current.row(place.y + i) + place.x, block_side);
}

void get_area(ImageView<const std::uint8_t> reference, Place place, Area& area) {
  area.fill(0);
  const int left = std::max(place.x - reach, 0);
  const int right = std::min(place.x + reach + block_side, reference.width());
  for (int i = 0; i < area_side; ++i) {
    const int y = place.y - reach + i;
    if (y < 0 || y >= reference.height()) continue;
    std::memcpy(&area[static_cast<std::size_t>(i * area_side + left - (place.x - reach))], reference.row(y) + left,
                static_cast<std::size_t>(right - left));
  }
}

LabSearch::LabSearch(const FramePair& frames, Place place) : size_(frames.current.size()), place_(place) {
  get_block(frames.current, place, block_);
  get_area(frames.reference, place, area_);
}

void LabSearch::attempt(int dx, int dy) {
  if (!exact::is_valid(size_, place_.x, place_.y, dx, dy)) return;
  int sad = 0;
  for (int i = 0; i < block_side; ++i) {
    const std::uint8_t* const mine = &block_[static_cast<std::size_t>(i * block_side)];
    const std::uint8_t* const theirs = &area_[static_cast<std::size_t>((dy + reach + i) * area_side + dx + reach)];
    for (int j = 0; j < block_side; ++j) sad += std::abs(mine[j] - theirs[j]);
  }
  if (sad < best_.sad) best_ = {dx, dy, sad};
}

bool LabSearch::advance(int count) {
  for (const int end = std::min(next_ + count, candidates); next_ < end; ++next_)
    attempt(next_ % span - reach, next_ / span - reach);
  return next_ < candidates;
}

void LabSearch::step() {
  attempt(0, 0);
  for (int spacing = reach / 2; spacing >= 1; spacing /= 2) {
    const exact::Match centre = best_;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        if (i != 0 || j != 0) attempt(centre.dx + j * spacing, centre.dy + i * spacing);
  }
}

}  // namespace vergence::studies::motion_cuda
