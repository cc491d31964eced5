// SPDX-License-Identifier: Apache-2.0
// Opening and closing a device's context.
#include "gpu/cuda/context.hpp"

namespace vergence::gpu::cuda {

Context::Context(DeviceOrdinal device, std::string name) : device_(device), name_(std::move(name)) {
  const Result code = calls().DevicePrimaryCtxRetain(&object_, device_);
  if (code != success) fail(code, "opening " + name_);
}

Context::~Context() { calls().DevicePrimaryCtxRelease(device_); }

}  // namespace vergence::gpu::cuda
