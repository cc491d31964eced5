// SPDX-License-Identifier: Apache-2.0
// Outputs in metres: depth, its deviation, point clouds.
#pragma once

#include <string>
#include <vector>

#include "stereo/metric_arguments.hpp"
#include "stereo/outputs.hpp"

namespace vergence::cli {

struct MetricOutput {
  Output output;
  const std::string& path;  ///< Where it is written now,
  const std::string& name;  ///< and how the user calls it.
};

/// Writes one. Returns the warnings: one line each.
std::vector<std::string> write_metric(const MetricOutput& output, const StereoMaps& maps, const FrameContext& frame,
                                      const MetricArguments& arguments);

}  // namespace vergence::cli
