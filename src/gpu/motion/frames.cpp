// SPDX-License-Identifier: Apache-2.0
// Places for frames on the device, taken in turn.
#include "gpu/motion/frames.hpp"

#include "definitions/motion/pyramid.h"

namespace vergence::gpu {

void MotionFrames::add(Device& device) {
  const std::size_t pixel_bytes = plan_.options.depth == Depth::u8 ? 1 : 2;
  for (int i = 0; i < 2; ++i) {
    auto place = std::make_unique<Place>();
    Size size = plan_.size;
    for (std::size_t level = 0; level < levels_; ++level) {
      place->levels.push_back(device.allocate(MotionLevel::bytes(size, pixel_bytes)));
      size = {definitions::half_side(size.width), definitions::half_side(size.height)};
    }
    for (const Size grid : plan_.grids)
      place->fields.push_back(
          device.allocate(4 * static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height)));
    place->ready = device.new_event();
    place->found = device.new_event();
    places_.push_back(std::move(place));
  }
}

MotionFrames::Pair MotionFrames::take(bool follows) {
  const int last = std::exchange(last_, -1);
  Pair pair{};
  pair.follows = follows && last >= 0;
  pair.reference = pair.follows ? static_cast<std::size_t>(last) : next_;
  pair.current = (pair.reference + 1) % places_.size();
  next_ = (pair.current + 1) % places_.size();
  return pair;
}

}  // namespace vergence::gpu
