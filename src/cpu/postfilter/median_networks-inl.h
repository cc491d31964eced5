// SPDX-License-Identifier: Apache-2.0
// Sorting and selection networks on vectors (Batcher, "Sorting networks and their applications", 1968): exchanges of
// whole vectors, so that every lane sorts its own values. Lists go upwards. Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_MEDIAN_NETWORKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_MEDIAN_NETWORKS_INL_H_
#undef VERGENCE_CPU_POSTFILTER_MEDIAN_NETWORKS_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_MEDIAN_NETWORKS_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE void Exchange(V& low, V& high) {
  const V least = hn::Min(low, high);
  high = hn::Max(low, high);
  low = least;
}

template <class V>
HWY_INLINE void Sort3(V (&a)[3]) {
  Exchange(a[0], a[1]);
  Exchange(a[1], a[2]);
  Exchange(a[0], a[1]);
}

template <class V>
HWY_INLINE void Sort4(V (&a)[4]) {
  Exchange(a[0], a[1]);
  Exchange(a[2], a[3]);
  Exchange(a[0], a[2]);
  Exchange(a[1], a[3]);
  Exchange(a[1], a[2]);
}

template <class V>
HWY_INLINE void Sort5(V (&a)[5]) {
  Exchange(a[0], a[1]);
  Exchange(a[3], a[4]);
  Exchange(a[2], a[4]);
  Exchange(a[2], a[3]);
  Exchange(a[1], a[4]);
  Exchange(a[0], a[3]);
  Exchange(a[0], a[2]);
  Exchange(a[1], a[3]);
  Exchange(a[1], a[2]);
}

/// The middle of three.
template <class V>
HWY_INLINE V Middle3(V a, V b, V c) {
  Exchange(a, b);
  return hn::Max(a, hn::Min(b, c));
}

// Odd-even merges: lists a and b, merged into the arguments in the order in which they stand.

template <class V>
HWY_INLINE void Merge21(V& a0, V& a1, V& b0) {
  Exchange(a0, b0);
  Exchange(a1, b0);
}

template <class V>
HWY_INLINE void Merge22(V& a0, V& a1, V& b0, V& b1) {
  Exchange(a0, b0);
  Exchange(a1, b1);
  Exchange(a1, b0);
}

template <class V>
HWY_INLINE void Merge42(V& a0, V& a1, V& a2, V& a3, V& b0, V& b1) {
  Merge21(a0, a2, b0);  // even places
  Merge21(a1, a3, b1);  // odd places
  Exchange(a1, a2);
  Exchange(a3, b0);
}

/// Two lists of 4, merged into m.
template <class V>
HWY_INLINE void Merge44(const V (&a)[4], const V (&b)[4], V (&m)[8]) {
  for (int i = 0; i < 4; ++i) {
    m[i] = a[i];
    m[i + 4] = b[i];
  }
  Merge22(m[0], m[2], m[4], m[6]);
  Merge22(m[1], m[3], m[5], m[7]);
  Exchange(m[1], m[2]);
  Exchange(m[3], m[4]);
  Exchange(m[5], m[6]);
}

/// A list of 8 and one of 4, merged into m.
template <class V>
HWY_INLINE void Merge84(const V (&a)[8], const V (&b)[4], V (&m)[12]) {
  for (int i = 0; i < 8; ++i) m[i] = a[i];
  for (int i = 0; i < 4; ++i) m[i + 8] = b[i];
  Merge42(m[0], m[2], m[4], m[6], m[8], m[10]);
  Merge42(m[1], m[3], m[5], m[7], m[9], m[11]);
  for (int i = 1; i < 11; i += 2) Exchange(m[i], m[i + 1]);
}

/// Of a list of 8 and one of 12 together: those at places 7 .. 12 (counted from 0) in order.
template <class V>
HWY_INLINE void Middle6Of20(const V (&a)[8], const V (&b)[12], V (&m)[6]) {
  // The lowest 13 are a[0], min(a[i], b[12 - i]) and b[4] .. b[0], first rising, then falling. Of such a sequence, with
  // three lowest values appended, a half cleaner keeps the highest 8, again bitonic, and three more sort them.
  V h[8];
  h[0] = hn::Max(a[0], b[4]);
  for (int i = 1; i < 5; ++i) h[i] = hn::Max(hn::Min(a[i], b[12 - i]), b[4 - i]);
  for (int i = 5; i < 8; ++i) h[i] = hn::Min(a[i], b[12 - i]);
  for (int i = 0; i < 4; ++i) Exchange(h[i], h[i + 4]);
  h[2] = hn::Max(h[0], h[2]);  // the two lowest are not asked for
  h[3] = hn::Max(h[1], h[3]);
  Exchange(h[4], h[6]);
  Exchange(h[5], h[7]);
  for (int i = 2; i < 8; i += 2) Exchange(h[i], h[i + 1]);
  for (int i = 0; i < 6; ++i) m[i] = h[i + 2];
}

/// Of a list of 6 and one of 5 together: the middle one. It is the smallest value that has 5 others not above it, i of
/// them in r and 5 - i in m, for one of the six i.
template <class V>
HWY_INLINE V Middle11(const V (&m)[6], const V (&r)[5]) {
  V middle = m[5];
  for (int i = 0; i < 5; ++i) middle = hn::Min(middle, hn::Max(m[4 - i], r[i]));
  return middle;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_MEDIAN_NETWORKS_INL_H_
