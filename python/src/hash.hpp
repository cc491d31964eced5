// SPDX-License-Identifier: Apache-2.0
// The hash of values that the program's reports carry.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_hash(nanobind::module_& module);

}  // namespace vergence::python
