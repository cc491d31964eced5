// SPDX-License-Identifier: Apache-2.0
// The class PictureFilter.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_filter(nanobind::module_& module);

}  // namespace vergence::python
