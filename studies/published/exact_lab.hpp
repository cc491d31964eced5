// SPDX-License-Identifier: Apache-2.0
// A published teaching encoder's block motion, faults included: the baseline and the rule of the study of its CUDA
// versions. Nothing here is how motion should be found; studies/published/exact_lab.md names each fault.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence::reference::exact_lab {

inline constexpr int block_side = 32;
inline constexpr int farthest = 64;    ///< px
inline constexpr int no_sad = 999999;  ///< what a block without any valid candidate keeps

/// Sides of blocks, and how far vectors go. The published program knows the default alone; a study of it takes others.
struct Geometry {
  int block = block_side;  ///< px
  int reach = farthest;    ///< px, a power of 2
};

/// A block's vector in whole px and its SAD.
struct Match {
  int dx = 0;
  int dy = 0;
  int sad = no_sad;
  friend bool operator==(const Match&, const Match&) = default;
};

/// Which candidates are met first, and so win ties: the CPU program goes through rows of displacements (dy outside, dx
/// inside), GPU versions of it through columns.
enum class Scan { rows, columns };

/// The step search's grid: eight neighbours of each centre, or the published merged rounds and the whole closure.
enum class Grid { g3x3, g7x7, g13x13, g15x15 };

/// Blocks that are searched: whole ones alone.
Size blocks(Size frame, const Geometry& geometry = {});
/// Whether the program lets a block at (x, y) use this candidate.
bool is_valid(Size frame, int x, int y, int dx, int dy, const Geometry& geometry = {});
/// Spacing of a step search's first round, and of the one after `spacing`; 0 after the last, which is 1.
int first_spacing(Grid grid, const Geometry& geometry = {});
int next_spacing(Grid grid, int spacing);
/// A grid goes so many spacings to each side.
int half_of(Grid grid);

/// One Match per block.
Image<Match> full(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                  Scan scan = Scan::rows, const Geometry& geometry = {});
Image<Match> step(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                  Grid grid = Grid::g3x3, Scan scan = Scan::rows, const Geometry& geometry = {});
Image<Match> test_zones(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                        const Geometry& geometry = {});
/// The program's early end of a test-zone refinement; `last_distance` may be an older one, as it is never reset.
bool ends_early(int distance, int last_distance);

/// Rebuilds the current frame. `reconstruction` comes in as the previous frame's (zeros at first) and goes out as this
/// one's: pixels that no rule writes keep what they hold.
void reconstruct(ImageView<const std::uint8_t> reference, const Image<Match>& matches,
                 ImageView<std::uint8_t> reconstruction, const Geometry& geometry = {});

/// Sum of |current - reconstruction| over the frame.
std::uint64_t residue(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reconstruction);

}  // namespace vergence::reference::exact_lab
