// SPDX-License-Identifier: Apache-2.0
// Takes or makes the maps of a result.
#include "results.hpp"

#include <fmt/format.h>

#include <vector>

#include "device.hpp"

namespace vergence::python {
namespace {

Map new_map(const char* what, const ElementType& type, std::initializer_list<std::int64_t> shape, const Place& place) {
  Map map;
  if (place.device != nullptr)
    map.object = nb::cast(new_device_array(*place.device, type, std::vector<std::int64_t>(shape), place.spare));
  else
    map.object = new_array(type, shape);
  map.array = Array(map.object, what, Array::Access::write);
  return map;
}

[[noreturn]] void refuse_shape(const Array& array, const char* what, std::initializer_list<std::int64_t> shape) {
  refuse(fmt::format("{} has the shape {}: ({}) is needed", what, array.shape_text(), fmt::join(shape, ", ")));
}

}  // namespace

Map map_of(nb::handle given, const char* what, const ElementType& type, std::initializer_list<std::int64_t> shape,
           const Place& place) {
  if (given.is_none() || given.is(Py_False)) return {nb::none(), {}};
  if (given.is(Py_True)) return new_map(what, type, shape, place);
  Map map{nb::borrow(given), Array(given, what, Array::Access::write)};
  bool fits = map.array.dimensions() == static_cast<int>(shape.size());
  for (int axis = 0; const std::int64_t length : shape) fits = fits && map.array.length(axis++) == length;
  if (!fits) refuse_shape(map.array, what, shape);
  return map;
}

Map needed_map(nb::handle given, const char* what, const ElementType& type, std::initializer_list<std::int64_t> shape,
               const Place& place) {
  if (given.is_none()) return new_map(what, type, shape, place);
  if (given.is(Py_False)) refuse(fmt::format("{} is False: it is always written", what));
  return map_of(given, what, type, shape, place);
}

}  // namespace vergence::python
