// SPDX-License-Identifier: Apache-2.0
// Scores of disparities and predictions.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_score(nanobind::module_& module);

}  // namespace vergence::python
