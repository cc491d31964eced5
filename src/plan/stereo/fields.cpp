// SPDX-License-Identifier: Apache-2.0
// The fields of StereoOptions: one table that validation, command lines, settings files and pages share.
#include "plan/stereo/fields.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/option_checks.hpp"

namespace vergence {
namespace {

using namespace option_fields;  // NOLINT(google-build-using-namespace): this file is made of them
using O = StereoOptions;

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 5> cost_words{"sad", "ssd", "census-5x5", "census-9x7", "census-symmetric-9x7"};
constexpr std::array<std::string_view, 2> aggregate_words{"window", "sgm"};
constexpr std::array<std::string_view, 2> view_words{"left", "right"};
constexpr std::array<std::string_view, 2> border_words{"partial", "invalid"};
constexpr std::array<std::string_view, 3> outside_words{"skip", "zero", "clamp"};
constexpr std::array<std::string_view, 2> tie_words{"lowest", "highest"};
constexpr std::array<std::string_view, 3> prefilter_words{"none", "xsobel", "xsobel-opencv"};
constexpr std::array<std::string_view, 2> unit_words{"px", "grey"};
constexpr std::array<std::string_view, 5> fill_words{"none", "background", "nearest", "mean", "mean-all"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};
constexpr std::array<std::string_view, 1> no_roi{"none"};

constexpr std::array<Renamed, 1> renamed{{{"depth", "pixel-depth"}}};

constexpr int int_most = 0x7FFFFFFF;
// Disparities stay below 2^21 px, so that 256 d of the V-fit fits 32 bits with bits to spare.
constexpr int most_min_disparity = 1 << 20;
constexpr FieldSpecial zero_is_off{0, "off"};
constexpr FieldSpecial zero_is_default{0, "by cost and window"};
constexpr std::array<int, 3> more_paths{4, 5, 8};

using Entries = std::vector<Entry<O>>;

void add_matching(Entries& entries) {
  constexpr std::string_view group = "Matching";
  entries.insert(
      entries.end(),
      {entry<&O::cost>({.name = "cost",
                        .choices = cost_words,
                        .group = group,
                        .help = "How two pixels are compared; sad is the fastest, census tolerates exposure "
                                "differences. census-symmetric-9x7 compares opposite neighbours, with half the bits of "
                                "census-9x7."}),
       entry<&O::window>({.name = "window",
                          .least = 1,
                          .most = largest_side - 1,  // the largest odd one
                          .step = 2,
                          .special = {0, "auto"},
                          .square = true,
                          .bound = FieldBound::picture_size,
                          .unit = "px",
                          .group = group,
                          .help = "Window whose costs are summed; auto: 9x9, 1x1 under sgm.",
                          .form = "auto, one number or WIDTHxHEIGHT, such as 9 or 11x7, both odd"}),
       entry<&O::disparities>({.name = "disparities",
                               .least = 1,
                               .most = largest_side,
                               .bound = FieldBound::picture_width,
                               .unit = "px",
                               .group = group,
                               .help = "Number of candidates."}),
       entry<&O::min_disparity>({.name = "min-disparity",
                                 .least = -most_min_disparity,
                                 .most = most_min_disparity,
                                 .unit = "px",
                                 .group = group,
                                 .help = "Smallest candidate; may be negative."}),
       entry<&O::reference>({.name = "reference",
                             .choices = view_words,
                             .group = group,
                             .help = "The picture whose pixels are matched."}),
       entry<&O::border>({.name = "border",
                          .choices = border_words,
                          .group = group,
                          .help = "Where the window leaves the picture: clip it, or give no disparity."}),
       entry<&O::outside>(
           {.name = "outside",
            .choices = outside_words,
            .group = group,
            .help = "A candidate outside the other picture: none, against zeros, or against its edge column."}),
       entry<&O::tie>({.name = "tie",
                       .choices = tie_words,
                       .group = group,
                       .help = "Which of two candidates of equal cost wins."})});
}

void add_aggregation(Entries& entries) {
  constexpr std::string_view group = "Aggregation";
  entries.insert(
      entries.end(),
      {entry<&O::aggregate>({.name = "aggregate",
                             .choices = aggregate_words,
                             .group = group,
                             .help = "How pixels support each other: by windows, or semi-global matching (SGM) along "
                                     "paths through the picture. sgm keeps the cost, sad if none is given, which needs "
                                     "equal exposures; the preset quality has census-9x7 in windows of 3x3."}),
       entry<&O::paths>({.name = "paths",
                         .least = 2,
                         .most = 2,
                         .also = more_paths,
                         .group = group,
                         .help = "SGM: 2 (left, right), 4 (and up, down), 5 (left, right, down, two diagonals), 8 "
                                 "(all). Fewer are faster."}),
       entry<&O::p1>({.name = "p1",
                      .least = 1,
                      .most = int_most - 1,
                      .special = zero_is_default,
                      .unit = "cost",
                      .group = group,
                      .help = "SGM: cost of a change of disparity by 1 px along a path. Unlike 0, a preset's penalties "
                              "do not follow cost and window."}),
       entry<&O::p2>({.name = "p2",
                      .least = 2,
                      .most = int_most,
                      .special = zero_is_default,
                      .unit = "cost",
                      .group = group,
                      .help = "SGM: cost of a larger change, more than p1."}),
       entry<&O::p2_slope>({.name = "p2-slope",
                            .least = 0,
                            .most = 65535,
                            .special = zero_is_off,
                            .unit = "cost per 256 grey levels",
                            .group = group,
                            .help =
                                "SGM: lowers p2 where grey levels change along a path, by this x their difference / "
                                "256, to no less than p1 + 1."})});
}

void add_refinement(Entries& entries) {
  constexpr std::string_view group = "Matching";
  entries.insert(entries.end(),
                 {entry<&O::prefilter>(
                      {.name = "prefilter",
                       .choices = prefilter_words,
                       .group = group,
                       .help = "What is done to both pictures first: nothing, or the clipped horizontal derivative."}),
                  entry<&O::prefilter_cap>({.name = "prefilter-cap",
                                            .least = 1,
                                            .most = 127,
                                            .unit = "grey levels",
                                            .group = group,
                                            .help = "Clip of the derivative, for the prefilter and the texture sum."}),
                  entry<&O::subpixel>({.name = "subpixel",
                                       .group = group,
                                       .help = "Refine to 1/16 px: V-fit for windowed sad, else a parabola."})});
}

void add_rejection(Entries& entries) {
  constexpr std::string_view group = "Rejection";
  entries.insert(
      entries.end(),
      {entry<&O::uniqueness_ratio>(
           {.name = "uniqueness",
            .least = 0,
            .most = 1000,
            .special = zero_is_off,
            .unit = "%",
            .group = group,
            .help = "Reject where a candidate more than 1 px away costs at most this much more than the winner."}),
       entry<&O::reject_ties>({.name = "reject-ties",
                               .group = group,
                               .help = "Reject where candidates more than 1 px apart cost the same, the least: areas "
                                       "without texture."}),
       entry<&O::texture_threshold>(
           {.name = "texture",
            .least = 0,
            .most = int_most,
            .special = zero_is_off,
            .unit = "grey levels",
            .group = group,
            .help = "Reject where the window's sum of absolute clipped derivatives is smaller."}),
       entry<&O::left_right>({.name = "left-right",
                              .least = -1,
                              .most = 65535,
                              .special = {-1, "off"},
                              .unit = "left-right-unit",
                              .group = group,
                              .help = "Largest difference between both views' winners; needs outside skip."}),
       entry<&O::left_right_unit>({.name = "left-right-unit",
                                   .choices = unit_words,
                                   .group = group,
                                   .help = "Unit of left-right: pixels, or grey levels of 255 / disparities."})});
}

void add_postfilter(Entries& entries) {
  constexpr std::string_view group = "Postfilter";
  entries.insert(
      entries.end(),
      {entry<&O::speckle_size>({.name = "speckle-size",
                                .least = 0,
                                .most = int_most,
                                .special = zero_is_off,
                                .unit = "pixels",
                                .group = group,
                                .help = "Regions of at most this many pixels are removed."}),
       entry<&O::speckle_range>({.name = "speckle-range",
                                 .least = 0,
                                 .most = 65535,
                                 .unit = "1/16 px",
                                 .group = group,
                                 .help = "Neighbours that differ by at most this belong to one region."}),
       entry<&O::median>({.name = "median",
                          .least = 3,
                          .most = 5,
                          .step = 2,
                          .special = zero_is_off,
                          .unit = "px",
                          .group = group,
                          .help = "Side of the median's window."}),
       entry<&O::fill>(
           {.name = "fill",
            .choices = fill_words,
            .group = group,
            .help = "How pixels without disparity get one; background: from the farther of the next pixels left and "
                    "right, nearest: from the nearest one, mean: of a window, in which mean-all counts holes as 0."}),
       entry<&O::fill_window>({.name = "fill-window",
                               .least = 3,
                               .most = 255,
                               .step = 2,
                               .unit = "px",
                               .group = group,
                               .help = "Side of the window of fill mean and mean-all."})});
}

void add_pictures(Entries& entries) {
  constexpr std::string_view group = "Pictures";
  entries.insert(entries.end(),
                 {entry<&O::depth>({.name = "pixel-depth",
                                    .bound = FieldBound::pixel_depth,
                                    .choices = depth_words,
                                    .group = group,
                                    .help = "Type of the pictures' pixels."}),
                  entry<&O::max_value>({.name = "max-value",
                                        .least = 1,
                                        .most = 65535,
                                        .bound = FieldBound::pixel_depth,
                                        .unit = "grey levels",
                                        .group = group,
                                        .help = "Largest pixel of u16 pictures; smaller values let larger windows "
                                                "fit."}),
                  entry<&O::roi>({.name = "roi",
                                  .bound = FieldBound::inside,
                                  .choices = no_roi,
                                  .unit = "px",
                                  .group = group,
                                  .help = "Only pixels in this rectangle get a disparity.",
                                  .form = "none or X,Y,WIDTH,HEIGHT, such as 100,50,640,360"})});
}

}  // namespace

const Table<StereoOptions>& stereo_table() {
  static const Table<StereoOptions> table{
      "stereo",
      "picture",
      renamed,
      {add_matching, add_aggregation, add_refinement, add_rejection, add_postfilter, add_pictures}};
  return table;
}

VERGENCE_FIELD_FUNCTIONS(stereo, StereoOptions)

}  // namespace vergence
