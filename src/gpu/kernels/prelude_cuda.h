// SPDX-License-Identifier: Apache-2.0
// Stands before every kernel where the compiler is NVRTC: gives CUDA C++ the words of OpenCL C that our kernels use,
// and no others. Compiled with --device-as-default-execution-space.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef long long int64;
typedef unsigned long long uint64;
typedef unsigned long long ulong;
#define __kernel extern "C" __global__
#define __global
#define __local __shared__
#define __constant const
#define restrict __restrict__
#define LOCAL_POINTER
#ifdef VERGENCE_REGISTERS  // of a work-item; a multiprocessor has 65536
#define WORK_GROUP(w, h) __launch_bounds__((w) * (h), 65536 / ((w) * (h)*VERGENCE_REGISTERS))
#else
#define WORK_GROUP(w, h) __launch_bounds__((w) * (h))
#endif
// A structure among a kernel's parameters, which it only reads: without the word NVRTC makes slower code of it.
#if __CUDA_ARCH__ >= 700 && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1107
#define GRID_CONSTANT const __grid_constant__
#else
#define GRID_CONSTANT const
#endif
#define GROUP_BARRIER() __syncthreads()
#define GLOBAL_BARRIER() __syncthreads()
#define LOCAL_ARGUMENT(type, name)
#define USE_LOCAL_ARGUMENT(type, name) extern __shared__ type name[]
#define ALIGN_16 __align__(16)
#define ALWAYS_INLINE __forceinline__
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#define UNROLL_2 _Pragma("unroll 2")
#define UNROLL_4 _Pragma("unroll 4")
#define UNROLL_16 _Pragma("unroll 16")
inline uint get_local_id(uint d) { return d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : threadIdx.z; }
inline uint get_group_id(uint d) { return d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : blockIdx.z; }
inline uint get_local_size(uint d) { return d == 0 ? blockDim.x : d == 1 ? blockDim.y : blockDim.z; }
inline uint get_num_groups(uint d) { return d == 0 ? gridDim.x : d == 1 ? gridDim.y : gridDim.z; }
inline uint get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
inline uint get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
inline int clamp(int x, int lo, int hi) { return min(max(x, lo), hi); }
inline int atomic_min(int* p, int v) { return atomicMin(p, v); }
inline uint atomic_min(uint* p, uint v) { return atomicMin(p, v); }
inline int atomic_add(int* p, int v) { return atomicAdd(p, v); }
inline uint atomic_add(uint* p, uint v) { return atomicAdd(p, v); }
inline int clz(uint x) { return __clz((int)x); }
inline uint popcount(uint x) { return __popc(x); }
inline uint64 popcount(uint64 x) { return __popcll(x); }
#define VERGENCE_ASM asm
#define VERGENCE_ASM_VOLATILE asm volatile
