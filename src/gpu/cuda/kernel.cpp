// SPDX-License-Identifier: Apache-2.0
// What a kernel takes, where the driver tells, and what is wrong with arguments for it.
#include <fmt/format.h>

#include <utility>

#include "gpu/cuda/queue.hpp"

namespace vergence::gpu::cuda {

CudaKernel::CudaKernel(std::shared_ptr<ModuleHandle> module, FunctionObject function, std::string name)
    : module_(std::move(module)),
      function_(function),
      name_(std::move(name)),
      sizes_known_(calls().FuncGetParamInfo != nullptr) {
  std::size_t offset = 0, size = 0;
  Result code = success;
  while (sizes_known_ && code == success) {
    code = calls().FuncGetParamInfo(function_, sizes_.size(), &offset, &size);
    if (code == success) sizes_.push_back(size);
    if (code != success && code != invalid_value) sizes_known_ = false;
  }
}

std::string CudaKernel::refusal(std::span<const Argument> arguments) const {
  std::size_t index = 0;
  for (const Argument& argument : arguments) {
    if (argument.kind() == Argument::Kind::local) continue;
    const std::size_t size = argument.kind() == Argument::Kind::buffer ? sizeof(DevicePointer) : argument.size();
    if (sizes_known_ && index < sizes_.size() && size != sizes_[index])
      return fmt::format("argument {} has {} bytes, {} takes {}", index, size, name_, sizes_[index]);
    ++index;
  }
  if (sizes_known_ && index != sizes_.size())
    return fmt::format("{} arguments, {} takes {}", index, name_, sizes_.size());
  if (index > max_parameters) return fmt::format("{} arguments, at most {} are possible", index, max_parameters);
  return {};
}

}  // namespace vergence::gpu::cuda
