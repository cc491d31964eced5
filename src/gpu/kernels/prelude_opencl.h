// SPDX-License-Identifier: Apache-2.0
// Stands before every kernel where the compiler is OpenCL C 1.2.
#pragma OPENCL FP_CONTRACT OFF  // the default is ON and would change float results
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#define WORK_GROUP(w, h) __attribute__((reqd_work_group_size(w, h, 1)))
#define LOCAL_POINTER __local  // a pointer parameter of a helper that points into local memory
#define GRID_CONSTANT const    // a structure among a kernel's parameters, which it only reads
#define GROUP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_BARRIER() barrier(CLK_GLOBAL_MEM_FENCE)  // what the group wrote to global memory is seen by all of it
// The last parameter of a kernel whose local memory the host sizes, and its use inside.
#define LOCAL_ARGUMENT(type, name) , __local type* restrict name##_argument
#define USE_LOCAL_ARGUMENT(type, name) __local type* restrict name = name##_argument
#define ALIGN_16 __attribute__((aligned(16)))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define UNROLL __attribute__((opencl_unroll_hint))
#define NO_UNROLL __attribute__((opencl_unroll_hint(1)))
#define UNROLL_2 __attribute__((opencl_unroll_hint(2)))
#define UNROLL_4 __attribute__((opencl_unroll_hint(4)))
#define UNROLL_16 __attribute__((opencl_unroll_hint(16)))
typedef long int64;
typedef ulong uint64;
// NVIDIA's OpenCL compiler takes PTX as its CUDA compiler does.
#define VERGENCE_ASM __asm__
#define VERGENCE_ASM_VOLATILE __asm__ volatile
#ifdef POCL_DEVICE_ADDRESS_BITS
// PoCL 5 notes which values are the same for all work-items. Then LLVM replaces instructions, and a new one may get the
// address of one that was noted: PoCL takes its value for the same too, and after the next barrier all work-items have
// the last one's. PoCL notes nothing beyond the first branch in which work-items part, so each kernel begins with one.
// Its two sides access volatile memory in different ways, else LLVM would merge them.
static ALWAYS_INLINE size_t local_id(uint d) {
  const size_t id = get_local_id(d);
  volatile int side = 0;
  if ((id & 1) == 0)
    side = 1;
  else
    (void)side;
  return id;
}
#define get_local_id local_id
#endif
