// SPDX-License-Identifier: Apache-2.0
// A part of one picture that was moved along its rows, from one column on. The other picture shows by how much: what
// lies at both sides of that column lies further apart there, or closer together.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/samples.hpp"
#include "inspect/sums.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence {
namespace {

using inspect::patch_height;
using inspect::patch_width;

constexpr Size least_seam_picture{128, 96};
constexpr int seam_rows = 96;        // rows that are looked at, at most,
constexpr int first_seam_rows = 32;  // and before these
constexpr int seam_beside = 4;       // columns at each side that a step is compared with,
constexpr int seam_sums = 32;        // and of so many sums are made at once
constexpr int least_seam_step = 3;   // grey levels in the mean
constexpr int margin_share = 6;
constexpr int seam_percent = 125;                         // of the largest step beside it,
constexpr int doubtful_percent = 105;                     // and in the first rows
constexpr std::size_t most_doubtful = 8, most_seams = 4;  // that are looked at in more rows, and then closely
constexpr int most_bands = 40;                            // places along a column
constexpr int enough_bands = 12;                          // that have texture at both sides
constexpr std::size_t some_bands = 16;                    // of these, where hardly any agree, the others tell nothing
constexpr int few_votes = 4;
constexpr int unmoved_percent = 12;  // of these, that lie as far apart in the other picture: of edges of depth
constexpr int agreeing_percent = 45, enough_votes = 8;
constexpr int put_in_percent = 65;    // of what was put in: edges of depth are like that, too
constexpr int least_move = 2;         // px
constexpr int least_spread = 3;       // px of disparity, of the middle 80 % of the places that agree
constexpr int seam_texture = 3 * 16;  // 1/16 grey levels

using SeamPicture = inspect::Picture;

/// Adds steps of a row to sums. On its own, for in a loop over rows GCC 12 makes no SIMD of it.
VERGENCE_FOR_AVX2 void add_steps(const std::uint8_t* row, int count, std::uint16_t* sums) {
  for (int x = 0; x < count; ++x)
    sums[x] = static_cast<std::uint16_t>(sums[x] + inspect::pixels_apart(row[x], row[x - 1]));
}

/// Sums of steps from each column in [from, end) to the one before it, of so many rows.
std::vector<int> steps_to_columns(SeamPicture picture, int from, int end, int rows) {
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(end - from), 0);  // 96 rows of 255 at most
  for (int i = 0; i < rows; ++i) {
    const int y = (2 * i + 1) * picture.height() / (2 * rows);
    add_steps(picture.row(y) + from, end - from, sums.data());
  }
  return {sums.begin(), sums.end()};
}

/// A step in percent of the largest one beside it; 0 of small ones.
int standing_out(const std::vector<int>& steps, int at, int least) {
  const auto step = [&steps](int place) { return steps[static_cast<std::size_t>(place)]; };
  if (step(at) < least) return 0;
  int beside = 1;
  for (int near = 1; near <= seam_beside; ++near) beside = std::max({beside, step(at - near), step(at + near)});
  return 100 * step(at) / beside;
}

struct Seam {
  int column = 0;
  int percent = 0;  ///< Of the largest step beside it.
};
/// The first ones, at which steps stand out most.
void keep_most(std::vector<Seam>& seams, std::size_t most) {
  std::sort(seams.begin(), seams.end(), [](const Seam& a, const Seam& b) {
    return a.percent != b.percent ? a.percent > b.percent : a.column < b.column;
  });
  if (seams.size() > most) seams.resize(most);
}

/// The columns at which steps stand out most: in few rows, and then in all that are looked at.
std::vector<Seam> seams_of(SeamPicture picture) {
  const int margin = picture.width() / margin_share;  // where one picture ends, another one is found
  const int few = std::min(picture.height(), first_seam_rows), rows = std::min(picture.height(), seam_rows);
  const int first = margin - seam_beside, end = picture.width() - margin + seam_beside;
  const std::vector<int> some = steps_to_columns(picture, first, end, few);
  std::vector<Seam> doubtful, seams;
  for (int x = margin; x < picture.width() - margin; ++x)
    if (const int percent = standing_out(some, x - first, least_seam_step * few * 3 / 4); percent >= doubtful_percent)
      doubtful.push_back({x, percent});
  keep_most(doubtful, most_doubtful);
  for (const Seam& seam : doubtful) {
    const int x = seam.column;
    const int from = std::min(x - seam_beside, picture.width() - seam_sums);
    const int percent =
        standing_out(steps_to_columns(picture, from, from + seam_sums, rows), x - from, least_seam_step * rows);
    if (percent >= seam_percent) seams.push_back({x, percent});
  }
  keep_most(seams, most_seams);
  return seams;
}

/// How far to the right of its own place a patch lies in the other picture. A likely offset spares time.
VERGENCE_FOR_AVX2 int offset_of(SeamPicture from, inspect::Point at, SeamPicture to, bool from_left, int likely) {
  const int far = from.width() / 3, near = from.width() / 16;
  const int first = std::max(0, at.x - (from_left ? far : near));
  const int last = std::min(to.width() - patch_width, at.x + (from_left ? near : far));
  const inspect::Patch patch(from, at);
  int best = first, least = std::numeric_limits<int>::max();
  if (const int x = at.x + likely; x >= first && x <= last) least = inspect::difference(from, at, to, {x, at.y}) + 1;
  for (int x = first; x <= last; ++x)
    if (const int cost = patch.difference_up_to(least, to, {x, at.y}); cost < least) least = cost, best = x;
  return best - at.x;
}

/// Is what lies to the right of a patch as like what lies to the right of where that was found? Then no other place is
/// looked for.
bool goes_on(SeamPicture from, inspect::Point at, SeamPicture to, int offset) {
  const inspect::Point there{at.x + offset, at.y}, right{at.x + patch_width, at.y},
      right_there{there.x + patch_width, at.y};
  if (right_there.x + patch_width > to.width()) return false;
  const int own = inspect::difference(from, at, to, there);
  return inspect::difference(from, right, to, right_there) <= std::max(own, patch_width * patch_height);
}

/// Mean difference of so many columns from `column` on and those before them, in 1/16 grey levels.
std::int64_t repeat_difference(SeamPicture picture, int column, int count) {
  if (column < count || column + count > picture.width()) return 0;
  std::int64_t sum = 0;
  for (int y = 0; y < picture.height(); ++y) {
    const std::uint8_t* const row = picture.row(y) + column;
    for (int x = 0; x < count; ++x) sum += std::abs(row[x] - row[x - count]);
  }
  return 16 * sum / (std::int64_t{count} * picture.height());
}

/// Of an edge of depth, the far side is hidden in the other picture beside the edge. Columns that were put in are those
/// before them once more.
bool is_repeated(SeamPicture picture, int column, int gap) {
  constexpr int alike = 6;  // times less than columns elsewhere
  for (int count = std::max(-gap - 1, 1); count <= -gap + 1; ++count) {
    const std::int64_t elsewhere = std::min(repeat_difference(picture, column - patch_width, count),
                                            repeat_difference(picture, column + patch_width, count));
    if (elsewhere < 16 * least_seam_step) continue;
    if (alike * repeat_difference(picture, column, count) < elsewhere) return true;
  }
  return false;
}

/// How many places say so much, within 1 px.
int votes_for(int gap, const std::vector<int>& gaps) {
  return static_cast<int>(
      std::count_if(gaps.begin(), gaps.end(), [gap](int other) { return std::abs(other - gap) <= 1; }));
}
int most_alike(const std::vector<int>& gaps) {
  int most = 0;
  for (const int gap : gaps) most = std::max(most, votes_for(gap, gaps));
  return most;
}

/// What most of the places say, where hardly any says that nothing is moved; else 0.
int one_gap(const std::vector<int>& gaps, const std::vector<int>& offsets) {
  const auto alike = [&gaps](int gap) { return votes_for(gap, gaps); };
  const auto bands = static_cast<int>(gaps.size());
  if (bands < enough_bands || 100 * alike(0) > unmoved_percent * bands) return 0;
  const int found = *std::max_element(gaps.begin(), gaps.end(), [&](int a, int b) { return alike(a) < alike(b); });
  const int votes = alike(found);
  if (found < 0 && 100 * votes < put_in_percent * bands) return 0;
  if (std::abs(found) < least_move || votes < enough_votes || 100 * votes < agreeing_percent * bands) return 0;
  std::vector<int> agreeing;
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (std::abs(gaps[i] - found) <= 1) agreeing.push_back(offsets[i]);
  std::sort(agreeing.begin(), agreeing.end());
  return agreeing[agreeing.size() * 9 / 10] - agreeing[agreeing.size() / 10] >= least_spread ? found : 0;
}

/// What the other picture shows of a seam: by how much its sides lie further apart there; 0 where that is no number.
int gap_at(SeamPicture torn, SeamPicture other, int column, bool from_left) {
  // From all over the picture: with a step that most numbers of bands have no factor of.
  const int room = torn.height() - patch_height, bands = std::min(most_bands, room / patch_height);
  const int spread = bands % 7 == 0 ? 1 : 7;
  std::vector<int> gaps, offsets;
  int unmoved = 0;
  for (int i = 0; i < bands; ++i) {
    if (gaps.size() == some_bands && most_alike(gaps) < few_votes) return 0;
    if (100 * unmoved > unmoved_percent * (static_cast<int>(gaps.size()) + bands - i)) return 0;  // as one_gap will say
    const int y = room * (i * spread % bands) / (bands - 1);
    const inspect::Point left{column - patch_width, y}, right{column, y};
    if (std::min(inspect::texture(torn, left).along_rows, inspect::texture(torn, right).along_rows) < seam_texture)
      continue;
    const int before = offsets.empty() ? 0 : offsets.back(), gap_before = gaps.empty() ? 0 : gaps.back();
    const int offset = offset_of(torn, left, other, from_left, before);
    offsets.push_back(offset);
    gaps.push_back(goes_on(torn, left, other, offset)
                       ? 0
                       : offset_of(torn, right, other, from_left, offset + gap_before) - offset);
    unmoved += std::abs(gaps.back()) <= 1 ? 1 : 0;
  }
  const int found = one_gap(gaps, offsets);
  return found >= 0 || is_repeated(torn, column, found) ? found : 0;
}

MovedColumns find_moved_columns(SeamPicture left, SeamPicture right) {
  if (left.size() != right.size())
    throw Error(ErrorCode::invalid_argument, fmt::format("left is {}x{} and right {}x{}: give pictures of one size",
                                                         left.width(), left.height(), right.width(), right.height()));
  if (left.width() < least_seam_picture.width || left.height() < least_seam_picture.height) return {};
  const std::vector<Seam> of_left = seams_of(left), of_right = seams_of(right);
  const auto has = [](const std::vector<Seam>& seams, int column) {
    return std::any_of(seams.begin(), seams.end(), [column](const Seam& seam) { return seam.column == column; });
  };
  for (const bool in_right : {true, false})
    for (const Seam& seam : in_right ? of_right : of_left) {
      if (has(in_right ? of_left : of_right, seam.column)) continue;  // a sensor's, or an edge far away
      if (const int gap = gap_at(in_right ? right : left, in_right ? left : right, seam.column, !in_right); gap != 0)
        return {seam.column, -gap, in_right};
    }
  return {};
}

}  // namespace

MovedColumns inspect_moved_columns(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right) {
  return find_moved_columns(left, right);
}
MovedColumns inspect_moved_columns(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                   int max_value) {
  const int most = std::min(max_value, inspect::highest(right, inspect::highest(left, 255)));
  return find_moved_columns(inspect::Bytes(left, most).view(), inspect::Bytes(right, most).view());
}

}  // namespace vergence
