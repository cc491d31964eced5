// SPDX-License-Identifier: Apache-2.0
// A few things that move farther than the range in which they were looked for: blocks at its ends are looked for
// beyond. And what a local search misses within the range.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "inspect/patches.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using inspect::find_patch;
using inspect::patch_side;
using inspect::PatchPlace;
using EndBytes = ImageView<const std::uint8_t>;

constexpr int most_looked = 24;    // blocks
constexpr int least_at_end = 6;    // of these
constexpr int share_beyond = 4;    // one of so many is found beyond: others are noise, or uncovered
constexpr int percent_of_all = 2;  // that what lies beyond stands for

/// What is looked for, beside the range: as far again, and a patch farther; in large steps where that is far.
struct Search {
  Rect range;  ///< Moves in px.
  Rect wide;
  int step = 1;
};

Search search_of(const MotionOptions& options, Size frame) {
  const auto reach = [](const MotionRange& range, int side) {
    if (range.first == range.last) return 0;
    return std::min(2 * std::max(range.last, -range.first) + patch_side, side / 2);
  };
  const auto span = [](int first, int last) { return last - first + 1; };
  const MotionRange &x = options.range_x, &y = options.range_y;
  const int far_x = reach(x, frame.width), far_y = reach(y, frame.height);
  constexpr int fine = 8, most_step = 4;
  Search search;
  search.range = {x.first, y.first, span(x.first, x.last), span(y.first, y.last)};
  const int left = std::min(x.first, -far_x), top = std::min(y.first, -far_y);
  search.wide = {left, top, span(left, std::max(x.last, far_x)), span(top, std::max(y.last, far_y))};
  search.step = std::clamp(std::max({x.last, -x.first, y.last, -y.first}) / fine, 1, most_step);
  return search;
}

struct EndMove {
  PatchPlace at;
  int dx = 0;
  int dy = 0;
};

/// The best place of the patch, if it is better than what is known: of the steps, then of all around the best of these.
inspect::PatchMatch find_wide(EndBytes a, PatchPlace at, EndBytes b, const Rect& moves, int step,
                              const inspect::PatchMatch& known) {
  if (step == 1) return find_patch(a, at, b, moves, 1, known);
  const inspect::PatchMatch rough = find_patch(a, at, b, moves, step);
  if (rough.cost == inspect::PatchMatch::unknown) return rough;
  const int side = 2 * step - 1;
  return find_patch(a, at, b, {rough.to.x - at.x - step + 1, rough.to.y - at.y - step + 1, side, side});
}

bool holds(const Rect& range, int dx, int dy) {
  return dx >= range.x && dx < range.x + range.width && dy >= range.y && dy < range.y + range.height;
}

/// The patch in the middle of a block.
PatchPlace place_of_block(Size block, int column, int row, Size frame) {
  const auto begin = [](int side, int index, int length) {
    return std::clamp(side * index + (side - patch_side) / 2, 0, length - patch_side);
  };
  return {begin(block.width, column, frame.width), begin(block.height, row, frame.height)};
}

/// The patches of blocks with texture whose vectors lie at an end.
std::vector<PatchPlace> places_at_end(EndBytes current, ImageView<const MotionVector> vectors,
                                      const MotionOptions& options) {
  const InnerMotionRange inner(options);
  std::vector<PatchPlace> places;
  for (int row = 0; row < vectors.height(); ++row)
    for (int column = 0; column < vectors.width(); ++column) {
      if (!inner.is_left_by(vectors(column, row))) continue;
      const PatchPlace at = place_of_block(options.block, column, row, current.size());
      if (inspect::has_texture(current, at)) places.push_back(at);
    }
  return places;
}

/// Where the patch lies beyond the range: there it is better than anywhere in it, by a fifth, and leads back.
bool lies_beyond(EndBytes current, EndBytes reference, const Search& search, EndMove& move) {
  const inspect::PatchMatch near = find_patch(current, move.at, reference, search.range);
  if (near.cost < patch_side * patch_side) return false;  // alike within the range
  const inspect::PatchMatch enough{move.at, (4 * near.cost + 4) / 5};
  const inspect::PatchMatch far = find_wide(current, move.at, reference, search.wide, search.step, enough);
  move.dx = far.to.x - move.at.x;
  move.dy = far.to.y - move.at.y;
  if (far.cost >= enough.cost || holds(search.range, move.dx, move.dy)) return false;
  const Rect& wide = search.wide;
  const Rect opposite{-wide.x - wide.width + 1, -wide.y - wide.height + 1, wide.width, wide.height};
  const PatchPlace back = find_wide(reference, far.to, current, opposite, search.step, {move.at, far.cost}).to;
  return std::max(std::abs(back.x - move.at.x), std::abs(back.y - move.at.y)) <= 1;
}

/// Something else that was found moves alike: what was matched by chance is alone. `part` of the length of its move
/// it may differ by, and by 2 px.
bool moves_alike(const EndMove& one, const std::vector<EndMove>& moves, int part = 1 << 16) {
  const int most = std::max(2, std::max(std::abs(one.dx), std::abs(one.dy)) / part);
  return std::any_of(moves.begin(), moves.end(), [&](const EndMove& other) {
    return &other != &one && std::abs(other.dx - one.dx) <= most && std::abs(other.dy - one.dy) <= most;
  });
}

MotionEndFindings look_at_ends(EndBytes current, EndBytes reference, ImageView<const MotionVector> vectors,
                               const MotionOptions& options) {
  MotionEndFindings found;
  if (current.width() < 4 * patch_side || current.height() < 4 * patch_side) return found;
  const std::vector<PatchPlace> places = places_at_end(current, vectors, options);
  const auto at_end = static_cast<std::int64_t>(places.size());
  const std::int64_t blocks = std::int64_t{vectors.width()} * vectors.height();
  if (at_end < least_at_end || 100 * at_end < percent_of_all * blocks) return found;
  found.looked = static_cast<int>(std::min<std::int64_t>(at_end, most_looked));
  const Search search = search_of(options, current.size());
  std::vector<EndMove> moves;
  for (int i = 0; i < found.looked; ++i) {
    EndMove move{places[static_cast<std::size_t>(at_end * (2 * i + 1) / (2 * found.looked))]};
    if (lies_beyond(current, reference, search, move)) moves.push_back(move);
  }
  for (const EndMove& move : moves) {
    if (!moves_alike(move, moves)) continue;
    ++found.beyond;
    found.reach_x = std::max(found.reach_x, std::abs(move.dx));
    found.reach_y = std::max(found.reach_y, std::abs(move.dy));
  }
  found.cut = share_beyond * found.beyond >= found.looked &&
              100 * at_end * found.beyond >= percent_of_all * blocks * found.looked;
  return found;
}

/// Where the patch matches 1.5 times as well as at its vector and more, elsewhere in the range; it leads back.
bool lies_elsewhere(EndBytes current, EndBytes reference, const Rect& range, const MotionVector& vector,
                    EndMove& move) {
  constexpr int quarters = 4, aside = 2;
  const PatchPlace given{std::clamp(move.at.x + vector.dx / quarters, 0, reference.width() - patch_side),
                         std::clamp(move.at.y + vector.dy / quarters, 0, reference.height() - patch_side)};
  const int own = inspect::patch_difference(current, move.at, reference, given, inspect::PatchMatch::unknown);
  if (own < 3 * patch_side * patch_side) return false;  // of noise
  const int step = std::max(range.width, range.height) > 16 ? 2 : 1;
  const inspect::PatchMatch best = find_wide(current, move.at, reference, range, step, {given, 2 * own / 3});
  if (best.cost >= 2 * own / 3 || std::max(std::abs(best.to.x - given.x), std::abs(best.to.y - given.y)) < aside)
    return false;
  move.dx = best.to.x - move.at.x;
  move.dy = best.to.y - move.at.y;
  const Rect opposite{1 - range.x - range.width, 1 - range.y - range.height, range.width, range.height};
  const PatchPlace back = find_wide(reference, best.to, current, opposite, step, {move.at, best.cost}).to;
  return std::max(std::abs(back.x - move.at.x), std::abs(back.y - move.at.y)) <= 1;
}

MissedMotionFindings look_for_missed(EndBytes current, EndBytes reference, ImageView<const MotionVector> vectors,
                                     const MotionOptions& options) {
  constexpr int places = 32, percent = 15, least = 3;
  MissedMotionFindings found;
  if (current.width() < 4 * patch_side || current.height() < 4 * patch_side) return found;
  const Rect range = search_of(options, current.size()).range;
  const std::int64_t all = std::int64_t{vectors.width()} * vectors.height();
  std::vector<EndMove> moves;
  for (int i = 0; i < places; ++i) {
    const auto index = all * (2 * i + 1) / (2 * places);
    const int column = static_cast<int>(index % vectors.width()), row = static_cast<int>(index / vectors.width());
    EndMove move{place_of_block(options.block, column, row, current.size())};
    if (!inspect::has_texture(current, move.at)) continue;
    ++found.looked;
    if (lies_elsewhere(current, reference, range, vectors(column, row), move)) moves.push_back(move);
  }
  constexpr int half = 2;  // near things move faster
  for (const EndMove& move : moves) found.elsewhere += moves_alike(move, moves, half) ? 1 : 0;
  found.missed = found.elsewhere >= least && 100 * found.elsewhere >= percent * found.looked;
  return found;
}

/// look(bytes of current, of reference), once the sizes fit.
template <class Pixel, class Look>
auto with_bytes(ImageView<const Pixel> current, ImageView<const Pixel> reference, ImageView<const MotionVector> vectors,
                const MotionOptions& options, int max_value, const Look& look) {
  const auto blocks = [](int side, int block) { return (side + block - 1) / block; };
  if (current.size() != reference.size() || current.empty() ||
      vectors.size() !=
          Size{blocks(current.width(), options.block.width), blocks(current.height(), options.block.height)})
    throw Error(ErrorCode::invalid_argument,
                "frames differ in size or are empty, or the vectors are not theirs: give frames of one size and a "
                "vector per block");
  const inspect::Bytes now(current, max_value), then(reference, max_value);
  return look(now.view(), then.view(), vectors, options);
}

}  // namespace

MotionEndFindings inspect_motion_ends(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                                      ImageView<const MotionVector> vectors, const MotionOptions& options) {
  return with_bytes(current, reference, vectors, options, 255, look_at_ends);
}
MotionEndFindings inspect_motion_ends(ImageView<const std::uint16_t> current, ImageView<const std::uint16_t> reference,
                                      ImageView<const MotionVector> vectors, const MotionOptions& options) {
  return with_bytes(current, reference, vectors, options, options.max_value, look_at_ends);
}

MissedMotionFindings inspect_missed_motion(ImageView<const std::uint8_t> current,
                                           ImageView<const std::uint8_t> reference,
                                           ImageView<const MotionVector> vectors, const MotionOptions& options) {
  return with_bytes(current, reference, vectors, options, 255, look_for_missed);
}
MissedMotionFindings inspect_missed_motion(ImageView<const std::uint16_t> current,
                                           ImageView<const std::uint16_t> reference,
                                           ImageView<const MotionVector> vectors, const MotionOptions& options) {
  return with_bytes(current, reference, vectors, options, options.max_value, look_for_missed);
}

}  // namespace vergence
