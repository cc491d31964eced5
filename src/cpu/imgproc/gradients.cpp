// SPDX-License-Identifier: Apache-2.0
// Gradients by three taps, both directions and both gradients in one pass over the picture.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/imgproc/separable.hpp"

#define VERGENCE_SIMD_FILE "cpu/imgproc/gradients.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/imgproc/result-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::VFromD<D> LoadPixels(D d, const hn::TFromD<D>* p) {
  return hn::LoadU(d, p);
}
template <class D>
HWY_INLINE hn::VFromD<D> LoadPixels(D d, const uint8_t* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, D>(), p));
}

/// Differences and smoothed pixels of a row, from the second to the last but one. Whole vectors alone; returns where it
/// stopped.
template <class P, class S>
HWY_INLINE int Across(const P* HWY_RESTRICT in, int width, S outer, S inner, S* HWY_RESTRICT difference,
                      S* HWY_RESTRICT smooth) {
  const hn::ScalableTag<S> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 1;
  for (; x + lanes <= width - 1; x += lanes) {
    const auto before = LoadPixels(d, in + x - 1), here = LoadPixels(d, in + x), after = LoadPixels(d, in + x + 1);
    hn::StoreU(hn::Sub(after, before), d, difference + x);
    hn::StoreU(hn::Add(hn::Mul(hn::Set(d, outer), hn::Add(before, after)), hn::Mul(hn::Set(d, inner), here)), d,
               smooth + x);
  }
  return x;
}
/// dx from three rows of differences, dy from the first and the last of smoothed pixels; as Across.
template <class S>
HWY_INLINE int DownSmooth(const S* const* rows, int width, S outer, S inner, S* HWY_RESTRICT dx) {
  const hn::ScalableTag<S> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto ends = hn::Add(hn::LoadU(d, rows[0] + x), hn::LoadU(d, rows[2] + x));
    const auto middle = hn::Mul(hn::Set(d, inner), hn::LoadU(d, rows[1] + x));
    hn::StoreU(Result(hn::Add(hn::Mul(hn::Set(d, outer), ends), middle)), d, dx + x);
  }
  return x;
}
template <class S>
HWY_INLINE int DownDifference(const S* const* rows, int width, S* HWY_RESTRICT dy) {
  const hn::ScalableTag<S> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes)
    hn::StoreU(Result(hn::Sub(hn::LoadU(d, rows[2] + x), hn::LoadU(d, rows[0] + x))), d, dy + x);
  return x;
}

int GradientsAcrossFloats(const float* in, int width, float outer, float inner, float* difference, float* smooth) {
  return Across(in, width, outer, inner, difference, smooth);
}
int GradientsAcrossBytes(const uint8_t* in, int width, int16_t outer, int16_t inner, int16_t* difference,
                         int16_t* smooth) {
  return Across(in, width, outer, inner, difference, smooth);
}
int SmoothDownFloats(const float* const* rows, int width, float outer, float inner, float* dx) {
  return DownSmooth(rows, width, outer, inner, dx);
}
int SmoothDownWords(const int16_t* const* rows, int width, int16_t outer, int16_t inner, int16_t* dx) {
  return DownSmooth(rows, width, outer, inner, dx);
}
int DifferenceDownFloats(const float* const* rows, int width, float* dy) { return DownDifference(rows, width, dy); }
int DifferenceDownWords(const int16_t* const* rows, int width, int16_t* dy) { return DownDifference(rows, width, dy); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(GradientsAcrossFloats);
VERGENCE_SIMD_EXPORT(GradientsAcrossBytes);
VERGENCE_SIMD_EXPORT(SmoothDownFloats);
VERGENCE_SIMD_EXPORT(SmoothDownWords);
VERGENCE_SIMD_EXPORT(DifferenceDownFloats);
VERGENCE_SIMD_EXPORT(DifferenceDownWords);

namespace {

float smoothed(float a, float b, float c, float outer, float inner) {
  return definitions::smooth_float(a, b, c, outer, inner);
}
std::int16_t smoothed(int a, int b, int c, int outer, int inner) {
  return static_cast<std::int16_t>(definitions::smooth_sum(a, b, c, outer, inner));
}

float result(float sum) { return definitions::filter_result(sum); }
std::int16_t result(std::int16_t sum) { return sum; }

template <class S>
struct Weights {
  S outer, inner;
};

int across(const Context& context, const float* in, int width, Weights<float> weights, float* difference,
           float* smooth) {
  return VERGENCE_DISPATCH(GradientsAcrossFloats, context.target)(in, width, weights.outer, weights.inner, difference,
                                                                  smooth);
}
int across(const Context& context, const std::uint8_t* in, int width, Weights<std::int16_t> weights,
           std::int16_t* difference, std::int16_t* smooth) {
  return VERGENCE_DISPATCH(GradientsAcrossBytes, context.target)(in, width, weights.outer, weights.inner, difference,
                                                                 smooth);
}
int smooth_down(const Context& context, const float* const* rows, int width, Weights<float> weights, float* dx) {
  return VERGENCE_DISPATCH(SmoothDownFloats, context.target)(rows, width, weights.outer, weights.inner, dx);
}
int smooth_down(const Context& context, const std::int16_t* const* rows, int width, Weights<std::int16_t> weights,
                std::int16_t* dx) {
  return VERGENCE_DISPATCH(SmoothDownWords, context.target)(rows, width, weights.outer, weights.inner, dx);
}
int difference_down(const Context& context, const float* const* rows, int width, float* dy) {
  return VERGENCE_DISPATCH(DifferenceDownFloats, context.target)(rows, width, dy);
}
int difference_down(const Context& context, const std::int16_t* const* rows, int width, std::int16_t* dy) {
  return VERGENCE_DISPATCH(DifferenceDownWords, context.target)(rows, width, dy);
}

template <class P, class S>
void filter_row(const Context& context, const P* in, int width, Weights<S> weights, FilterBorder border, S* difference,
                S* smooth) {
  const auto edge = [&](int x) {
    const auto pixel = [&](int k) -> P {
      const int u = definitions::filter_source(x + k, width, static_cast<int>(border));
      return u < 0 ? P{0} : in[u];
    };
    const bool blank = border == FilterBorder::blank;
    difference[x] = blank ? S{0} : static_cast<S>(pixel(1) - pixel(-1));
    smooth[x] = blank ? S{0} : smoothed(pixel(-1), pixel(0), pixel(1), weights.outer, weights.inner);
  };
  for_edges(width, 1, edge);
  for (int x = across(context, in, width, weights, difference, smooth); x < width - 1; ++x) {
    difference[x] = static_cast<S>(in[x + 1] - in[x - 1]);
    smooth[x] = smoothed(in[x - 1], in[x], in[x + 1], weights.outer, weights.inner);
  }
}

}  // namespace

template <class P, class T>
void gradients(Context& context, FilterScratch& scratch, ImageView<const P> in, const backend::GradientWeights& kernel,
               ImageView<T> dx, ImageView<T> dy, FilterBorder border) {
  const int width = in.width(), height = in.height();
  const Weights<T> weights{static_cast<T>(kernel.outer), static_cast<T>(kernel.inner)};
  context.threads.rows(height, filter_rows_worth_a_thread, [&](int first, int last, int worker) {
    const auto fill = [&](int v, int slot) {
      filter_row<P, T>(context, in.row(v), width, weights, border, scratch.row<T>(worker, slot),
                       scratch.row<T>(worker, slot + 3));
    };
    const auto finish = [&](int y, const std::array<int, 3>& slots) {
      std::array<const T*, 3> differences, smooth;
      for (std::size_t k = 0; k < 3; ++k) {
        differences[k] = slots[k] < 0 ? scratch.zeros<T>() : scratch.row<T>(worker, slots[k]);
        smooth[k] = slots[k] < 0 ? scratch.zeros<T>() : scratch.row<T>(worker, slots[k] + 3);
      }
      if (!dx.empty()) {
        T* const out = dx.row(y);
        for (int x = smooth_down(context, differences.data(), width, weights, out); x < width; ++x)
          out[x] =
              result(smoothed(differences[0][x], differences[1][x], differences[2][x], weights.outer, weights.inner));
        if (border == FilterBorder::blank) for_edges(width, 1, [&](int x) { out[x] = T{0}; });
      }
      if (!dy.empty()) {
        T* const out = dy.row(y);
        for (int x = difference_down(context, smooth.data(), width, out); x < width; ++x)
          out[x] = result(static_cast<T>(smooth[2][x] - smooth[0][x]));
        if (border == FilterBorder::blank) for_edges(width, 1, [&](int x) { out[x] = T{0}; });
      }
    };
    walk_rows<1>(first, last, 1, height, border, fill, finish, [&](int y) {
      if (!dx.empty()) std::fill_n(dx.row(y), width, T{0});
      if (!dy.empty()) std::fill_n(dy.row(y), width, T{0});
    });
  });
}
template void gradients(Context&, FilterScratch&, ImageView<const float>, const backend::GradientWeights&,
                        ImageView<float>, ImageView<float>, FilterBorder);
template void gradients(Context&, FilterScratch&, ImageView<const std::uint8_t>, const backend::GradientWeights&,
                        ImageView<std::int16_t>, ImageView<std::int16_t>, FilterBorder);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
