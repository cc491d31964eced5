// SPDX-License-Identifier: Apache-2.0
// Frames that were put together of two, along a row: what is below lies beside what is above. Edges of things along a
// whole row leave no other place at which both fit.
#include <algorithm>
#include <cstdlib>
#include <vector>

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
// In percent: beside the largest step next to it; what may be left of it once it is moved; and of the mean of the steps
// next to it. Of 57 photographs none has such a row; torn by 4 px and more, 38 or 39 of 40 have.
constexpr int outstanding_percent = 140;
constexpr int fitting_percent = 65;
constexpr int usual_percent = 140;

int difference_of(const std::uint8_t* a, const std::uint8_t* b, int count) {
  unsigned sum = 0;
  for (int x = 0; x < count; ++x) sum += static_cast<unsigned>(std::abs(a[x] - b[x]));
  return static_cast<int>(std::min(sum, 1u << 30));
}

/// More than any step next to it.
bool stands_out(const std::vector<int>& steps, std::size_t at, int width) {
  if (steps[at] < least_tear_step * width) return false;
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i)
    if (i != at && outstanding_percent * std::int64_t{steps[i]} > 100 * std::int64_t{steps[at]}) return false;
  return true;
}

/// The shift at which the row below fits the one above; 0 where none does.
int fitting_shift(TornPicture picture, const std::vector<int>& steps, std::size_t at) {
  const int width = picture.width(), row = static_cast<int>(at);
  const std::uint8_t *const above = picture.row(row), *const below = picture.row(row + 1);
  std::int64_t usual = 0;
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i) usual += i == at ? 0 : steps[i];
  int best = 0;
  std::int64_t least = steps[at];
  for (int shift = -most_tear; shift <= most_tear; ++shift) {
    if (std::abs(shift) < least_tear) continue;
    const int common = width - std::abs(shift);
    const std::int64_t sum = difference_of(above + std::max(shift, 0), below + std::max(-shift, 0), common);
    const std::int64_t scaled = sum * width / common;
    if (scaled < least) least = scaled, best = shift;
  }
  const bool fits = 100 * least <= fitting_percent * std::int64_t{steps[at]} &&
                    100 * 2 * steps_beside * least <= usual_percent * usual;
  return fits ? best : 0;
}

TearFindings find_tear(TornPicture picture) {
  if (picture.width() < least_torn.width || picture.height() < least_torn.height) return {};
  std::vector<int> steps(static_cast<std::size_t>(picture.height()) - 1);
  for (std::size_t y = 0; y < steps.size(); ++y) {
    const int row = static_cast<int>(y);
    steps[y] = difference_of(picture.row(row), picture.row(row + 1), picture.width());
  }
  for (std::size_t y = steps_beside; y + steps_beside < steps.size(); ++y)
    if (stands_out(steps, y, picture.width()))
      if (const int shift = fitting_shift(picture, steps, y); shift != 0) return {static_cast<int>(y) + 1, -shift};
  return {};
}

}  // namespace

TearFindings inspect_tear(ImageView<const std::uint8_t> picture) { return find_tear(picture); }
TearFindings inspect_tear(ImageView<const std::uint16_t> picture, int max_value) {
  return find_tear(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence
