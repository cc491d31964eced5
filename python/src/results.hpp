// SPDX-License-Identifier: Apache-2.0
// Maps that a call writes: arrays of the caller, or new ones.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "arrays.hpp"
#include "device.hpp"
#include "vergence/device.hpp"

namespace vergence::python {

/// Where new maps lie: host memory, or that of a device, and what is spare there.
struct Place {
  const Device* device = nullptr;
  std::shared_ptr<SpareMemory> spare{};
};

/// A map of the result: not wanted, the caller's array, or a new one.
struct Map {
  nb::object object;  ///< What the result gives: None where it is not wanted.
  Array array;
  bool wanted() const { return array.given(); }
};

/// `given` is None or False (not wanted), True (a new map of that type and shape), or an array to be written.
Map map_of(nb::handle given, const char* what, const ElementType& type, std::initializer_list<std::int64_t> shape,
           const Place& place = {});
/// The same, but None means a new one.
Map needed_map(nb::handle given, const char* what, const ElementType& type, std::initializer_list<std::int64_t> shape,
               const Place& place = {});

/// A map of type T as the library takes it; nothing where it is not wanted.
template <class T>
ImageRef<T> map_ref(const Map& map, const Device& device, PixelType pixel) {
  if (!map.wanted()) return {};
  if (!map.array.on_device()) return map.array.view<T>();
  map.array.check({element_type<T>()}, 2);
  return map.array.image(device, pixel);
}
template <class T>
ImageView<T> map_view(const Map& map) {
  if (!map.wanted()) return {};
  return map.array.view<T>();
}

}  // namespace vergence::python
