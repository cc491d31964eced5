// SPDX-License-Identifier: Apache-2.0
// The study stencil-energy: two stencils in every form, and the feature tracker that they are the larger part of.
#pragma once

#include "common/study.hpp"

namespace vergence::studies::stencil_energy {

Study study();

}  // namespace vergence::studies::stencil_energy
