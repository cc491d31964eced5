// SPDX-License-Identifier: Apache-2.0
// Input that cannot be what it is taken for: flat pictures, pairs that are not rectified or exchanged, disparity ranges
// that leave out what the pictures show, raw video of another width, truth of another map. Small samples, integers
// alone: equal input gives equal findings on every machine. Nothing here changes a match.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/inspect_truth.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

/// What inspect_picture finds.
struct PictureFindings {
  bool flat = false;   ///< Highest and lowest pixel differ by no more than 1/128 of the largest value, and not dim.
  bool black = false;  ///< It is flat, and dark: all pixels within 1/16 of 0.
  /// They differ by no more than that, and yet by 16 and more, and neighbours are alike, as those of noise are not: a
  /// picture in few of its levels, such as 8 of 16 bits.
  bool dim = false;
  int lowest = 0;  ///< Of all pixels where the picture is flat or dim, else of some.
  int highest = 0;
};
/// Looks at pixels of a sample until they are not flat; where all of them are, at all. `max_value` is the largest
/// possible pixel. Throws Error(invalid_argument) for an empty picture.
///
/// ```cpp
/// const Image<std::uint8_t> picture({640, 480}, 16);
/// bool nothing_to_match = inspect_picture(picture).flat;  // true
/// ```
PictureFindings inspect_picture(ImageView<const std::uint8_t> picture, int max_value = 255);
PictureFindings inspect_picture(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// The width that rows of raw video seem to have, where it is not the one they were read with: rows do not look like
/// the next ones, but would if they were that long. Nothing where the picture is as it should be, where it is narrower
/// than 32 px or lower than 8, and where it cannot be told (noise, flat pictures). A wrong height cannot be told from
/// the first frame. `max_value` as above.
std::optional<int> inspect_row_length(ImageView<const std::uint8_t> picture, int max_value = 255);
std::optional<int> inspect_row_length(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// What inspect_change finds: in the mean of all pixels, in 1/256 grey levels of 255.
struct ChangeFindings {
  int change = 0;  ///< How far pixels are from those of the other picture; at least 1 where any is.
  int lift = 0;    ///< By how much they are brighter; 0 without `lifts`.
};
/// Compares a frame with the one before. Thread-safe. Throws Error(invalid_argument) where sizes differ or are 0, and
/// where max_value is below 1.
ChangeFindings inspect_change(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now,
                              int max_value = 255, bool lifts = true);
ChangeFindings inspect_change(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                              int max_value = 65535, bool lifts = true);

/// Sums of the pixels of each row, from each of some columns to the next one: row by row, part by part. Thread-safe.
/// Throws Error(invalid_argument) for columns outside the picture, or out of order.
std::vector<std::int64_t> inspect_sums(ImageView<const std::uint8_t> picture, std::span<const int> columns);
std::vector<std::int64_t> inspect_sums(ImageView<const std::uint16_t> picture, std::span<const int> columns);
/// The same of how far pixels are from those of the other picture, which has the same size.
std::vector<std::int64_t> inspect_differences(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now,
                                              std::span<const int> columns);
std::vector<std::int64_t> inspect_differences(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                                              std::span<const int> columns);

/// Where one picture was put together of two, along a row.
struct TearFindings {
  int row = 0;    ///< The first one below the tear; 0 where there is none.
  int shift = 0;  ///< By how many px it lies to the right of what is above; less than 0: to the left.
};
/// Looks for a row from which on the picture lies beside what is above, as where a frame was written while it was
/// shown. Nothing is found in pictures under 64x48. Thread-safe.
TearFindings inspect_tear(ImageView<const std::uint8_t> picture);
TearFindings inspect_tear(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// Whether the two bytes of each pixel seem to be exchanged: the upper ones are as noise is, the lower ones smooth.
bool inspect_byte_order(ImageView<const std::uint16_t> picture);

/// Whether it seems to be a raw picture of a sensor with colour filters (Bayer): its pixels alternate as a chessboard
/// does. Nothing is found in pictures under 64x48, nor where all filters let the same light through. Thread-safe.
bool inspect_mosaic(ImageView<const std::uint8_t> picture);
bool inspect_mosaic(ImageView<const std::uint16_t> picture);

/// What inspect_enlarged finds.
struct EnlargedFindings {
  Size block{1, 1};         ///< The picture is made of such blocks of equal pixels: 2x2 to 8x8, also 2x1 and the like;
  bool compressed = false;  ///< or of about equal ones, 2x2 to 4x4: it was compressed since, or strongly.
  /// The percentage of columns, and of rows, that repeat the next one, in even steps: the factor is no whole number.
  int columns_percent = 0, rows_percent = 0;
};
/// Looks for enlargement without interpolation, in 16 rows and columns. Nothing is found in pictures under 32x32
/// (compressed ones: 64x64), nor of blurred ones. Thread-safe.
EnlargedFindings inspect_enlarged(ImageView<const std::uint8_t> picture);
EnlargedFindings inspect_enlarged(ImageView<const std::uint16_t> picture);

/// What inspect_fields finds, in every second block of 16x16 px.
struct FieldFindings {
  bool interlaced = false;  ///< The rows of two times take turns in the picture.
  int blocks = 0;           ///< Those whose rows differ from the next ones, by 6 grey levels of 255 in the mean.
  int combed = 0;           ///< Those whose rows are like the next but one: they moved between the two times.
};
/// Looks for the two fields of interlaced video. Nothing is found where nothing moves. `max_value` as above.
FieldFindings inspect_fields(ImageView<const std::uint8_t> picture, int max_value = 255);
FieldFindings inspect_fields(ImageView<const std::uint16_t> picture, int max_value = 65535);

/// What inspect_flat_parts finds: percent of the area where one picture is flat, and the other one shows something.
struct FlatParts {
  int left = 0;
  int right = 0;
};
/// Compares 16 x 12 cells, which are flat where their pixels differ by no more than 1/128 of the largest value, and
/// show something where they differ by 1/16 and more. Nothing is found where cells have less than 4 px a side. Things
/// without texture are flat in both pictures, if not at the same place: it is the difference that tells. Throws
/// Error(invalid_argument) where sizes differ.
FlatParts inspect_flat_parts(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                             int max_value = 255);
FlatParts inspect_flat_parts(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                             int max_value = 65535);

/// What inspect_painted finds: the rectangle with most of what is painted, and how many of its cells of 8x8 px are; 0
/// where nothing is painted.
struct PaintedFindings {
  Rect part;
  int cells = 0;
};
/// Looks for what was painted at the same place over both pictures of a pair: logos, captions, dashboards. In cells of
/// 8x8 px, steps of 1/16 of the largest value from pixel to pixel along rows are compared bit for bit. Nothing is found
/// in pictures under 64x48, of what is half transparent, and where 60 % of the cells with steps are equal: a drawn
/// scene that is far away is so, or one picture. Thread-safe. Throws Error(invalid_argument) where sizes differ.
PaintedFindings inspect_painted(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                                int max_value = 255);
PaintedFindings inspect_painted(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                int max_value = 65535);

/// An area in which nothing can be matched: rectangles that do not overlap; none where there is no such area.
struct BareArea {
  std::vector<Rect> parts;
  Rect bounds;  ///< Of inspect_bare_area: what holds all parts. Of inspect_bars: what they leave.
};
/// The largest area of cells of 8x8 px that vary by 2 levels at most where the brightest pixel has 254 or 255 (by 1
/// above 126, else by none), as all their neighbours do, of 5 % of the picture and more; where the other picture has
/// half as many such cells and more. Windows find nothing there; semi-global matching carries there what surrounds it.
/// Nothing is found in pictures under 64x48. Thread-safe. Throws Error(invalid_argument) where sizes differ.
BareArea inspect_bare_area(ImageView<const std::uint8_t> reference, ImageView<const std::uint8_t> other,
                           int max_value = 255);
BareArea inspect_bare_area(ImageView<const std::uint16_t> reference, ImageView<const std::uint16_t> other,
                           int max_value = 65535);
/// Bars at the edges (letterboxes): 4 rows or columns and more, 1 % of the picture and more, that have one value in
/// both pictures. Else as above.
BareArea inspect_bars(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right);
BareArea inspect_bars(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right);

/// What the bytes of raw video suffer from.
enum class RawVideoProblem {
  none,
  frame_length,  ///< Frames look like those before them at another length.
  interleaved,   ///< Samples look like those a few bytes further on, not like their neighbours.
  byte_order,    ///< The lower bytes of 16-bit samples are smooth, the upper ones are not.
  words,         ///< What was read as luma and chroma in turn looks like the two bytes of 16-bit samples.
  chroma,        ///< Cb and Cr seem to take turns where they were read as planes or words, or the other way round.
  luma_behind,   ///< What was read as luma is flat, what was read as chroma is not.
  few_bits,      ///< 16-bit samples use 9 to 12 of their bits, as those of 10 and 12 bits do.
  packed_bits,   ///< Of grey bytes, every fifth or third one holds the lower bits of those before it (RAW10, RAW12).
  tiles,         ///< Grey bytes are those of square tiles, one behind the other.
};
/// How raw video was read: a frame's size and bytes, those from a luma sample to the next one, and those of a sample.
struct RawVideoForm {
  Size size;
  std::int64_t frame_bytes = 0;  ///< At least `luma_step` for each pixel: must be given.
  int luma_step = 1;             ///< `sample_bytes`, or twice that.
  int sample_bytes = 1;          ///< 1 or 2.
  int chroma_planes = 0;         ///< Behind the luma: 2, 1 in which Cb and Cr take turns, or none.
  int bits = 8;                  ///< Of a sample.
};
/// What inspect_raw_video finds.
struct RawVideoFindings {
  RawVideoProblem problem = RawVideoProblem::none;
  std::int64_t frame_bytes = 0;  ///< Of frame_length: the length that they seem to have.
  int step = 0;  ///< Of interleaved: bytes from a sample to the next one like it; packed_bits: bits; tiles: px a side.
};
/// Looks at the first frames of raw video, best eight bytes for each pixel or more. Frame lengths that are tried are
/// those of the usual formats at that size; none is found in still scenes, and where motion is so fast that no frame
/// resembles the next one. Nothing is found in pictures under 32x8. Throws Error(invalid_argument) for a form that
/// cannot be.
RawVideoFindings inspect_raw_video(std::span<const std::uint8_t> bytes, const RawVideoForm& form);

/// What a pair suffers from.
enum class PairProblem {
  none,
  same_picture,   ///< Left and right are equal, or differ by rounding alone.
  not_rectified,  ///< Matches lie in other rows.
  exchanged,      ///< Matches lie at negative disparities.
  range_low,      ///< Many disparities lie below the range.
  range_high,     ///< Many disparities lie above it.
  no_agreement,   ///< Left and right hardly match anywhere.
  row_offset,     ///< Rows are off by about a pixel, everywhere, or towards edges or corners.
  exposure,       ///< One picture is brighter, and cost and prefilter of the options see that.
  sharpness,      ///< One picture is blurred beside the other one, or that one noisy.
  interlaced,     ///< Every second row of one picture is displaced, or exchanged with the next one.
  covered,        ///< A part of one picture is not in the other one, as where something covers a lens.
  mixed,          ///< The pictures hold a part of each other: crosstalk, blended frames, reflections.
  colours,        ///< One surface is brighter in one picture, the next one in the other: a red and a blue channel.
  blocks,         ///< Both pictures, or one of them, show the blocks of coarse JPEG.
  columns,        ///< Columns of one picture are brighter or darker than their neighbours, as faults of a sensor are.
  jitter,         ///< Rows lie beside their neighbours, each by another number of px: analogue capture.
  blurred,        ///< Both pictures hold nothing finer than about 4 px.
  repetition,     ///< Texture repeats within the range, so that several disparities match alike.
};

/// What inspect_pair finds.
struct PairFindings {
  PairProblem problem = PairProblem::none;
  int points = 0;                  ///< Sample points with enough texture.
  int agreeing = 0;                ///< Those whose match in the same row, within the range, leads back to them.
  std::optional<int> rows_within;  ///< By these: 1/16 px by which rows are off at most; nothing where few tell.
  /// Where that raised a doubt, points were searched for in other rows and outside the range, too:
  bool closely = false;
  int close_points = 0;  ///< Points of that search.
  int found = 0;         ///< Those whose match leads back to them.
  int same_row = 0;      ///< Those of `found` that lie within 1 px of their row.
  int outside = 0;       ///< Those of `same_row` below the range (range_low, exchanged) or above it (range_high).
  int low = 0;           ///< Disparities of `same_row` in whole px, but for the outermost 2 %.
  int high = 0;
  int row_low = 0;  ///< Rows by which matches of `found` lie lower in the other picture, but for the outermost 5 %.
  int row_high = 0;
  /// Of matches of `found` whose texture tells it: rows by which they lie lower in the other picture, in 1/16 px, in
  /// the median; how much lower at the right edge than at the left one; and at the lower edge than at the upper one.
  int row_shift = 0;
  int row_tilt = 0;
  int row_growth = 0;
  /// And what is left at the corner at the lower right, in 1/16 px. Twist has the opposite sign at the corners beside
  /// it, as a camera turned towards the other one has; bend has it at the upper corners, as a lens has that bends
  /// lines, and holds the growth.
  int row_twist = 0;
  int row_bend = 0;
  /// The right picture's grey levels (of 255) are about those of the left one * gain_percent / 100 + offset.
  int gain_percent = 100;
  int offset = 0;
  int brightness_change = 0;  ///< What that comes to at the matches: median difference, in 1/16 grey levels.
  /// Of exposure: the light of one picture changes along it. The right one is so many 1/16 grey levels brighter at the
  /// points found, but for the outermost 10 % of them.
  bool uneven = false;
  int lift_low = 0;
  int lift_high = 0;
  /// Of agreeing points, where nothing else was found: steps from pixel to pixel in the right picture, beside those in
  /// the left one, both measured by the steps over four pixels.
  int sharpness_percent = 100;
  /// Of sharpness: whole rows say so, for one picture is as smooth as blur by 2 px and more makes it.
  bool by_rows = false;
  /// Of interlaced: px by which every second row lies beside the others; 0 where rows are exchanged. Of the `points`
  /// whose rows tell it, those that say so are `found`.
  int field_shift = 0;
  /// Of interlaced and columns: the right picture is the one. Of covered: `part` is one of the right picture.
  bool in_right = false;
  /// Of covered: the part that the other picture does not show, its sample points, those of them that are not found
  /// there, and the percentage of all others that are.
  Rect part;
  int part_points = 0;
  int part_missing = 0;
  int rest_percent = 0;
  /// Of mixed: the points that tell it, how far what their matches leave goes with what both pictures show at one place
  /// (correlation in percent), and how many percent of a picture are the other one.
  int mixed_points = 0;
  int mixed_correlation = 0;
  int mixed_percent = 0;
  /// Of colours: between the quarters of `found`, by how many 1/16 grey levels the right picture is brighter, once both
  /// have the same mean and contrast.
  int level_spread = 0;
  /// Of blocks: steps between blocks of 8x8 px in percent of those within, in the picture and direction with least.
  int block_percent = 0;
  bool blocks_in_one = false;  ///< One picture alone shows them, the right one where `in_right`.
  /// Of columns: by how many 1/16 grey levels columns differ from their neighbours, in the median.
  int column_deviation = 0;
  /// Of jitter: rows of sample points that were searched for, percent of them that lie beside the place of their point,
  /// and by how many 1/16 px in the mean.
  int jitter_rows = 0;
  int jitter_percent = 0;
  int jitter = 0;
  /// Of blurred: steps over four pixels in percent of those from pixel to pixel, in the sharper picture; 400 at most.
  int smooth_percent = 0;
  /// Of repetition: percent of `points` that match as well at another disparity of the range, and how many px away the
  /// nearest such one is, in the median.
  int repeated_percent = 0;
  int period = 0;
};

/// Looks for reasons why a match of this pair cannot succeed. Both pictures have one size, of at least 64x48; smaller
/// pairs are only compared for equality. Some hundred points are matched; only where few of them agree, a closer look
/// costs some milliseconds. Range, reference picture and region are those of `options`. Throws Error(invalid_argument)
/// where sizes differ.
///
/// ```cpp
/// const Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// bool twice = inspect_pair(left, right, {}).problem == PairProblem::same_picture;  // true
/// ```
PairFindings inspect_pair(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                          const StereoOptions& options);
PairFindings inspect_pair(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                          const StereoOptions& options);

/// What inspect_misled finds.
struct MisledFindings {
  int points = 0;     ///< Sample points that have a disparity in the map,
  int elsewhere = 0;  ///< and those of them that fit far better at another one.
};
/// Compares the left map of a pair (in 1/16 px) with the disparities that a census finds: whether pixels are brighter
/// than those around them, which small differences of brightness leave as it is. Counted are points that are a third
/// less unlike there than near the disparity of the map, and than anywhere else, and that lead back. Good pairs have up
/// to 5 %. Nothing is found of maps of the right view, and under 64x48. Throws Error(invalid_argument) where sizes
/// differ.
MisledFindings inspect_misled(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                              ImageView<const std::int16_t> map, int invalid, const StereoOptions& options);
MisledFindings inspect_misled(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                              ImageView<const std::int32_t> map, int invalid, const StereoOptions& options);

/// What inspect_motion_range finds.
struct MotionRangeFindings {
  bool too_small = false;  ///< A good part of the points moves farther than the range of the options.
  int points = 0;          ///< Sample points with enough texture.
  int beyond = 0;          ///< Those that lie far better beyond the range than in it, lead back, and do not move alone.
  int reach_x = 0;         ///< How far `beyond` move at most, in px.
  int reach_y = 0;
};
/// Looks for motion of `current` against `reference` beyond the range of `options`, up to a quarter of width and
/// height. Frames are reduced, and some hundred points are searched for: it takes as long as some frames of a
/// fast search. Unrelated frames (a scene cut) have none. Thread-safe. Throws Error(invalid_argument) where sizes
/// differ.
MotionRangeFindings inspect_motion_range(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                                         const MotionOptions& options);
MotionRangeFindings inspect_motion_range(ImageView<const std::uint16_t> current,
                                         ImageView<const std::uint16_t> reference, const MotionOptions& options);

}  // namespace vergence
