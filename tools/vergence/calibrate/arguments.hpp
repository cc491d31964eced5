// SPDX-License-Identifier: Apache-2.0
// What `vergence calibrate` was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/calibrate.hpp"
#include "cli/files.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {

struct CalibrateArguments {
  std::string left;
  std::optional<std::string> right;
  std::string board, square;
  std::optional<std::string> marker, dictionary, lens, views, frames, coverage;
  std::string layout = "pair";
  std::vector<std::string> outputs;
  bool keep_all = false;
  bool strict = false;
  bool json = false;
};

/// Throw UsageError.
calibrate::Board parse_board(const CalibrateArguments& arguments);
calibrate::Lens parse_lens(const CalibrateArguments& arguments);

/// A file of --output: "[FORMAT:]FILE", or "FORMAT:LEFT,RIGHT" where the format has two.
struct RigOutput {
  RigFormat format = RigFormat::opencv_yaml;
  std::vector<std::string> paths;
};
/// Throws UsageError for what cannot be written, for the lens' coefficients too.
std::vector<RigOutput> parse_outputs(const CalibrateArguments& arguments, calibrate::Lens lens);
/// With the picture of --coverage.
std::vector<OutputName> output_names(const CalibrateArguments& arguments, const std::vector<RigOutput>& rigs);

}  // namespace vergence::cli
