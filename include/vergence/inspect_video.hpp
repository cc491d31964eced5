// SPDX-License-Identifier: Apache-2.0
// Frames of video in which something stays where it is while the scene moves, or whose rows begin amid them. Integers
// alone, as in vergence/inspect.hpp: equal input gives equal findings on every machine.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// What inspect_fixed_pattern finds.
struct FixedPatternFindings {
  int points = 0;           ///< Patches with texture,
  int moving = 0;           ///< those that moved by 4 px and more (0 where most stand still), and
  int staying = 0;          ///< those of `moving` of whose details a twentieth stays where it was.
  std::int64_t common = 0;  ///< Details of `moving` that both frames have at one place, of
  std::int64_t all = 0;     ///< so many (sums of products).
};
/// Looks for details that stay at their place where the scene moves: a pattern of the sensor's columns, rows or pixels,
/// stuck pixels, dirt. `before` may be some frames earlier. Nothing is found in frames under 96x80. Thread-safe. Throws
/// Error(invalid_argument) where sizes differ or are 0.
FixedPatternFindings inspect_fixed_pattern(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);
FixedPatternFindings inspect_fixed_pattern(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                                           int max_value = 65535);

/// A rectangle with texture that is equal in both frames while all else changed, cut off from it along an edge: a part
/// of the frame that hung. In whole cells of 16x16 px; empty where there is none. Else as above.
Rect inspect_frozen_part(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);
Rect inspect_frozen_part(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                         int max_value = 65535);

/// The column at which the rows of a frame begin that wrapped: its left edge goes on where the right one ends, and a
/// seam stands amid. 0 where there is none, and in frames under 64x48. Thread-safe.
int inspect_wrapped_rows(ImageView<const std::uint8_t> picture);
int inspect_wrapped_rows(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// The same of columns: the row at which the frame begins, whose top goes on where the bottom ends.
int inspect_wrapped_columns(ImageView<const std::uint8_t> picture);
int inspect_wrapped_columns(ImageView<const std::uint16_t> picture, int max_value = 65535);

}  // namespace vergence
