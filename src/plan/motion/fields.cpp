// SPDX-License-Identifier: Apache-2.0
// The fields of MotionOptions: one table that validation, command lines, settings files and pages share.
#include "plan/motion/fields.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/motion/limits.hpp"

namespace vergence {
namespace {

using namespace option_fields;  // NOLINT(google-build-using-namespace): this file is made of them
using O = MotionOptions;

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 6> search_words{"full", "step", "diamond", "hexagon", "tz", "hierarchical"};
constexpr std::array<std::string_view, 4> grid_words{"3x3", "7x7", "13x13", "15x15"};
constexpr std::array<std::string_view, 3> cost_words{"sad", "ssd", "satd"};
constexpr std::array<std::string_view, 2> border_words{"inside", "pad"};
constexpr std::array<std::string_view, 3> subpel_words{"none", "half", "quarter"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};

constexpr std::array<Renamed, 1> renamed{{{"depth", "pixel-depth"}}};

using Entries = std::vector<Entry<O>>;

Numbers read_range(const O& o) {
  const auto [x, y] = std::pair(o.range_x, o.range_y);
  return {{double(x.first), double(x.last), double(y.first), double(y.last)}, 4};
}
void write_range(O& o, const Numbers& value) {
  o.range_x = {value.whole(0), value.whole(1)};
  o.range_y = {value.whole(2), value.whole(3)};
}

void add_search(Entries& entries) {
  constexpr std::string_view group = "Search";
  entries.insert(
      entries.end(),
      {entry<&O::search>({.name = "search",
                          .choices = search_words,
                          .group = group,
                          .help = "Which candidates are tried: all, or few in an order that follows the costs."}),
       entry<&O::step_grid>({.name = "step-grid",
                             .choices = grid_words,
                             .group = group,
                             .help = "The grid of a round, for search step."}),
       entry<&O::levels>({.name = "levels",
                          .least = 0,
                          .most = 5,
                          .unit = "halvings",
                          .group = group,
                          .help = "Coarse levels that searches tz and hierarchical (at least 1) begin on."}),
       entry<&O::cost>({.name = "cost",
                        .choices = cost_words,
                        .group = group,
                        .help = "How a block and its candidate are compared; sad is the fastest, satd predicts an "
                                "encoder's bits best."}),
       entry<&O::block>({.name = "block",
                         .least = 4,
                         .most = 64,
                         .step = 4,
                         .square = true,
                         .bound = FieldBound::picture_size,
                         .unit = "px",
                         .group = group,
                         .help = "Blocks; smaller ones follow finer motion and are more often mistaken.",
                         .form = "one number or WIDTHxHEIGHT, such as 16 or 32x8"}),
       Entry<O>{{.name = "range",
                 .kind = FieldKind::range,
                 .least = -most_motion_px,
                 .most = most_motion_px,
                 .bound = FieldBound::picture_size,
                 .unit = "px",
                 .group = group,
                 .help = "Displacements that are tried; at most the frame's side.",
                 .form = "N for -N .. N, FIRST:LAST, or two of these for x and y, such as 64, -64:63 or 64,-32:31"},
                read_range,
                write_range},
       entry<&O::border>({.name = "border",
                          .choices = border_words,
                          .group = group,
                          .help = "A candidate that reaches beyond the reference frame: none, or the edge goes on."}),
       entry<&O::lambda>({.name = "lambda",
                          .least = 0,
                          .most = 0x7FFFFFFF,
                          .special = {0, "off"},
                          .unit = "1/65536 of the cost per bit",
                          .group = group,
                          .help = "Price of a vector's bits against that of the frame before; smooths the field."}),
       entry<&O::subpel>(
           {.name = "subpel", .choices = subpel_words, .group = group, .help = "How fine vectors are, in pixels."})});
}

void add_blocks(Entries& entries) {
  entries.push_back(entry<&O::overlap>(
      {.name = "overlap", .group = "Blocks", .help = "Predictions blend the vectors of neighbouring blocks."}));
}

void add_frames(Entries& entries) {
  constexpr std::string_view group = "Frames";
  entries.insert(entries.end(), {entry<&O::depth>({.name = "pixel-depth",
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

const Table<MotionOptions>& motion_table() {
  static const Table<MotionOptions> table{"motion", "frame", renamed, {add_search, add_blocks, add_frames}};
  return table;
}

VERGENCE_FIELD_FUNCTIONS(motion, MotionOptions)

}  // namespace vergence
