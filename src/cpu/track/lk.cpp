// SPDX-License-Identifier: Apache-2.0
// Points of one frame in another: windows on vectors, several to a row where they are large, points on threads.
#include <cstddef>
#include <cstdint>

#include "cpu/track/stages.hpp"

#define HWY_WANT_AVX3_DL  // 16-bit products are added
#define VERGENCE_SIMD_FILE "cpu/track/lk.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/track/follow-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
template <size_t kCap, bool kTwoRows, int kSide = 0, class P>
void FollowPoints(const LkTask<P>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  Follower<P, kCap, kTwoRows, kSide>(task, queries, found, count).Run();
}

/// Small windows have small vectors, since lanes behind their last column are wasted. The target's own are the largest.
template <class P>
void FollowAny(const LkTask<P>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  const int side = task.plan.options.window;
  constexpr size_t kMost = HWY_MAX_BYTES / sizeof(int16_t);
  if constexpr (kMost >= 16 && sizeof(P) == 1) {  // usual windows: as much time would go by around the rows as in them
    if (side == 9) return FollowPoints<16, false, 9>(task, queries, found, count);
    if (side == 21) return FollowPoints<kMost, kMost == 16, 21>(task, queries, found, count);
  }
  if constexpr (kMost >= 16)
    if (side <= 8 || (kMost == 16 && side % 16 > 0 && side % 16 <= 8))
      return FollowPoints<16, true>(task, queries, found, count);
  if constexpr (kMost > 16)
    if (side <= 16) return FollowPoints<16, false>(task, queries, found, count);
  FollowPoints<kMost, false>(task, queries, found, count);
}
void FollowInBytes(const LkTask<uint8_t>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  FollowAny(task, queries, found, count);
}
void FollowInWords(const LkTask<uint16_t>& task, const backend::TrackQuery* queries, TrackedPoint* found, int count) {
  FollowAny(task, queries, found, count);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(FollowInBytes);
VERGENCE_SIMD_EXPORT(FollowInWords);

namespace {

void follow(const Context& context, const LkTask<std::uint8_t>& task, const backend::TrackQuery* queries,
            TrackedPoint* found, int count) {
  VERGENCE_DISPATCH(FollowInBytes, context.target)(task, queries, found, count);
}
void follow(const Context& context, const LkTask<std::uint16_t>& task, const backend::TrackQuery* queries,
            TrackedPoint* found, int count) {
  VERGENCE_DISPATCH(FollowInWords, context.target)(task, queries, found, count);
}

}  // namespace

template <class P>
void lk(const TrackPlan& plan, Context& context, TrackScratch& scratch, const TrackPlanes<P>& previous,
        const TrackPlanes<P>& current, std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) {
  constexpr int worth_a_thread = 16;  // points
  context.threads.rows(static_cast<int>(queries.size()), worth_a_thread, [&](int first, int last, int worker) {
    const LkTask<P> task{plan, previous, current, *scratch.windows[static_cast<std::size_t>(worker)]};
    follow(context, task, queries.data() + first, found.data() + first, last - first);
  });
}
template void lk(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint8_t>&,
                 const TrackPlanes<std::uint8_t>&, std::span<const backend::TrackQuery>, std::span<TrackedPoint>);
template void lk(const TrackPlan&, Context&, TrackScratch&, const TrackPlanes<std::uint16_t>&,
                 const TrackPlanes<std::uint16_t>&, std::span<const backend::TrackQuery>, std::span<TrackedPoint>);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
