// SPDX-License-Identifier: Apache-2.0
// Lets a call's work wait for the owners of its arrays, and these for it.
#include "order.hpp"

#include <algorithm>

#include "exchange.hpp"
#include "process.hpp"

namespace vergence::python {
namespace {

void* handle_of(std::uintptr_t stream) { return reinterpret_cast<void*>(stream); }

}  // namespace

void Order::add(const Array& array, bool written) {
  if (!array.on_device()) return;
  using Tells = Array::Owner::Tells;
  const Array::Owner& owner = array.owner();
  switch (owner.tells) {
    case Tells::nothing:
      uses_.push_back({&nb::cast<DeviceArray&>(array.object()), written});
      break;
    case Tells::before:
      has_silent_owner_ = true;
      add_stream(owner.stream, false);
      break;
    case Tells::stream:
      add_stream(owner.stream, true);
      break;
    case Tells::cupy:
      add_stream(cupy_stream(), true);
      break;
  }
}

void Order::add_stream(std::uintptr_t stream, bool goes_on) {
  const std::uintptr_t name = stream == 0 ? legacy_stream : stream;
  for (Stream& one : streams_) {
    if (one.name != name) continue;
    one.goes_on = one.goes_on || goes_on;
    return;
  }
  streams_.push_back({name, goes_on});
}

std::span<const DeviceEvent> Order::before() {
  for (const Stream& one : streams_) events_.push_back(device_.record(handle_of(one.name)));
  for (const Use& use : uses_) {
    events_.push_back(use.array->written);
    if (use.written) events_.insert(events_.end(), use.array->read.begin(), use.array->read.end());
  }
  return events_;
}

void Order::after(const DeviceEvent& done) {
  for (const Use& use : uses_) {
    if (use.written)
      use.array->set_written(done);
    else
      use.array->add_read(done);
  }
  for (const Stream& one : streams_)
    if (one.goes_on) done.make_wait(handle_of(one.name));
  if (has_silent_owner_) without_gil([&] { done.wait(); });
}

}  // namespace vergence::python
