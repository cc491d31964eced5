// SPDX-License-Identifier: Apache-2.0
// The class TrackScorer.
#pragma once

#include <nanobind/nanobind.h>

namespace vergence::python {

void register_track_score(nanobind::module_& module);

}  // namespace vergence::python
