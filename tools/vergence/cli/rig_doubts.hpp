// SPDX-License-Identifier: Apache-2.0
// What calibration files are doubted for, once the size of the pictures is known.
#pragma once

#include <string>
#include <vector>

#include "vergence/rig_io.hpp"

namespace vergence::cli {

/// The doubts of `file`, with those of the rig itself as they are for `rig`: the file's, with the sizes that it lacked
/// or of other pictures.
std::vector<std::string> doubts_of(const RigFile& file, const StereoRig& rig);

/// The rig of the file with `size` where it tells none.
StereoRig with_size(StereoRig rig, Size size);

}  // namespace vergence::cli
