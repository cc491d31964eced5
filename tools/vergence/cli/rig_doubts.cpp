// SPDX-License-Identifier: Apache-2.0
// What calibration files are doubted for, once the size of the pictures is known.
#include "cli/rig_doubts.hpp"

#include <algorithm>

namespace vergence::cli {

std::vector<std::string> doubts_of(const RigFile& file, const StereoRig& rig) {
  std::vector<std::string> doubts = check_rig(rig);
  const std::vector<std::string> own = check_rig(file.rig);
  for (const std::string& doubt : file.doubts)
    if (std::find(own.begin(), own.end(), doubt) == own.end()) doubts.push_back(doubt);
  return doubts;
}

StereoRig with_size(StereoRig rig, Size size) {
  for (Camera* const camera : {&rig.left, &rig.right})
    if (camera->size == Size{}) camera->size = size;
  return rig;
}

}  // namespace vergence::cli
