// SPDX-License-Identifier: Apache-2.0
// A pair with known truth, a matcher's map of it with its holes filled, and the scores of both sets of pixels.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cpu/context.hpp"
#include "cpu/postfilter/stages.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/score.hpp"
#include "vergence/stereo.hpp"

namespace vergence::bench {

using Map = Image<std::int16_t>;

constexpr int invalid_disparity = -16;  ///< Of ranges that begin at 0, here and in OpenCV.
constexpr std::uint8_t measured_pixel = 1, filled_pixel = 2;

struct Input {
  Image<std::uint8_t> left, right, mask;
  Image<float> truth;
  int disparities = 0;
  float largest = 0;   ///< True disparity.
  bool whole = false;  ///< The truth holds whole px: so must what is compared with it.
  Size size() const { return left.size(); }
};

struct Row {
  std::string method, settings;
  Map map{};                       ///< Without holes.
  Image<std::uint8_t> validity{};  ///< Measured or filled.
  StereoScores scores{};

  /// Share of the pixels of known truth that were measured, in percent.
  double density() const {
    return 100.0 * static_cast<double>(scores.measured->pixels) / static_cast<double>(scores.all.pixels);
  }
};

/// Every measured pixel of a map has the value 1, every other one 0.
inline Image<std::uint8_t> measured(const Map& map) {
  Image<std::uint8_t> validity(map.size(), 0);
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (map(x, y) != invalid_disparity) validity(x, y) = measured_pixel;
  return validity;
}

/// Holes take the smaller of the nearest disparities left and right.
inline void fill_holes(Row& row, int disparities) {
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = disparities;
  options.fill = StereoFill::background;
  Map out(row.map.size());
  cpu::Context context(1, cpu::simd_targets().front());
  cpu::FillScratch scratch;
  cpu::fill<std::int16_t>(make_stereo_plan(row.map.size(), options), context, scratch, row.map, out);
  row.map = std::move(out);
  for (int y = 0; y < row.map.height(); ++y)
    for (int x = 0; x < row.map.width(); ++x)
      if (row.validity(x, y) == 0) row.validity(x, y) = filled_pixel;
}

/// Fills what a matcher left without disparity, in the same way for all, and scores the map.
inline void finish(const Input& input, Row& row, int disparities) {
  fill_holes(row, disparities);
  Image<float> pixels(input.size());
  disparity_to_pixels(row.map, invalid_disparity, pixels);
  row.scores = score_stereo(pixels, input.truth, input.mask,
                            {.max_disparity = {}, .round = input.whole, .validity = row.validity});
}

}  // namespace vergence::bench
