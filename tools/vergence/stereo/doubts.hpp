// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` notices about its pictures: one warning of each cause, with its cure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One line that says what the pair suffers from and what to do, else "".
std::string pair_warning(const PairFindings& found, const StereoOptions& options);
/// Looks at the first frame and at every hundredth.
class StereoDoubts {
 public:
  StereoDoubts(const std::string& left, const std::optional<std::string>& right);
  /// Warnings about a frame before which there were `count`, each cause only once in a run.
  std::vector<std::string> look(const StereoFrame& frame, const StereoOptions& options, std::int64_t count);

 private:
  std::string left_, right_;
  std::set<PairProblem> told_;
  bool flat_ = false;
};

}  // namespace vergence::cli
