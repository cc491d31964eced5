// SPDX-License-Identifier: Apache-2.0
// What packages offer beside __dlpack__ to be read in a fraction of a microsecond: DLPack's table of C functions, and
// the attributes of CuPy's arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>

#include "errors.hpp"

namespace vergence::python {

/// DLManagedTensorVersioned of dlpack.h, version 1.
struct ManagedTensor {
  std::uint32_t major, minor;
  void* manager;
  void (*deleter)(ManagedTensor* self);
  std::uint64_t flags;
  nb::dlpack::dltensor tensor;

  static constexpr std::uint64_t read_only = 1;
};
struct FreeTensor {
  void operator()(ManagedTensor* tensor) const {
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
};
using TensorOwner = std::unique_ptr<ManagedTensor, FreeTensor>;

/// DLPackExchangeAPI of dlpack.h, version 1: PyTorch has one since 2.10.
struct ExchangeApi {
  std::uint32_t major, minor;
  const ExchangeApi* older;
  int (*allocate)(void*, ManagedTensor**, void*, void (*)(void*, const char*, const char*));
  int (*tensor_of)(void* object, ManagedTensor** out);
  int (*object_of)(ManagedTensor* tensor, void** out);
  int (*view_of)(void* object, void* out);
  int (*current_stream)(std::int32_t device_type, std::int32_t device, void** out);
};

/// That of an object's type; null where it has none.
const ExchangeApi* exchange_api(nb::handle object);
/// The tensor that an object stands for, without any order of streams; null where it tells none.
TensorOwner tensor_of(const ExchangeApi& api, nb::handle object);

/// What an array of CuPy says of itself.
struct CupyArray {
  void* data;
  nb::tuple shape, strides;
  nb::object type;  ///< numpy's dtype
};
bool is_cupy(nb::handle object);
CupyArray read_cupy(nb::handle object);
/// The stream that CuPy works on in this thread.
std::uintptr_t cupy_stream();

}  // namespace vergence::python
