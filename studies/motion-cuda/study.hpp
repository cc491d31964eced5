// SPDX-License-Identifier: Apache-2.0
// The study motion-cuda: a video encoder's motion search, moved to a GPU step by step.
#pragma once

#include "common/study.hpp"

namespace vergence::studies::motion_cuda {

Study study();

}  // namespace vergence::studies::motion_cuda
