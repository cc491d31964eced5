// SPDX-License-Identifier: Apache-2.0
// What `stereo` would say of a pair that `view` or `report` shows.
#pragma once

#include <string>
#include <vector>

#include "view/matching.hpp"

namespace vergence::cli {

/// Lines about the pair, its map and the truth. `settings`: those that were asked for; names are those of `told`, files
/// those of `read`. None of a scene without files.
std::vector<std::string> pair_doubts(const StereoArguments& read, const StereoArguments& told, const ViewMaps& maps,
                                     StereoSettings settings);

}  // namespace vergence::cli
