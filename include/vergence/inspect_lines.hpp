// SPDX-License-Identifier: Apache-2.0
// Rows and columns of a picture that are not what lies beside them: rows that were lost, two pictures in turn.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// Rows of one grey level amid others.
struct LostRows {
  int rows = 0;
  int first = 0;  ///< The number of the uppermost one.
};
/// Looks for single rows, or two together, that vary by 1/64 of the largest value at most: three and more, a hundredth
/// to a quarter of all. Nothing is found in pictures under 64x48. Thread-safe.
LostRows inspect_lost_rows(ImageView<const std::uint8_t> picture, int max_value = 255);
LostRows inspect_lost_rows(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// Whether columns, or rows, are of two pictures in turn.
struct LinesInTurn {
  bool columns = false;
  bool rows = false;
};
/// Looks for patches whose lines alternate, as two views do that are stored in every second column or row. Nothing is
/// found in pictures under 64x48, and where both views are alike. Thread-safe.
LinesInTurn inspect_lines_in_turn(ImageView<const std::uint8_t> picture);
LinesInTurn inspect_lines_in_turn(ImageView<const std::uint16_t> picture);

}  // namespace vergence
