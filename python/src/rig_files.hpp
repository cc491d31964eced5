// SPDX-License-Identifier: Apache-2.0
// Files of calibrated rigs.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_rig_files(nanobind::module_& module);

}  // namespace vergence::python
