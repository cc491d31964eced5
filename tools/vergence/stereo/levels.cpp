// SPDX-License-Identifier: Apache-2.0
// Grey levels that no camera gives.
#include "stereo/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/middle.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {
namespace {

using Bytes = ImageView<const std::uint8_t>;

/// The picture at fault, or both.
std::string which_of(bool in_left, bool in_right, const std::string& left, const std::string& right) {
  return in_left && in_right ? "both pictures" : in_left ? left : right;
}

constexpr int white = 255, rows_apart = 4;

/// Of few rows, where these are far from `least`.
int white_percent_near(Bytes picture, int least) {
  constexpr int few = 32, far = 20;
  const int percent = white_percent(picture, few);
  return percent < least - far ? percent : white_percent(picture, rows_apart);
}

struct StuckBit {
  int bit = -1, value = 0;
};
/// Of bits 3 to 5: the lower ones vary, and there are pixels at both sides of a gap, so that neither few levels nor a
/// narrow range explain it.
StuckBit stuck_bit_of(Bytes picture) {
  constexpr int apart = 4, first = 3, end = 6, least_periods = 2;
  std::uint8_t all = 255, any = 0, lowest = 255, highest = 0;
  for (int y = 0; y < picture.height(); y += apart) {
    const std::uint8_t* const row = picture.row(y);
    for (int x = 0; x < picture.width(); ++x) {
      all = static_cast<std::uint8_t>(all & row[x]);
      any = static_cast<std::uint8_t>(any | row[x]);
      lowest = std::min(lowest, row[x]);
      highest = std::max(highest, row[x]);
    }
  }
  const int varies = any & ~all;
  for (int bit = first; bit < end; ++bit) {
    const int lower = (1 << bit) - 1;
    if ((varies >> bit & 1) != 0 || (varies & lower) != lower) continue;
    if ((highest >> (bit + 1)) - (lowest >> (bit + 1)) >= least_periods) return {bit, all >> bit & 1};
  }
  return {};
}

/// Are pixels those differences to the one at their left that TIFF stores? Most are small, modulo 256, and their sums
/// along rows are alike from row to row.
bool is_of_differences(Bytes picture) {
  constexpr int rows = 12, small = 32, mostly = 85, some = 20, alike = 24;  // percent; grey levels
  const int apart = std::max(1, picture.height() / rows);
  std::int64_t places = 0, near = 0, small_steps = 0, unlike = 0;
  const auto own = [](int value) { return value < 128 ? value : value - 256; };
  for (int y = 0; y + 1 < picture.height(); y += apart, places += picture.width()) {
    const std::uint8_t *const row = picture.row(y), *const next = picture.row(y + 1);
    int between = 0;  // of the sums of both rows
    for (int x = 0; x < picture.width(); ++x) {
      const int size = std::abs(own(row[x]));
      near += size <= small ? 1 : 0;
      small_steps += size > 1 && size <= small ? 1 : 0;
      between = (between + row[x] - next[x]) & 255;
      unlike += std::abs(own(between));
    }
  }
  return 100 * near >= mostly * places && 100 * small_steps >= some * places && unlike <= alike * places;
}

}  // namespace

std::string stuck_bit_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  const StuckBit a = stuck_bit_of(pair.left.view()), b = stuck_bit_of(pair.right.view());
  if (a.bit < 0 && b.bit < 0) return {};
  const StuckBit found = a.bit >= 0 ? a : b;
  return fmt::format(
      "bit {} of all pixels of {} is {}, and those above and below it vary: half of the grey levels never come, and "
      "pixels are off by {} where it should be {}: check the camera's link for a line that is stuck",
      found.bit, which_of(a.bit == found.bit, b.bit == found.bit, left, right), found.value, 1 << found.bit,
      1 - found.value);
}

std::string wrapped_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  const Bytes of_left = pair.left.view(), of_right = pair.right.view();
  // What was made brighter and bounded has steps to the largest value, which are none of a wrap.
  constexpr int most_white = 10;  // percent
  const auto wraps = [](Bytes picture) {
    return inspect_wrapped_levels(picture) && white_percent(picture, rows_apart) < most_white;
  };
  const bool in_left = wraps(of_left), in_right = wraps(of_right);
  if (!in_left && !in_right) return {};
  const std::string which = which_of(in_left, in_right, left, right);
  if (is_of_differences(in_left ? of_left : of_right))
    return fmt::format(
        "pixels of {} are the differences of neighbours along rows, modulo 256, as TIFF and PNG store them before they "
        "compress: what read or wrote the file left the predictor out: add them up along each row first",
        which);
  return fmt::format(
      "grey levels of {} wrap: slopes that reach one end of the range go on at the other one, as where a sum was not "
      "held within 0 .. 255, or the upper bits of 10-bit pixels were cut off: convert the pictures anew, with values "
      "bounded and shifted",
      which);
}

std::string row_noise_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  constexpr double least = 3, times = 2.5;  // grey levels; the other one's
  constexpr Size least_picture{64, 48};
  const Size size = pair.left.view().size();
  if (size.width < least_picture.width || size.height < least_picture.height) return {};
  const Rect middle{0, size.height / 3, size.width, size.height / 3};  // rows that tell as much as all
  const Bytes a = pair.left.view().crop(middle), b = pair.right.view().crop(middle);
  const std::array columns{0, a.width()};
  const std::vector<std::int64_t> of_left = inspect_sums(a, columns), of_right = inspect_sums(b, columns);
  // By how much the mean of a row is off those of both rows beside it.
  const auto beside = [&](const auto& sum_of) {
    std::vector<std::int64_t> off;
    for (std::size_t y = 1; y + 1 < of_left.size(); ++y)
      off.push_back(std::abs(2 * sum_of(y) - sum_of(y - 1) - sum_of(y + 1)));
    return static_cast<double>(middle_of(std::move(off))) / (2.0 * a.width());
  };
  const double in_left = beside([&](std::size_t y) { return of_left[y]; }),
               in_right = beside([&](std::size_t y) { return of_right[y]; });
  if (std::max(in_left, in_right) < std::max(least, times * std::min(in_left, in_right))) return {};
  if (beside([&](std::size_t y) { return of_left[y] - of_right[y]; }) < least) return {};
  return fmt::format(
      "rows of {} are brighter or darker than those beside them, each as a whole, by {:.1f} grey levels in the median, "
      "and those of the other one by {:.1f}: as noise of its rows does it, or unequal amplifiers, and windows match "
      "worse: check the camera and its supply, or subtract from each row what its covered pixels have",
      in_left > in_right ? left : right, std::max(in_left, in_right), std::min(in_left, in_right));
}

namespace {

/// In percent of the white pixels of these rows. Filled pixels are not measured.
template <class Disparity>
int measured_percent(Bytes picture, const Image<Disparity>& map, const Image<std::uint8_t>& mask, int invalid) {
  std::int64_t count = 0, all = 0;
  for (int y = 0; y < picture.height(); y += rows_apart)
    for (int x = 0; x < picture.width(); ++x) {
      if (picture(x, y) != white) continue;
      ++all;
      count += map(x, y) != invalid && (mask.empty() || mask(x, y) != filled_pixel) ? 1 : 0;
    }
  return static_cast<int>(100 * count / std::max<std::int64_t>(all, 1));
}

}  // namespace

std::string clipped_warning(const StereoFrame& frame, StereoView reference, const StereoMaps& maps, int invalid) {
  constexpr int least = 40, least_measured = 30;  // percent
  const PairBytes pair(frame);
  const Bytes picture = (reference == StereoView::left ? pair.left : pair.right).view(),
              other = (reference == StereoView::left ? pair.right : pair.left).view();
  const int here = white_percent_near(picture, least);
  if (here < least || white_percent_near(other, least) < least) return {};
  const int measured = maps.wide ? measured_percent(picture, maps.wide_map, maps.mask, invalid)
                                 : measured_percent(picture, maps.narrow, maps.mask, invalid);
  if (measured < least_measured) return {};
  return fmt::format(
      "{} % of the pixels have the largest value in both pictures, as where they are over-exposed or were made too "
      "bright: nothing is seen there, and {} % of them have a disparity all the same, from what surrounds them: give a "
      "shorter exposure or the pictures as they were, or --texture 10 or so to leave such pixels out",
      here, measured);
}

}  // namespace vergence::cli
