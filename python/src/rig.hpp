// SPDX-License-Identifier: Apache-2.0
// Cameras and rigs from numpy's matrices.
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include "arrays.hpp"
#include "vergence/rig.hpp"

namespace vergence::python {

/// A numpy array of these numbers, in rows of `columns`.
nb::object matrix(std::span<const double> numbers, std::int64_t columns);

void register_rigs(nb::module_& module);

}  // namespace vergence::python
