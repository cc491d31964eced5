// SPDX-License-Identifier: Apache-2.0
// Pictures whose pixels do not lie where they belong: colour planes in place of pixels, columns that were lost or put
// in, what a lens leaves dark, what moved while the shutter was open. Integers alone, as in vergence/inspect.hpp.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// A picture that shows another one three times.
struct PlaneFindings {
  bool in_rows = false;  ///< Each row holds three rows, as where planes were read as pixels of three colours.
  bool stacked = false;  ///< Its thirds lie one above the other, as planes that were read as one grey picture.
};
/// Compares the thirds of rows, and those of columns, by their steps along rows: thirds of photographs do not resemble
/// each other, nor do patterns, which resemble themselves elsewhere, too. Nothing is found in pictures under 96x48.
/// Thread-safe.
PlaneFindings inspect_planes(ImageView<const std::uint8_t> picture);
PlaneFindings inspect_planes(ImageView<const std::uint16_t> picture);

/// Where a part of one picture of a pair was moved along its rows.
struct MovedColumns {
  int column = 0;         ///< The first one of what is moved; 0 where there is none.
  int shift = 0;          ///< Px by which it lies to the right of where it belongs; below 0: to the left.
  bool in_right = false;  ///< The right picture is the one.
};
/// Looks for columns that were lost, or put in: at one column of one picture steps stand out, and what lies left and
/// right of it lies by one number of px closer together, or further apart, in the other picture, at all heights,
/// although the disparity changes from one to the next by 3 px and more: a vertical edge of depth has one disparity at
/// each side. Columns that were
/// put in are those before them once more. Nothing is found in pictures under 128x96. Thread-safe. Throws
/// Error(invalid_argument) where sizes differ.
MovedColumns inspect_moved_columns(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right);
MovedColumns inspect_moved_columns(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                   int max_value = 65535);

/// What a round lens leaves of one grey level in all four corners of both pictures.
struct SurroundFindings {
  int percent = 0;  ///< Of the picture; 0 where there is none.
  Rect inner;       ///< The largest rectangle, in steps of some rows, that holds nothing of it.
};
/// Looks for corners of one level in both pictures, whose edges stand at the same places in both, within 2 px, and
/// bend by 8 px and more: 2 % of the picture and more. Nothing is found in pictures under 64x48. Thread-safe. Throws
/// Error(invalid_argument) where sizes differ.
SurroundFindings inspect_surround(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right);
SurroundFindings inspect_surround(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                  int max_value = 65535);

/// The px over which the picture is smeared along its rows, as by motion or a shutter that is open too long; 0 where it
/// is not. Steps along rows that were smeared over so many px come again behind these with the opposite sign. Nothing
/// is found below 13 px, above 64, and in pictures under 128x48. Thread-safe.
int inspect_smear(ImageView<const std::uint8_t> picture);
int inspect_smear(ImageView<const std::uint16_t> picture);

/// How columns, or rows, of a picture are in another order than they were taken.
enum class PixelOrder {
  as_taken,
  reversed,         ///< Each group of `size` in reverse order, as where bytes of words are.
  exchanged,        ///< Each two groups of `size` have changed places, as tiles of graphics memory.
  mirrored_first,   ///< The left or upper half is mirrored,
  mirrored_second,  ///< the right or lower one,
  mirrored_halves,  ///< or both are, or they have changed places.
  repeated,         ///< `size` rows and more are rows further up once more, to the last bit.
};
struct Rearranged {
  PixelOrder order = PixelOrder::as_taken;
  bool rows = false;  ///< Not columns.
  int size = 0;       ///< Columns or rows of a group.
};
/// Looks for groups of 2 to 64 columns or rows, and halves, at whose seams pixels differ more than within them, and
/// less once the order is undone; and for 16 rows and more, up to half of the picture, that come again. Nothing is
/// found in pictures under 48x48. Thread-safe.
Rearranged inspect_rearranged(ImageView<const std::uint8_t> picture);
Rearranged inspect_rearranged(ImageView<const std::uint16_t> picture);

}  // namespace vergence
