// SPDX-License-Identifier: Apache-2.0
// Frames of video whose levels wrapped, whose halves mirror each other, that show everything several times, with black
// bars, and such as were mixed with the frame before. Integers alone, as in vergence/inspect.hpp: equal input gives
// equal findings on every machine. Of deeper pictures, give the upper bits. Thread-safe. Throws Error(invalid_argument)
// where sizes differ or are 0.
#pragma once

#include <array>
#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// Whether grey levels went on at 0 behind the largest one, or the other way round: steps of nearly all levels that
/// vanish modulo 256. Photographs have hardly any, and those of drawings lie between plateaus. Never under 64x48.
bool inspect_wrapped_levels(ImageView<const std::uint8_t> picture);

/// Halves of a picture that are one.
enum class AlikeHalves {
  none,
  mirrored_columns,  ///< The right half is the mirror image of the left one,
  mirrored_rows,     ///< the lower one that of the upper one,
  same_columns,      ///< or they are the same.
  same_rows,
};
/// Nothing is found under 64x48, and of halves without texture.
AlikeHalves inspect_halves(ImageView<const std::uint8_t> picture);

/// Details that come again elsewhere, in all of the picture.
struct RepeatedDetails {
  int right = 0, down = 0;  ///< By so many px along one axis, 4 to 48; both 0 where none do.
  int percent = 0;          ///< Their correlation there. Photographs have 27 at most.
};
/// Looks for planes of colour, or exposures, that lie beside each other. What repeats as texture does, over and over,
/// is not told. Nothing is found under 128x96.
RepeatedDetails inspect_repeated_details(ImageView<const std::uint8_t> picture);

/// One picture of a pair that holds itself once more, some px along its rows, fainter.
struct EchoFindings {
  int distance = 0;  ///< 4 to 48 px; 0 where there is none.
  bool in_right = false;
  int percent = 0;  ///< The correlation of its steps there, above the other picture's.
};
/// Looks for the echo of a cable or a lens. Nothing is found under 128x96.
EchoFindings inspect_echo(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right);

/// Pixels and blocks that were lost.
struct Spots {
  static constexpr int least_salt = 10;  ///< Permille of salt and pepper; photographs have up to 2.
  int salt_permille = 0;                 ///< Black and white pixels amid others, of those amid others that are alike.
  int blocks = 0;  ///< Squares of 16x16 px, in even steps, of one level or of one row, with seams around them.
};
/// Looks for salt and pepper in some rows, and for blocks that a decoder lost. Nothing is found under 64x48.
Spots inspect_spots(ImageView<const std::uint8_t> picture);

/// Rows that hold the smaller planes of 4:2:0, two of theirs in each, or Cb and Cr in turn.
struct ChromaRows {
  int first = 0, end = 0;  ///< Both 0 where there are none.
  bool in_turn = false;
};
/// Nothing is found under 64x48, and of planes that show nothing.
ChromaRows inspect_chroma_rows(ImageView<const std::uint8_t> picture);
/// The same of the lowest third alone, as where a buffer of I420 or NV12 was read as a grey picture. Costs little.
ChromaRows inspect_chroma_below(ImageView<const std::uint8_t> picture);

/// Rows and columns at the edges that are dark and of one level, before others that are not.
struct DarkBars {
  int left = 0, top = 0, right = 0, bottom = 0;  ///< px
};
DarkBars inspect_dark_bars(ImageView<const std::uint8_t> picture);
/// The same of 8 and more that repeat the outermost one, which varies, within a grey level.
DarkBars inspect_padding(ImageView<const std::uint8_t> picture);

/// Bytes of packed samples that were taken for pixels.
struct PackedSamples {
  int bits = 0;   ///< Of a sample: 10 (four in 5 bytes) or 12 (two in 3); 0 where nothing is found.
  int place = 0;  ///< Of the lowest bits among the bytes of a group, from 0.
};
/// By columns that are noise, each fifth or third one. Nothing is found under 64x48. Thread-safe.
PackedSamples inspect_packed_samples(ImageView<const std::uint8_t> picture);

/// A part in large pixels of one level each, as where faces are made unknown.
struct LargePixels {
  int side = 0;  ///< px; 0 where nothing is found.
  Rect part{};   ///< In steps of the rows that are looked at.
};
/// From 3 % of the picture and 6 px on; what was compressed since is not found.
LargePixels inspect_large_pixels(ImageView<const std::uint8_t> picture);

/// A regular pattern all over a picture: waves of interference, a mesh, a fence, a screen of print.
struct RegularPattern {
  int period = 0;     ///< px along rows (6 to 96), or
  bool down = false;  ///< along columns (4 to 96).
  int percent = 0;    ///< How alike its steps are after one period and after two, in three quarters of its parts.
  /// Photographs and pages of text have 3 at most; waves of 20 levels, meshes and screens 9 to 98.
  bool is_told() const { return percent >= 12; }
};
/// Nothing is found in pictures under 162x48, along neither side.
RegularPattern inspect_regular_pattern(ImageView<const std::uint8_t> picture);

/// How sharp it is: 1000 times steps from pixel to pixel along rows by those over four pixels; 0 where it shows little,
/// and under 96x64.
int inspect_sharpness(ImageView<const std::uint8_t> picture);

/// How often slopes bend where enlargement with interpolation bends them.
struct InterpolationBends {
  /// Of stretches of so many px.
  struct Counts {
    int bent = 0, straight = 0;  ///< Those that bend most amid what was a pixel, and those that bend most beside it;
    int seams = 0;               ///< and whose largest step lies amid it, as codecs leave it.
    bool operator==(const Counts&) const = default;
  };
  static constexpr int least_factor = 4, most_factor = 8;
  std::array<std::array<Counts, most_factor - least_factor + 1>, 2> counts{};  ///< Along rows, along columns.
  bool operator==(const InterpolationBends&) const = default;
  /// By which the picture was enlarged; 1 where nothing says so.
  int factor() const;
};
/// Nothing is found in sharp pictures, and under 96x64.
InterpolationBends inspect_bends(ImageView<const std::uint8_t> picture);

/// What pixels differ from their mean, from the next one along rows and from the one below, squared, in the mean. Of
/// every eighth row; of pictures of 512 rows and more of every sixteenth, which tell as much. In noise neighbours
/// differ by twice the first number. All are 0 in pictures of fewer than 6 rows or 2 columns. Thread-safe.
struct PixelSpread {
  double all = 0, along = 0, across = 0;
};
PixelSpread inspect_spread(ImageView<const std::uint8_t> picture);
PixelSpread inspect_spread(ImageView<const std::uint16_t> picture);

/// How much `now` holds a part of `before`, as noise reduction leaves it: once that part is taken off, blocks of what
/// is left are found in `before` far better. Frames of photographs that move have 102 % of the difference and more. The
/// percentage of it, with the best of some parts; 100 where nothing moves or shows texture, and under 96x64. `earlier`,
/// the frame before `before`, is empty where that one is the first, which holds nothing else.
int inspect_mixed_in(ImageView<const std::uint8_t> earlier, ImageView<const std::uint8_t> before,
                     ImageView<const std::uint8_t> now);

/// Pixels that became brighter, or darker, by much, then by less, then by still less; and such as did so in the reverse
/// order: about as many where nothing mixes frames.
struct FadingPixels {
  std::int64_t brighter = 0, darker = 0, quickening = 0, all = 0;
};
/// Of four frames in a row.
FadingPixels inspect_fading(ImageView<const std::uint8_t> first, ImageView<const std::uint8_t> second,
                            ImageView<const std::uint8_t> third, ImageView<const std::uint8_t> fourth);

}  // namespace vergence
