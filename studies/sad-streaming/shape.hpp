// SPDX-License-Identifier: Apache-2.0
// A variant of the study, how its work is divided into groups, and what follows from that without running it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/report.hpp"
#include "common/settings.hpp"
#include "gpu/program.hpp"
#include "vergence/image.hpp"

namespace vergence::studies::sad_streaming {

/// How a ring of rows lies in local memory.
enum class Tile {
  rows,            ///< Rows side by side, as in the paper: neighbours read neighbouring banks.
  columns_padded,  ///< Columns, an odd number of elements apart: neighbours read different banks.
  columns,         ///< Columns, a power of 2 apart: neighbours meet in the same banks.
};

/// How rows of the kernels with flags wait: flags.cl says more.
enum class Flags { none, printed, loaded, chained, reversed };

struct Variant {
  std::string kernel;  ///< "global", "centralised", "distributed", "vertical", "flags".
  bool bytes = false;  ///< 8-bit input instead of 32-bit.
  bool unrolled = true;
  int group = 512;  ///< Work-items.
  int rows = 1;     ///< Rows of a group, at least; more where a row of the padded picture is shorter.
  Tile tile = Tile::rows;
  Flags flags = Flags::none;
};

/// The paper's constants for the pictures at hand.
struct Problem {
  Size picture, padded;
  int radius = 2, disparities = 64, per_item = 4, lanes = 128;
  int spins = 16384;  ///< Looks at a flag before a wait counts as failed.
};

/// The pictures' size rounded up to powers of 2, with room for the window of the last candidate; or what is asked for.
/// Error(invalid_argument) where that is too small.
Problem make_problem(const Settings& settings, Size picture);

struct Shape {
  int group_w = 0, group_h = 0, per_item = 1;
  gpu::Range groups;
  std::size_t element = 0;                    ///< Bytes of a pixel.
  std::size_t tile_pitch = 0, tile_size = 0;  ///< Elements.
  std::size_t local_bytes = 0;
};

/// Error(invalid_argument) where the groups do not fit the padded picture.
Shape make_shape(const Problem& problem, const Variant& variant);
gpu::Defines make_defines(const Problem& problem, const Variant& variant, const Shape& shape, bool counted);

/// Reads and writes of a whole run, as the kernel's text says; a test compares them with counters inside the kernels.
struct Traffic {
  std::int64_t global_reads = 0, local_reads = 0, local_writes = 0;
};
Traffic count_traffic(const Problem& problem, const Variant& variant, const Shape& shape);
/// Most words of one bank that the first 32 work-items of a group ask for at once; 1 is free of conflicts. 0 without
/// local memory.
int bank_conflicts(const Variant& variant, const Shape& shape);
/// All of that, per disparity where it says so.
Json counts_json(const Problem& problem, const Variant& variant, const Shape& shape, int compute_units);

const char* tile_name(Tile tile);
const char* flags_name(Flags flags);

}  // namespace vergence::studies::sad_streaming
