// SPDX-License-Identifier: Apache-2.0
// The words of headers that the host and its kernels share. Each of these headers is C++20, OpenCL C 1.2 and CUDA C++
// at once. It holds structures of scalars that kernels take by value, and macros for what follows from the numbers of a
// launch configuration. An int has 4 bytes everywhere; the size that is stated for a structure proves it.
//
// A structure:
//   VERGENCE_SHARED_BEGIN
//   typedef struct {
//     int64 pitch;        // 8-byte members first, then 4-byte ones, an even number of them if there is any of 8 bytes:
//     int width, height;  // so there is no padding, and all compilers lay it out alike
//   } ExampleArguments;
//   VERGENCE_SHARED_SIZE(ExampleArguments, 16)
//   VERGENCE_SHARED_END
//
// The kernel has `const ExampleArguments arguments` as its last parameter but for local memory; the host gives
// `shared::ExampleArguments{.pitch = ...}` as the last gpu::Argument. No pointers, no bool: OpenCL allows neither here.
#ifndef VERGENCE_GPU_SHARED_LANGUAGE_H
#define VERGENCE_GPU_SHARED_LANGUAGE_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__) || defined(__CUDACC_RTC__)

// The preludes of src/gpu/kernels have int64.
#define VERGENCE_SHARED_BEGIN
#define VERGENCE_SHARED_END
#define VERGENCE_SHARED_SIZE(type, bytes) typedef char size_of_##type[sizeof(type) == (bytes) ? 1 : -1];

#else

#include <cstdint>
namespace vergence::gpu::shared {
using int64 = std::int64_t;
}  // namespace vergence::gpu::shared
#define VERGENCE_SHARED_BEGIN namespace vergence::gpu::shared {
#define VERGENCE_SHARED_END }
#define VERGENCE_SHARED_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "padding in " #type);

#endif

#endif
