// SPDX-License-Identifier: Apache-2.0
// The fields of TrackOptions: one table that validation, command lines, settings files and pages share.
#include "plan/track/fields.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vergence {
namespace {

using namespace option_fields;  // NOLINT(google-build-using-namespace): this file is made of them
using O = TrackOptions;

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 2> corner_words{"shi-tomasi", "harris"};
constexpr std::array<std::string_view, 2> guess_words{"position", "velocity"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};
constexpr std::array<std::string_view, 1> no_roi{"all"};

constexpr std::array<int, 4> even_windows{8, 16, 32, 48};

constexpr std::array<Renamed, 3> renamed{
    {{"light", "gain-offset"}, {"depth", "pixel-depth"}, {"block", "corner-block"}}};

constexpr FieldSpecial zero_is_off{0, "off"};

using Entries = std::vector<Entry<O>>;

void add_detection(Entries& entries) {
  constexpr std::string_view group = "Detection";
  entries.insert(
      entries.end(),
      {entry<&O::points>({.name = "points",
                          .least = 0,
                          .most = 1000000,
                          .group = group,
                          .help = "How many tracks are kept up; 0 = none are found."}),
       entry<&O::refill>({.name = "refill",
                          .least = 1,
                          .most = 100,
                          .unit = "%",
                          .group = group,
                          .help = "New points are looked for when fewer than this share of points is left."}),
       entry<&O::corner>(
           {.name = "corner", .choices = corner_words, .group = group, .help = "How a pixel is scored as a corner."}),
       entry<&O::harris_k>({.name = "harris-k",
                            .least = 1,
                            .most = 25,
                            .unit = "1/100",
                            .group = group,
                            .help = "k of the score harris."}),
       entry<&O::block>({.name = "corner-block",
                         .least = 3,
                         .most = 7,
                         .step = 2,
                         .unit = "px",
                         .group = group,
                         .help = "Side of the square over which a corner's gradients are summed."}),
       entry<&O::quality>({.name = "quality",
                           .least = 0,
                           .most = 1,
                           .below_most = true,
                           .group = group,
                           .help = "A corner's score exceeds this share of the best one's."}),
       entry<&O::min_distance>({.name = "min-distance",
                                .least = 0,
                                .most = 65535,
                                .unit = "px",
                                .group = group,
                                .help = "Least distance of a new point from all others."}),
       entry<&O::grid>({.name = "grid",
                        .least = 1,
                        .most = 256,
                        .unit = "cells",
                        .group = group,
                        .help = "No cell gets new points beyond its equal share: even coverage.",
                        .form = "COLUMNSxROWS, such as 8x6"}),
       entry<&O::roi>({.name = "roi",
                       .bound = FieldBound::inside,
                       .choices = no_roi,
                       .unit = "px",
                       .group = group,
                       .help = "New points lie in here.",
                       .form = "all or X,Y,WIDTH,HEIGHT, such as 0,100,640,380"})});
}

void add_tracking(Entries& entries) {
  constexpr std::string_view group = "Tracking";
  entries.insert(
      entries.end(),
      {entry<&O::window>({.name = "window",
                          .least = 3,
                          .most = 63,
                          .step = 2,
                          .also = even_windows,
                          .bound = FieldBound::below_picture,
                          .unit = "px",
                          .group = group,
                          .help = "Side of the window that is compared; large ones find more points."}),
       entry<&O::levels>({.name = "levels",
                          .least = 0,
                          .most = 8,
                          .unit = "halvings",
                          .group = group,
                          .help = "Coarse levels at most, which let points go far; small frames have fewer."}),
       entry<&O::iterations>(
           {.name = "iterations", .least = 1, .most = 1000, .group = group, .help = "Steps per level."}),
       entry<&O::epsilon>({.name = "epsilon",
                           .least = 0,
                           .most = 1,
                           .unit = "px",
                           .group = group,
                           .help = "A step as short as this ends a level."}),
       entry<&O::min_eigen>({.name = "min-eigen",
                             .least = 0,
                             .most = 1000000,
                             .group = group,
                             .help = "A window with less structure is lost: its smaller eigenvalue, as in OpenCV."}),
       entry<&O::gain_offset>({.name = "gain-offset",
                               .group = group,
                               .help = "Gain/offset compensation: windows are compared at equal mean and deviation."}),
       entry<&O::guess>({.name = "guess",
                         .choices = guess_words,
                         .group = group,
                         .help = "The search begins where the track was, or where it would go on to."})});
}

void add_rejection(Entries& entries) {
  constexpr std::string_view group = "Rejection";
  entries.insert(
      entries.end(),
      {entry<&O::must_converge>(
           {.name = "must-converge", .group = group, .help = "A point whose steps have not become short is lost."}),
       entry<&O::max_residual>({.name = "max-residual",
                                .least = 0,
                                .most = 255,
                                .special = {0, "any"},
                                .unit = "grey levels",
                                .group = group,
                                .help =
                                    "A point whose window looks more different is lost; of 8 bits, deeper pixels are "
                                    "scaled."}),
       entry<&O::forward_backward>({.name = "forward-backward",
                                    .least = 0,
                                    .most = 63,
                                    .special = zero_is_off,
                                    .unit = "px",
                                    .group = group,
                                    .help = "A point that, followed back, ends farther from its start is lost."}),
       entry<&O::min_separation>({.name = "min-separation",
                                  .least = 0,
                                  .most = 65535,
                                  .special = zero_is_off,
                                  .unit = "px",
                                  .group = group,
                                  .help = "A track that is nearer to an older one is lost."})});
}

void add_frames(Entries& entries) {
  constexpr std::string_view group = "Frames";
  entries.insert(entries.end(), {entry<&O::history>({.name = "history",
                                                     .least = 1,
                                                     .most = 65536,
                                                     .unit = "positions",
                                                     .group = group,
                                                     .help = "Positions of each track that are kept."}),
                                 entry<&O::depth>({.name = "pixel-depth",
                                                   .bound = FieldBound::pixel_depth,
                                                   .choices = depth_words,
                                                   .group = group,
                                                   .help = "Type of the frames' pixels."}),
                                 entry<&O::max_value>({.name = "max-value",
                                                       .least = 1,
                                                       .most = 65535,
                                                       .bound = FieldBound::pixel_depth,
                                                       .unit = "grey levels",
                                                       .group = group,
                                                       .help = "Largest pixel of u16 frames."})});
}

}  // namespace

const Table<TrackOptions>& track_table() {
  static const Table<TrackOptions> table{
      "track", "frame", renamed, {add_detection, add_tracking, add_rejection, add_frames}};
  return table;
}

VERGENCE_FIELD_FUNCTIONS(track, TrackOptions)

}  // namespace vergence
