// SPDX-License-Identifier: Apache-2.0
// Groups, local memory and counted traffic of the variants.
#include "sad-streaming/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "vergence/error.hpp"

namespace vergence::studies::sad_streaming {
namespace {

int power_of_2(int least) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(least))); }

/// Columns of a group, as columns_of_group in ring.h.
struct Columns {
  int left, right;
};
Columns columns_of(const Problem& p, int x0, int group_w) {
  const int first = std::max(x0 - p.radius, 0);
  return {std::min(x0 + group_w + p.radius + p.disparities - 1, p.padded.width) - first,
          std::min(x0 + group_w + p.radius, p.padded.width) - first};
}

std::int64_t computed_pixels(const Problem& p) {
  return std::int64_t{std::max(p.picture.width - 2 * p.radius, 0)} * std::max(p.picture.height - 2 * p.radius, 0);
}

/// Rows of the padded picture within top .. top + count - 1.
int rows_inside(const Problem& p, int top, int count) {
  return std::max(std::min(top + count, p.padded.height) - std::max(top, 0), 0);
}

}  // namespace

const char* tile_name(Tile tile) {
  return tile == Tile::rows ? "rows" : tile == Tile::columns ? "columns" : "columns-padded";
}

const char* flags_name(Flags flags) {
  constexpr std::array names{"-", "printed", "loaded", "chained", "reversed"};
  return names[static_cast<std::size_t>(flags)];
}

Problem make_problem(const Settings& settings, Size picture) {
  Problem p;
  p.picture = picture;
  p.radius = settings.odd("window", 1, 31) / 2;
  p.disparities = settings.integer("disparities", 1, 1024);
  p.per_item = settings.integer("per-item", 1, 16);
  p.lanes = settings.integer("lanes", 1, 4096);
  p.spins = settings.integer("spins", 1, 100000000);
  const int needed = picture.width + p.disparities - 1;
  if (settings.text("padding") == "auto")
    p.padded = {power_of_2(needed), power_of_2(picture.height)};
  else
    p.padded = settings.size("padding", 1, 65536);
  if (p.padded.width < needed || p.padded.height < picture.height)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("padding is {}x{}: pictures of {}x{} with {} disparities need at least {}x{}", p.padded.width,
                    p.padded.height, picture.width, picture.height, p.disparities, needed, picture.height));
  return p;
}

Shape make_shape(const Problem& p, const Variant& variant) {
  const bool vertical = variant.kernel == "vertical";
  Shape shape;
  shape.group_h = std::max(variant.rows, variant.group / p.padded.width);
  shape.group_w = variant.group / shape.group_h;
  shape.per_item = vertical ? p.per_item : 1;
  const int down = shape.group_h * shape.per_item;
  if (shape.group_w * shape.group_h != variant.group || p.padded.width % shape.group_w != 0 ||
      p.padded.height % down != 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("groups of {} work-items in {} rows with {} pixels each do not divide the padded picture "
                            "of {}x{}: choose powers of 2 that do",
                            variant.group, shape.group_h, shape.per_item, p.padded.width, p.padded.height));
  shape.groups = {static_cast<std::size_t>(p.padded.width / shape.group_w),
                  static_cast<std::size_t>(p.padded.height / down), 1};
  shape.element = variant.bytes ? 1 : 4;
  if (variant.kernel == "global") return shape;
  const int window = 2 * p.radius + 1, held = vertical ? down + 2 * p.radius : window;
  const auto width = static_cast<std::size_t>(p.padded.width);
  if (variant.tile == Tile::rows) {
    shape.tile_pitch = width;
    shape.tile_size = static_cast<std::size_t>(held) * width;
  } else {
    // An odd pitch meets all banks in turn; a power of 2 meets few.
    const int pitch = variant.tile == Tile::columns ? power_of_2(held) : held | 1;
    shape.tile_pitch = static_cast<std::size_t>(pitch);
    shape.tile_size = width * shape.tile_pitch;
  }
  shape.local_bytes = 2 * shape.tile_size * shape.element;
  return shape;
}

gpu::Defines make_defines(const Problem& p, const Variant& variant, const Shape& shape, bool counted) {
  gpu::Defines defines;
  defines.set("PIXEL", variant.bytes ? "uchar" : "int")
      .set("RADIUS", p.radius)
      .set("DISPARITIES", p.disparities)
      .set("UNROLLED", variant.unrolled ? 1 : 0)
      .set("COUNTED", counted ? 1 : 0)
      .set("PITCH", p.padded.width)
      .set("ROWS", p.padded.height)
      .set("GROUP_W", shape.group_w)
      .set("GROUP_H", shape.group_h);
  // No more registers than one group has: without that NVIDIA's OpenCL compiles the largest groups for more, and
  // launching them fails.
  if (variant.group > 256) defines.registers(65536 / variant.group);
  if (shape.local_bytes > 0)
    defines.set("TILE_COLUMNS", variant.tile == Tile::rows ? 0 : 1)
        .set("TILE_PITCH", static_cast<long long>(shape.tile_pitch))
        .set("TILE_SIZE", static_cast<long long>(shape.tile_size));
  if (variant.kernel == "vertical") defines.set("PER_ITEM", p.per_item);
  if (variant.kernel == "flags") {
    const bool chained = variant.flags == Flags::chained, reversed = variant.flags == Flags::reversed;
    defines.set("AWAIT_LOADER", variant.flags == Flags::printed ? 0 : 1)
        .set("CHAINED", reversed  ? 2
                        : chained ? 1
                                  : 0)
        .set("SPINS", p.spins);
  }
  return defines;
}

Traffic count_traffic(const Problem& p, const Variant& variant, const Shape& shape) {
  const std::int64_t window = 2 * p.radius + 1;
  Traffic traffic;
  const std::int64_t taps = computed_pixels(p) * p.disparities * window * window;
  if (variant.kernel == "global") {
    traffic.global_reads = 2 * taps;
    return traffic;
  }
  const bool vertical = variant.kernel == "vertical";
  const int down = shape.group_h * shape.per_item, held = down + 2 * p.radius;
  for (std::size_t gy = 0; gy < shape.groups.y; ++gy)
    for (std::size_t gx = 0; gx < shape.groups.x; ++gx) {
      const Columns columns = columns_of(p, static_cast<int>(gx) * shape.group_w, shape.group_w);
      const int rows = rows_inside(p, static_cast<int>(gy) * down - p.radius, held);
      traffic.global_reads += std::int64_t{rows} * (columns.left + columns.right);
      traffic.local_writes += std::int64_t{vertical ? held : rows} * (columns.left + columns.right);
    }
  traffic.local_reads = 2 * taps;
  if (vertical) {
    const std::int64_t items = (p.picture.height + p.per_item - 1) / p.per_item;
    traffic.local_reads =
        2 * items * std::max(p.picture.width - 2 * p.radius, 0) * p.disparities * (p.per_item + 2 * p.radius) * window;
  }
  return traffic;
}

int bank_conflicts(const Variant& variant, const Shape& shape) {
  if (shape.local_bytes == 0) return 0;
  constexpr std::size_t banks = 32, lanes = 32, bank_bytes = 4;
  std::array<std::set<std::size_t>, banks> words;
  int most = 1;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t lx = lane % static_cast<std::size_t>(shape.group_w),
                      ly = lane / static_cast<std::size_t>(shape.group_w);
    // In a ring only one row of work-items is at work; downwards each has its own rows.
    if (variant.kernel != "vertical" && ly > 0) continue;
    const std::size_t row = ly * static_cast<std::size_t>(shape.per_item);
    const std::size_t at = variant.tile == Tile::rows ? row * shape.tile_pitch + lx : lx * shape.tile_pitch + row;
    const std::size_t word = at * shape.element / bank_bytes;
    words[word % banks].insert(word);
    most = std::max(most, static_cast<int>(words[word % banks].size()));
  }
  return most;
}

Json counts_json(const Problem& p, const Variant& variant, const Shape& shape, int compute_units) {
  const Traffic traffic = count_traffic(p, variant, shape);
  const std::int64_t pixels = std::int64_t{p.picture.width} * p.picture.height;
  const auto evaluations = static_cast<double>(computed_pixels(p) * p.disparities);
  const auto rate = [&](std::int64_t count) { return static_cast<double>(count) / std::max(evaluations, 1.0); };
  const std::int64_t rows = shape.group_h * shape.per_item + 2 * p.radius;
  const std::int64_t own = shape.group_w + 2 * p.radius,
                     columns = std::min<std::int64_t>(own, p.padded.width) +
                               std::min<std::int64_t>(own + p.disparities - 1, p.padded.width);
  const std::int64_t at_once = std::int64_t{std::max(compute_units, 1)} * p.lanes;
  const auto launched = static_cast<std::int64_t>(shape.groups.x * shape.groups.y) * variant.group;
  return Json{
      {"working_set_bytes", rows * columns * static_cast<std::int64_t>(shape.element)},
      {"global_reads", traffic.global_reads},
      {"global_reads_per_disparity", rate(traffic.global_reads)},
      {"local_reads_per_disparity", rate(traffic.local_reads)},
      {"local_writes_per_disparity", rate(traffic.local_writes)},
      {"differences_per_disparity", rate((traffic.local_reads > 0 ? traffic.local_reads : traffic.global_reads) / 2)},
      {"barriers", variant.kernel == "global" || variant.kernel == "flags" ? 0
                   : variant.kernel == "vertical" || shape.group_h == 1    ? 1
                                                                           : 2 * shape.group_h},
      {"bank_conflicts", bank_conflicts(variant, shape)},
      {"occupancy_rounds", (pixels + at_once - 1) / at_once},
      {"occupancy_rounds_padded", (launched + at_once - 1) / at_once}};
}

}  // namespace vergence::studies::sad_streaming
