// SPDX-License-Identifier: Apache-2.0
// One call of motion: the checks of what it is given, and the order of its steps.
#pragma once

#include <fmt/format.h>

#include <span>
#include <type_traits>

#include "backend/motion.hpp"
#include "core/check_views.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {

/// Quarter pixels.
constexpr int farthest_vector = 4 * 512;

inline backend::MotionPair make_pair(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference) {
  return {current, reference, {}, {}, false, false};
}
inline backend::MotionPair make_pair(ImageView<const std::uint16_t> current, ImageView<const std::uint16_t> reference) {
  return {{}, {}, current, reference, false, false};
}

template <class P>
inline void check_depth(const MotionPlan& plan) {
  constexpr bool wide = std::is_same_v<P, std::uint16_t>;
  if (wide != (plan.options.depth == Depth::u16))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the frames have {}-bit pixels, but option depth is {}: make the estimator with depth {}",
                            wide ? 16 : 8, wide ? "u8" : "u16", wide ? "u16" : "u8"));
}

/// Vectors from outside enter J, whose width is reckoned from the longest one, and coordinates.
inline void check_vectors(const char* what, ImageView<const MotionVector> field) {
  for (int y = 0; y < field.height(); ++y)
    for (int x = 0; x < field.width(); ++x) {
      const MotionVector v = field(x, y);
      if (v.dx < -farthest_vector || v.dx > farthest_vector || v.dy < -farthest_vector || v.dy > farthest_vector)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} holds the vector {},{} at block {},{}: at most {} quarter pixels are allowed", what,
                                v.dx, v.dy, x, y, farthest_vector));
    }
}

inline void check_second(const MotionPlan& plan) {
  if (plan.options.search != MotionSearch::full)
    throw Error(
        ErrorCode::unsupported,
        "second_j is known by search full alone, which tries every candidate: use it, or do not ask for the map");
}

inline void check_inputs(Size grid, const MotionMaps& maps, ViewList& views) {
  if (maps.previous.data() != nullptr) views.read("previous", maps.previous, grid);
}

inline void check_outputs(const MotionPlan& plan, Size grid, const MotionMaps& maps, ViewList& views) {
  if (maps.vectors.data() == nullptr) check_view("the vector field", maps.vectors, grid);
  views.write("the vector field", maps.vectors, grid);
  views.write("cost", maps.cost, grid);
  views.write("j", maps.j, grid);
  views.write("second_j", maps.second_j, grid);
  views.write("confidence", maps.confidence, grid);
  if (maps.second_j.data() != nullptr) check_second(plan);
}

/// With `later`, the maps are whole after wait().
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

}  // namespace vergence
