// SPDX-License-Identifier: Apache-2.0
// Points in cells of a frame, to ask quickly whether one is near.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vergence/track.hpp"

namespace vergence {

class Neighbours {
 public:
  /// Forgets all points. `distance` is the square of the distance in question, in position units.
  void restart(Size size, std::int64_t distance);
  /// No point that was added is nearer than the distance.
  bool is_free(TrackPosition at) const;
  void add(TrackPosition at);
  std::size_t bytes() const;

 private:
  struct Entry {
    TrackPosition at;
    std::int32_t next;
  };
  int column(std::int32_t x) const;
  int row(std::int32_t y) const;

  std::int64_t distance_ = 0;
  int cell_ = 1;  ///< px, at least the distance
  Size cells_;
  std::vector<std::int32_t> first_;  ///< per cell, -1 = none
  std::vector<Entry> entries_;
};

}  // namespace vergence
