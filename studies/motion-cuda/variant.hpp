// SPDX-License-Identifier: Apache-2.0
// The paper's ladder: what distinguishes each rung, and in which order it looks at candidates.
#pragma once

#include <string>
#include <vector>

#include "common/settings.hpp"
#include "gpu/program.hpp"
#include "motion-cuda/lab.hpp"

namespace vergence::studies::motion_cuda {

/// What one launch computes.
enum class Unit {
  sad,     ///< One SAD, by 32 groups of 32; the host adds 32 sums.
  search,  ///< All candidates (or a part of them), one to a work-item.
  shared,  ///< All candidates, a group to each.
};
/// Who computes blocks whose search area crosses the border.
enum class Borders {
  condition,   ///< The device: the kernel tests each candidate.
  host,        ///< The host, when the device is done.
  overlapped,  ///< The host, while it would wait for the device.
};

struct Variant {
  std::string rung;    ///< Its name in tables.
  int grid = 0;        ///< Of a step search's round: 3, 7, 13, 15; 0 = none.
  bool zones = false;  ///< Test zones; else, without a grid, the full search.
  Unit unit = Unit::search;
  bool flat = true;          ///< Block and area in arrays that were made once, else row by row into new ones.
  bool block_kernel = true;  ///< getBlock on the device; else on the host, and one more copy.
  bool area_kernel = true;   ///< The same of the search area.
  bool swap = true;          ///< One new frame for each step, the other is the last one's; else two copies.
  Borders borders = Borders::condition;
  Code host = Code::vectors;  ///< Of border blocks on the host.
  int streams = 1;
  bool reduced = false;     ///< The best is found by two more kernels; else by the host.
  bool pinned = false;      ///< Host memory of frames and results.
  int lanes = 32;           ///< Work-items for a SAD, with Unit::shared.
  bool shuffles = false;    ///< Sums by shuffles within warps, not through local memory.
  Size group{128, 1};       ///< With Unit::search.
  bool clock_only = false;  ///< Run by the device's clock, without times of the host's.

  bool is_step() const { return grid > 0; }
  bool is_full() const { return grid == 0 && !zones; }
  bool has_host_blocks() const { return borders != Borders::condition; }
  exact::Grid exact_grid() const {
    return grid == 3    ? exact::Grid::g3x3
           : grid == 7  ? exact::Grid::g7x7
           : grid == 13 ? exact::Grid::g13x13
                        : exact::Grid::g15x15;
  }
};

/// The rungs that the settings choose, in the order of the tables.
std::vector<Variant> choose_variants(const Settings& settings);
/// Names that `rungs` takes: those of the tables' rungs.
std::vector<std::string_view> rung_names();

/// Whether the device may search this block without a condition: no candidate is cut off, and the area is in the frame.
bool is_inner(Size frame, Place place, const Geometry& geometry);

/// Kernel file and function of a variant's search.
struct KernelName {
  const char *file, *function;
};
KernelName kernel_of(const Variant& variant);
gpu::Defines defines_of(const Variant& variant, const Geometry& geometry);
/// Sizes alone, for kernels that are no search.
gpu::Defines defines_of(const Geometry& geometry);

/// The settings `block` and `reach`.
Geometry geometry_of(const Settings& settings);

}  // namespace vergence::studies::motion_cuda
