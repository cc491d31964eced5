// SPDX-License-Identifier: Apache-2.0
// Frames of video in which something stays where it is while the scene moves, of which a part is missing, or whose rows
// begin amid them; things that move farther than was looked for. Integers alone, as in vergence/inspect.hpp: equal
// input gives equal findings on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/motion.hpp"

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

/// Whether that is worth while: both frames have a 32nd of their details, and more, in common at 24 places. Costs
/// little.
bool may_have_fixed_pattern(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// What inspect_stuck_pixels finds: pixels that stand 24 grey levels above, or below, all four neighbours.
struct StuckPixels {
  std::int64_t single = 0;   ///< All of them in `before`,
  std::int64_t moved = 0;    ///< those around which things have changed, as where the scene moves, and
  std::int64_t staying = 0;  ///< those of `moved` that stand out in both frames.
};
/// Looks for stuck pixels of the sensor. `before` may be some frames earlier. Of frames of 512 rows and more every
/// fourth row is looked at. Else as above.
StuckPixels inspect_stuck_pixels(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// What FrameMean finds.
struct StandingFindings {
  int standing = 0;  ///< Blocks with texture that stand still,
  int points = 0;    ///< and with texture that changed;
  int moving = 0;    ///< those of `points` that moved,
  int alike = 0;     ///< and those of these that moved as most do;
  int held = 0;      ///< those of `alike` that differ by a quarter less once the mean of the frames is taken off,
  int misled = 0;    ///< and those of `held` that are found at another place then;
  int stuck = 0;     ///< those of `points` that fit nowhere better than at their place, where others move far.
};
/// Tells what stands still before a scene that moves, or in it (dust, letters, shading, waves): that stays in the mean
/// of frames, in which the scene averages away. 80 blocks of the last frame, reduced to 320x240 px at most, are looked
/// for in the one before as they are, and less that mean. It keeps reduced copies, and none of the frames. One object
/// may be used by one thread at a time.
///
/// ```cpp
/// const Image<std::uint8_t> frame({640, 480}, 0);
/// FrameMean mean;
/// for (int i = 0; i < 16; ++i) mean.add(frame.view());  // frames of a clip
/// const StandingFindings found = mean.standing();
/// ```
class FrameMean {
 public:
  /// Of a scene that moves slowly, every second or fourth frame is kept. Throws Error(invalid_argument) where sizes
  /// differ or are 0.
  void add(ImageView<const std::uint8_t> frame);
  /// More frames are left out.
  bool is_full() const { return kept_.size() == most_kept; }
  /// Nothing of fewer than 4 frames, and of frames under 96x80.
  StandingFindings standing() const;

 private:
  static constexpr std::size_t most_kept = 16;
  Size size_;
  std::int64_t seen_ = 0, apart_ = 1;
  std::vector<Image<std::uint8_t>> kept_;  ///< Reduced.
};

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

/// A rectangle that has one grey level in `frame`, and texture in the frames beside it: it was not received. In whole
/// cells of 16x16 px; empty where there is none. Of deeper pictures, give the upper bits. Else as above.
Rect inspect_missing_part(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> frame,
                          ImageView<const std::uint8_t> after);

/// Steps between blocks of 8x8 px beside other steps, along rows and along columns the least: 0 where other steps are
/// few, or no blocks stand out.
struct BlockSteps {
  int percent = 0;  ///< 100 and some of what was not compressed, more the more strongly it was;
  int excess = 0;   ///< by how much they are larger, in 1/16 grey levels.
  /// Compressed so strongly that blocks and points hold on to the blocks.
  bool are_strong() const { return percent >= 155 && excess >= 40; }
};
BlockSteps inspect_blocks(ImageView<const std::uint8_t> picture);

/// How rows change as a whole from a frame to the next, in four parts of their width.
struct RowChanges {
  int rows_alike = 0;  ///< The least correlation of two parts, in percent: of what rows change beside their neighbours,
  int row_change = 0;  ///< which is so much in the median, in 1/16 grey levels;
  int bands_alike = 0;  ///< and of the brightness of bands of 8 rows beside the frame before,
  int band_change = 0;  ///< which changes by so much in the median, in 1/1024, beside the mean of all.
};
/// Tells noise of rows, and light that flickers while rows are read. Nothing is found in frames under 128x96. Else as
/// above.
RowChanges inspect_row_changes(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// Whether a frame is noise alone, of whatever strength: neighbours are as unlike as any two pixels, and nothing of it
/// is within 16 px of its place in the frame before. Never in frames under 64x48. Else as above.
bool inspect_noise_alone(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// By how much a frame lies beside the one before as a whole, in px to the right and down (negative: left, up), where
/// what left it came in again at the other edge; 0 where it did not, and in frames under 64x48.
struct RolledFrame {
  int right = 0;
  int down = 0;
};
/// Looks for frames without vertical or horizontal hold, or behind lost bytes of raw video. Thread-safe. Throws
/// Error(invalid_argument) where sizes differ or are 0.
RolledFrame inspect_rolled(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

enum class FrameFlip { none, upside_down, mirrored, turned };  ///< Rows, columns, or both in reverse order.
/// Whether a frame is less than half as far from the one before once it is flipped: means of some 40x30 blocks, which
/// are 5 grey levels apart and more. Thread-safe. Throws Error(invalid_argument) where sizes differ or are 0.
FrameFlip inspect_flipped(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// What inspect_cut finds.
struct CutFindings {
  int unlike_percent = 0;  ///< What blocks differ from the best ones of the frame before, of what they show at all.
  int gain_percent = 100;  ///< The brightness beside that of the frame before.
};
/// Looks for another scene: blocks of both frames, reduced to some 160 columns and freed of their brightness, are
/// searched for within 12 px. Unrelated frames have 92 and more; moving ones up to 75, most of them less than 55.
/// Nothing is found in frames under 64x48, and where one shows nothing. Else as above.
CutFindings inspect_cut(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now);

/// What inspect_motion_ends finds.
struct MotionEndFindings {
  bool cut = false;  ///< Of `looked`, a quarter lies beyond the range of the options, and stands for 2 % of all blocks.
  int looked = 0;    ///< Blocks with texture, 24 at most, whose vector lies at an end of more than one move.
  int beyond = 0;    ///< Those that match better beyond the range, by a fifth, lead back, and do not move alone.
  int reach_x = 0, reach_y = 0;  ///< How far `beyond` move at most, in px.
};
/// Looks for few things that move farther than the range, by the `vectors` of `current` in `reference`, one per block
/// of `options`. Thread-safe. Throws Error(invalid_argument) where sizes differ.
MotionEndFindings inspect_motion_ends(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                                      ImageView<const MotionVector> vectors, const MotionOptions& options);
MotionEndFindings inspect_motion_ends(ImageView<const std::uint16_t> current, ImageView<const std::uint16_t> reference,
                                      ImageView<const MotionVector> vectors, const MotionOptions& options);

/// What inspect_missed_motion finds.
struct MissedMotionFindings {
  bool missed = false;  ///< Of `looked`, 15 % lie elsewhere.
  int looked = 0;       ///< Blocks with texture, 32 at most, all over the frame.
  int elsewhere = 0;  ///< Those that match 1.5 times as well elsewhere in the range, lead back, and do not move alone.
};
/// Looks for what a local search missed: as inspect_motion_ends, within the range.
MissedMotionFindings inspect_missed_motion(ImageView<const std::uint8_t> current,
                                           ImageView<const std::uint8_t> reference,
                                           ImageView<const MotionVector> vectors, const MotionOptions& options);
MissedMotionFindings inspect_missed_motion(ImageView<const std::uint16_t> current,
                                           ImageView<const std::uint16_t> reference,
                                           ImageView<const MotionVector> vectors, const MotionOptions& options);

/// The vectors that do not lie within a pixel of an end of the range, in an axis with more than one move: sub-pixel
/// steps may leave the range by less than that. See inspect_motion_ends.
///
/// ```cpp
/// const MotionOptions options;
/// const InnerMotionRange inner(options);
/// const MotionVector vector;
/// const bool is_at_an_end = inner.is_left_by(vector);
/// ```
class InnerMotionRange {
 public:
  explicit InnerMotionRange(const MotionOptions& options) : x_(inner(options.range_x)), y_(inner(options.range_y)) {}
  /// Without a branch, for loops over whole fields.
  bool is_left_by(const MotionVector& vector) const {
    return ((vector.dx < x_.first ? 1 : 0) | (vector.dx > x_.last ? 1 : 0) | (vector.dy < y_.first ? 1 : 0) |
            (vector.dy > y_.last ? 1 : 0)) != 0;
  }

 private:
  static MotionRange inner(const MotionRange& range) {
    constexpr int far = 1 << 20;
    return range.first == range.last ? MotionRange{-far, far} : MotionRange{4 * range.first + 4, 4 * range.last - 4};
  }
  MotionRange x_, y_;  ///< In quarters of px.
};

}  // namespace vergence
