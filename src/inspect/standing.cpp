// SPDX-License-Identifier: Apache-2.0
// What stands still before a scene that moves, by the mean of frames: there it stays, while the scene averages away.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/reduce.hpp"
#include "inspect/for_avx2.hpp"
#include "inspect/patches.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using inspect::patch_side;
using inspect::PatchMatch;
using inspect::PatchPlace;

constexpr Size most_small{320, 240};  // px of the smaller frames, in which blocks are compared
constexpr Size least_small{96, 80};
bool is_large_enough(Size size) { return size.width >= least_small.width && size.height >= least_small.height; }
constexpr int standing_columns = 10, standing_rows = 8;
constexpr int farthest_block = 16;  // small px
constexpr int least_way = 2;        // small px: what moves, and what two places differ by
constexpr int equal_levels = 3;     // what stands still differs by less
constexpr int stuck_levels = 8;     // what holds before a scene that moves differs by more: noise does by less
constexpr int moved_percent = 60;   // of the difference at the same place, that is left at the best one
constexpr int freed_percent = 75;   // of the best difference, that is left without the mean
constexpr int misled_percent = 70;  // of what is left without the mean at the place that was found with it
constexpr int no_limit = 1 << 30;
constexpr int block_pixels = patch_side * patch_side;

int reduction(Size size) {
  return std::max({1, (size.width + most_small.width - 1) / most_small.width,
                   (size.height + most_small.height - 1) / most_small.height});
}

/// reduce_row, for factors of usual sizes (480, 720, 1080, 1440 and 2160 rows) compiled as the caller is.
[[gnu::always_inline]] inline void reduce_usual(const std::uint16_t* columns, int factor, int width, std::uint8_t* to) {
  switch (factor) {
    case 2:
      return reduce_row<2>(columns, factor, width, to);
    case 4:
      return reduce_row<4>(columns, factor, width, to);
    case 6:
      return reduce_row<6>(columns, factor, width, to);
    case 8:
      return reduce_row<8>(columns, factor, width, to);
    case 12:
      return reduce_row<12>(columns, factor, width, to);
    default:
      return reduce_row_for<std::uint8_t, std::uint16_t>(factor)(columns, factor, width, to);
  }
}

/// The mean of blocks of so many px a side; of two rows of each, where they are many.
VERGENCE_FOR_AVX2 Image<std::uint8_t> small_of(ImageView<const std::uint8_t> frame, int factor) {
  if (factor == 1 || factor == 3) return reduced(frame, factor);
  Image<std::uint8_t> small(frame.width() / factor, frame.height() / factor);
  const int width = small.width() * factor, half = factor / 2;
  std::vector<std::uint16_t> columns(static_cast<std::size_t>(width));
  for (int y = 0; y < small.height(); ++y) {
    const std::uint8_t *const upper = frame.row(y * factor + factor / 4), *const lower = upper + half * frame.stride();
    std::uint16_t* const to = columns.data();
    for (int x = 0; x < width; ++x) to[x] = static_cast<std::uint16_t>(half * upper[x] + (factor - half) * lower[x]);
    reduce_usual(to, factor, small.width(), small.row(y));
  }
  return small;
}

/// A block of a frame less the mean of all, times their number.
class FreeBlock {
 public:
  FreeBlock(ImageView<const std::int16_t> frame, PatchPlace at) {
    for (int y = 0; y < patch_side; ++y)
      std::memcpy(values_.data() + y * patch_side, frame.row(at.y + y) + at.x, sizeof(std::int16_t) * patch_side);
  }
  /// The sum of differences, or `most` and more where it is not below.
  int difference(ImageView<const std::int16_t> other, PatchPlace at, int most) const {
    constexpr int rows = 4;  // between looks at the sum
    int sum = 0;
    for (int y = 0; y < patch_side && sum < most; y += rows)
      for (int i = 0; i < rows; ++i) {
        const std::int16_t *const a = values_.data() + (y + i) * patch_side, *const b = other.row(at.y + y + i) + at.x;
        for (int x = 0; x < patch_side; ++x) sum += std::abs(a[x] - b[x]);
      }
    return sum;
  }

 private:
  std::array<std::int16_t, block_pixels> values_;
};

/// Of places around `at` whose blocks lie in frames of this size: the one of the least difference(place, most) below
/// that of `best`.
template <class Difference>
PatchMatch least_at(Size size, PatchPlace at, int reach, int apart, PatchMatch best, const Difference& difference) {
  for (int y = at.y - reach; y <= at.y + reach; y += apart)
    for (int x = at.x - reach; x <= at.x + reach; x += apart) {
      if (x < 0 || y < 0 || x + patch_side > size.width || y + patch_side > size.height) continue;
      if (const int sum = difference(PatchPlace{x, y}, best.cost); sum < best.cost) best = {{x, y}, sum};
    }
  return best;
}

/// The same of every second place in reach, and then beside the best of these.
template <class Difference>
PatchMatch least_around(Size size, PatchPlace at, PatchMatch best, const Difference& difference) {
  const PatchMatch coarse = least_at(size, at, farthest_block, 2, best, difference);
  return coarse.cost == best.cost ? best : least_at(size, coarse.to, 1, 1, coarse, difference);
}

int distance(PatchPlace a, PatchPlace b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }

/// The last two frames, as they are, and less the mean of all, times their number.
struct FreedFrames {
  explicit FreedFrames(const std::vector<Image<std::uint8_t>>& all)
      : before(all[all.size() - 2].view()), now(all.back().view()), frames(static_cast<int>(all.size())) {
    Image<std::int16_t> sums = times(now, 0);
    for (const Image<std::uint8_t>& frame : all)
      for (int y = 0; y < sums.height(); ++y) {
        std::int16_t* const to = sums.row(y);
        const std::uint8_t* const from = frame.row(y);
        for (int x = 0; x < sums.width(); ++x) to[x] = static_cast<std::int16_t>(to[x] + from[x]);
      }
    for (auto [from, to] : {std::pair{before, &free_before}, {now, &free_now}}) {
      *to = times(from, frames);
      for (int y = 0; y < sums.height(); ++y)
        for (int x = 0; x < sums.width(); ++x) (*to)(x, y) = static_cast<std::int16_t>((*to)(x, y) - sums(x, y));
    }
  }
  ImageView<const std::uint8_t> before, now;
  Image<std::int16_t> free_before, free_now;
  int frames;

 private:
  static Image<std::int16_t> times(ImageView<const std::uint8_t> frame, int factor) {
    Image<std::int16_t> product(frame.size());
    for (int y = 0; y < frame.height(); ++y)
      for (int x = 0; x < frame.width(); ++x) product(x, y) = static_cast<std::int16_t>(factor * frame(x, y));
    return product;
  }
};

PatchPlace block_at(Size size, int column, int row) {
  return {1 + (size.width - 2 - patch_side) * (2 * column + 1) / (2 * standing_columns),
          1 + (size.height - 2 - patch_side) * (2 * row + 1) / (2 * standing_rows)};
}

/// Sums of steps between neighbours of a block, along and across.
struct Texture {
  int along = 0, across = 0;
  int both() const { return along + across; }
};
template <class Pixel>
Texture texture_of(ImageView<const Pixel> frame, PatchPlace at) {
  Texture texture;
  for (int y = at.y; y < at.y + patch_side - 1; ++y) {
    const Pixel *const row = frame.row(y) + at.x, *const below = frame.row(y + 1) + at.x;
    for (int x = 0; x < patch_side - 1; ++x) texture.along += std::abs(row[x] - row[x + 1]);
    for (int x = 0; x < patch_side - 1; ++x) texture.across += std::abs(row[x] - below[x]);
  }
  return texture;
}
/// Of a block that was freed.
bool has_enough(const Texture& texture, int frames) {
  constexpr int least = 2;  // grey levels, in the mean
  return std::min(texture.along, texture.across) >= least * frames * (patch_side - 1) * (patch_side - 1);
}

/// How so many blocks with texture move in the median, less the mean.
VERGENCE_FOR_AVX2 PatchPlace usual_way(const FreedFrames& pair, std::size_t enough) {
  const ImageView<const std::int16_t> before = pair.free_before.view(), now = pair.free_now.view();
  std::vector<int> xs, ys;
  constexpr int all = standing_columns * standing_rows, apart = 37;  // places of the whole frame first
  for (int i = 0; i < all && xs.size() < enough; ++i) {
    const PatchPlace at = block_at(now.size(), i * apart % all % standing_columns, i * apart % all / standing_columns);
    if (!has_enough(texture_of(now, at), pair.frames)) continue;
    const FreeBlock block(now, at);
    const auto difference = [&](PatchPlace to, int most) { return block.difference(before, to, most); };
    const PatchPlace to = least_around(now.size(), at, {at, difference(at, no_limit)}, difference).to;
    xs.push_back(to.x - at.x);
    ys.push_back(to.y - at.y);
  }
  if (xs.empty()) return {};
  const auto middle = [](std::vector<int>& moves) {
    const auto at = moves.begin() + std::ssize(moves) / 2;
    std::nth_element(moves.begin(), at, moves.end());
    return *at;
  };
  return {middle(xs), middle(ys)};
}

/// So far from the usual way things move as most do.
int as_usual(PatchPlace usual) { return std::max(least_way, distance(usual, {}) / 2); }

/// What a block did, in small px.
struct Followed {
  PatchPlace by;
  bool has_moved = false, is_held = false, is_misled = false;
  bool is_stuck = false;  ///< It changed, and no place fits better than its own.
  int lift = 0;           ///< By how much it became brighter, summed over its pixels.
};

int brightness(ImageView<const std::uint8_t> frame, PatchPlace at) {
  int sum = 0;
  for (int y = at.y; y < at.y + patch_side; ++y)
    for (int x = at.x; x < at.x + patch_side; ++x) sum += frame(x, y);
  return sum;
}

/// The block that differs by `here` from the same place of the frame before, with texture.
Followed follow(const FreedFrames& pair, PatchPlace usual, PatchPlace at, int here, const Texture& free_texture) {
  const Size size = pair.now.size();
  const inspect::PatchPixels raw(pair.now, at);
  const auto raw_difference = [&](PatchPlace to, int most) { return raw.difference(pair.before, to, most); };
  const PatchPlace around{at.x + usual.x, at.y + usual.y};
  const PatchMatch first = least_at(size, around, as_usual(usual), 1, {at, here}, raw_difference);
  const PatchMatch best = least_around(size, at, first, raw_difference);
  const FreeBlock free(pair.free_now.view(), at);
  const auto difference = [&](PatchPlace to, int most) { return free.difference(pair.free_before.view(), to, most); };
  const PatchMatch freed = least_at(size, around, as_usual(usual), 1, {at, best.cost * pair.frames}, difference);
  // Where the scene stays in the mean, too, all contrast is less.
  const auto is_below = [](std::int64_t part, std::int64_t whole, int percent) { return 100 * part < percent * whole; };
  const std::int64_t raw_cost = std::int64_t{best.cost} * pair.frames;
  const bool is_held = is_below(freed.cost, raw_cost, freed_percent) &&
                       is_below(std::int64_t{freed.cost} * texture_of(pair.now, at).both() * pair.frames,
                                raw_cost * free_texture.both(), freed_percent);
  const PatchPlace to = is_held ? freed.to : best.to;
  const std::int64_t left = is_held ? freed.cost : raw_cost;
  const bool is_stuck =
      distance(best.to, at) == 0 && here >= stuck_levels * block_pixels && inspect::has_texture(pair.now, at);
  if (distance(to, at) < least_way || !is_below(left, std::int64_t{here} * pair.frames, moved_percent))
    return {.by = {}, .is_stuck = is_stuck};
  const bool is_misled =
      is_held && distance(to, best.to) >= least_way && is_below(left, difference(best.to, no_limit), misled_percent);
  return {.by = {to.x - at.x, to.y - at.y},
          .has_moved = true,
          .is_held = is_held,
          .is_misled = is_misled,
          .is_stuck = is_stuck,
          .lift = brightness(pair.now, at) - brightness(pair.before, to)};
}

/// As a whole: then the mean is of other light, too.
bool light_changes(const std::vector<Followed>& moved) {
  constexpr int least = 3 * block_pixels / 4, few = 8;
  const auto share = [&](int sign) {
    return 4 * std::ranges::count_if(moved, [=](const Followed& block) { return sign * block.lift >= least; }) >=
           3 * std::ssize(moved);
  };
  return std::ssize(moved) >= few && (share(1) || share(-1));
}

VERGENCE_FOR_AVX2 StandingFindings find_standing(const FreedFrames& pair) {
  StandingFindings found;
  struct Changed {
    PatchPlace at;
    int by = 0;
  };
  std::vector<Changed> changed;
  for (int row = 0; row < standing_rows; ++row)
    for (int column = 0; column < standing_columns; ++column) {
      const PatchPlace at = block_at(pair.now.size(), column, row);
      const int here = inspect::patch_difference(pair.now, at, pair.before, at, PatchMatch::unknown);
      if (here >= equal_levels * block_pixels)
        changed.push_back({at, here});
      else if (inspect::has_texture(pair.now, at))
        ++found.standing;
    }
  if (found.standing > static_cast<int>(changed.size()) / 2) return found;
  const PatchPlace usual = usual_way(pair, 17);
  std::vector<Followed> moved;
  int stuck = 0;
  for (const Changed& block : changed) {
    const Texture texture = texture_of(ImageView<const std::int16_t>(pair.free_now.view()), block.at);
    if (!has_enough(texture, pair.frames)) continue;
    ++found.points;
    const Followed one = follow(pair, usual, block.at, block.by, texture);
    stuck += one.is_stuck ? 1 : 0;
    if (one.has_moved) moved.push_back(one);
  }
  found.moving = static_cast<int>(moved.size());
  if (moved.empty() || light_changes(moved)) return found;
  constexpr int far = 4;  // small px: no neighbouring place
  if (distance(usual, {}) >= far) found.stuck = stuck;
  for (const Followed& block : moved) {
    if (distance(block.by, usual) > as_usual(usual)) continue;
    ++found.alike;
    found.held += block.is_held ? 1 : 0;
    found.misled += block.is_misled ? 1 : 0;
  }
  return found;
}

}  // namespace

void FrameMean::add(ImageView<const std::uint8_t> frame) {
  if (frame.empty()) throw Error(ErrorCode::invalid_argument, "the frame is empty: give one with pixels");
  if (seen_ > 0 && frame.size() != size_)
    throw Error(ErrorCode::invalid_argument, "frames differ in size: give frames of one size");
  size_ = frame.size();
  if (is_full() || seen_++ % apart_ != 0) return;
  kept_.push_back(small_of(frame, reduction(size_)));
  // Frames that are too close to each other stay in their mean.
  constexpr int few = 4, far = 4, farthest_apart = 4;
  if (std::ssize(kept_) != few || apart_ == farthest_apart || !is_large_enough(kept_.front().size())) return;
  if (distance(usual_way(FreedFrames(kept_), 7), {}) >= far) return;
  kept_.erase(kept_.begin() + 3);
  kept_.erase(kept_.begin() + 1);
  apart_ *= 2;
}

StandingFindings FrameMean::standing() const {
  constexpr int least_frames = 4;
  if (std::ssize(kept_) < least_frames || !is_large_enough(kept_.front().size())) return {};
  return find_standing(FreedFrames(kept_));
}

}  // namespace vergence
