// SPDX-License-Identifier: Apache-2.0
// Matches what the page asks for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "stereo/outputs.hpp"
#include "view/requests.hpp"
#include "view/scene.hpp"
#include "view/work.hpp"

namespace vergence::cli {

/// Maps of one match and what they took. Not changed any more once it is made.
struct ViewMaps {
  std::string device;
  std::string preset;
  StereoOptions asked;    ///< As the request says.
  StereoOptions options;  ///< As StereoMatcher::options.
  std::shared_ptr<const ViewFrame> frame;
  std::unique_ptr<StereoMaps> maps;
  int invalid = 0;
  double wait_ms = 0, prepare_ms = 0, match_ms = 0;
};

/// The disparities in px; +infinity where there is none.
Image<float> pixels_of(const ViewMaps& maps);

/// Hash and scores of maps, as `vergence stereo` reports them.
struct ViewReport {
  std::uint64_t hash = 0;
  double density = 0;  ///< Percent of the pixels that were to get a disparity.
  std::optional<StereoScores> scores;
  double ms = 0;  ///< What the report took.
};
ViewReport report_of(const ViewMaps& maps);

/// How two maps of one size differ: their bytes, of 32-bit values where either map has such.
struct MapDifference {
  std::int64_t bytes = 0, pixels = 0;
};
MapDifference difference_of(const StereoMaps& a, const StereoMaps& b);

/// Any number of threads may match at once; each device does one match at a time.
class ViewMatching {
 public:
  explicit ViewMatching(ViewWork& work) : work_(work) {}

  /// Throws Superseded, and Error naming the field that is refused.
  std::shared_ptr<const ViewMaps> match(const ViewRequest& request, const ViewMatch& what);

 private:
  ViewWork& work_;
  KeptWorkers<StereoMatcher, StereoOptions> matchers_;
};

}  // namespace vergence::cli
