// SPDX-License-Identifier: Apache-2.0
// Two 16-bit integers or four bytes in a 32-bit register, dot products of bytes, and words passed between the 32
// work-items of a warp: NVIDIA's instructions, through either API. What works on bytes has a plain form for other
// devices.
//
// An integer below 2048 has the bits of a half-precision number, tiny and exact: integers below 1024 are the denormal
// numbers and the next 1024 the first normal ones, at the same distance. So the half-precision unit, twice as wide as
// the integer one, subtracts and adds them exactly, and takes magnitudes on the way in for nothing.
// Orders for pick_bytes(a, b, ...): bytes k to k + 3; the low halves of a and b; their high halves.
#define BYTES_FROM(k) (0x3210u + 0x1111u * (uint)(k))
#define LOW_HALVES 0x5410u
#define HIGH_HALVES 0x7632u

#ifdef VERGENCE_NVIDIA

// acc + |a - b| in both halves; all below 2048.
static inline uint add_difference(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("{.reg .b32 t; sub.f16x2 t, %2, %3; abs.f16x2 t, t; add.f16x2 %0, %1, t;}"
               : "=r"(result)
               : "r"(acc), "r"(a), "r"(b));
  return result;
}
// acc - |c - d| + |a - b| in both halves, in this order; all below 2048.
static inline uint exchange_difference(uint acc, uint a, uint b, uint c, uint d) {
  uint result;
  VERGENCE_ASM(
      "{.reg .b32 t, u; sub.f16x2 t, %4, %5; abs.f16x2 t, t; sub.f16x2 u, %1, t;"
      " sub.f16x2 t, %2, %3; abs.f16x2 t, t; add.f16x2 %0, u, t;}"
      : "=r"(result)
      : "r"(acc), "r"(a), "r"(b), "r"(c), "r"(d));
  return result;
}
// 2 bits + (a > b) in both halves; a and b are bytes, with COMPARABLE above each: half-precision numbers from 1024 on,
// so that their difference, saturated, is 0 or 1. `bits` begins as NO_BITS(n), and after n times, at most 8, it has
// their bits in bytes 0 and 2; meanwhile they are numbers between 4 and 2047.
#define COMPARABLE 0x64u
#define NO_BITS(n) ((uint)(25 - (n)) * 0x04000400u)
static inline uint push_greater(uint bits, uint a, uint b) {
  uint result;
  VERGENCE_ASM("{.reg .b32 t; sub.rn.sat.f16x2 t, %2, %3; fma.rn.f16x2 %0, %1, %4, t;}"
               : "=r"(result)
               : "r"(bits), "r"(a), "r"(b), "r"(0x40004000u));
  return result;
}
static inline uint min_halves(uint a, uint b) {
  uint result;
  VERGENCE_ASM("min.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
static inline uint min_signed_halves(uint a, uint b) {
  uint result;
  VERGENCE_ASM("min.s16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
static inline uint max_signed_halves(uint a, uint b) {
  uint result;
  VERGENCE_ASM("max.s16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
// The lesser of a + b and c in both halves; no sum reaches 2^16.
static inline uint add_min_halves(uint a, uint b, uint c) {
  uint result;
  VERGENCE_ASM("{.reg .b32 t; add.u16x2 t, %1, %2; min.u16x2 %0, t, %3;}" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
// acc + the low and the high half of `halves`, times the lowest two bytes of `factors`.
static inline uint add_halves(uint acc, uint halves, uint factors) {
  uint result;
  VERGENCE_ASM("dp2a.lo.u32.u32 %0, %2, %3, %1;" : "=r"(result) : "r"(acc), "r"(halves), "r"(factors));
  return result;
}
// acc + the signed halves of `halves`, times the lower or the upper two bytes of `bytes`.
static inline int dot_low_bytes(int acc, uint halves, uint bytes) {
  int result;
  VERGENCE_ASM("dp2a.lo.s32.u32 %0, %2, %3, %1;" : "=r"(result) : "r"(acc), "r"(halves), "r"(bytes));
  return result;
}
static inline int dot_high_bytes(int acc, uint halves, uint bytes) {
  int result;
  VERGENCE_ASM("dp2a.hi.s32.u32 %0, %2, %3, %1;" : "=r"(result) : "r"(acc), "r"(halves), "r"(bytes));
  return result;
}
// acc + the sum of |a - b| over the four bytes; one instruction at full rate.
static inline uint add_byte_differences(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(acc));
  return result;
}
// acc + the sum of a * b over the four bytes.
static inline uint add_byte_products(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(acc));
  return result;
}
// acc + the sum of (a - b)^2 over the four bytes.
static inline uint add_byte_squares(uint acc, uint a, uint b) {
  uint result;
  VERGENCE_ASM("{.reg .u32 t; vabsdiff4.u32.u32.u32 t, %1, %2, %4; dp4a.u32.u32 %0, t, t, %3;}"
               : "=r"(result)
               : "r"(a), "r"(b), "r"(acc), "r"(0u));
  return result;
}
// Bytes of {b, a} (a: 0 to 3) in the order of the four digits of `digits`.
static inline uint pick_bytes(uint a, uint b, uint digits) {
  uint result;
  VERGENCE_ASM("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(digits));
  return result;
}
// The word of the lane `lanes` below; the first ones get their own.
static inline uint from_lane_below(uint word, uint lanes) {
  uint result;
  VERGENCE_ASM_VOLATILE("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lanes));
  return result;
}
// A bit for each lane of the warp: whether it holds there.
static inline uint lanes_where(bool here) {
  uint result;
  VERGENCE_ASM_VOLATILE("{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                        : "=r"(result)
                        : "r"((uint)here));
  return result;
}
// The word of the lane of that number.
static inline uint from_lane(uint word, uint lane) {
  uint result;
  VERGENCE_ASM_VOLATILE("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lane));
  return result;
}
// The number of a work-item's warp in its group. Compilers then know that all lanes have the same one, and that they
// stay together where it decides: else they repeat all code around exchanges between lanes, for lanes that do not.
static inline int warp_of(int thread) { return (int)from_lane((uint)thread >> 5, 0); }
// Whether it holds for any lane of the warp.
static inline bool any_lane(bool here) {
  uint result;
  VERGENCE_ASM_VOLATILE(
      "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.any.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p;}"
      : "=r"(result)
      : "r"((uint)here));
  return result != 0;
}
// The word of the lane whose number differs in the bits of `lanes`.
static inline uint from_lane_across(uint word, uint lanes) {
  uint result;
  VERGENCE_ASM_VOLATILE("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(word), "r"(lanes));
  return result;
}
// Of compute capability 8.0 on.
static inline uint least_of_warp(uint value) {
  uint result;
  VERGENCE_ASM_VOLATILE("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
// Of 64 bits.
static inline uint64 least_long_of_warp(uint64 value) {
  const uint high = least_of_warp((uint)(value >> 32));
  return (uint64)high << 32 | least_of_warp((uint)(value >> 32) == high ? (uint)value : ~0u);
}
// The sum over the warp's lanes, modulo 2^32; of compute capability 8.0 on.
static inline uint sum_of_warp(uint value) {
  uint result;
  VERGENCE_ASM_VOLATILE("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
// sums = for each of 16 rows and 8 columns of 128 bits, the number of bits that both have. `row_low`, `row_high`: 32
// bits of rows lane / 4 and lane / 4 + 8, `column`: of column lane / 4, each the (lane % 4)-th of four words. The sums
// are those of row lane / 4 and columns 2 * (lane % 4) and the next, then of the row 8 below. Of compute capability 8.0
// on.
static inline void count_common_bits(uint* sums, uint row_low, uint row_high, uint column) {
  VERGENCE_ASM_VOLATILE(
      "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
      : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
      : "r"(row_low), "r"(row_high), "r"(column), "r"(0u));
}
// 16 bytes that nobody reads again: they leave the caches first.
static inline uint4 read_once(__global const uint4* from) {
  uint x, y, z, w;
  VERGENCE_ASM("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(from));
  const uint4 words = {x, y, z, w};
  return words;
}
// A word that nobody writes meanwhile; the second-level cache asks memory for 256 bytes around it.
static inline uint read_with_neighbours(__global const uint* from) {
  uint result;
  VERGENCE_ASM("ld.global.nc.L2::256B.u32 %0, [%1];" : "=r"(result) : "l"(from));
  return result;
}
// What a lane wrote to local memory before, all of the warp sees after.
#define WARP_BARRIER() VERGENCE_ASM_VOLATILE("bar.warp.sync 0xffffffff;" : : : "memory")

#else

static inline uint4 read_once(__global const uint4* from) { return *from; }
static inline uint byte_of(uint word, uint i) { return word >> (8u * i) & 0xFFu; }
static inline uint add_byte_differences(uint acc, uint a, uint b) {
  for (uint i = 0; i < 4; ++i) acc += max(byte_of(a, i), byte_of(b, i)) - min(byte_of(a, i), byte_of(b, i));
  return acc;
}
static inline uint add_byte_squares(uint acc, uint a, uint b) {
  for (uint i = 0; i < 4; ++i) {
    const uint size = max(byte_of(a, i), byte_of(b, i)) - min(byte_of(a, i), byte_of(b, i));
    acc += size * size;
  }
  return acc;
}
#define COMPARABLE 0u
#define NO_BITS(n) 0u
static inline uint push_greater(uint bits, uint a, uint b) {
  return bits << 1 | ((a + (0x7FFF7FFFu - b)) >> 15 & 0x00010001u);
}
static inline uint min_halves(uint a, uint b) {
  return min(a & 0xFFFF0000u, b & 0xFFFF0000u) | min(a & 0xFFFFu, b & 0xFFFFu);
}
static inline uint min_signed_halves(uint a, uint b) {
  return min_halves(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u;
}
static inline uint max_signed_halves(uint a, uint b) { return ~min_signed_halves(~a, ~b); }
static inline uint add_min_halves(uint a, uint b, uint c) { return min_halves(a + b, c); }
static inline uint add_byte_products(uint acc, uint a, uint b) {
  for (uint i = 0; i < 4; ++i) acc += byte_of(a, i) * byte_of(b, i);
  return acc;
}
static inline uint pick_bytes(uint a, uint b, uint digits) {
  uint result = 0;
  for (uint i = 0; i < 4; ++i) {
    const uint place = digits >> (4u * i) & 7u;
    result |= byte_of(place < 4 ? a : b, place & 3u) << (8u * i);
  }
  return result;
}

#endif

// Eight bytes that begin anywhere, the first one lowest. Reads whole words: up to 7 bytes more.
typedef struct {
  uint low, high;
} Eight;
static inline Eight eight_bytes(__global const uchar* from) {
  const size_t at = (size_t)from;
  const uint shift = (uint)(at & 3u);
  __global const uint* words = (__global const uint*)(at - shift);
  const uint digits = BYTES_FROM(shift);
  const uint a = words[0], b = words[1], c = shift == 0 ? 0 : words[2];
  Eight eight;
  eight.low = pick_bytes(a, b, digits);
  eight.high = pick_bytes(b, c, digits);
  return eight;
}
