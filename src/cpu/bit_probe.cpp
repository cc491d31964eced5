// SPDX-License-Identifier: Apache-2.0
// The bit probe with vectors, once per SIMD target.
#include "cpu/bit_probe.hpp"

#define HWY_WANT_AVX3_DL
#define VERGENCE_SIMD_FILE "cpu/bit_probe.cpp"
#include "cpu/foreach_target.hpp"
// foreach_target.h comes first.
#include <hwy/highway.h>
#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The arrays are powers of two long, and no vector is longer than its array: there is no tail.
void probe(const ProbeInput& in, ProbeOutput& out) {
  const hn::CappedTag<double, static_cast<std::size_t>(probe_doubles)> d;
  for (std::size_t i = 0; i < in.a.size(); i += hn::Lanes(d)) {
    const auto product = hn::Mul(hn::LoadU(d, &in.a[i]), hn::LoadU(d, &in.b[i]));
    hn::StoreU(hn::Add(product, hn::LoadU(d, &in.c[i])), d, &out.product_sum[i]);
    hn::StoreU(hn::Div(hn::LoadU(d, &in.numerator[i]), hn::LoadU(d, &in.denominator[i])), d, &out.quotient[i]);
    hn::StoreU(hn::Sqrt(hn::LoadU(d, &in.radicand[i])), d, &out.root[i]);
    hn::StoreU(hn::Mul(hn::LoadU(d, &in.small[i]), hn::LoadU(d, &in.factor[i])), d, &out.small_product[i]);
  }
  const hn::CappedTag<std::uint16_t, static_cast<std::size_t>(probe_words)> d16;
  for (std::size_t i = 0; i < in.left.size(); i += hn::Lanes(d16))
    hn::StoreU(hn::Add(hn::LoadU(d16, &in.left[i]), hn::LoadU(d16, &in.right[i])), d16, &out.sum[i]);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(probe);

ProbeOutput simd_probe(std::int64_t target) {
  const ProbeInput in = probe_input();
  ProbeOutput out;
  VERGENCE_DISPATCH(probe, target)(in, out);
  return out;
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
