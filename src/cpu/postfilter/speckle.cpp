// SPDX-License-Identifier: Apache-2.0
// The speckle filter: connected components by union-find over the runs of each row (He, Chao, Suzuki, "A run-based
// two-scan labeling algorithm", 2008). Rows become bits; runs and the places where two runs touch are found 64 pixels
// at a time. Bands of rows are labelled in parallel, then joined along their borders.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "cpu/postfilter/bit_rows.hpp"
#include "cpu/postfilter/scratch.hpp"
#include "cpu/postfilter/stages.hpp"
#include "definitions/postfilter/speckle.h"

#define VERGENCE_SIMD_FILE "cpu/postfilter/speckle.cpp"
#include "cpu/foreach_target.hpp"
// foreach_target.h comes first.
#include <hwy/highway.h>
#include "cpu/dispatch.hpp"
#include "cpu/postfilter/pixel_bits-inl.h"

#ifndef VERGENCE_CPU_POSTFILTER_SPECKLE_RUNS
#define VERGENCE_CPU_POSTFILTER_SPECKLE_RUNS
namespace vergence::cpu {

/// The runs of the whole map. Run k of row y has the number y * width + k. links[run] is another run of its region with
/// a smaller number, or, for the region's first run, minus the number of its pixels.
struct Runs {
  std::int32_t* links;
  ImageView<std::uint64_t> starts, joined;  // first pixels of runs, and all their others
  int width;

  std::int32_t* row(int y) const { return links + static_cast<std::ptrdiff_t>(y) * width; }
  std::int32_t number(int y) const { return static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(y) * width); }
};

/// The first run of the region; paths are halved on the way.
inline std::int32_t find_root(std::int32_t* links, std::int32_t run) {
  std::int32_t next = links[run];
  while (next >= 0) {
    const std::int32_t after = links[next];
    if (after < 0) return next;
    links[run] = after;
    run = after;
    next = links[run];
  }
  return run;
}

/// The same without writing, so that several threads may ask at once.
inline std::int32_t region_size(const std::int32_t* links, std::int32_t run) {
  while (links[run] >= 0) run = links[run];
  return -links[run];
}

inline void unite(std::int32_t* links, std::int32_t a, std::int32_t b) {
  a = find_root(links, a);
  b = find_root(links, b);
  if (a == b) return;
  if (a > b) std::swap(a, b);
  links[a] += links[b];
  links[b] = a;
}

/// Rows of bits of the band in work.
struct BandBits {
  std::uint64_t *valid, *right, *up;
};
inline BandBits band_bits(SpeckleScratch& scratch, int width, int band) {
  ScratchArrays arrays(scratch.work.row(band));
  const int words = bit_words(width);
  return {arrays.take<std::uint64_t>(words), arrays.take<std::uint64_t>(words), arrays.take<std::uint64_t>(words)};
}

/// Fewest rows that are worth a thread.
constexpr int rows_per_band = 32;
inline int speckle_bands(int height, int threads) { return std::clamp(height / rows_per_band, 1, threads); }

}  // namespace vergence::cpu
#endif

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// The runs of row y, each a region of its own.
HWY_INLINE void FindRuns(const Runs& runs, int y, const BandBits& bits) {
  const int words = bit_words(runs.width);
  std::uint64_t* const starts = runs.starts.row(y);
  std::uint64_t* const joined = runs.joined.row(y);
  std::int32_t* const links = runs.row(y);
  std::int32_t started = 0, ended = 0;
  std::uint64_t joined_before = 0;  // the last pixel of the word before is joined to the first of this one
  for (int w = 0; w < words; ++w) {
    const std::uint64_t valid = bits.valid[w];
    const std::uint64_t next = w + 1 < words ? bits.valid[w + 1] : 0;
    const std::uint64_t to_right = bits.right[w] & valid & ((valid >> 1) | (next << (word_bits - 1)));
    joined[w] = (to_right << 1) | joined_before;
    starts[w] = valid & ~joined[w];
    joined_before = to_right >> (word_bits - 1);
    // Minus the number of pixels is the first column minus the last one minus 1.
    const int x = w * word_bits;
    for (std::uint64_t rest = starts[w]; rest != 0; rest &= rest - 1) links[started++] = x + std::countr_zero(rest);
    for (std::uint64_t rest = valid & ~to_right; rest != 0; rest &= rest - 1)
      links[ended++] -= x + std::countr_zero(rest) + 1;
  }
}

/// Unites runs of row y with runs of the row above where pixels are joined.
HWY_INLINE void JoinRows(const Runs& runs, int y, const BandBits& bits) {
  const int words = bit_words(runs.width);
  const std::uint64_t* const starts = runs.starts.row(y);
  const std::uint64_t* const upper_starts = runs.starts.row(y - 1);
  // Numbers of the last runs that started before this word.
  std::int32_t run = runs.number(y) - 1, upper_run = runs.number(y - 1) - 1;
  std::uint64_t joined_before = 0;
  for (int w = 0; w < words; ++w) {
    const std::uint64_t joined = bits.up[w] & bits.valid[w];
    // One joined pixel is enough for as long as both runs last.
    std::uint64_t rest = joined & (starts[w] | upper_starts[w] | ~((joined << 1) | joined_before));
    joined_before = joined >> (word_bits - 1);
    for (; rest != 0; rest &= rest - 1) {
      const std::uint64_t up_to_here = rest ^ (rest - 1);
      unite(runs.links, run + std::popcount(starts[w] & up_to_here),
            upper_run + std::popcount(upper_starts[w] & up_to_here));
    }
    run += std::popcount(starts[w]);
    upper_run += std::popcount(upper_starts[w]);
  }
}

/// Labels rows [first, last) without looking at others.
template <class T>
void LabelBand(const StereoPlan& plan, const Runs& runs, const BandBits& bits, ImageView<const T> map, int first,
               int last) {
  for (int y = first; y < last; ++y) {
    const T* const upper = y > first ? map.row(y - 1) : nullptr;
    FindNeighbours(map.row(y), upper, runs.width, static_cast<T>(plan.invalid), plan.options.speckle_range,
                   NeighbourBits{bits.valid, bits.right, bits.up});
    FindRuns(runs, y, bits);
    if (upper != nullptr) JoinRows(runs, y, bits);
  }
}

/// Joins row y to the row above, both labelled already.
template <class T>
void JoinBands(const StereoPlan& plan, const Runs& runs, const BandBits& bits, ImageView<const T> map, int y) {
  FindNeighbours(map.row(y), map.row(y - 1), runs.width, static_cast<T>(plan.invalid), plan.options.speckle_range,
                 NeighbourBits{bits.valid, bits.right, bits.up});
  JoinRows(runs, y, bits);
}

/// Writes `invalid` to the pixels of a row whose bits are set in word w.
template <class T>
HWY_INLINE void EraseWord(T* row, int width, int w, std::uint64_t bits, T invalid) {
  const hn::ScalableTag<T> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  T* const pixels = row + w * word_bits;
  if ((w + 1) * word_bits > width) {
    for (; bits != 0; bits &= bits - 1) pixels[std::countr_zero(bits)] = invalid;
    return;
  }
  const auto none = hn::Set(d, invalid);
  for (int i = 0; i < word_bits; i += lanes, bits >>= lanes) {
    std::uint8_t bytes[8];
    for (int k = 0; k < 8; ++k) bytes[k] = static_cast<std::uint8_t>(bits >> (8 * k));
    hn::StoreU(hn::IfThenElse(hn::LoadMaskBits(d, bytes), none, hn::LoadU(d, pixels + i)), d, pixels + i);
  }
}

/// Makes the runs of small regions invalid in rows [first, last).
template <class T>
void EraseSmall(const StereoPlan& plan, const Runs& runs, ImageView<T> map, int first, int last) {
  const int words = bit_words(runs.width);
  const auto invalid = static_cast<T>(plan.invalid);
  for (int y = first; y < last; ++y) {
    const std::uint64_t* const starts = runs.starts.row(y);
    const std::uint64_t* const joined = runs.joined.row(y);
    std::int32_t run = runs.number(y);
    std::uint64_t open = 0;  // the run that the word begins with is small
    for (int w = 0; w < words; ++w) {
      std::uint64_t small = 0;
      for (std::uint64_t rest = starts[w]; rest != 0; rest &= rest - 1)
        if (definitions::is_speckle(region_size(runs.links, run++), plan.options.speckle_size)) small |= rest & -rest;
      // The carry of an addition runs along the other pixels of the small runs and clears their bits.
      const std::uint64_t carried = joined[w] + ((small << 1) | open);
      const std::uint64_t erased = small | (joined[w] & ~carried);
      open = (small >> (word_bits - 1)) | (carried < joined[w] ? 1u : 0u);
      if (erased != 0) EraseWord(map.row(y), runs.width, w, erased, invalid);
    }
  }
}

template <class T>
void Speckle(const StereoPlan& plan, Threads& threads, SpeckleScratch& scratch, const Runs& runs, ImageView<T> map) {
  const int height = plan.size.height;
  const int bands = speckle_bands(height, threads.count());
  const auto first_row = [&](int band) { return static_cast<int>(static_cast<std::int64_t>(height) * band / bands); };
  const auto label = [&](int first, int last, int) HWY_ATTR {
    for (int band = first; band < last; ++band)
      LabelBand<T>(plan, runs, band_bits(scratch, runs.width, band), map, first_row(band), first_row(band + 1));
  };
  threads.rows(bands, 1, label);
  for (int band = 1; band < bands; ++band)
    JoinBands<T>(plan, runs, band_bits(scratch, runs.width, band), map, first_row(band));
  const auto erase = [&](int first, int last, int) HWY_ATTR { EraseSmall<T>(plan, runs, map, first, last); };
  threads.rows(height, rows_per_band, erase);
}

void Speckle16(const StereoPlan& plan, Threads& threads, SpeckleScratch& scratch, const Runs& runs,
               ImageView<std::int16_t> map) {
  Speckle(plan, threads, scratch, runs, map);
}
void Speckle32(const StereoPlan& plan, Threads& threads, SpeckleScratch& scratch, const Runs& runs,
               ImageView<std::int32_t> map) {
  Speckle(plan, threads, scratch, runs, map);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Speckle16);
VERGENCE_SIMD_EXPORT(Speckle32);

void SpeckleScratch::reserve(Size size, int threads) {
  const int words = bit_words(size.width);
  const int bands = speckle_bands(size.height, threads);
  // Every pixel may be a run of its own.
  grow(links, size.width * size.height, 1);
  grow(starts, words, size.height);
  grow(joined, words, size.height);
  grow(work, static_cast<int>(3 * ScratchArrays::bytes<std::uint64_t>(words)), bands);
}

std::size_t SpeckleScratch::bytes() const {
  return image_bytes(links) + image_bytes(starts) + image_bytes(joined) + image_bytes(work);
}

template <class T>
void speckle(const StereoPlan& plan, Context& context, SpeckleScratch& scratch, ImageView<T> disparity) {
  if (plan.options.speckle_size <= 0) return;
  scratch.reserve(plan.size, context.threads.count());
  const Runs runs{scratch.links.data(), scratch.starts, scratch.joined, plan.size.width};
  if constexpr (sizeof(T) == 2)
    VERGENCE_DISPATCH(Speckle16, context.target)(plan, context.threads, scratch, runs, disparity);
  else
    VERGENCE_DISPATCH(Speckle32, context.target)(plan, context.threads, scratch, runs, disparity);
}

template void speckle(const StereoPlan&, Context&, SpeckleScratch&, ImageView<std::int16_t>);
template void speckle(const StereoPlan&, Context&, SpeckleScratch&, ImageView<std::int32_t>);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
