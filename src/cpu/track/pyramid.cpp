// SPDX-License-Identifier: Apache-2.0
// The levels of a frame and their gradients: one sweep down a level makes its gradients, and of every second row, which
// is filtered down there, by filtering across a row of the next level.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/track/stages.hpp"
#include "cpu/track/sweep.hpp"
#include "definitions/track/position.h"

#define HWY_WANT_AVX3_DL  // 16-bit products are added
#define VERGENCE_SIMD_FILE "cpu/track/pyramid.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/pair_products-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A row of a level from the sums down in `in`: 1 4 6 4 1 across, at every second of them.
void AcrossBytes(const uint16_t* HWY_RESTRICT in, int count, uint8_t* HWY_RESTRICT out) {
  const hn::ScalableTag<int16_t> d16;
  const hn::RepartitionToWide<decltype(d16)> d32;
  const hn::Rebind<uint8_t, decltype(d32)> d8;
  const auto pair = [&](int first, int second) { return hn::BitCast(d16, hn::Set(d32, first | second * 65536)); };
  const auto outer = pair(1, 4), middle = pair(6, 4), last = pair(1, 0);
  const auto half = hn::Set(d32, 128);
  const int lanes = static_cast<int>(hn::Lanes(d32));
  for (int x = 0; x < count; x += lanes) {
    const auto load = [&](int at) {  // sums are at most 16 x 255
      return hn::LoadU(d16, reinterpret_cast<const int16_t*>(in + 2 * x + at));
    };
    auto high = hn::Zero(d32);
    auto low = AddPairProducts(d32, load(-2), outer, hn::Zero(d32), high);
    low = AddPairProducts(d32, load(0), middle, low, high);
    low = AddPairProducts(d32, load(2), last, low, high);
    const auto sum = hn::Add(hn::RearrangeToOddPlusEven(low, high), half);
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<8>(sum)), d8, out + x);
  }
}
void AcrossWords(const uint16_t* HWY_RESTRICT in, int count, uint16_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count; x += lanes) {
    hn::VFromD<decltype(d16)> a, b, c, e, f, unused;
    hn::LoadInterleaved2(d16, in + 2 * x - 2, a, b);
    hn::LoadInterleaved2(d16, in + 2 * x, c, e);
    hn::LoadInterleaved2(d16, in + 2 * x + 2, f, unused);
    const auto outer = hn::Add(hn::PromoteTo(d, a), hn::PromoteTo(d, f));
    const auto inner = hn::Add(hn::PromoteTo(d, b), hn::PromoteTo(d, e)), middle = hn::PromoteTo(d, c);
    const auto sum = hn::Add(hn::Add(outer, hn::Add(middle, middle)), hn::ShiftLeft<2>(hn::Add(inner, middle)));
    const auto pixel = hn::ShiftRight<8>(hn::Add(sum, hn::Set(d, uint32_t{128})));
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, pixel)), d16, out + x);
  }
}

/// Whole vectors: what they write past the margin counts for nothing, and planes have memory for it.
template <class P>
HWY_INLINE void MirrorRow(P* row, int width, int margin) {
  const hn::CappedTag<P, 16 / sizeof(P)> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  alignas(16) static constexpr uint8_t kBytes[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  alignas(16) static constexpr uint8_t kWords[16] = {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1};
  const auto order = hn::Load(d8, sizeof(P) == 1 ? kBytes : kWords);
  const auto reversed = [&](const P* from) {
    return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, hn::LoadU(d, from)), order));
  };
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int k = 1; k <= margin; k += lanes) {
    hn::StoreU(reversed(row + k), d, row - k - lanes + 1);
    hn::StoreU(reversed(row + width - k - lanes), d, row + width - 1 + k);
  }
}
void MirrorBytes(uint8_t* row, int width, int margin) { MirrorRow(row, width, margin); }
void MirrorWords(uint16_t* row, int width, int margin) { MirrorRow(row, width, margin); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(AcrossBytes);
VERGENCE_SIMD_EXPORT(AcrossWords);
VERGENCE_SIMD_EXPORT(MirrorBytes);
VERGENCE_SIMD_EXPORT(MirrorWords);

namespace {

constexpr int worth_a_thread = 32;  // rows

/// What is done to rows.
template <class P>
struct RowFunctions {
  explicit RowFunctions(const Context& context);
  AcrossFunction<P> across = nullptr;
  MirrorFunction<P> mirror = nullptr;
};
template <>
RowFunctions<std::uint8_t>::RowFunctions(const Context& context)
    : across(&VERGENCE_DISPATCH(AcrossBytes, context.target)),
      mirror(&VERGENCE_DISPATCH(MirrorBytes, context.target)) {}
template <>
RowFunctions<std::uint16_t>::RowFunctions(const Context& context)
    : across(&VERGENCE_DISPATCH(AcrossWords, context.target)),
      mirror(&VERGENCE_DISPATCH(MirrorWords, context.target)) {}

/// Rows of the frame, copied into level 0.
template <class P>
class Intake {
 public:
  Intake(const TrackPlan& plan, const RowFunctions<P>& functions, ImageView<const P> picture, TrackPlane<P>& whole)
      : bits_(plan.dropped_bits), functions_(functions), picture_(picture), whole_(whole) {}
  void take(int first, int last) const {
    const int width = picture_.width();
    for (int y = first; y < last; ++y) {
      const P* const from = picture_.row(y);
      P* const to = whole_.at(0, y);
      if (bits_ == 0)
        std::copy_n(from, width, to);
      else
        for (int x = 0; x < width; ++x) to[x] = static_cast<P>(from[x] >> bits_);
      functions_.mirror(to, width, whole_.margin());
    }
  }

 private:
  int bits_;
  const RowFunctions<P>& functions_;
  ImageView<const P> picture_;
  TrackPlane<P>& whole_;
};

/// Gradients of a level, and the next one, from one sweep. before(y) is told of each pair of rows that y begins.
template <class P, class F>
void sweep(const TrackPlan& plan, Context& context, TrackScratch& scratch, const RowFunctions<P>& functions,
           TrackPlanes<P>& frame, std::size_t level, F&& before) {
  constexpr std::size_t larger_than_caches = std::size_t{1} << 20;  // bytes of one of both
  const TrackPlane<P>& fine = frame.pictures[level];
  TrackPlane<std::int16_t>&dx = frame.dx[level], &dy = frame.dy[level];
  TrackPlane<P>* const coarse = level + 1 < plan.levels.size() ? &frame.pictures[level + 1] : nullptr;
  // Few windows are read of large gradients; lines that are written in passing would be read first. With several
  // threads they also lie in the cache of whichever wrote them last.
  const std::size_t kept = context.threads.count() > 1 ? larger_than_caches / 2 : larger_than_caches;
  const bool stream = dx.bytes() > kept;
  const TwoRowsFunction<P> two = two_rows(context, stream, static_cast<const P*>(nullptr));
  const int width = fine.size().width, height = fine.size().height;
  context.threads.rows((height + 1) / 2, worth_a_thread / 2, [&](int first, int last, int worker) {
    std::uint16_t* const row = scratch.rows[static_cast<std::size_t>(worker)].data();
    std::uint16_t* const sums = coarse != nullptr ? row + TrackScratch::margin / 2 : nullptr;
    for (int k = first; k < last; ++k) {
      const int y = 2 * k;
      before(y);
      TwoRows<P> job{{}, width, plan.gradient_shift, {dx.at(0, y), nullptr}, {dy.at(0, y), nullptr}, sums};
      for (int i = 0; i < 5; ++i) job.rows[i] = fine.at(0, definitions::mirrored(y + i - 2, height));
      // Of an odd number of rows, the last one has none below it: what comes of that goes nowhere.
      auto& nowhere = scratch.nowhere[static_cast<std::size_t>(worker)];
      job.dx[1] = y + 1 < height ? dx.at(0, y + 1) : nowhere.at(0, 0);
      job.dy[1] = y + 1 < height ? dy.at(0, y + 1) : nowhere.at(0, 0);
      two(job);
      if (coarse == nullptr) continue;
      functions.across(sums, coarse->size().width, coarse->at(0, k));
      functions.mirror(coarse->at(0, k), coarse->size().width, coarse->margin());
    }
    if (stream) hwy::FlushStream();
  });
  if (coarse != nullptr) coarse->mirror_rows();
}

}  // namespace

template <class P>
void prepare(const TrackPlan& plan, Context& context, TrackScratch& scratch, ImageView<const P> picture,
             TrackPlanes<P>& frame) {
  const RowFunctions<P> functions(context);
  TrackPlane<P>& whole = frame.pictures[0];
  const Intake<P> intake(plan, functions, picture, whole);
  const int height = plan.size.height;
  const bool alone = context.threads.count() == 1;
  if (!alone) context.threads.rows(height, worth_a_thread, [&](int first, int last, int) { intake.take(first, last); });
  int taken = alone ? 0 : height;
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    // One thread copies rows just before it needs them; several would wait for each other's.
    sweep(plan, context, scratch, functions, frame, level, [&](int y) {
      if (level > 0 || !alone) return;
      const int needed = std::min(y + 3, height);
      intake.take(taken, needed);
      taken = needed;
    });
    if (level == 0) whole.mirror_rows();
  }
}
template void prepare(const TrackPlan&, Context&, TrackScratch&, ImageView<const std::uint8_t>,
                      TrackPlanes<std::uint8_t>&);
template void prepare(const TrackPlan&, Context&, TrackScratch&, ImageView<const std::uint16_t>,
                      TrackPlanes<std::uint16_t>&);

TrackScratch::TrackScratch(const TrackPlan& plan, const Context& context) {
  const auto threads = static_cast<std::size_t>(context.threads.count());
  const auto width = static_cast<std::size_t>(plan.size.width);
  for (std::size_t i = 0; i < threads; ++i) windows.push_back(std::make_unique<TrackWindows>());
  rows.assign(threads, std::vector<std::uint16_t>(width + margin));
  nowhere.assign(threads, TrackPlane<std::int16_t>({plan.size.width, 1}, 0));
  sums.resize(threads);
  scores.resize(threads);
  columns.resize(threads);
  found.resize(threads);
  best.resize(threads);
}

std::size_t TrackScratch::bytes() const {
  std::size_t total = windows.size() * sizeof(TrackWindows);
  for (const auto& one : rows) total += one.capacity() * sizeof(std::uint16_t);
  for (const auto& one : nowhere) total += one.bytes();
  for (const auto& one : sums) total += one.capacity() * sizeof(std::int32_t);
  for (const auto& one : columns) total += one.capacity() * sizeof(std::int32_t);
  for (const auto& one : scores) total += one.capacity() * sizeof(double);
  for (const auto& one : found) total += one.capacity() * sizeof(backend::Corner);
  return total;
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
