// SPDX-License-Identifier: Apache-2.0
// Two 16-bit integers in a 32-bit register, and words passed between the 32 work-items of a warp: NVIDIA's instructions,
// through either API.
//
// An integer below 2048 has the bits of a half-precision number, tiny and exact: integers below 1024 are the denormal
// numbers and the next 1024 the first normal ones, at the same distance. So the half-precision unit, twice as wide as the
// integer one, subtracts and adds them exactly, and takes magnitudes on the way in for nothing.
#ifndef VERGENCE_NVIDIA
#error "packed.h holds NVIDIA's instructions"
#endif

// acc + |a - b| in both halves; all below 2048.
static inline uint add_difference(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("{.reg .b32 t; sub.f16x2 t, %2, %3; abs.f16x2 t, t; add.f16x2 %0, %1, t;}"
               : "=r"(result)
               : "r"(acc), "r"(a), "r"(b));
  return result;
}
static inline uint subtract_difference(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("{.reg .b32 t; sub.f16x2 t, %2, %3; abs.f16x2 t, t; sub.f16x2 %0, %1, t;}"
               : "=r"(result)
               : "r"(acc), "r"(a), "r"(b));
  return result;
}
static inline uint min_halves(uint a, uint b) {
  uint result;
  VERGENCE_ASM("min.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
// Bytes of {b, a} (a: 0 to 3) in the order of the four digits of `digits`.
static inline uint pick_bytes(uint a, uint b, uint digits) {
  uint result;
  VERGENCE_ASM("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(digits));
  return result;
}
// The word of the lane one below or above; the first and the last lane get their own.
static inline uint from_lane_below(uint word) {
  uint result;
  VERGENCE_ASM_VOLATILE("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(result) : "r"(word));
  return result;
}
static inline uint from_lane_above(uint word) {
  uint result;
  VERGENCE_ASM_VOLATILE("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(result) : "r"(word));
  return result;
}
