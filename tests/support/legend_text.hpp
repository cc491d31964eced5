// SPDX-License-Identifier: Apache-2.0
// Reads the legend of a coloured picture: its letters are found by their shapes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/legend_font.hpp"
#include "vergence/io.hpp"

namespace vergence {

/// What stands in a legend; words that have a gap between them stand apart.
struct LegendText {
  std::string title;    ///< The row above the bar.
  std::string beside;   ///< Right of the bar.
  std::string numbers;  ///< Below the bar.
};

inline Image<std::uint8_t> luma_of(const Image<Rgb>& picture) {
  Image<std::uint8_t> luma(picture.size());
  for (int y = 0; y < luma.height(); ++y)
    for (int x = 0; x < luma.width(); ++x) {
      const Rgb& c = picture(x, y);
      luma(x, y) = static_cast<std::uint8_t>((299 * c.r + 587 * c.g + 114 * c.b) / 1000);
    }
  return luma;
}

/// A row of text whose letters begin at `top`, from column `from` on. '?' where something black is no letter.
inline std::string read_row(const Image<std::uint8_t>& luma, int top, int unit, int from = 0) {
  constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz<=>-.";
  constexpr int rows = static_cast<int>(io::Glyph{}.size());
  const auto is_ink = [&luma](int x, int y) { return x < luma.width() && luma(x, y) < 60; };
  const auto column_has_ink = [&](int x) {
    for (int y = top; y < top + rows * unit; ++y)
      if (is_ink(x, y)) return true;
    return false;
  };
  const auto shows = [&](int x, char letter) {
    const io::Glyph& glyph = io::glyph(letter);
    for (int y = 0; y < rows * unit; ++y)
      for (int i = 0; i < 5 * unit; ++i)
        if (is_ink(x + i, top + y) != ((glyph[static_cast<std::size_t>(y / unit)] >> (4 - i / unit) & 1) != 0))
          return false;
    return true;
  };
  std::string text;
  int end = 0;       // of the last letter
  bool odd = false;  // ink since then
  for (int x = from; x < luma.width(); ++x) {
    const auto found = std::find_if(letters.begin(), letters.end(), [&](char letter) { return shows(x, letter); });
    if (found == letters.end()) {
      odd = odd || column_has_ink(x);
      continue;
    }
    if (odd) text += '?';
    if (!text.empty() && x > end + unit) text += ' ';
    text += *found;
    x += 5 * unit - 1;
    end = x + 1;
    odd = false;
  }
  return odd ? text + '?' : text;
}

/// Pixels of the picture per pixel of its letters.
inline int legend_unit(int map_width) { return std::max(1, (map_width + 320) / 640); }

/// `map_height`: where the legend begins. It has a title.
inline LegendText read_legend(const Image<std::uint8_t>& luma, int map_height, int unit) {
  int bar_end = 0;  // the bar ends where there is paper, as in the first column
  const int middle = map_height + 25 * unit;
  for (int x = 12 * unit; x < luma.width() && luma(x, middle) != luma(0, middle); ++x) bar_end = x;
  return {read_row(luma, map_height + 6 * unit, unit), read_row(luma, map_height + 22 * unit, unit, bar_end + unit),
          read_row(luma, map_height + 36 * unit, unit)};
}
inline LegendText read_legend(const Image<Rgb>& picture, int map_height, int unit = 1) {
  return read_legend(luma_of(picture), map_height, unit);
}

/// The numbers of a row in which "<= " and ">= " belong to a number.
inline std::vector<double> numbers_of(std::string_view row) {
  std::vector<double> numbers;
  std::string word;
  for (const char c : std::string(row) + ' ')
    if (c != ' ') {
      word += c;
    } else {
      if (!word.empty() && word != "<=" && word != ">=") numbers.push_back(std::stod(word));
      word.clear();
    }
  return numbers;
}

}  // namespace vergence
