// SPDX-License-Identifier: Apache-2.0
// A pattern of columns in one picture, as sensors have whose columns are read by unequal amplifiers.
#pragma once

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `columns`, where columns of one picture are brighter or darker than their neighbours in its upper
/// and its lower half alike, and those of the other one are not.
void compare_columns(Picture left, Picture right, PairFindings& findings);

}  // namespace vergence::inspect
