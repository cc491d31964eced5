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

/// Steps per metre that were asked for, else 5000 in an RGB-D folder and 1000 elsewhere.
int per_metre_of(const MetricArguments& arguments, Output output);

/// Where --match-error is as large as that of disparities that are chosen by chance: one line that says so, else "".
std::string match_error_warning(const MetricArguments& arguments, const StereoOptions& options);

/// Writes one. Returns the warnings: one line each.
std::vector<std::string> write_metric(const MetricOutput& output, const StereoMaps& maps, const FrameContext& frame,
                                      const MetricArguments& arguments);

}  // namespace vergence::cli
