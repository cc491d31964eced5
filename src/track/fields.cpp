// SPDX-License-Identifier: Apache-2.0
// The fields of TrackOptions by name and as text: one table that command lines, settings files and the documentation's
// tables share.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "core/option_fields.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

using namespace option_fields;
using O = TrackOptions;

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 2> corner_words{"shi-tomasi", "harris"};
constexpr std::array<std::string_view, 2> guess_words{"position", "velocity"};
constexpr std::array<std::string_view, 2> switch_words{"off", "on"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};

/// A decimal number that is the whole text; the plan refuses what is out of range, NaN included.
template <auto Member>
constexpr Entry<O, TrackField> real(std::string_view name, std::string_view range, std::string_view unit,
                                    std::string_view help) {
  return {{name, range, unit, help},
          [](const O& o) { return fmt::format("{}", o.*Member); },
          [](O& o, const TrackField& field, std::string_view text) {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error != std::errc{} || stop != end) refuse(field.name, text, fmt::format("a number, {}", field.range));
            o.*Member = value;
          }};
}

std::string get_grid(const O& o) { return fmt::format("{}x{}", o.grid.width, o.grid.height); }
void set_grid(O& o, const TrackField& field, std::string_view text) {
  std::array<int, 2> cells{};
  if (!parse_list(text, 'x', cells)) refuse(field.name, text, "COLUMNSxROWS, such as 8x6");
  o.grid = {cells[0], cells[1]};
}

std::string get_roi(const O& o) {
  return o.roi ? fmt::format("{},{},{},{}", o.roi->x, o.roi->y, o.roi->width, o.roi->height) : "all";
}
void set_roi(O& o, const TrackField& field, std::string_view text) {
  if (text == "all") {
    o.roi.reset();
    return;
  }
  std::array<int, 4> parts{};
  if (!parse_list(text, ',', parts) || parts == std::array<int, 4>{})
    refuse(field.name, text, "X,Y,WIDTH,HEIGHT, such as 0,100,640,380, or all");
  o.roi = Rect{parts[0], parts[1], parts[2], parts[3]};
}

constexpr std::array entries{
    number<TrackField, &O::points>("points", "0 .. 1000000", "", "How many tracks are kept up; 0 = none are found."),
    number<TrackField, &O::refill>("refill", "1 .. 100", "%",
                                   "New points are sought when fewer than this share of points is left."),
    word<TrackField, &O::corner, corner_words>("corner", "shi-tomasi, harris", "How a pixel is scored as a corner."),
    number<TrackField, &O::harris_k>("harris-k", "1 .. 25", "1/100", "k of the score harris."),
    number<TrackField, &O::block>("block", "3, 5, 7", "px", "Square over which a corner's gradients are summed."),
    real<&O::quality>("quality", "0 .. below 1", "", "A corner's score exceeds this share of the best one's."),
    number<TrackField, &O::min_distance>("min-distance", "0 .. 65535", "px",
                                         "A new point keeps so far from all others."),
    Entry<O, TrackField>{{"grid", "COLUMNSxROWS, 1x1 .. 256x256", "cells",
                          "No cell gets new points beyond its equal share: even coverage."},
                         get_grid,
                         set_grid},
    Entry<O, TrackField>{
        {"roi", "X,Y,WIDTH,HEIGHT inside the frame, or all", "px", "New points lie in here."}, get_roi, set_roi},
    number<TrackField, &O::window>("window", "odd 3 .. 63, or 8, 16, 32, 48; less than the frame", "px",
                                   "Side of the window that is compared; large ones find more points."),
    number<TrackField, &O::levels>("levels", "0 .. 8", "halvings",
                                   "Coarse levels at most, which let points go far; small frames have fewer."),
    number<TrackField, &O::iterations>("iterations", "1 .. 1000", "", "Steps per level."),
    real<&O::epsilon>("epsilon", "0 .. 1", "px", "A step as short as this ends a level."),
    real<&O::min_eigen>("min-eigen", "0 .. 1000000", "",
                        "A window with less structure is lost: its smaller eigenvalue, as in OpenCV."),
    word<TrackField, &O::gain_offset, switch_words>(
        "gain-offset", "off, on",
        "Windows are compared at equal mean and deviation: brightness and contrast may change."),
    word<TrackField, &O::guess, guess_words>("guess", "position, velocity",
                                             "The search begins where the track was, or where it would go on to."),
    word<TrackField, &O::must_converge, switch_words>("must-converge", "off, on",
                                                      "A point whose steps have not become short is lost."),
    real<&O::max_residual>("max-residual", "0 .. 65535, 0 = any", "grey levels",
                           "A point whose window looks more different is lost."),
    real<&O::forward_backward>("forward-backward", "0 .. 65535, 0 = off", "px",
                               "A point that, followed back, ends farther from its start is lost."),
    real<&O::min_separation>("min-separation", "0 .. 65535, 0 = off", "px",
                             "A track that is nearer to an older one is lost."),
    number<TrackField, &O::history>("history", "1 .. 65536", "positions", "Positions of each track that are kept."),
    word<TrackField, &O::depth, depth_words>("depth", "u8, u16", "Type of the frames' pixels."),
    number<TrackField, &O::max_value>("max-value", "1 .. 65535", "grey levels", "Largest pixel of u16 frames."),
};

constexpr auto fields = collect(entries);

}  // namespace

std::span<const TrackField> track_fields() { return fields; }

std::string track_get(const TrackOptions& options, std::string_view name) {
  return find(entries, "track", name).get(options);
}

void track_set(TrackOptions& options, std::string_view name, std::string_view value) {
  const auto& entry = find(entries, "track", name);
  entry.set(options, entry.field, value);
}

}  // namespace vergence
