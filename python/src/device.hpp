// SPDX-License-Identifier: Apache-2.0
// Devices and arrays in their memory.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "vergence/device.hpp"

namespace vergence::python {

class SpareMemory;

/// An array without gaps in the memory of an OpenCL or CUDA device. Used with the GIL held.
struct DeviceArray {
  DeviceArray(const Device& its_device, DeviceMemory its_memory, const ElementType& its_type,
              std::vector<std::int64_t> its_shape)
      : device(its_device), memory(std::move(its_memory)), shape(std::move(its_shape)), type(its_type) {}
  DeviceArray(DeviceArray&&) = default;
  DeviceArray& operator=(DeviceArray&&) = delete;
  /// Gives its memory to `home`, where that still exists.
  ~DeviceArray();

  std::int64_t bytes() const;
  /// The last work that writes it, and what reads it since.
  void set_written(const DeviceEvent& done);
  void add_read(const DeviceEvent& done);

  Device device;
  DeviceMemory memory;
  std::vector<std::int64_t> shape;
  ElementType type;
  DeviceEvent written;
  std::vector<DeviceEvent> read;
  /// Who has got its memory: nobody, packages that work on the legacy default stream, others.
  enum class Lent { never, to_legacy_stream, elsewhere } lent = Lent::never;
  std::weak_ptr<SpareMemory> home;
};

/// Memory of arrays that are gone, for the next ones of the same size: a driver takes longer to give and to free memory
/// than a small picture takes. Used with the GIL held.
class SpareMemory {
 public:
  struct One {
    DeviceMemory memory;
    std::size_t bytes;
    std::vector<DeviceEvent> uses;  ///< That must have ended before it is written.
  };
  void keep(One one);
  /// An empty one where there is none of that size.
  One take(std::size_t bytes);

 private:
  std::vector<One> all_;
};

/// An array in new memory, or in memory of `spare`, to which it goes back.
DeviceArray new_device_array(const Device& device, const ElementType& type, std::vector<std::int64_t> shape,
                             const std::shared_ptr<SpareMemory>& spare = nullptr);

/// A Device as it is, or the one of that name.
Device to_device(nb::handle value);

void register_devices(nb::module_& module);
void register_device_array(nb::module_& module);

}  // namespace vergence::python
