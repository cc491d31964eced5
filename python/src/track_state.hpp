// SPDX-License-Identifier: Apache-2.0
// Positions of points as arrays, and the class TrackerState.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include "arrays.hpp"
#include "vergence/track.hpp"

namespace vergence::python {

/// float64 positions (n, 2) in px.
nb::object pixels_of(std::span<const TrackPosition> positions);
/// Positions of an array (n, 2) in px.
std::vector<TrackPosition> positions_of(nb::handle object, const char* what);

/// x and y in px of an array (n, 2), one behind the other.
std::vector<double> coordinates_of(nb::handle object, const char* what);
/// The elements of an array (n,) of type T.
template <class T>
std::vector<T> column_of(nb::handle object, const char* what, const ElementType& type = element_type<T>()) {
  // An array without an element has no memory to look at.
  if (nb::hasattr(object, "__len__") && nb::len(object) == 0) return {};
  const Array array(object, what, Array::Access::read);
  array.check({type}, 1);
  const T* const all = static_cast<const T*>(array.whole());
  return {all, all + array.length(0)};
}

void register_tracker_state(nb::module_& module);

}  // namespace vergence::python
