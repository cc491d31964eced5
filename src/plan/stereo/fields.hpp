// SPDX-License-Identifier: Apache-2.0
// The table of StereoOptions' fields: validation uses its limits.
#pragma once

#include "core/option_fields.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

const option_fields::Table<StereoOptions>& stereo_table();

}  // namespace vergence
