// SPDX-License-Identifier: Apache-2.0
// The table of TrackOptions' fields: validation uses its limits.
#pragma once

#include "core/option_fields.hpp"
#include "vergence/track.hpp"

namespace vergence {

const option_fields::Table<TrackOptions>& track_table();

}  // namespace vergence
