// SPDX-License-Identifier: Apache-2.0
// Rigs of cameras, and the class StereoRectifier.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_rectify(nanobind::module_& module);

}  // namespace vergence::python
