// SPDX-License-Identifier: Apache-2.0
// The scalar program over a clip, timed: all of a frame, or in each frame other blocks.
#include <algorithm>

#include "motion-cuda/cost.hpp"
#include "motion-cuda/encode.hpp"

namespace vergence::studies::motion_cuda {
namespace {

/// Fields of what the scalar program must find.
const Truth::Field& expected_of(const Truth& truth, Search search, int step) {
  return search == Search::full   ? truth.full(step)
         : search == Search::step ? truth.step_search(step)
                                  : truth.test_zones(step);
}

exact::Match find_scalar(const Clip& clip, int step, int block, Search search, Code code) {
  LabSearch one(clip.pair(step), clip.place(block), clip.geometry, code);
  if (search == Search::full)
    one.full(exact::Scan::rows);
  else if (search == Search::step)
    one.step();
  else
    one.test_zones();
  return one.best();
}

}  // namespace

Cell encode_scalar(const Clip& clip, const Truth& truth, Search search, Code code, const Effort& effort) {
  Cell cell;
  Variant variant;
  variant.rung = search == Search::full ? "scalar" : search == Search::step ? "step-scalar" : "tz-scalar";
  cell.what = what_of(clip, variant, "host");
  cell.what["group"] = "-";
  cell.what["host"] = name_of(code);
  Image<std::uint8_t> reconstruction(clip.size(), 0);
  std::vector<FrameCost> costs;
  std::uint64_t residue = 0;
  std::size_t per_frame = 0;
  for (int i = 0; i < clip.steps(); ++i) {
    const std::vector<int> searched =
        in_turn(clip.block_count(), search == Search::full ? effort.baseline_blocks : 0, i);
    per_frame = std::max(per_frame, searched.size());
    const Truth::Field& wanted = expected_of(truth, search, i);
    Truth::Field field = wanted.clone();
    const auto at = [&](int block) -> exact::Match& { return field(block % field.width(), block / field.width()); };
    FrameCost cost;
    cost.wall = milliseconds([&] {
      for (const int block : searched) at(block) = find_scalar(clip, i, block, search, code);
    });
    cost.wall *= static_cast<double>(clip.block_count()) / static_cast<double>(searched.size());
    for (const int block : searched)
      cell.differing += at(block) != wanted(block % wanted.width(), block / wanted.width()) ? 1 : 0;
    cost.reconstruct =
        milliseconds([&] { exact::reconstruct(clip.pair(i).reference, field, reconstruction, clip.geometry); });
    residue += exact::residue(clip.pair(i).current, reconstruction);
    cost.wall += cost.reconstruct;
    cell.runs.push_back({0, 0, 0, cost.wall});
    costs.push_back(cost);
  }
  cell.counts = counts_of(costs);
  add_sizes(cell.counts, clip, clip.steps(), per_frame, residue);
  cell.counts["search"] = search == Search::full ? "full" : search == Search::step ? "step" : "zones";
  cell.counts["timed_frames"] = clip.steps();
  return cell;
}

}  // namespace vergence::studies::motion_cuda
