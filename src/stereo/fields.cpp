// SPDX-License-Identifier: Apache-2.0
// The fields of StereoOptions by name and as text: one table that command lines, settings files and the documentation's
// tables share.
#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "core/option_fields.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

// The words of an enumeration, in its order.
constexpr std::array<std::string_view, 4> cost_words{"sad", "ssd", "census-5x5", "census-9x7"};
constexpr std::array<std::string_view, 2> view_words{"left", "right"};
constexpr std::array<std::string_view, 2> border_words{"partial", "invalid"};
constexpr std::array<std::string_view, 3> outside_words{"skip", "zero", "clamp"};
constexpr std::array<std::string_view, 2> tie_words{"lowest", "highest"};
constexpr std::array<std::string_view, 3> prefilter_words{"none", "xsobel", "xsobel-opencv"};
constexpr std::array<std::string_view, 2> switch_words{"off", "on"};
constexpr std::array<std::string_view, 2> unit_words{"px", "grey"};
constexpr std::array<std::string_view, 5> fill_words{"none", "background", "nearest", "mean", "mean-all"};
constexpr std::array<std::string_view, 2> depth_words{"u8", "u16"};

using namespace option_fields;

std::string get_window(const StereoOptions& o) { return fmt::format("{}x{}", o.window.width, o.window.height); }

void set_window(StereoOptions& o, const StereoField& field, std::string_view text) {
  std::array<int, 2> sides{};
  if (parse_int(text, sides[0]))
    sides[1] = sides[0];
  else if (!parse_list(text, 'x', sides))
    refuse(field.name, text, "one number or WIDTHxHEIGHT, such as 9 or 11x7, both odd");
  o.window = {sides[0], sides[1]};
}

std::string get_roi(const StereoOptions& o) {
  return o.roi ? fmt::format("{},{},{},{}", o.roi->x, o.roi->y, o.roi->width, o.roi->height) : "none";
}

void set_roi(StereoOptions& o, const StereoField& field, std::string_view text) {
  std::array<int, 4> values{};
  if (text == "none") {
    o.roi.reset();
  } else if (parse_list(text, ',', values)) {
    o.roi = Rect{values[0], values[1], values[2], values[3]};
  } else {
    refuse(field.name, text, "none or X,Y,WIDTH,HEIGHT, such as 100,50,640,360");
  }
}

using O = StereoOptions;

constexpr std::array entries{
    word<StereoField, &O::cost, cost_words>(
        "cost", "sad, ssd, census-5x5, census-9x7",
        "How two pixels are compared; sad is the fastest, census withstands exposure differences."),
    Entry<O, StereoField>{{"window", "1x1 .. picture size, odd", "px",
                           "Window whose costs are summed; larger is smoother and drowns thin objects."},
                          get_window,
                          set_window},
    number<StereoField, &O::disparities>("disparities", "1 .. picture width", "px", "Number of candidates."),
    number<StereoField, &O::min_disparity>("min-disparity", "-1048576 .. 1048576", "px",
                                           "Smallest candidate; may be negative."),
    word<StereoField, &O::reference, view_words>("reference", "left, right", "The picture whose pixels are matched."),
    word<StereoField, &O::border, border_words>("border", "partial, invalid",
                                                "Where the window leaves the picture: clip it, or give no disparity."),
    word<StereoField, &O::outside, outside_words>(
        "outside", "skip, zero, clamp",
        "A candidate outside the other picture: none, against zeros, or against its edge column."),
    word<StereoField, &O::tie, tie_words>("tie", "lowest, highest", "Which of two candidates of equal cost wins."),
    word<StereoField, &O::prefilter, prefilter_words>(
        "prefilter", "none, xsobel, xsobel-opencv",
        "What is done to both pictures first: nothing, or the clipped horizontal derivative."),
    number<StereoField, &O::prefilter_cap>("prefilter-cap", "1 .. 127", "grey levels",
                                           "Clip of the derivative, for the prefilter and the texture sum."),
    word<StereoField, &O::subpixel, switch_words>("subpixel", "off, on",
                                                  "Refine to 1/16 px: V-fit for sad, parabola for ssd and census."),
    number<StereoField, &O::uniqueness_ratio>(
        "uniqueness", "0 .. 1000, 0 = off", "%",
        "Reject where a candidate more than 1 px away costs at most this much more than the winner."),
    number<StereoField, &O::texture_threshold>(
        "texture", "0 .. 2147483647, 0 = off", "grey levels",
        "Reject where the window's sum of absolute clipped derivatives is smaller."),
    number<StereoField, &O::left_right>("left-right", "-1 .. 65535, -1 = off", "left-right-unit",
                                        "Largest difference between both views' winners; needs outside skip."),
    word<StereoField, &O::left_right_unit, unit_words>(
        "left-right-unit", "px, grey", "Unit of left-right: pixels, or grey levels of 255 / disparities."),
    number<StereoField, &O::speckle_size>("speckle-size", "0 .. 2147483647, 0 = off", "pixels",
                                          "Regions of at most this many pixels are removed."),
    number<StereoField, &O::speckle_range>("speckle-range", "0 .. 65535", "1/16 px",
                                           "Neighbours that differ by at most this belong to one region."),
    number<StereoField, &O::median>("median", "0 (off), 3, 5", "px", "Side of the median's window."),
    word<StereoField, &O::fill, fill_words>("fill", "none, background, nearest, mean, mean-all",
                                            "How pixels without disparity get one."),
    number<StereoField, &O::fill_window>("fill-window", "3 .. 255, odd", "px",
                                         "Side of the window of fill mean and mean-all."),
    word<StereoField, &O::depth, depth_words>("depth", "u8, u16", "Type of the pictures' pixels."),
    number<StereoField, &O::max_value>("max-value", "1 .. 65535", "grey levels",
                                       "Largest pixel of u16 pictures; smaller values let larger windows fit."),
    Entry<O, StereoField>{
        {"roi", "none or x,y,width,height inside the picture", "px", "Only pixels in this rectangle get a disparity."},
        get_roi,
        set_roi},
};

constexpr auto fields = collect(entries);

}  // namespace

std::span<const StereoField> stereo_fields() { return fields; }

std::string stereo_get(const StereoOptions& options, std::string_view name) {
  return find(entries, "stereo", name).get(options);
}

void stereo_set(StereoOptions& options, std::string_view name, std::string_view value) {
  const auto& entry = find(entries, "stereo", name);
  entry.set(options, entry.field, value);
}

}  // namespace vergence
