// SPDX-License-Identifier: Apache-2.0
// Seeded motion cases.
#include "verify/motion_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.hpp"

namespace vergence {
namespace {

MotionRange random_range(Random& random, int side) {
  const int farthest = side > 64 ? 40 : 12;
  const int most = std::min(random.once_in(4) ? farthest : 6, side);
  return {-random.within(0, most), random.within(0, most)};
}

int random_block_side(Random& random, int side) {
  const int largest = std::min(side / 4, random.once_in(6) ? 16 : 5);
  return 4 * random.within(1, std::max(1, largest));
}

/// Frames by kinds that matter: see make_frames.
enum class Kind { moved, few_values, flat, extremes, repeated, unrelated };

int random_pixel(Random& random, Kind kind, int largest, int x, int y) {
  switch (kind) {
    case Kind::few_values:
      return random.once_in(2) ? 0 : std::min(1, largest);
    case Kind::flat:
      return largest / 2;
    case Kind::extremes:
      return random.once_in(2) ? 0 : largest;
    case Kind::repeated:
      return ((x + y) % 4) * (largest / 4);
    case Kind::moved:
    case Kind::unrelated:
      break;
  }
  return random.within(0, largest);
}

}  // namespace

MotionCase make_motion_case(std::uint64_t seed, Size largest) {
  Random random(seed * 3 + 1);
  MotionCase result;
  result.seed = seed;
  result.size = {random.within(4, largest.width), random.within(4, largest.height)};
  MotionOptions& o = result.options;
  o.search = static_cast<MotionSearch>(random.within(0, 5));
  o.step_grid = static_cast<MotionStepGrid>(random.within(0, 3));
  o.levels = random.within(o.search == MotionSearch::hierarchical ? 1 : 0, 5);
  o.cost = static_cast<MotionCost>(random.within(0, 2));
  o.block = {random_block_side(random, result.size.width), random_block_side(random, result.size.height)};
  do {
    o.range_x = random_range(random, result.size.width);
    o.range_y = random_range(random, result.size.height);
  } while (o.range_x == MotionRange{0, 0} && o.range_y == MotionRange{0, 0});
  o.border = static_cast<MotionBorder>(random.within(0, 1));
  o.lambda = random.once_in(2) ? 0 : random.once_in(8) ? 0x7FFFFFFF : random.within(1, 8 << 16);
  o.subpel = static_cast<MotionSubpel>(random.within(0, 2));
  o.overlap = random.once_in(2);
  if (random.once_in(6) && result.size.width >= 8 && result.size.height >= 8) {
    o.search = MotionSearch::full;
    result.all_sizes = true;
    o.block = {8, 8};
  }
  o.depth = random.once_in(3) ? Depth::u16 : Depth::u8;
  if (o.depth == Depth::u16) o.max_value = random.once_in(2) ? 65535 : random.within(1, 4095);
  return result;
}

MotionPlan plan_of(const MotionCase& motion_case) {
  if (motion_case.all_sizes) return make_motion_sizes_plan(motion_case.size, sizes_options(motion_case.options));
  return make_motion_plan(motion_case.size, motion_case.options);
}

template <class P>
MotionFrames<P> make_motion_frames(const MotionCase& motion_case) {
  Random random(motion_case.seed * 3 + 2);
  const Size size = motion_case.size;
  const int largest = motion_case.options.depth == Depth::u8 ? 255 : motion_case.options.max_value;
  const auto kind = static_cast<Kind>(random.within(0, 5));
  MotionFrames<P> frames{Image<P>(size), Image<P>(size)};
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      frames.reference(x, y) = static_cast<P>(random_pixel(random, kind, largest, x, y));
  // Two halves that move apart; pixels that come from outside, and a few others, are new.
  const int noise = random.once_in(2) ? 0 : random.within(2, 20);
  const int cut = random.within(0, size.width);
  const Size moves[2] = {{random.within(-7, 7), random.within(-7, 7)}, {random.within(-7, 7), random.within(-7, 7)}};
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const Size move = moves[x < cut ? 0 : 1];
      const int from_x = x + move.width;
      const int from_y = y + move.height;
      const bool is_new = kind == Kind::unrelated || (noise > 0 && random.once_in(noise)) || from_x < 0 ||
                          from_x >= size.width || from_y < 0 || from_y >= size.height;
      frames.current(x, y) =
          is_new ? static_cast<P>(random_pixel(random, kind, largest, x, y)) : frames.reference(from_x, from_y);
    }
  return frames;
}

template MotionFrames<std::uint8_t> make_motion_frames(const MotionCase&);
template MotionFrames<std::uint16_t> make_motion_frames(const MotionCase&);

Image<MotionVector> make_previous_field(const MotionCase& motion_case, Size blocks) {
  Random random(motion_case.seed * 3 + 3);
  Image<MotionVector> field(blocks);
  for (int y = 0; y < blocks.height; ++y)
    for (int x = 0; x < blocks.width; ++x) {
      const int most = random.once_in(10) ? 2048 : 30;
      field(x, y) = {static_cast<std::int16_t>(random.within(-most, most)),
                     static_cast<std::int16_t>(random.within(-most, most))};
    }
  return field;
}

std::string describe(const MotionCase& motion_case) {
  const MotionOptions& o = motion_case.options;
  return fmt::format(
      "seed {}, {}x{}, search {}, step-grid {}, levels {}, cost {}, block {}x{}, range {}:{} x {}:{}, border {}, "
      "lambda {}, subpel {}, "
      "overlap {}, all-sizes {}, depth {}, max-value {}",
      motion_case.seed, motion_case.size.width, motion_case.size.height, static_cast<int>(o.search),
      static_cast<int>(o.step_grid), o.levels, static_cast<int>(o.cost), o.block.width, o.block.height, o.range_x.first,
      o.range_x.last, o.range_y.first, o.range_y.last, static_cast<int>(o.border), o.lambda, static_cast<int>(o.subpel),
      o.overlap, motion_case.all_sizes, static_cast<int>(o.depth), o.max_value);
}

}  // namespace vergence
