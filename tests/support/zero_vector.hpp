// SPDX-License-Identifier: Apache-2.0
// What every search of motion promises: no vector costs more than none.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan/motion/plan.hpp"
#include "reference/motion/block_search.hpp"
#include "verify/motion_run.hpp"

namespace vergence::test {

/// Empty, or the first block whose J is above the zero vector's, which is a candidate of every block.
template <class P>
std::string above_zero(const MotionCase& motion_case, const MotionFrames<P>& frames, const MotionRun& run) {
  const MotionPlan plan = plan_of(motion_case);
  const MotionPictures<P> pictures{frames.current, frames.reference};
  for (std::size_t i = 0; i < run.sizes.size(); ++i) {
    const Image<MotionVector> field = make_previous_field(motion_case, plan.grids[i]);
    const ImageView<const MotionVector> previous = previous_of(motion_case, field);
    const auto j = run.sizes[i].j.view();
    for (int row = 0; row < j.height(); ++row)
      for (int column = 0; column < j.width(); ++column) {
        const MotionVector prediction = previous.empty() ? MotionVector{} : previous(column, row);
        const std::uint64_t zero =
            reference::make_search(plan, pictures, plan.blocks[i], column, row, prediction).candidate(0, 0).j;
        if (j(column, row) > zero)
          return fmt::format("J at x {}, y {} is {}, above the zero vector's {}", column, row, j(column, row), zero);
      }
  }
  return {};
}

}  // namespace vergence::test
