// SPDX-License-Identifier: Apache-2.0
// What a device offers for rectification: src/reference/rectify and docs/algorithms/rectify say what it computes. Views
// have been checked.
#pragma once

#include <cstddef>

#include "backend/event.hpp"
#include "backend/times.hpp"
#include "vergence/rectify.hpp"

namespace vergence::backend {

enum class RigCamera { left, right };

/// Rectification on one device by the maps of one plan. `out` is whole when a call returns, or when order.done has
/// come, and only images are written then; pixels without source hold the sample at the nearest place that has one.
class Rectifier : public Timed {
 public:
  /// Both of one type. Only devices with a space of their own are given images.
  virtual void remap(RigCamera camera, const RectifyInput& in, const RectifyOutput& out, const Order& order) = 0;
  /// All four of one type.
  virtual void remap_pair(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                          const RectifyOutput& right_out, const Order& order) {
    remap(RigCamera::left, left, left_out, order);
    remap(RigCamera::right, right, right_out, order);
  }
  /// Bytes of host memory held, without the plan.
  virtual std::size_t memory() const = 0;
};

}  // namespace vergence::backend
