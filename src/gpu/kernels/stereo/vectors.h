// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 sums (OpenCL alone).
//
//   LONG_SUMS  0: sums have 16 bits, 1: 32
#if !defined(LONG_SUMS)
#error "vectors needs LONG_SUMS"
#endif

#if LONG_SUMS
typedef uint Sum;
typedef uint16 Sums;
#define SUMS(v) convert_uint16(v)
#define AS_SUMS(v) as_uint16(v)
#define ALL_SUMS(value) ((uint16)(value))
#else
typedef ushort Sum;
typedef ushort16 Sums;
#define SUMS(v) convert_ushort16(v)
#define AS_SUMS(v) as_ushort16(v)
#define ALL_SUMS(value) ((ushort16)(value))
#endif

Sum smallest(Sums v) {
#if LONG_SUMS
  const uint8 a = min(v.lo, v.hi);
  const uint4 b = min(a.lo, a.hi);
  const uint2 c = min(b.lo, b.hi);
#else
  const ushort8 a = min(v.lo, v.hi);
  const ushort4 b = min(a.lo, a.hi);
  const ushort2 c = min(b.lo, b.hi);
#endif
  return min(c.x, c.y);
}

Sum total(Sums v) {
#if LONG_SUMS
  const uint8 a = v.lo + v.hi;
  const uint4 b = a.lo + a.hi;
  const uint2 c = b.lo + b.hi;
#else
  const ushort8 a = v.lo + v.hi;
  const ushort4 b = a.lo + a.hi;
  const ushort2 c = b.lo + b.hi;
#endif
  return c.x + c.y;
}
