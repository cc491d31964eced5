// SPDX-License-Identifier: Apache-2.0
// Truths and masks that cannot be those of a map. vergence/inspect.hpp includes this.
#pragma once

#include <cstdint>
#include <optional>

#include "vergence/image.hpp"

namespace vergence {

/// What a map and its truth suffer from.
enum class TruthProblem {
  none,
  scale,       ///< Map and truth differ by a factor: the truth's scale is another.
  depth,       ///< One of them is depth: their product is the same everywhere.
  offset,      ///< Map and truth differ by a number of px: they count from another one.
  range,       ///< Their values do not overlap.
  other_view,  ///< The map is that of the other picture.
  upside_down,
  mirrored,
  turned,    ///< By 180 degrees.
  inverted,  ///< Where one is larger the other is smaller, and their sum is the same everywhere: grey levels inverted.
  moved,     ///< The truth lies some px beside the map, along rows or columns or both.
  unlike,    ///< They do not agree better than by chance, or hardly at all.
  other_edges,       ///< The truth's edges of depth are not those of the map.
  too_large,         ///< Of half of the pixels and more, the disparities of both lead out of the other picture.
  too_small,         ///< Nearly all disparities of both are below 1.5 px.
  part_turned,       ///< A half of the truth is upside down, mirrored or turned.
  exchanged_halves,  ///< Its upper and lower, or left and right half are exchanged.
  smoothed,          ///< Its edges of depth are no steps.
  linear,            ///< It is the map times a factor and an offset, neither of which explains it alone.
  curved,            ///< It is a curve of the map, as of a gamma.
  moved_bands,       ///< Bands of its rows lie elsewhere.
  other_part,        ///< A part of it, behind a straight seam, is of something else,
  beside_part,       ///< or is a number of px, or a factor, off; or such a part of the map is.
  rows_in_turn,      ///< Every second row of it is of another place or time.
  repeated_rows,     ///< Rows of it repeat one.
  rearranged,        ///< Its columns or rows are in another order.
  warped,            ///< It is turned by some degrees, or zoomed.
  one_number,        ///< The map is one number throughout.
};
/// What inspect_truth finds. Disparities in px.
struct TruthFindings {
  TruthProblem problem = TruthProblem::none;
  double map_median = 0;
  double truth_median = 0;
  /// Percent of the pixels known in both that are within 1 px of the truth. Of other_view: of those where the truth of
  /// the other picture is more than 2 px away from it.
  double close = 0;
  double offset = 0;         ///< Median of what the truth is above the map; of linear: above the map times `factor`.
  double close_shifted = 0;  ///< Percent of all pixels known in both: once `offset` is taken off the truth.
  double close_inverse = 0;  ///< Of depth: percent of the pixels where the product is within 5 % of its median.
  double close_turned = 0;   ///< Of upside_down, mirrored and turned: the same against the truth turned so.
  double sum = 0;            ///< Median of map and truth together.
  double close_inverted =
      0;                    ///< Percent of the pixels known in both whose map and truth together are within 1 px of it.
  double close_chance = 0;  ///< Percent that are within 1 px of the truth of some other pixel.
  double close_in_other = 0;  ///< Of other_view: percent of the same pixels within 1 px of the other picture's truth.
  int moved_x = 0;         ///< Of moved: px by which the truth lies further right than the map, 48 at most to each side
  int moved_y = 0;         ///< (12 where little is wrong), and lower, 24 at most (12 of fewer than 192 rows).
  double wrong = 0;        ///< Of moved: percent of the pixels known in both that are more than 1 px off,
  double wrong_moved = 0;  ///< and once the truth is moved back.
  double edges_met = 0;    ///< Of other_edges: percent of the truth's edges of depth that the map has, too.
  double truth_high = 0;   ///< Of too_large and too_small: what 98 % of the truth are below,
  double outside = 0;      ///< and percent of its pixels whose partner lies outside the other picture.
  /// Of part_turned: the upper half (0), the lower (1), left (2) or right one, how it is turned, and percent of its
  /// pixels that are close as it is. Of exchanged_halves: 0 or 2, and the same of all.
  int part = 0;
  TruthProblem part_turn = TruthProblem::none;
  double close_in_part = 0;
  /// Of other_part: `part` and `close_in_part` as of part_turned, and percent of the other pixels that are close. Of
  /// moved_bands: `wrong` and `wrong_moved` as of moved, and `moved_y` of the first such band.
  double close_elsewhere = 0;
  bool of_map = false;  ///< Of beside_part: that of the map, beside the truth.
  /// Of beside_part: as of other_part, `offset` or `factor` of what the truth is there beside the map, and percent that
  /// are close once that is undone as `close_shifted`. Of rows_in_turn: `part` is 0 where even rows are the others. Of
  /// repeated_rows: `part` rows from `seam` on. Of rearranged: groups of `seam` rows (`part` 0) or columns (2). Of
  /// warped: degrees by which the truth is turned, or `factor`; `close_in_part` and `close_turned` of all.
  double turn = 0;
  int seam = 0;            ///< The first row (or column) behind the seam; of moved_bands: of the first such band.
  double factor = 1;       ///< Of linear: of the truth beside the map,
  double close_line = 0;   ///< and percent of the map within 1 px of the truth, once both are taken off that.
  double close_curve = 0;  ///< Of curved: the same once the curve is taken off.
  double gradual = 0;  ///< Of smoothed: percent of its places at edges of depth without one step of nearly half of it.
};
/// Looks for what makes scores of this map against this truth meaningless. Both in px, of one size; values that are not
/// finite are unknown. Throws Error(invalid_argument) where sizes differ.
TruthFindings inspect_truth(ImageView<const float> map, ImageView<const float> truth);

/// Percent of the truth's edges of depth along rows that the map has, too, in 256 rows at most; none where there are
/// few. Else as inspect_truth.
std::optional<double> inspect_edges_met(ImageView<const float> map, ImageView<const float> truth);

/// What inspect_truth_values finds.
struct TruthValues {
  enum class Problem {
    none,
    unknown,       ///< One number, apart from all others, stands where the truth is not known.
    cut_off,       ///< Disparities beyond the largest number are given as that one.
    begins_again,  ///< Disparities beyond the largest number begin again at the lowest one.
    picture,       ///< It is no map of disparities, but a picture.
    scattered,     ///< Single numbers of it stand apart from all four beside them.
    filled_part,   ///< A rectangle of it is one number, which the map is not there.
  };
  Problem problem = Problem::none;
  /// Of unknown, cut_off and filled_part: the number. Of begins_again: by what the truth is too small there, in px.
  double value = 0;
  double percent = 0;  ///< Of the known pixels: those concerned. Of picture: those that are peaks or valleys of a row.
  Rect part{};         ///< Of filled_part.
};
/// Looks for numbers of the truth that are no disparities, in 256 rows at most. Both maps are in px, of one size;
/// values that are not finite are unknown. Thread-safe. Throws Error(invalid_argument) where sizes differ.
TruthValues inspect_truth_values(ImageView<const float> map, ImageView<const float> truth);

/// A number of a map that seems to mean that there is no disparity.
struct UnknownNumber {
  double value = 0;
  double percent = 0;  ///< Of the pixels whose truth is known.
  friend bool operator==(const UnknownNumber&, const UnknownNumber&) = default;
};
/// The lowest or highest number of a map, in 256 rows at most, where it stands apart from the others at 2 % of the
/// pixels and more, and the truth is elsewhere there, if not at the others. Else as inspect_truth_values.
std::optional<UnknownNumber> inspect_unknown_number(ImageView<const float> map, ImageView<const float> truth);

/// Whether a mask of the pixels that both pictures see (255) seems to be inverted: it keeps what the truth, in px, has
/// something before, and hardly anything else; or pixels without a truth alone. The other picture may be the right or
/// the left one. Truth that is not finite, or as large as the picture is wide, is unknown. Throws
/// Error(invalid_argument) where sizes differ.
bool inspect_inverted_mask(ImageView<const float> truth, ImageView<const std::uint8_t> mask);

/// Whether a mask of the pixels that both pictures see (255) seems to be the other picture's: of the pixels that it
/// leaves out, 60 % and more, and 1.5 times as many as by this picture's truth, are those that the other picture alone
/// sees. Else as inspect_inverted_mask.
bool inspect_mask_of_other_view(ImageView<const float> truth, ImageView<const std::uint8_t> mask);

/// Whether such a mask is upside_down, mirrored or turned beside the truth; else none: of the pixels that it leaves
/// out, 60 % and more are hidden by the truth once it is turned so, and twice as many as as it is. Else as above.
TruthProblem inspect_turned_mask(ImageView<const float> truth, ImageView<const std::uint8_t> mask);

}  // namespace vergence
