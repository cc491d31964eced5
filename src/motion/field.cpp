// SPDX-License-Identifier: Apache-2.0
// Fields of vectors after the search: the forward-backward check and the field of every pixel. A few thousand integers
// per frame, on the host for all devices.
#include <fmt/format.h>

#include <cstdlib>

#include "core/check_views.hpp"
#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

Size grid_of(Size frame, Size block) {
  if (frame.width < 1 || frame.height < 1 || block.width < 1 || block.height < 1)
    throw Error(ErrorCode::invalid_argument, fmt::format("frame {}x{} with blocks of {}x{}: all must be at least 1",
                                                         frame.width, frame.height, block.width, block.height));
  return {definitions::block_count(frame.width, block.width), definitions::block_count(frame.height, block.height)};
}

}  // namespace

void check_motion(ImageView<const MotionVector> forward, ImageView<const MotionVector> backward, Size frame, Size block,
                  int threshold, ImageView<std::uint8_t> consistent) {
  if (threshold < 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("threshold is {}: give a number of quarter pixels of at least 0", threshold), "threshold");
  const Size grid = grid_of(frame, block);
  check_view("the forward field", forward, grid);
  check_view("the backward field", backward, grid);
  check_view("the consistency map", consistent, grid);
  for (int row = 0; row < grid.height; ++row)
    for (int column = 0; column < grid.width; ++column) {
      const MotionVector there = forward(column, row);
      const int x = column * block.width + definitions::block_extent(column, block.width, frame.width) / 2 +
                    definitions::whole_pixels(there.dx);
      const int y = row * block.height + definitions::block_extent(row, block.height, frame.height) / 2 +
                    definitions::whole_pixels(there.dy);
      bool agrees = x >= 0 && y >= 0 && x < frame.width && y < frame.height;
      if (agrees) {
        const MotionVector back = backward(x / block.width, y / block.height);
        agrees = std::abs(there.dx + back.dx) <= threshold && std::abs(there.dy + back.dy) <= threshold;
      }
      consistent(column, row) = agrees ? 1 : 0;
    }
}

void dense_motion(ImageView<const MotionVector> vectors, Size block, ImageView<MotionVector> dense) {
  check_view("the vector field", vectors, grid_of(dense.size(), block));
  check_view("the dense field", dense, dense.size());
  for (int y = 0; y < dense.height(); ++y)
    for (int x = 0; x < dense.width(); ++x) dense(x, y) = vectors(x / block.width, y / block.height);
}

}  // namespace vergence
