// SPDX-License-Identifier: Apache-2.0
// What is asked for of outputs in metres.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "stereo/output_kinds.hpp"

namespace vergence::cli {

class Command;

struct MetricArguments {
  bool include_filled = false;
  bool organised = false;
  bool normals = false;
  std::optional<std::string> near_m, far_m;  ///< Depths beyond are unknown.
  std::optional<std::string> per_metre;      ///< Steps of a 16-bit depth map.
  std::optional<std::string> error_px;       ///< Standard deviation of the disparities.
};

void add_metric_options(Command command, MetricArguments& arguments);
/// UsageError for numbers that cannot be, and for options without an output that they are for.
void check_metric(const MetricArguments& arguments, const std::map<Output, std::string>& outputs);

}  // namespace vergence::cli
