// SPDX-License-Identifier: Apache-2.0
// The pixels of a frame that are near to some points: a bit each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vergence/track.hpp"

namespace vergence {

class NearPixels {
 public:
  /// Forgets all points. `distance` is the square of the distance in question, in position units.
  void restart(Size size, std::int64_t distance);
  /// The middle of this pixel of the frame is nearer to a point that was added than the distance.
  bool holds(int x, int y) const { return (row(y)[x / 64] >> (x % 64) & 1) != 0; }
  /// A point that lies anywhere.
  void add(TrackPosition at);
  /// The middle of a pixel.
  void add(int x, int y);
  std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t) + reaches_.capacity() * sizeof(int); }

 private:
  /// The word of the row's first pixels. One word before it and two behind the last one belong to the row, too.
  const std::uint64_t* row(int y) const { return words_.data() + static_cast<std::size_t>(y) * pitch_ + 1; }
  std::uint64_t* row(int y) { return words_.data() + static_cast<std::size_t>(y) * pitch_ + 1; }
  /// Pixels [first, last] of a row, as far as they are in the frame.
  void mark(std::int64_t first, std::int64_t last, int y);

  Size size_;
  std::int64_t distance_ = 0;
  std::size_t pitch_ = 0;  ///< words in a row
  std::vector<std::uint64_t> words_;
  std::vector<int> reaches_;  ///< pixels beside the middle of a pixel that are near, in rows 0, 1, ... beside it
  static constexpr int short_reach = 31;  ///< of which the pixels fit a word
};

}  // namespace vergence
