// SPDX-License-Identifier: Apache-2.0
// Frames that were put together of two, along a row: what is below lies beside what is above. Edges of things along a
// whole row leave no other place at which both fit.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using TornPicture = ImageView<const std::uint8_t>;

constexpr Size least_torn{64, 48};
constexpr int most_tear = 48;       // px
constexpr int least_tear = 2;       // less is a lens or rounding
constexpr int steps_beside = 4;     // at each side, that a step from row to row is compared with
constexpr int least_tear_step = 3;  // grey levels
/// In percent: the step beside the largest one next to it, at least; and at most what may be left of it once it is
/// moved, and of what is left 3 to 8 px beside that place: where rows are flat but for an edge, many places fit.
struct TearLimits {
  int outstanding = 0, fitting = 0, sharp = 0;
};
// Steps that stand out, or hardly do and fit better. Of 322 pictures and halves of such none has such a row; torn by 5
// to 8 px at any row, 85 % have.
constexpr TearLimits clear_step{125, 68, 86}, clear_fit{95, 58, 72};
constexpr int usual_percent = 140;           // what is left, beside the mean of the steps next to it, at most
constexpr int sharp_from = 3, sharp_to = 8;  // px
constexpr int worth_percent = 90;            // of some pieces of rows: how far a step stands out, and
constexpr int worth_of_usual = 150;          // beside the mean of those next to it,
constexpr int worth_fitting = 85;            // what may be left of it

int difference_of(const std::uint8_t* a, const std::uint8_t* b, int count) {
  constexpr int most = 1 << 22;  // px; so many tell enough, and their sum is an int
  int sum = 0;
  for (int x = 0; x < std::min(count, most); ++x) sum += std::abs(a[x] - b[x]);  // compilers know this form
  return sum;
}

/// The same of every second piece of a row, in wide pictures of five: what tells whether all of it is worth a look.
constexpr int piece = 64;  // px
struct Pieces {
  explicit Pieces(int row_width)
      : width(row_width),
        apart(std::max(2 * piece, width / 4 / piece * piece)),
        pixels((width - piece + apart) / apart * piece) {}
  /// Of those that differ by more than `most` in the sum, only some count.
  int difference(const std::uint8_t* a, const std::uint8_t* b, int most) const {
    int sum = 0;
    for (int first = 0; first + piece <= width && sum <= most; first += apart)
      for (int x = first; x < first + piece; ++x) sum += std::abs(a[x] - b[x]);
    return sum;
  }
  int width, apart, pixels;
};

/// In percent of the largest step next to it; 0 of small ones.
int outstanding_percent(const std::vector<int>& steps, std::size_t at, int pixels) {
  if (std::int64_t{steps[at]} < std::int64_t{least_tear_step} * pixels) return 0;
  int largest = 1;
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i)
    if (i != at) largest = std::max(largest, steps[i]);
  return static_cast<int>(std::min<std::int64_t>(100 * std::int64_t{steps[at]} / largest, 1000));
}

/// Of the steps next to it.
std::int64_t sum_beside(const std::vector<int>& steps, std::size_t at) {
  std::int64_t sum = -std::int64_t{steps[at]};
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i) sum += steps[i];
  return sum;
}

/// Does some shift explain the step from row `at` to the next one in some pieces of both?
VERGENCE_FOR_AVX2 bool is_worth_fitting(TornPicture picture, int step, std::size_t at) {
  const int row = static_cast<int>(at), pixels = Pieces(picture.width()).pixels;
  const std::uint8_t *const above = picture.row(row), *const below = picture.row(row + 1);
  for (int shift = least_tear; shift <= most_tear; ++shift) {
    const Pieces common(picture.width() - shift);
    const auto most = static_cast<int>(std::int64_t{worth_fitting} * step * common.pixels / (100 * pixels));
    if (common.difference(above + shift, below, most) <= most || common.difference(above, below + shift, most) <= most)
      return true;
  }
  return false;
}

/// Does the shift leave less in enough parts of both rows? Single bright spots, such as stars, fit others by chance.
bool fits_in_parts(const std::uint8_t* above, const std::uint8_t* below, int width, int shift) {
  constexpr int parts = 8, enough = 5, left_percent = 85;
  const int common = width - std::abs(shift), length = common / parts;
  int fitting = 0;
  for (int i = 0; i < parts; ++i) {
    const std::uint8_t *const a = above + i * length, *const b = below + i * length;
    const int as_it_is = difference_of(a, b, length);
    fitting += 100 * std::int64_t{difference_of(a + std::max(shift, 0), b + std::max(-shift, 0), length)} <=
                       left_percent * std::int64_t{as_it_is}
                   ? 1
                   : 0;
  }
  return fitting >= enough;
}

/// The shift at which the row below fits the one above; 0 where none does. `steps` are those around it.
VERGENCE_FOR_AVX2 int fitting_shift(TornPicture picture, const std::vector<int>& steps, std::size_t at) {
  const int width = picture.width(), row = static_cast<int>(at);
  const std::uint8_t *const above = picture.row(row), *const below = picture.row(row + 1);
  // Above `enough`, of a part of the row.
  const auto left_at = [=](int shift, std::int64_t enough) {
    constexpr int part = 512;
    const int common = width - std::abs(shift);
    std::int64_t sum = 0;
    for (int first = 0; first < common && sum * width <= enough * common; first += part)
      sum += difference_of(above + std::max(shift, 0) + first, below + std::max(-shift, 0) + first,
                           std::min(part, common - first));
    return sum * width / common;
  };
  int best = 0;
  std::int64_t least = steps[at], beside = std::int64_t{256} * width;
  for (int shift = -most_tear; shift <= most_tear; ++shift) {
    if (std::abs(shift) < least_tear) continue;
    if (const std::int64_t here = left_at(shift, least); here < least) least = here, best = shift;
  }
  for (int away = sharp_from; away <= sharp_to; ++away)
    for (const int shift : {best - away, best + away}) beside = std::min(beside, left_at(shift, beside));
  const int outstanding = outstanding_percent(steps, at, width);
  const auto tells = [&](const TearLimits& limits) {
    return outstanding >= limits.outstanding && 100 * least <= limits.fitting * std::int64_t{steps[at]} &&
           100 * least <= limits.sharp * beside;
  };
  return (tells(clear_step) || tells(clear_fit)) &&
                 100 * 2 * steps_beside * least <= usual_percent * sum_beside(steps, at) &&
                 fits_in_parts(above, below, width, best)
             ? best
             : 0;
}

/// Of each row and the next one.
VERGENCE_FOR_AVX2 std::vector<int> steps_of_pieces(TornPicture picture) {
  const Pieces pieces(picture.width());
  std::vector<int> steps(static_cast<std::size_t>(picture.height()) - 1);
  for (std::size_t y = 0; y < steps.size(); ++y) {
    const int row = static_cast<int>(y);
    steps[y] = pieces.difference(picture.row(row), picture.row(row + 1), INT_MAX);
  }
  return steps;
}

TearFindings find_tear(TornPicture picture) {
  if (picture.width() < least_torn.width || picture.height() < least_torn.height) return {};
  const auto step_of = [picture](std::size_t at) {
    const int row = static_cast<int>(at);
    return difference_of(picture.row(row), picture.row(row + 1), picture.width());
  };
  const int pixels = Pieces(picture.width()).pixels;
  const std::vector<int> some = steps_of_pieces(picture);
  std::vector<int> steps(some.size());
  for (std::size_t y = steps_beside; y + steps_beside < steps.size(); ++y) {
    if (outstanding_percent(some, y, pixels) < worth_percent ||
        100 * 2 * steps_beside * std::int64_t{some[y]} < worth_of_usual * sum_beside(some, y) ||
        !is_worth_fitting(picture, some[y], y))
      continue;
    for (std::size_t i = y - steps_beside; i <= y + steps_beside; ++i) steps[i] = step_of(i);
    if (const int shift = fitting_shift(picture, steps, y); shift != 0) return {static_cast<int>(y) + 1, -shift};
  }
  return {};
}

}  // namespace

TearFindings inspect_tear(ImageView<const std::uint8_t> picture) { return find_tear(picture); }
TearFindings inspect_tear(ImageView<const std::uint16_t> picture, int max_value) {
  return find_tear(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence
