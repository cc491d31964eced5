// SPDX-License-Identifier: Apache-2.0
// What follows from a rig and options of rectification: projections, the maps of both cameras, the valid rectangle.
#pragma once

#include "plan/rectify/maps.hpp"
#include "vergence/rectify.hpp"

namespace vergence {

struct RectifyPlan {
  RectifiedRig rig;
  rectify::SourceMap left;
  rectify::SourceMap right;
  int max_value = 65535;
};

/// Throws what rectify_rig throws.
RectifyPlan make_rectify_plan(const StereoRig& rig, const RectifyOptions& options);

}  // namespace vergence
