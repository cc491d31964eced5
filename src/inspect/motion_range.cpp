// SPDX-License-Identifier: Apache-2.0
// Motion that leaves the range in which it was looked for: points of small pictures are looked for far beyond it.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/reduce.hpp"
#include "inspect/patches.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using Bytes = ImageView<const std::uint8_t>;
using inspect::patch_side;
using inspect::PatchMatch;
using inspect::PatchPlace;

constexpr int most_width = 240;  // px of the smallest pictures
constexpr int most_height = 180;
constexpr int farthest = 4;  // a quarter of width and height
constexpr int columns = 14;  // places of patches
constexpr int rows = 10;

/// Displacements in whole small pixels that are nearest to some of the range.
Rect moves_of(const MotionOptions& options, int factor) {
  const auto nearest = [factor](int px) { return px < 0 ? -((factor / 2 - px) / factor) : (px + factor / 2) / factor; };
  const int x = nearest(options.range_x.first), y = nearest(options.range_y.first);
  return {x, y, nearest(options.range_x.last) - x + 1, nearest(options.range_y.last) - y + 1};
}

struct Move {
  PatchPlace at;
  int dx = 0;
  int dy = 0;
};

/// Does the best place of the range lie at its end? Then it is one on the way to a better one. One move alone has no
/// end.
bool is_at_end(PatchPlace at, PatchPlace to, const Rect& range) {
  const auto ends = [](int move, int first, int count) {
    return count > 1 && (move == first || move == first + count - 1);
  };
  return ends(to.x - at.x, range.x, range.width) || ends(to.y - at.y, range.y, range.height);
}

/// Which places of patches are looked at.
enum class Places { some, others };
bool holds(Places places, int column, int row) { return (column % 2 == 1 && row % 2 == 1) == (places == Places::some); }

/// Patches that lie far better beyond the range than in it (better by a fifth, where the best place of the range lies
/// at its end), and lead back.
void find_beyond(Bytes current, Bytes reference, const Rect& in_range, int reach, Places places,
                 std::vector<Move>& moves, int& points) {
  const int far_x = std::min(current.width() / farthest, reach), far_y = std::min(current.height() / farthest, reach);
  const Rect all{-far_x, -far_y, 2 * far_x + 1, 2 * far_y + 1};
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      if (!holds(places, column, row)) continue;
      const PatchPlace at{(current.width() - patch_side) * (2 * column + 1) / (2 * columns),
                          (current.height() - patch_side) * (2 * row + 1) / (2 * rows)};
      if (!inspect::has_texture(current, at)) continue;
      ++points;
      const PatchMatch near = inspect::find_patch(current, at, reference, in_range);
      if (near.cost < patch_side * patch_side) continue;  // alike within the range
      const int enough = is_at_end(at, near.to, in_range) ? (4 * near.cost + 4) / 5 : (near.cost + 1) / 2;
      const PatchMatch far = inspect::find_patch(current, at, reference, all, 1, {at, enough});
      if (far.cost >= enough) continue;
      const PatchPlace back = inspect::find_patch(reference, far.to, current, all, 1, {at, far.cost}).to;
      if (std::max(std::abs(back.x - at.x), std::abs(back.y - at.y)) <= 1)
        moves.push_back({at, far.to.x - at.x, far.to.y - at.y});
    }
}

/// A quarter of the places tells whether the others are worth their time.
std::vector<Move> moves_beyond(Bytes current, Bytes reference, const Rect& in_range, int reach, int& points) {
  constexpr int enough = 8, least_percent = 5;
  std::vector<Move> moves;
  find_beyond(current, reference, in_range, reach, Places::some, moves, points);
  if (points >= enough && 100 * static_cast<int>(moves.size()) < least_percent * points) return {};
  find_beyond(current, reference, in_range, reach, Places::others, moves, points);
  return moves;
}

/// What moves as nothing beside it does was matched by chance.
bool has_company(const Move& one, const std::vector<Move>& moves, Size size) {
  const int near_x = 2 * size.width / columns, near_y = 2 * size.height / rows;
  return std::any_of(moves.begin(), moves.end(), [&](const Move& other) {
    return &other != &one && std::abs(other.at.x - one.at.x) <= near_x && std::abs(other.at.y - one.at.y) <= near_y &&
           std::abs(other.dx - one.dx) <= 2 && std::abs(other.dy - one.dy) <= 2;
  });
}

/// `reach`: how far points are looked for, in small pixels.
MotionRangeFindings look(Bytes current, Bytes reference, const MotionOptions& options, int factor, int reach) {
  MotionRangeFindings found;
  const Size size = current.size();
  if (size.width / factor < 4 * patch_side || size.height / factor < 4 * patch_side) return found;
  const Image<std::uint8_t> small = factor > 1 ? reduced(current, factor) : Image<std::uint8_t>(),
                            before = factor > 1 ? reduced(reference, factor) : Image<std::uint8_t>();
  const Bytes now = factor > 1 ? small.view() : current, then = factor > 1 ? before.view() : reference;
  const std::vector<Move> moves = moves_beyond(now, then, moves_of(options, factor), reach, found.points);
  for (const Move& move : moves) {
    if (!has_company(move, moves, now.size())) continue;
    ++found.beyond;
    found.reach_x = std::max(found.reach_x, std::abs(move.dx) * factor);
    found.reach_y = std::max(found.reach_y, std::abs(move.dy) * factor);
  }
  constexpr int least = 8, percent = 15;
  found.too_small = found.beyond >= least && 100 * found.beyond >= percent * found.points;
  return found;
}

/// First close to the range, in pictures that show its steps; then as far as points are looked for.
MotionRangeFindings look(Bytes current, Bytes reference, const MotionOptions& options) {
  const int smallest = std::max(
      1, std::max((current.width() + most_width - 1) / most_width, (current.height() + most_height - 1) / most_height));
  int range = 0;
  for (const MotionRange& axis : {options.range_x, options.range_y}) range = std::max({range, axis.last, -axis.first});
  constexpr int steps = 4;  // small pixels of the range
  const int factor = std::clamp(range / steps, 1, smallest);
  const MotionRangeFindings near = look(current, reference, options, factor, 4 * range / factor + patch_side);
  if (near.too_small || factor == smallest) return near;
  return look(current, reference, options, smallest, std::max(current.width(), current.height()));
}

template <class Pixel>
MotionRangeFindings look_at(ImageView<const Pixel> current, ImageView<const Pixel> reference,
                            const MotionOptions& options, int max_value) {
  if (current.size() != reference.size() || current.empty())
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  const inspect::Bytes now(current, max_value), then(reference, max_value);
  return look(now.view(), then.view(), options);
}

}  // namespace

MotionRangeFindings inspect_motion_range(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                                         const MotionOptions& options) {
  return look_at(current, reference, options, 255);
}
MotionRangeFindings inspect_motion_range(ImageView<const std::uint16_t> current,
                                         ImageView<const std::uint16_t> reference, const MotionOptions& options) {
  return look_at(current, reference, options, options.max_value);
}

}  // namespace vergence
