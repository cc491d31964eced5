// SPDX-License-Identifier: Apache-2.0
// The order of a call's work on a device and of what the owners of its arrays do there: streams and events, by the
// rules of DLPack and of __cuda_array_interface__.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "device.hpp"
#include "vergence/device.hpp"

namespace vergence::python {

/// Made and used with the GIL held, for one call: first all its arrays, then before(), the call, and, where the call
/// did not wait for its work, after().
class Order {
 public:
  explicit Order(const Device& device) : device_(device) {}

  /// Arrays that the call reads, or writes. Those in host memory have no part in it.
  void reads(const Array& array) { add(array, false); }
  void writes(const Array& array) { add(array, true); }

  /// What the call's work waits for, on the device.
  std::span<const DeviceEvent> before();
  /// The call's work has been given to the device and ends with `done`: what the owners of the arrays do next waits for
  /// it, on the device. Where one does not tell where it goes on, this waits, on the host.
  void after(const DeviceEvent& done);

 private:
  void add(const Array& array, bool written);
  void add_stream(std::uintptr_t stream, bool goes_on);

  struct Stream {
    std::uintptr_t name = 0;
    bool goes_on = false;  ///< An owner's next work is in it.
  };
  struct Use {
    DeviceArray* array;
    bool written;
  };
  const Device& device_;
  std::vector<Stream> streams_;
  std::vector<Use> uses_;
  std::vector<DeviceEvent> events_;
  bool has_silent_owner_ = false;
};

}  // namespace vergence::python
