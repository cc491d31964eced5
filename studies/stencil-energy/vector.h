// SPDX-License-Identifier: Apache-2.0
// Vectors of WIDTH floats: OpenCL's own, and for CUDA, which has none with arithmetic, a structure that stays in
// registers.
#if !defined(WIDTH)
#error "stencil-energy needs WIDTH (1, 4, 8, 16)"
#endif
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

#if WIDTH == 1
typedef float Vector;
#define LOAD(p) (*(p))
#define LOAD_ALIGNED(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#define FUSED(a, b, c) fma(a, b, c)

#elif defined(__OPENCL_VERSION__)
typedef PASTE(float, WIDTH) Vector;
#define LOAD(p) PASTE(vload, WIDTH)(0, p)
#define LOAD_ALIGNED(p) (*(__global const Vector*)(p))
#define STORE(v, p) (*(__global Vector*)(p) = (v))
#define FUSED(a, b, c) fma((Vector)(a), (Vector)(b), (Vector)(c))
// Elements that lie 2 or 1 before or after those of `c`, of three neighbouring vectors p c n.
#if WIDTH == 4
#define TWO_BEFORE(p, c) ((float4)((p).s23, (c).s01))
#define ONE_BEFORE(p, c) ((float4)((p).s3, (c).s012))
#define ONE_AFTER(c, n) ((float4)((c).s123, (n).s0))
#define TWO_AFTER(c, n) ((float4)((c).s23, (n).s01))
#elif WIDTH == 8
#define TWO_BEFORE(p, c) ((float8)((p).s67, (c).s0123, (c).s45))
#define ONE_BEFORE(p, c) ((float8)((p).s7, (c).s0123, (c).s456))
#define ONE_AFTER(c, n) ((float8)((c).s123, (c).s4567, (n).s0))
#define TWO_AFTER(c, n) ((float8)((c).s23, (c).s4567, (n).s01))
#else
#define TWO_BEFORE(p, c) ((float16)((p).sef, (c).s01234567, (c).s89ab, (c).scd))
#define ONE_BEFORE(p, c) ((float16)((p).sf, (c).s01234567, (c).s89ab, (c).scde))
#define ONE_AFTER(c, n) ((float16)((c).s123, (c).s4567, (c).s89abcdef, (n).s0))
#define TWO_AFTER(c, n) ((float16)((c).s23, (c).s4567, (c).s89abcdef, (n).s01))
#endif

#else
struct Vector {
  float s[WIDTH];
};
// Where the address may be any multiple of 4 bytes, the device has no wider load.
inline Vector LOAD(const float* p) {
  Vector v;
  UNROLL for (int i = 0; i < WIDTH; ++i) v.s[i] = p[i];
  return v;
}
inline Vector LOAD_ALIGNED(const float* p) {
  Vector v;
  UNROLL for (int i = 0; i < WIDTH / 4; ++i) {
    const float4 part = ((const float4*)p)[i];
    v.s[4 * i] = part.x;
    v.s[4 * i + 1] = part.y;
    v.s[4 * i + 2] = part.z;
    v.s[4 * i + 3] = part.w;
  }
  return v;
}
inline void STORE(Vector v, float* p) {
  UNROLL for (int i = 0; i < WIDTH / 4; ++i)
    ((float4*)p)[i] = make_float4(v.s[4 * i], v.s[4 * i + 1], v.s[4 * i + 2], v.s[4 * i + 3]);
}
inline Vector operator+(Vector a, Vector b) {
  UNROLL for (int i = 0; i < WIDTH; ++i) a.s[i] += b.s[i];
  return a;
}
inline Vector operator-(Vector a, Vector b) {
  UNROLL for (int i = 0; i < WIDTH; ++i) a.s[i] -= b.s[i];
  return a;
}
inline Vector operator+(Vector a, float b) {
  UNROLL for (int i = 0; i < WIDTH; ++i) a.s[i] += b;
  return a;
}
inline Vector operator*(Vector a, Vector b) {
  UNROLL for (int i = 0; i < WIDTH; ++i) a.s[i] *= b.s[i];
  return a;
}
inline Vector operator*(float a, Vector b) {
  UNROLL for (int i = 0; i < WIDTH; ++i) b.s[i] *= a;
  return b;
}
inline Vector FUSED(Vector a, float b, float c) {
  UNROLL for (int i = 0; i < WIDTH; ++i) a.s[i] = fmaf(a.s[i], b, c);
  return a;
}
// The WIDTH elements from `first` on, of two neighbouring vectors. Registers are only named anew.
inline Vector between(Vector a, Vector b, int first) {
  Vector v;
  UNROLL for (int i = 0; i < WIDTH; ++i)
    v.s[i] = first + i < WIDTH ? a.s[(first + i) % WIDTH] : b.s[(first + i) % WIDTH];
  return v;
}
#define TWO_BEFORE(p, c) between(p, c, WIDTH - 2)
#define ONE_BEFORE(p, c) between(p, c, WIDTH - 1)
#define ONE_AFTER(c, n) between(c, n, 1)
#define TWO_AFTER(c, n) between(c, n, 2)
#endif
