// SPDX-License-Identifier: Apache-2.0
// The fields of StereoOptions by name and as text: one table that command lines, settings files and the documentation's
// tables share.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

using Words = std::span<const std::string_view>;

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

[[noreturn]] void refuse(std::string_view field, std::string_view text, std::string_view allowed) {
  throw Error(ErrorCode::invalid_argument, fmt::format("{} is '{}': allowed is {}", field, text, allowed));
}

/// A whole number that is the whole text.
bool parse_int(std::string_view text, int& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

/// `count` whole numbers divided by `separator`.
bool parse_list(std::string_view text, char separator, std::span<int> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool last = i + 1 == values.size();
    const std::size_t cut = last ? text.size() : text.find(separator);
    if (cut == std::string_view::npos || !parse_int(text.substr(0, cut), values[i])) return false;
    if (!last) text.remove_prefix(cut + 1);
  }
  return true;
}

/// A field with its text form. `set` may assume nothing about the text.
struct Entry {
  StereoField field;
  std::string (*get)(const StereoOptions&) = nullptr;
  void (*set)(StereoOptions&, const StereoField&, std::string_view) = nullptr;
};

template <auto Member>
constexpr Entry number(std::string_view name, std::string_view range, std::string_view unit, std::string_view help) {
  return {{name, range, unit, help},
          [](const StereoOptions& o) { return std::to_string(o.*Member); },
          [](StereoOptions& o, const StereoField& field, std::string_view text) {
            int value = 0;
            if (!parse_int(text, value)) refuse(field.name, text, fmt::format("a whole number, {}", field.range));
            o.*Member = value;
          }};
}

template <auto Member, const auto& List>
constexpr Entry word(std::string_view name, std::string_view range, std::string_view help) {
  return {{name, range, "", help},
          [](const StereoOptions& o) {
            const auto index = static_cast<std::size_t>(o.*Member);
            return index < List.size() ? std::string(List[index]) : std::to_string(index);
          },
          [](StereoOptions& o, const StereoField& field, std::string_view text) {
            for (std::size_t i = 0; i < List.size(); ++i)
              if (List[i] == text) {
                using Value = std::remove_reference_t<decltype(o.*Member)>;
                o.*Member = static_cast<Value>(i);
                return;
              }
            refuse(field.name, text, fmt::format("one of {}", field.range));
          }};
}

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
    word<&O::cost, cost_words>(
        "cost", "sad, ssd, census-5x5, census-9x7",
        "How two pixels are compared; sad is the fastest, census withstands exposure differences."),
    Entry{{"window", "1x1 .. picture size, odd", "px",
           "Window whose costs are summed; larger is smoother and drowns thin objects."},
          get_window,
          set_window},
    number<&O::disparities>("disparities", "1 .. picture width", "px", "Number of candidates."),
    number<&O::min_disparity>("min-disparity", "-1048576 .. 1048576", "px", "Smallest candidate; may be negative."),
    word<&O::reference, view_words>("reference", "left, right", "The picture whose pixels are matched."),
    word<&O::border, border_words>("border", "partial, invalid",
                                   "Where the window leaves the picture: clip it, or give no disparity."),
    word<&O::outside, outside_words>(
        "outside", "skip, zero, clamp",
        "A candidate outside the other picture: none, against zeros, or against its edge column."),
    word<&O::tie, tie_words>("tie", "lowest, highest", "Which of two candidates of equal cost wins."),
    word<&O::prefilter, prefilter_words>(
        "prefilter", "none, xsobel, xsobel-opencv",
        "What is done to both pictures first: nothing, or the clipped horizontal derivative."),
    number<&O::prefilter_cap>("prefilter-cap", "1 .. 127", "grey levels",
                              "Clip of the derivative, for the prefilter and the texture sum."),
    word<&O::subpixel, switch_words>("subpixel", "off, on",
                                     "Refine to 1/16 px: V-fit for sad, parabola for ssd and census."),
    number<&O::uniqueness_ratio>(
        "uniqueness", "0 .. 1000, 0 = off", "%",
        "Reject where a candidate more than 1 px away costs at most this much more than the winner."),
    number<&O::texture_threshold>("texture", "0 .. 2147483647, 0 = off", "grey levels",
                                  "Reject where the window's sum of absolute clipped derivatives is smaller."),
    number<&O::left_right>("left-right", "-1 .. 65535, -1 = off", "left-right-unit",
                           "Largest difference between both views' winners; needs outside skip."),
    word<&O::left_right_unit, unit_words>("left-right-unit", "px, grey",
                                          "Unit of left-right: pixels, or grey levels of 255 / disparities."),
    number<&O::speckle_size>("speckle-size", "0 .. 2147483647, 0 = off", "pixels",
                             "Regions of at most this many pixels are removed."),
    number<&O::speckle_range>("speckle-range", "0 .. 65535", "1/16 px",
                              "Neighbours that differ by at most this belong to one region."),
    number<&O::median>("median", "0 (off), 3, 5", "px", "Side of the median's window."),
    word<&O::fill, fill_words>("fill", "none, background, nearest, mean, mean-all",
                               "How pixels without disparity get one."),
    number<&O::fill_window>("fill-window", "3 .. 255, odd", "px", "Side of the window of fill mean and mean-all."),
    word<&O::depth, depth_words>("depth", "u8, u16", "Type of the pictures' pixels."),
    number<&O::max_value>("max-value", "1 .. 65535", "grey levels",
                          "Largest pixel of u16 pictures; smaller values let larger windows fit."),
    Entry{
        {"roi", "none or x,y,width,height inside the picture", "px", "Only pixels in this rectangle get a disparity."},
        get_roi,
        set_roi},
};

constexpr auto collect_fields() {
  std::array<StereoField, entries.size()> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = entries[i].field;
  return fields;
}
constexpr auto fields = collect_fields();

const Entry& find_entry(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.field.name == name) return entry;
  std::string names;
  for (const StereoField& field : fields) names.append(names.empty() ? "" : ", ").append(field.name);
  throw Error(ErrorCode::not_found, fmt::format("no stereo option is named '{}': there are {}", name, names));
}

}  // namespace

std::span<const StereoField> stereo_fields() { return fields; }

std::string stereo_get(const StereoOptions& options, std::string_view name) { return find_entry(name).get(options); }

void stereo_set(StereoOptions& options, std::string_view name, std::string_view value) {
  const Entry& entry = find_entry(name);
  entry.set(options, entry.field, value);
}

}  // namespace vergence
