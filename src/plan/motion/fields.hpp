// SPDX-License-Identifier: Apache-2.0
// The table of MotionOptions' fields: validation uses its limits.
#pragma once

#include "core/option_fields.hpp"
#include "vergence/motion.hpp"

namespace vergence {

const option_fields::Table<MotionOptions>& motion_table();

}  // namespace vergence
