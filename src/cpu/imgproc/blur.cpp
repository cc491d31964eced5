// SPDX-License-Identifier: Apache-2.0
// Blur by five taps, both directions in one pass over the picture.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/imgproc/blur_rows.hpp"

#define VERGENCE_SIMD_FILE "cpu/imgproc/blur.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/imgproc/result-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// f(x) for vectors that cover [first, last), the last one overlapping; false where not even one fits.
template <class F>
HWY_INLINE bool ForVectors(int first, int last, int lanes, F&& f) {
  if (last - first < lanes) return false;
  for (int x = first; x + lanes <= last; x += lanes) f(x);
  if ((last - first) % lanes != 0) f(last - lanes);
  return true;
}

template <class V>
HWY_INLINE V BlurFloats(V a, V b, V c, V d, V e) {
  const hn::DFromV<V> tag;
  const auto outer = hn::Add(a, e);
  const auto inner = hn::Mul(hn::Set(tag, 4.0f), hn::Add(b, d));
  const auto middle = hn::Mul(hn::Set(tag, 6.0f), c);
  return hn::Mul(hn::Add(hn::Add(outer, inner), middle), hn::Set(tag, 0.0625f));
}
template <class V>
HWY_INLINE V BlurWords(V a, V b, V c, V d, V e) {
  const auto twice = hn::Add(c, c);
  const auto four = hn::Add(hn::Add(b, d), c);
  return hn::Add(hn::Add(hn::Add(a, e), twice), hn::ShiftLeft<2>(four));
}

/// Inner pixels of a row, from the third to the last but two; false where there are too few.
bool AcrossFloats(const float* HWY_RESTRICT in, int width, float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  return ForVectors(2, width - 2, static_cast<int>(hn::Lanes(d)), [&](int x) {
    const float* const p = in + x;
    hn::StoreU(
        BlurFloats(hn::LoadU(d, p - 2), hn::LoadU(d, p - 1), hn::LoadU(d, p), hn::LoadU(d, p + 1), hn::LoadU(d, p + 2)),
        d, out + x);
  });
}
bool AcrossBytes(const uint8_t* HWY_RESTRICT in, int width, uint16_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint16_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const auto load = [&](const uint8_t* p) { return hn::PromoteTo(d, hn::LoadU(d8, p)); };
  return ForVectors(2, width - 2, static_cast<int>(hn::Lanes(d)), [&](int x) {
    const uint8_t* const p = in + x;
    hn::StoreU(BlurWords(load(p - 2), load(p - 1), load(p), load(p + 1), load(p + 2)), d, out + x);
  });
}

/// Down, from five rows. Large pictures are streamed: what is written is not read soon.
bool DownFloats(const float* const* rows, int width, bool stream, float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const auto sum = [&](int x) {
    return Result(BlurFloats(hn::LoadU(d, rows[0] + x), hn::LoadU(d, rows[1] + x), hn::LoadU(d, rows[2] + x),
                             hn::LoadU(d, rows[3] + x), hn::LoadU(d, rows[4] + x)));
  };
  if (!stream) return ForVectors(0, width, lanes, [&](int x) { hn::StoreU(sum(x), d, out + x); });
  if (width < lanes) return false;
  int x = 0;
  for (; x + lanes <= width; x += lanes) hn::Stream(sum(x), d, out + x);
  if (x < width) hn::StoreU(sum(width - lanes), d, out + width - lanes);
  return true;
}
/// Both at once: filters the row `in` across into `fifth`, whose edges are there already, and with the four rows before
/// it down into `out`. What is read waits for memory while the arithmetic goes on; done one after the other, neither
/// would hide the other.
bool BothFloats(const float* HWY_RESTRICT in, const float* const* rows, int width, bool stream,
                float* HWY_RESTRICT fifth, float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  if (width < 2 * lanes + 4) return false;
  constexpr int ahead = 256;  // floats: memory takes as long as so many need
  const auto across = [&](int x) {
    const float* const p = in + x;
    return BlurFloats(hn::LoadU(d, p - 2), hn::LoadU(d, p - 1), hn::LoadU(d, p), hn::LoadU(d, p + 1),
                      hn::LoadU(d, p + 2));
  };
  const auto store_across = [&](int x) { hn::StoreU(across(x), d, fifth + x); };
  // Stores of vectors might change anything that is not a local variable, for all that compilers know.
  const float *const row0 = rows[0], *const row1 = rows[1], *const row2 = rows[2], *const row3 = rows[3];
  const auto down = [&](int x, auto sum) {
    return Result(BlurFloats(hn::LoadU(d, row0 + x), hn::LoadU(d, row1 + x), hn::LoadU(d, row2 + x),
                             hn::LoadU(d, row3 + x), sum));
  };
  const auto both = [&](int x) {
    const auto sum = across(x);
    const auto result = down(x, sum);  // rows are read before one is written
    hn::StoreU(sum, d, fifth + x);
    return result;
  };
  store_across(2);
  hn::StoreU(down(0, hn::LoadU(d, fifth)), d, out);
  int x = lanes;
  if (stream) {
    for (; x + lanes <= width - 2; x += lanes) {
      hwy::Prefetch(in + x + ahead);
      hn::Stream(both(x), d, out + x);
    }
  } else {
    for (; x + lanes <= width - 2; x += lanes) hn::StoreU(both(x), d, out + x);
  }
  store_across(width - 2 - lanes);
  ForVectors(std::min(x, width - lanes), width, lanes,
             [&](int u) { hn::StoreU(down(u, hn::LoadU(d, fifth + u)), d, out + u); });
  return true;
}
bool DownBytes(const uint16_t* const* rows, int width, bool /*stream*/, uint8_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint16_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  return ForVectors(0, width, static_cast<int>(hn::Lanes(d)), [&](int x) {
    const auto sum = BlurWords(hn::LoadU(d, rows[0] + x), hn::LoadU(d, rows[1] + x), hn::LoadU(d, rows[2] + x),
                               hn::LoadU(d, rows[3] + x), hn::LoadU(d, rows[4] + x));
    const auto pixel = hn::ShiftRight<8>(hn::Add(sum, hn::Set(d, uint16_t{128})));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, pixel)), d8, out + x);
  });
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(AcrossFloats);
VERGENCE_SIMD_EXPORT(AcrossBytes);
VERGENCE_SIMD_EXPORT(DownFloats);
VERGENCE_SIMD_EXPORT(BothFloats);
VERGENCE_SIMD_EXPORT(DownBytes);

namespace {

/// What is done to rows.
template <class P>
struct RowFunctions {
  explicit RowFunctions(const Context& context);
  bool (*across)(const P*, int, BlurSum<P>*) = nullptr;
  bool (*down)(const BlurSum<P>* const*, int, bool, P*) = nullptr;
  /// Null where rows are filtered one way after the other.
  bool (*both)(const P*, const BlurSum<P>* const*, int, bool, BlurSum<P>*, P*) = nullptr;
};
template <>
RowFunctions<float>::RowFunctions(const Context& context)
    : across(&VERGENCE_DISPATCH(AcrossFloats, context.target)),
      down(&VERGENCE_DISPATCH(DownFloats, context.target)),
      both(&VERGENCE_DISPATCH(BothFloats, context.target)) {}
template <>
RowFunctions<std::uint8_t>::RowFunctions(const Context& context)
    : across(&VERGENCE_DISPATCH(AcrossBytes, context.target)), down(&VERGENCE_DISPATCH(DownBytes, context.target)) {}

float taps(float a, float b, float c, float d, float e) { return definitions::blur_float(a, b, c, d, e); }
std::uint16_t taps(int a, int b, int c, int d, int e) {
  return static_cast<std::uint16_t>(definitions::blur_sum(a, b, c, d, e));
}

/// Row by row, pixel by pixel: for pictures narrower than a vector.
void down_narrow(const float* const* rows, int width, float* out) {
  for (int x = 0; x < width; ++x)
    out[x] = definitions::filter_result(taps(rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x]));
}
void down_narrow(const std::uint16_t* const* rows, int width, std::uint8_t* out) {
  for (int x = 0; x < width; ++x)
    out[x] = static_cast<std::uint8_t>(
        definitions::blur_pixel(definitions::blur_sum(rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x])));
}
}  // namespace

/// The pixels of a row whose taps leave it.
template <class P>
void blur_edges(const P* in, int width, FilterBorder border, BlurSum<P>* out) {
  for_edges(width, 2, [&](int x) {
    const auto pixel = [&](int k) -> P {
      const int u = definitions::filter_source(x + k, width, static_cast<int>(border));
      return u < 0 ? P{0} : in[u];
    };
    out[x] = border == FilterBorder::blank ? BlurSum<P>{0} : taps(pixel(-2), pixel(-1), pixel(0), pixel(1), pixel(2));
  });
}

template <class P>
void blur_across(const RowFunctions<P>& functions, const P* in, int width, FilterBorder border, BlurSum<P>* out) {
  blur_edges(in, width, border, out);
  if (functions.across(in, width, out)) return;
  for (int x = 2; x < width - 2; ++x) out[x] = taps(in[x - 2], in[x - 1], in[x], in[x + 1], in[x + 2]);
}
template <class P>
void blur_across(const Context& context, const P* in, int width, FilterBorder border, BlurSum<P>* out) {
  blur_across(RowFunctions<P>(context), in, width, border, out);
}
template void blur_across(const Context&, const float*, int, FilterBorder, float*);
template void blur_across(const Context&, const std::uint8_t*, int, FilterBorder, std::uint16_t*);

template <class P>
void blur(Context& context, FilterScratch& scratch, ImageView<const P> in, ImageView<P> out, FilterBorder border) {
  using Sum = BlurSum<P>;
  // Bytes: with what is read, more than second-level caches hold. Lines of the result would be read before they are
  // written, and drive out others. A third-level cache still takes smaller ones faster than memory does.
  constexpr std::ptrdiff_t larger_than_caches = std::ptrdiff_t{2} << 20;
  const int width = in.width(), height = in.height();
  const bool stream = sizeof(P) * static_cast<std::size_t>(width) * static_cast<std::size_t>(height) >
                          static_cast<std::size_t>(larger_than_caches) &&
                      reinterpret_cast<std::uintptr_t>(out.data()) % 64 == 0 && out.stride() % 64 == 0;
  const RowFunctions<P> functions(context);
  context.threads.rows(height, filter_rows_worth_a_thread, [&](int first, int last, int worker) {
    // A row is filtered across only when the next one is, or its own row is filtered down: then both ways at once.
    int waiting = -1, waiting_slot = -1;
    const auto settle = [&] {
      if (waiting >= 0)
        blur_across<P>(functions, in.row(waiting), width, border, scratch.row<Sum>(worker, waiting_slot));
      waiting = -1;
    };
    const auto fill = [&](int v, int slot) {
      settle();
      waiting = v;
      waiting_slot = slot;
    };
    const auto finish = [&](int y, const std::array<int, 5>& slots) {
      std::array<const Sum*, 5> rows;
      for (std::size_t k = 0; k < 5; ++k)
        rows[k] = slots[k] < 0 ? scratch.zeros<Sum>() : scratch.row<Sum>(worker, slots[k]);
      bool done = false;
      if (waiting == y + 2 && functions.both != nullptr) {  // a row that none of the four above stands for
        Sum* const fifth = scratch.row<Sum>(worker, waiting_slot);
        blur_edges(in.row(waiting), width, border, fifth);
        done = functions.both(in.row(waiting), rows.data(), width, stream, fifth, out.row(y));
      }
      if (done) {
        waiting = -1;
      } else {
        settle();
        if (!functions.down(rows.data(), width, stream, out.row(y))) down_narrow(rows.data(), width, out.row(y));
      }
      if (border == FilterBorder::blank) for_edges(width, 2, [&](int x) { out(x, y) = 0; });
    };
    walk_rows<2>(first, last, 1, height, border, fill, finish, [&](int y) { std::fill_n(out.row(y), width, P{0}); });
    if (stream) hwy::FlushStream();
  });
}
template void blur(Context&, FilterScratch&, ImageView<const float>, ImageView<float>, FilterBorder);
template void blur(Context&, FilterScratch&, ImageView<const std::uint8_t>, ImageView<std::uint8_t>, FilterBorder);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
