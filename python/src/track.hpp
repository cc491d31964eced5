// SPDX-License-Identifier: Apache-2.0
// The classes PointTracker and PointFlow.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_track(nanobind::module_& module);

}  // namespace vergence::python
