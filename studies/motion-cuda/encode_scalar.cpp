// SPDX-License-Identifier: Apache-2.0
// The scalar program over a clip, timed: all of a frame, or in each frame other blocks.
#include <algorithm>
#include <memory>
#include <utility>

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

class TimedScalar : public Timed {
 public:
  TimedScalar(const Clip& clip, const Truth& truth, Search search, Code code, const Effort& effort)
      : clip_(clip), truth_(truth), search_(search), code_(code), effort_(effort), reconstruction_(clip.size(), 0) {
    Variant variant;
    variant.rung = search == Search::full ? "scalar" : search == Search::step ? "step-scalar" : "tz-scalar";
    cell_.what = what_of(clip, variant, "host");
    cell_.what["group"] = "-";
    cell_.what["host"] = name_of(code);
  }

  void frame(int step) override {
    const std::vector<int> searched =
        in_turn(clip_.block_count(), search_ == Search::full ? effort_.baseline_blocks : 0, step);
    per_frame_ = std::max(per_frame_, searched.size());
    const Truth::Field& wanted = expected_of(truth_, search_, step);
    Truth::Field field = wanted.clone();
    const auto at = [&](int block) -> exact::Match& { return field(block % field.width(), block / field.width()); };
    FrameCost cost;
    cost.wall = milliseconds([&] {
      for (const int block : searched) at(block) = find_scalar(clip_, step, block, search_, code_);
    });
    cost.wall *= static_cast<double>(clip_.block_count()) / static_cast<double>(searched.size());
    for (const int block : searched)
      cell_.differing += at(block) != wanted(block % wanted.width(), block / wanted.width()) ? 1 : 0;
    cost.reconstruct = reconstruct(step, field);
    cost.wall += cost.reconstruct;
    cell_.runs.push_back({0, 0, 0, cost.wall});
    costs_.push_back(cost);
  }

  Cell finish() override {
    // The residue is that of the whole clip, as with the device's rungs.
    for (auto step = static_cast<int>(costs_.size()); step < clip_.steps(); ++step)
      reconstruct(step, expected_of(truth_, search_, step));
    cell_.counts = counts_of(costs_);
    add_sizes(cell_.counts, clip_, clip_.steps(), per_frame_, residue_);
    cell_.counts["search"] = search_ == Search::full ? "full" : search_ == Search::step ? "step" : "zones";
    cell_.counts["timed_frames"] = costs_.size();
    return std::move(cell_);
  }

 private:
  double reconstruct(int step, const Truth::Field& field) {
    const FramePair frames = clip_.pair(step);
    const double ms =
        milliseconds([&] { exact::reconstruct(frames.reference, field, reconstruction_, clip_.geometry); });
    residue_ += exact::residue(frames.current, reconstruction_);
    return ms;
  }

  const Clip& clip_;
  const Truth& truth_;
  Search search_;
  Code code_;
  Effort effort_;
  Cell cell_;
  Image<std::uint8_t> reconstruction_;
  std::vector<FrameCost> costs_;
  std::uint64_t residue_ = 0;
  std::size_t per_frame_ = 0;
};

}  // namespace

std::unique_ptr<Timed> start_scalar(const Clip& clip, const Truth& truth, Search search, Code code,
                                    const Effort& effort) {
  return std::make_unique<TimedScalar>(clip, truth, search, code, effort);
}

Cell encode_scalar(const Clip& clip, const Truth& truth, Search search, Code code, const Effort& effort) {
  TimedScalar scalar(clip, truth, search, code, effort);
  for (int step = 0; step < clip.steps(); ++step) scalar.frame(step);
  return scalar.finish();
}

}  // namespace vergence::studies::motion_cuda
