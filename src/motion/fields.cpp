// SPDX-License-Identifier: Apache-2.0
// The fields of MotionOptions by name and as text: one table that command lines, settings files and the documentation's
// tables share.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/option_fields.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

using namespace option_fields;
using O = MotionOptions;

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 6> search_words{"full", "step", "diamond", "hexagon", "tz", "hierarchical"};
constexpr std::array<std::string_view, 4> grid_words{"3x3", "7x7", "13x13", "15x15"};
constexpr std::array<std::string_view, 3> cost_words{"sad", "ssd", "satd"};
constexpr std::array<std::string_view, 2> border_words{"inside", "pad"};
constexpr std::array<std::string_view, 3> subpel_words{"none", "half", "quarter"};
constexpr std::array<std::string_view, 2> switch_words{"off", "on"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};

std::string get_block(const O& o) { return fmt::format("{}x{}", o.block.width, o.block.height); }

void set_block(O& o, const MotionField& field, std::string_view text) {
  std::array<int, 2> sides{};
  if (parse_int(text, sides[0]))
    sides[1] = sides[0];
  else if (!parse_list(text, 'x', sides))
    refuse(field.name, text, "one number or WIDTHxHEIGHT, such as 16 or 32x8");
  o.block = {sides[0], sides[1]};
}

std::string axis_text(MotionRange range) {
  return range.first == -range.last ? std::to_string(range.last) : fmt::format("{}:{}", range.first, range.last);
}

std::string get_range(const O& o) {
  const std::string x = axis_text(o.range_x);
  return o.range_x == o.range_y ? x : x + "," + axis_text(o.range_y);
}

std::optional<MotionRange> parse_axis(std::string_view text) {
  std::array<int, 2> ends{};
  if (parse_list(text, ':', ends)) return MotionRange{ends[0], ends[1]};
  // "-5" would be a range that ends before it starts.
  if (parse_int(text, ends[0]) && ends[0] >= 0) return MotionRange{-ends[0], ends[0]};
  return std::nullopt;
}

void set_range(O& o, const MotionField& field, std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::optional<MotionRange> x = parse_axis(text.substr(0, comma));
  const std::optional<MotionRange> y = comma == std::string_view::npos ? x : parse_axis(text.substr(comma + 1));
  if (!x || !y)
    refuse(field.name, text, "N for -N .. N, FIRST:LAST, or two of these for x and y, such as 64, -64:63 or 64,-32:31");
  o.range_x = *x;
  o.range_y = *y;
}

constexpr std::array entries{
    word<MotionField, &O::search, search_words>(
        "search", "full, step, diamond, hexagon, tz, hierarchical",
        "Which candidates are tried: all, or few in an order that follows the costs."),
    word<MotionField, &O::step_grid, grid_words>("step-grid", "3x3, 7x7, 13x13, 15x15",
                                                 "The grid of a round, for search step."),
    number<MotionField, &O::levels>("levels", "0 .. 5, hierarchical 1 .. 5", "halvings",
                                    "Coarse levels that searches hierarchical and tz begin on."),
    word<MotionField, &O::cost, cost_words>(
        "cost", "sad, ssd, satd",
        "How a block and its candidate are compared; sad is the fastest, satd foretells an encoder's bits best."),
    Entry<O, MotionField>{{"block", "4 .. 64 in steps of 4, N or WxH, at most the frame", "px",
                           "Blocks; smaller ones follow finer motion and are more often mistaken."},
                          get_block,
                          set_block},
    Entry<O, MotionField>{{"range", "N, FIRST:LAST or X,Y of these, -512 .. 512", "px",
                           "Displacements that are tried; at most the frame's side."},
                          get_range,
                          set_range},
    word<MotionField, &O::border, border_words>(
        "border", "inside, pad", "A candidate that reaches beyond the reference frame: none, or the edge goes on."),
    number<MotionField, &O::lambda>("lambda", "0 .. 2147483647, 0 = off", "1/65536 of the cost per bit",
                                    "Price of a vector's bits against that of the frame before; smooths the field."),
    word<MotionField, &O::subpel, subpel_words>("subpel", "none, half, quarter", "How fine vectors are, in pixels."),
    word<MotionField, &O::overlap, switch_words>("overlap", "off, on",
                                                 "Predictions blend the vectors of neighbouring blocks."),
    word<MotionField, &O::depth, depth_words>("depth", "u8, u16", "Type of the frames' pixels."),
    number<MotionField, &O::max_value>("max-value", "1 .. 65535", "grey levels", "Largest pixel of u16 frames."),
};

constexpr auto fields = collect(entries);

}  // namespace

std::span<const MotionField> motion_fields() { return fields; }

std::string motion_get(const MotionOptions& options, std::string_view name) {
  return find(entries, "motion", name).get(options);
}

void motion_set(MotionOptions& options, std::string_view name, std::string_view value) {
  const auto& entry = find(entries, "motion", name);
  entry.set(options, entry.field, value);
}

}  // namespace vergence
