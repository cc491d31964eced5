// SPDX-License-Identifier: Apache-2.0
// What stays at its place while the scene moves: a pattern of the sensor, stuck pixels, and parts of the frame that
// hung.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/reduce.hpp"
#include "inspect/for_avx2.hpp"
#include "inspect/patches.hpp"
#include "inspect/regions.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using Frame = ImageView<const std::uint8_t>;
using inspect::patch_side;
using inspect::PatchMatch;
using inspect::PatchPlace;

constexpr Size most_small{240, 180};  // px of the smaller frames, in which motion is looked for: they hide patterns
constexpr Size least_frame{96, 80};
constexpr int patch_columns = 8, patch_rows = 6;
constexpr int farthest_move = 12;  // small px
constexpr int least_move = 4;      // px: less leaves the scene's own texture too close
constexpr int fit_percent = 60;    // of the difference at the same place, that is left at the best one
constexpr int still_levels = 3;    // what stands still differs by less
constexpr int staying_share = 20;  // one of so many of the details of a patch stay

/// By what pixels of a square differ from their four neighbours, limited so that edges do not outweigh all else.
class Details {
 public:
  Details(Frame frame, PatchPlace at, int side) : values_(static_cast<std::size_t>(side * side)) {
    constexpr int most = 48;
    std::int16_t* to = values_.data();
    for (int y = at.y; y < at.y + side; ++y) {
      const std::uint8_t *const row = frame.row(y), *const above = frame.row(y - 1), *const below = frame.row(y + 1);
      for (int x = at.x; x < at.x + side; ++x)
        *to++ = static_cast<std::int16_t>(
            std::clamp(4 * row[x] - row[x - 1] - row[x + 1] - above[x] - below[x], -most, most));
    }
  }
  std::int64_t product(const Details& other) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) sum += int{values_[i]} * other.values_[i];
    return sum;
  }

 private:
  std::vector<std::int16_t> values_;
};

/// Frames whose patches are followed.
struct FramePair {
  Frame before, now, small_before, small_now;
  int factor = 1;
};

/// Where the patch of small pictures was before, which differs by `here` at its own place; `at` where that cannot be
/// told.
PatchPlace place_before(const FramePair& pair, PatchPlace at, int here) {
  constexpr int step = 2;
  const auto find = [&](PatchPlace around, int reach, int apart) {
    return inspect::find_patch(pair.small_now, at, pair.small_before,
                               {around.x - at.x - reach, around.y - at.y - reach, 2 * reach + 1, 2 * reach + 1}, apart);
  };
  const PatchMatch best = find(find(at, farthest_move, step).to, step - 1, 1);
  const int dx = best.to.x - at.x, dy = best.to.y - at.y, length = std::max(std::abs(dx), std::abs(dy));
  const bool is_inside = length < farthest_move && 100 * best.cost <= fit_percent * here;
  return is_inside && length > 1 && length * pair.factor >= least_move ? best.to : at;
}

/// Details that both frames have at the same place of a patch that moved, beyond those that the scene has so far apart.
void compare_details(const FramePair& pair, PatchPlace small, PatchPlace small_before, FixedPatternFindings& found) {
  constexpr int most_side = 24;  // px: the middle of a patch is enough
  const int side = std::min(patch_side * pair.factor, most_side), edge = (patch_side * pair.factor - side) / 2;
  const auto is_inside = [&](PatchPlace at) {
    return at.x > 0 && at.y > 0 && at.x + side < pair.now.width() && at.y + side < pair.now.height();
  };
  const PatchPlace at{small.x * pair.factor + edge, small.y * pair.factor + edge};
  const int dx = (small_before.x - small.x) * pair.factor, dy = (small_before.y - small.y) * pair.factor;
  if (!is_inside(at)) return;
  const Details now(pair.now, at, side), before(pair.before, at, side);
  std::int64_t expected = 0;
  int places = 0;
  for (const PatchPlace place : {PatchPlace{at.x + dx, at.y + dy}, PatchPlace{at.x - dx, at.y - dy}})
    if (is_inside(place)) {
      expected += now.product(Details(pair.now, place, side));
      ++places;
    }
  if (places == 0) return;
  const std::int64_t common = now.product(before) - expected / places;
  const auto all = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(now.product(now)) * static_cast<double>(before.product(before))));
  ++found.moving;
  found.staying += staying_share * common > all ? 1 : 0;
  found.common += common;
  found.all += all;
}

/// Without details in common at some places nothing stays, wherever things moved: at places where nothing moves all
/// are.
VERGENCE_FOR_AVX2 bool have_details_in_common(Frame before, Frame now) {
  constexpr int side = 24, share = 32;                          // a sixteenth is told
  constexpr int least_places = patch_columns * patch_rows / 4;  // half of them; more are told
  std::int64_t common = 0;
  double all = 0;
  int staying = 0;
  for (int row = 0; row < patch_rows; ++row)
    for (int column = row % 2; column < patch_columns; column += 2) {
      const PatchPlace at{1 + (now.width() - 2 - side) * (2 * column + 1) / (2 * patch_columns),
                          1 + (now.height() - 2 - side) * (2 * row + 1) / (2 * patch_rows)};
      const Details here(now, at, side), then(before, at, side);
      const std::int64_t both = here.product(then);
      const double own = std::sqrt(static_cast<double>(here.product(here)) * static_cast<double>(then.product(then)));
      common += both;
      all += own;
      staying += staying_share * static_cast<double>(both) > own ? 1 : 0;
    }
  return share * static_cast<double>(common) >= all && staying >= least_places;
}

FixedPatternFindings find_pattern(Frame before, Frame now) {
  FixedPatternFindings found;
  const Size size = now.size();
  if (size.width < least_frame.width || size.height < least_frame.height) return found;
  const int factor = std::max({1, (size.width + most_small.width - 1) / most_small.width,
                               (size.height + most_small.height - 1) / most_small.height});
  const Image<std::uint8_t> small_before = reduced(before, factor), small_now = reduced(now, factor);
  const FramePair pair{before, now, small_before.view(), small_now.view(), factor};
  struct Changed {
    PatchPlace at;
    int by = 0;
  };
  std::vector<Changed> changed;
  int standing = 0;
  for (int row = 0; row < patch_rows; ++row)
    for (int column = 0; column < patch_columns; ++column) {
      const PatchPlace at{1 + (small_now.width() - 2 - patch_side) * (2 * column + 1) / (2 * patch_columns),
                          1 + (small_now.height() - 2 - patch_side) * (2 * row + 1) / (2 * patch_rows)};
      if (!inspect::has_texture(pair.small_now, at)) continue;
      ++found.points;
      const int here = inspect::patch_difference(pair.small_now, at, pair.small_before, at, PatchMatch::unknown);
      if (here < still_levels * patch_side * patch_side) {
        ++standing;
        continue;
      }
      changed.push_back({at, here});
    }
  // Behind what moves before a camera that stands still, the scene stays as well.
  constexpr int times_standing = 2, least_share = 4;
  const auto is_enough = [&](int moving) {
    return moving >= times_standing * standing && least_share * moving >= found.points;
  };
  if (!is_enough(static_cast<int>(changed.size()))) return {.points = found.points};
  constexpr int clean = 12, clean_share = 5;  // so many that moved, of which hardly any stayed, tell of all
  constexpr std::size_t apart = 7;            // places of the whole frame first
  std::size_t done = 0;
  while (done < changed.size() && (found.moving < clean || clean_share * found.staying > found.moving)) {
    const Changed& patch = changed[changed.size() % apart == 0 ? done : done * apart % changed.size()];
    ++done;
    if (const PatchPlace was = place_before(pair, patch.at, patch.by); was.x != patch.at.x || was.y != patch.at.y)
      compare_details(pair, patch.at, was, found);
  }
  for (int* const count : {&found.moving, &found.staying})
    *count = static_cast<int>(static_cast<std::size_t>(*count) * changed.size() / std::max<std::size_t>(done, 1));
  return is_enough(found.moving) ? found : FixedPatternFindings{.points = found.points};
}

constexpr int cell = 16;  // px
constexpr int rows_apart = 8;

/// Of a cell, in every eighth row: 1 where it has texture and is equal in both frames, -1 where it changed, else 0.
int state_of(Frame before, Frame now, int left, int top) {
  constexpr int least_texture = 12, least_change = 3;  // grey levels, in the mean of changes
  int lowest = 255, highest = 0, change = 0, pixels = 0;
  for (int y = top + rows_apart / 2; y < top + cell; y += rows_apart) {
    const std::uint8_t *const a = before.row(y) + left, *const b = now.row(y) + left;
    for (int x = 0; x < cell; ++x) {
      lowest = std::min<int>(lowest, b[x]);
      highest = std::max<int>(highest, b[x]);
      change += std::abs(a[x] - b[x]);
    }
    pixels += cell;
  }
  if (change >= least_change * pixels) return -1;
  return change == 0 && highest - lowest >= least_texture ? 1 : 0;
}

/// Of the same rows.
bool is_equal(Frame before, Frame now, int left, int top) {
  for (int y = top + rows_apart / 2; y < top + cell; y += rows_apart)
    if (std::memcmp(before.row(y) + left, now.row(y) + left, cell) != 0) return false;
  return true;
}

/// Steps between two neighbouring lines of a stretch.
class LineSteps {
 public:
  LineSteps(Frame frame, const Rect& part, bool rows) : frame_(frame), part_(part), rows_(rows) {}
  /// From the line before `line` to it.
  int at(int line) const {
    int sum = 0;
    if (rows_)
      for (int x = part_.x; x < part_.x + part_.width; ++x) sum += std::abs(frame_(x, line) - frame_(x, line - 1));
    else
      for (int y = part_.y; y < part_.y + part_.height; ++y) sum += std::abs(frame_(line, y) - frame_(line - 1, y));
    return sum;
  }
  int lines() const { return rows_ ? frame_.height() : frame_.width(); }

 private:
  Frame frame_;
  Rect part_;
  bool rows_;
};

/// Is there a seam within a cell of this line? The content of both sides was cut there.
bool has_seam(const LineSteps& steps, int line) {
  constexpr int beside = 6, seam_percent = 150;
  for (int at = line - cell; at <= line + cell; ++at) {
    if (at - beside < 1 || at + beside >= steps.lines()) continue;
    const int here = steps.at(at);
    int most = 0;
    for (int i = 1; i <= beside; ++i) most = std::max({most, steps.at(at - i), steps.at(at + i)});
    if (here > 0 && 100 * here >= seam_percent * most) return true;
  }
  return false;
}

/// Of one of each four cells: those with texture that are equal. Where things move, few.
int cells_that_stand(Frame before, Frame now) {
  int count = 0;
  for (int top = cell; top + cell <= now.height(); top += 2 * cell)
    for (int left = cell; left + cell <= now.width(); left += 2 * cell) {
      const int y = top + rows_apart / 2;
      if (std::memcmp(before.row(y) + left, now.row(y) + left, cell) == 0)
        count += std::max(state_of(before, now, left, top), 0);
    }
  return count;
}

/// The part that hung: equal, with texture, and with a seam at an edge within the frame, while all else changed.
Rect find_frozen(Frame before, Frame now) {
  const int columns = now.width() / cell, rows = now.height() / cell;
  if (columns < 4 || rows < 4) return {};
  constexpr int least_percent = 4;
  if (8 * 100 * cells_that_stand(before, now) < least_percent * columns * rows) return {};
  std::vector<int> states;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) states.push_back(state_of(before, now, column * cell, row * cell));
  constexpr int least_cells = 6, least_side = 3, most_changed = 20, most_equal_beside = 20, least_beside = 12;
  constexpr int most_unequal = 5;  // of codecs that leave out blocks of a still background, most change a little
  if (std::count(states.begin(), states.end(), 1) < least_cells) return {};
  const Rect part = inspect::best_block(states, columns).cells;
  int equal = 0, changed = 0, unequal = 0, equal_beside = 0, changed_beside = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const bool is_in =
          column >= part.x && column < part.x + part.width && row >= part.y && row < part.y + part.height;
      const int state = states[static_cast<std::size_t>(row * columns + column)];
      (is_in ? equal : equal_beside) += state > 0 ? 1 : 0;
      (is_in ? changed : changed_beside) += state < 0 ? 1 : 0;
      unequal += is_in && state == 0 && !is_equal(before, now, column * cell, row * cell) ? 1 : 0;
    }
  const bool is_part = std::min(part.width, part.height) >= least_side && equal >= least_cells &&
                       100 * equal >= least_percent * columns * rows && most_changed * changed <= equal &&
                       most_unequal * unequal <= equal && changed_beside >= least_beside &&
                       most_equal_beside * equal_beside <= changed_beside;
  if (!is_part) return {};
  const Rect found{part.x * cell, part.y * cell, part.width * cell, part.height * cell};
  const LineSteps across(now, found, true), along(now, found, false);
  const int right = found.x + found.width, bottom = found.y + found.height;
  const bool is_cut =
      (part.y > 0 && has_seam(across, found.y)) || (part.y + part.height < rows && has_seam(across, bottom)) ||
      (part.x > 0 && has_seam(along, found.x)) || (part.x + part.width < columns && has_seam(along, right));
  return is_cut ? found : Rect{};
}

void check_frames(Size a, Size b) {
  if (a != b || a.width < 1 || a.height < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
}

}  // namespace

bool may_have_fixed_pattern(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  check_frames(before.size(), now.size());
  return now.width() >= least_frame.width && now.height() >= least_frame.height && have_details_in_common(before, now);
}

FixedPatternFindings inspect_fixed_pattern(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  check_frames(before.size(), now.size());
  return find_pattern(before, now);
}
FixedPatternFindings inspect_fixed_pattern(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now,
                                           int max_value) {
  check_frames(before.size(), now.size());
  const inspect::Bytes then(before, max_value), bytes(now, max_value);
  return find_pattern(then.view(), bytes.view());
}

Rect inspect_frozen_part(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  check_frames(before.size(), now.size());
  return find_frozen(before, now);
}
Rect inspect_frozen_part(ImageView<const std::uint16_t> before, ImageView<const std::uint16_t> now, int max_value) {
  check_frames(before.size(), now.size());
  const inspect::Bytes then(before, max_value), bytes(now, max_value);
  return find_frozen(then.view(), bytes.view());
}

}  // namespace vergence
