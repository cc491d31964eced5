// SPDX-License-Identifier: Apache-2.0
// Streams of frames over several devices.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_pipeline(nanobind::module_& module);

}  // namespace vergence::python
