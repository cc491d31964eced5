// SPDX-License-Identifier: Apache-2.0
// The built-in scene.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_synth(nanobind::module_& module);

}  // namespace vergence::python
