// SPDX-License-Identifier: Apache-2.0
// The program that the paper starts from, as it runs on one core: for each block a copy of it and of its search area,
// then SADs one after the other. Its rules are those of published/exact_lab.hpp, which says what must come out; this
// one is what is timed.
#pragma once

#include <cstdint>
#include <vector>

#include "published/exact_lab.hpp"
#include "vergence/image.hpp"

namespace vergence::studies::motion_cuda {

namespace exact = reference::exact_lab;

inline constexpr int sentinel = 9999999;  ///< What no SAD is; as in the kernels.

/// Sides of blocks, and how far vectors go, with what follows from them.
struct Geometry : exact::Geometry {
  int span() const { return 2 * reach; }              ///< Candidates in a row or column.
  int area() const { return span() + block; }         ///< px, of the search area's side.
  int candidates() const { return span() * span(); }  ///< Of a block.
  int block_pixels() const { return block * block; }
  int area_pixels() const { return area() * area(); }
};

using Block = std::vector<std::uint8_t>;
using Area = std::vector<std::uint8_t>;

/// Two frames of one size.
struct FramePair {
  ImageView<const std::uint8_t> current, reference;
};

/// A block's upper left pixel.
struct Place {
  int x = 0, y = 0;
};
Place place_of(Size blocks, int index, const Geometry& geometry);

void get_block(ImageView<const std::uint8_t> current, Place place, const Geometry& geometry, Block& block);
/// Zeros outside the frame.
void get_area(ImageView<const std::uint8_t> reference, Place place, const Geometry& geometry, Area& area);

/// How the compiler translated the SAD: as it stands, pixel by pixel, or with vectors. The paper does not say which its
/// program was.
enum class Code { plain, vectors };
const char* name_of(Code code);

/// `side` x `side` pixels, one picture packed, the other with `stride` from row to row.
int sad_plain(const std::uint8_t* mine, const std::uint8_t* theirs, int stride, int side);
int sad_vectors(const std::uint8_t* mine, const std::uint8_t* theirs, int stride, int side);

/// The search of one block: candidates in the program's order.
class LabSearch {
 public:
  /// Copies block and area.
  LabSearch(const FramePair& frames, Place place, const Geometry& geometry, Code code);
  /// Tries up to `count` further candidates of the full search, rows first; whether any are left.
  bool advance(int count);
  void full(exact::Scan scan);
  /// The step search; the program's is in 3x3, by rows.
  void step(exact::Grid grid = exact::Grid::g3x3, exact::Scan scan = exact::Scan::rows);
  void test_zones();
  const exact::Match& best() const { return best_; }

 private:
  int sad(int dx, int dy) const;
  void attempt(int dx, int dy);
  Size size_;
  Place place_;
  Geometry geometry_;
  Code code_;
  Block block_;
  Area area_;
  int next_ = 0;
  exact::Match best_;
};

}  // namespace vergence::studies::motion_cuda
