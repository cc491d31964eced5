// SPDX-License-Identifier: Apache-2.0
// The middle one of some values.
//
//   TAPS             of which there are: odd
//   VALUE            their type
//   LESSER, GREATER  of two values
#if !defined(TAPS) || !defined(VALUE) || !defined(LESSER) || !defined(GREATER)
#error "middle needs TAPS, VALUE, LESSER and GREATER"
#endif
#define KEPT (TAPS / 2 + 2)

static ALWAYS_INLINE void exchange(VALUE* low, VALUE* high) {
  const VALUE least = LESSER(*low, *high);
  *high = GREATER(*low, *high);
  *low = least;
}

/// Of any KEPT values neither the least nor the greatest can be it: both are dropped and one more is taken in, until
/// three are left.
static ALWAYS_INLINE VALUE middle(VALUE* values) {
  UNROLL
  for (int first = 0; first <= TAPS - KEPT; ++first) {
    const int last = KEPT - 1;
    UNROLL
    for (int i = 0; i < (KEPT - first) / 2; ++i) exchange(&values[first + i], &values[last - i]);
    UNROLL
    for (int i = 1; i <= (last - first) / 2; ++i) {
      exchange(&values[first], &values[first + i]);
      exchange(&values[last - i], &values[last]);
    }
    if (first < TAPS - KEPT) values[last] = values[KEPT + first];
  }
  return values[TAPS / 2];
}
