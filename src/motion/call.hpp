// SPDX-License-Identifier: Apache-2.0
// One call of motion: the checks of what it is given, and the order of its steps.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "backend/motion.hpp"
#include "core/check_views.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {

/// Largest component of a vector that callers may give, in quarter pixels.
constexpr int farthest_vector = 4 * 512;

inline backend::MotionPair make_pair(const PictureRef& current, const PictureRef& reference) {
  return {current.view<const std::uint8_t>(),
          reference.view<const std::uint8_t>(),
          current.view<const std::uint16_t>(),
          reference.view<const std::uint16_t>(),
          false,
          false};
}

inline void check_depth(const MotionPlan& plan, const char* what, bool wide) {
  if (wide != (plan.options.depth == Depth::u16))
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{} has {}-bit pixels, but option pixel-depth is {}: make the estimator with pixel-depth {}", what,
                    wide ? 16 : 8, wide ? "u8" : "u16", wide ? "u16" : "u8"),
        "pixel-depth");
}

/// A picture of `size` pixels in host memory, of the type that the options say.
template <class Views>
void check_picture(const MotionPlan& plan, const char* what, const PictureRef& picture, Size size, Views& views) {
  if (picture.on_device())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} lies in a device's memory: motion takes pictures in host memory, give an ImageView", what));
  if (!picture.empty()) check_depth(plan, what, picture.holds<const std::uint16_t>());
  if (picture.holds<const std::uint16_t>())
    views.read(what, picture.view<const std::uint16_t>(), size);
  else
    views.read(what, picture.view<const std::uint8_t>(), size);
}
inline void check_pixels(const MotionPlan& plan, const char* what, const PictureRef& picture) {
  check_values(plan.options.max_value, what, picture.view<const std::uint16_t>());
}

/// Vectors that callers give take part in J and in coordinates, whose types are chosen for vectors of at most this
/// length.
inline void check_vectors(const char* what, ImageView<const MotionVector> field) {
  for (int y = 0; y < field.height(); ++y)
    for (int x = 0; x < field.width(); ++x) {
      const MotionVector v = field(x, y);
      if (v.dx < -farthest_vector || v.dx > farthest_vector || v.dy < -farthest_vector || v.dy > farthest_vector)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} holds the vector {},{} at block {},{}: at most {} quarter pixels are allowed", what,
                                v.dx, v.dy, x, y, farthest_vector),
                    what);
    }
}

inline void check_second(const MotionPlan& plan) {
  if (plan.options.search != MotionSearch::full)
    throw Error(
        ErrorCode::unsupported,
        "second_j is known by search full alone, which tries every candidate: use it, or do not ask for the map",
        "second_j");
}

inline void check_outputs(const MotionPlan& plan, Size grid, const MotionOutput& maps, ViewList& views) {
  if (maps.vectors.data() == nullptr) check_view("the vector field", maps.vectors, grid);
  views.write("the vector field", maps.vectors, grid);
  views.write("cost", maps.cost, grid);
  views.write("j", maps.j, grid);
  views.write("second_j", maps.second_j, grid);
  views.write("confidence", maps.confidence, grid);
  if (maps.second_j.data() != nullptr) check_second(plan);
}

/// With `later`, this returns before the maps are complete; wait() completes them.
inline void run_steps(const MotionPlan& plan, backend::Motion& motion, const backend::MotionPair& pair,
                      std::span<const MotionMaps> maps, bool later = false) {
  motion.begin(pair, maps);
  motion.search();
  if (plan.options.subpel != MotionSubpel::none) motion.refine();
  for (const MotionMaps& one : maps)
    if (!one.confidence.empty()) {
      motion.confidence();
      break;
    }
  if (later)
    motion.submit();
  else
    motion.finish();
}

/// A plan on a device: what estimators of one size and of all sizes have in common.
class MotionCall {
 public:
  MotionCall(Device device, MotionPlan plan)
      : device_(std::move(device)), plan_(std::move(plan)), motion_(backend::of(device_).make_motion(plan_)) {}

  /// `after`: see MotionEstimator::compute_after.
  void compute(const PictureRef& current, const PictureRef& reference, std::span<const MotionMaps> maps,
               std::int64_t after = 0) {
    ViewList views;
    check_picture(plan_, "the current frame", current, plan_.size, views);
    check_picture(plan_, "the reference frame", reference, plan_.size, views);
    // What is written may touch nothing that is read, so all that is read comes first.
    for (std::size_t i = 0; i < maps.size(); ++i)
      if (maps[i].previous.data() != nullptr) views.read("previous", maps[i].previous, plan_.grids[i]);
    for (std::size_t i = 0; i < maps.size(); ++i) check_outputs(plan_, plan_.grids[i], maps[i], views);
    for (const MotionMaps& one : maps) check_vectors("previous", one.previous);
    check_pixels(plan_, "the current frame", current);
    check_pixels(plan_, "the reference frame", reference);
    backend::MotionPair pair = make_pair(current, reference);
    pair.follows = after > 0 && after == calls_;
    const backend::Entered here(backend::of(device_));
    run_steps(plan_, *motion_, pair, maps);
    ++calls_;
  }

  const MotionPlan& plan() const { return plan_; }
  backend::Motion& motion() const { return *motion_; }
  /// Number of calls of compute that succeeded.
  std::int64_t calls() const { return calls_; }

 private:
  Device device_;
  MotionPlan plan_;
  std::unique_ptr<backend::Motion> motion_;
  std::int64_t calls_ = 0;
};

}  // namespace vergence
