// SPDX-License-Identifier: Apache-2.0
// Drawing of the legend: its name, the bar, the numbers below it, and samples of invalid and filled pixels.
#include "io/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "io/legend_font.hpp"

namespace vergence::io {
namespace {

constexpr Rgb ink{0, 0, 0};
constexpr Rgb stripe_dark{96, 96, 96};
constexpr Rgb stripe_light{144, 144, 144};

// Lengths in units of the legend.
constexpr int margin = 12;
constexpr int title_row = 11;
constexpr int bar_height = 12;
constexpr int letter = 6;
constexpr int least_bar = 128;
constexpr int filled_width = 60;
constexpr int invalid_width = 64;

int text_width(std::string_view text) { return std::max(0, static_cast<int>(text.size()) * letter - 1); }

/// A limit in as many digits as a thousandth of the range needs.
std::string limit_text(double value, double range) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(3 - std::log10(range))), 0, 9);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string title_of(const ColourOptions& options) {
  if (options.name.empty() || options.unit.empty()) return options.name + options.unit;
  return options.name + " in " + options.unit;
}

}  // namespace

Rgb invalid_colour(int x, int y) { return (x + y) / 4 % 2 == 0 ? stripe_dark : stripe_light; }

Rgb filled_colour(const Rgb& colour, int x, int y) {
  const bool dot = (x % 6 < 2 && y % 6 < 2) || ((x + 3) % 6 < 2 && (y + 3) % 6 < 2);
  const auto part = [dot](int value) {
    return static_cast<std::uint8_t>(dot ? value * 5 / 8 : (value * 3 + 255 * 5 + 4) / 8);
  };
  return {part(colour.r), part(colour.g), part(colour.b)};
}

Legend::Legend(int map_width, const ColourOptions& options)
    : options_(options), title_(title_of(options)), unit_(std::max(1, (map_width + 320) / 640)) {}

int Legend::bar_top() const { return (8 + (title_.empty() && options_.note.empty() ? 0 : title_row)) * unit_; }

int Legend::swatches_width() const {
  return ((options_.invalid ? invalid_width : 0) + (options_.mask.empty() ? 0 : filled_width)) * unit_;
}

int Legend::least_width() const {
  const double range = options_.high - options_.low;
  const int ends = text_width("<= " + limit_text(options_.low, range)) +
                   text_width(">= " + limit_text(options_.high, range)) + 2 * letter;
  const int gap = options_.note.empty() ? 0 : 2 * letter;
  const int texts = text_width(title_) + gap + text_width(options_.note);
  const int bar = std::max(least_bar, ends) + 4;
  return std::max((2 * margin + bar) * unit_ + swatches_width(), (2 * margin + texts) * unit_);
}

void Legend::draw(Image<Rgb>& picture, int top, const MapContent& content) {
  width_ = picture.width();
  bar_x_ = margin * unit_;
  bar_y_ = top + bar_top();
  bar_width_ = width_ - swatches_width() - (swatches_width() > 0 ? margin + 4 : margin) * unit_ - bar_x_;
  for (int y = bar_y_; y < bar_y_ + bar_height * unit_; ++y)
    for (int x = 0; x < bar_width_; ++x)
      picture(bar_x_ + x, y) = scale_colour(static_cast<double>(x) / std::max(1, bar_width_ - 1));
  draw_text(picture, title_, bar_x_, top + 6 * unit_);
  draw_text(picture, options_.note, width_ - (margin + text_width(options_.note)) * unit_, top + 6 * unit_);
  draw_swatches(picture, content);
  for (const Tick& tick : ticks(content)) draw_tick(picture, tick);
}

void Legend::draw_text(Image<Rgb>& picture, std::string_view text, int left, int top) const {
  for (const char c : text) {
    const Glyph& shape = glyph(c);
    for (int y = 0; y < static_cast<int>(shape.size()) * unit_; ++y)
      for (int x = 0; x < 5 * unit_; ++x) {
        const bool set = (shape[static_cast<std::size_t>(y / unit_)] >> (4 - x / unit_) & 1) != 0;
        if (set && left + x >= 0 && left + x < picture.width()) picture(left + x, top + y) = ink;
      }
    left += letter * unit_;
  }
}

/// What a map does not have needs no explanation, but keeps its place.
void Legend::draw_swatches(Image<Rgb>& picture, const MapContent& content) const {
  const Rgb middle = scale_colour(0.5);
  const int filled = width_ - swatches_width();
  const int invalid = width_ - invalid_width * unit_;
  const bool has_filled = content.filled && !options_.mask.empty();
  const bool has_invalid = content.invalid && options_.invalid;
  for (int y = bar_y_; y < bar_y_ + bar_height * unit_; ++y)
    for (int x = 0; x < bar_height * unit_; ++x) {
      if (has_filled) picture(filled + x, y) = filled_colour(middle, filled + x, y);
      if (has_invalid) picture(invalid + x, y) = invalid_colour(invalid + x, y);
    }
  const int text = (bar_height + 4) * unit_;
  if (has_filled) draw_text(picture, "filled", filled + text, bar_y_ + 3 * unit_);
  if (has_invalid) draw_text(picture, "invalid", invalid + text, bar_y_ + 3 * unit_);
}

/// Numbers at the smallest step of 1, 2 or 5 times a power of ten whose numbers do not touch.
std::vector<Legend::Tick> Legend::regular_ticks() const {
  const double range = options_.high - options_.low;
  std::vector<Tick> found;
  for (int power = options_.whole ? 0 : -7; power <= 9; ++power)
    for (const int factor : {1, 2, 5}) {
      const double step = factor * std::pow(10.0, power);
      const int decimals = std::max(0, -power);
      const auto number = [decimals](double value) { return fmt::format("{:.{}f}", value, decimals); };
      const int widest = std::max(text_width(number(options_.low)), text_width(number(options_.high)));
      if (bar_width_ * step / range < (widest + margin) * unit_) continue;
      const auto first = static_cast<std::int64_t>(std::ceil(options_.low / step - 1e-9));
      const auto last = static_cast<std::int64_t>(std::floor(options_.high / step + 1e-9));
      for (std::int64_t k = first; k <= last; ++k) {
        const double value = static_cast<double>(k) * step;
        found.push_back({value, number(value)});
      }
      return found;
    }
  return found;
}

/// The last number says that its colour is that of larger ones, too, and so does the first. Where there is room for
/// fewer than two round numbers, the limits have theirs.
std::vector<Legend::Tick> Legend::ticks(const MapContent& content) const {
  const double range = options_.high - options_.low;
  std::vector<Tick> found = regular_ticks();
  const auto make_room = [&](const Tick& tick) {
    const Span wanted = label(tick);
    const int gap = 2 * letter * unit_;  // wider than that behind ">="
    std::erase_if(found, [&](const Tick& other) {
      const Span taken = label(other);
      return taken.first < wanted.last + gap && wanted.first < taken.last + gap;
    });
  };
  const auto put_low = [&](const char* prefix) {
    const Tick tick{options_.low, prefix + limit_text(options_.low, range)};
    make_room(tick);
    found.insert(found.begin(), tick);
  };
  const auto put_high = [&](const char* prefix) {
    const Tick tick{options_.high, prefix + limit_text(options_.high, range)};
    make_room(tick);
    found.push_back(tick);
  };
  if (content.below) put_low("<= ");
  if (content.above) put_high(">= ");
  if (found.size() < 2 && !content.below) put_low("");
  if (found.size() < 2 && !content.above) put_high("");
  return found;
}

/// The columns of a tick's number, which stays within the picture.
Legend::Span Legend::label(const Tick& tick) const {
  const double position = (tick.value - options_.low) / (options_.high - options_.low);
  const int x = bar_x_ + static_cast<int>(std::lround(position * (bar_width_ - 1)));
  const int width = text_width(tick.text) * unit_;
  const int left = std::clamp(x + unit_ / 2 - width / 2, unit_, std::max(unit_, width_ - unit_ - width));
  return {left, left + width};
}

void Legend::draw_tick(Image<Rgb>& picture, const Tick& tick) const {
  const double position = (tick.value - options_.low) / (options_.high - options_.low);
  const int x = bar_x_ + static_cast<int>(std::lround(position * (bar_width_ - 1)));
  for (int y = bar_y_ + bar_height * unit_; y < bar_y_ + (bar_height + 3) * unit_; ++y)
    for (int i = 0; i < unit_; ++i) picture(std::min(x + i, picture.width() - 1), y) = ink;
  draw_text(picture, tick.text, label(tick).first, bar_y_ + (bar_height + 5) * unit_);
}

}  // namespace vergence::io
