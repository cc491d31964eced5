// SPDX-License-Identifier: Apache-2.0
// CUDA kernels that need no prelude, for tests of the backend; the stand-in for CUDA's driver (fake_cuda) knows all
// but the last.
#pragma once

#include <cstdint>

namespace vergence::test {

/// Of `scale`, whose text has the same.
struct ScaleArguments {
  std::int64_t factor;
  std::int32_t count, terms[2], last;
};

/// `scale` writes data[i] * factor + terms[i % 2] + last; `add` writes in[i] + term; `reverse` turns each group's
/// values round, through local memory that the host sizes; `stray` writes where nothing is.
inline const char* const cuda_kernels =
    R"(extern "C" __global__ void add(const unsigned char* in, int* out, int count, long long term) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] + static_cast<int>(term);
}
struct ScaleArguments {
  long long factor;
  int count, terms[2], last;
};
extern "C" __global__ void scale(int* data, const ScaleArguments numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers.count) data[i] = static_cast<int>(data[i] * numbers.factor + numbers.terms[i % 2] + numbers.last);
}
extern "C" __global__ void reverse(int* data) {
  extern __shared__ int group[];
  group[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = group[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void stray(int* data) { data[(1ll << 40) + threadIdx.x] = 1; }
)";

}  // namespace vergence::test
