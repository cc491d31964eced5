// SPDX-License-Identifier: Apache-2.0
// The stages of tracks on the CPU: SIMD, points and bands of rows on threads, the bytes of reference/track/stages.hpp.
// P is the type of a pixel (uint8_t, uint16_t).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backend/track.hpp"
#include "cpu/context.hpp"
#include "cpu/track/plane.hpp"
#include "plan/track/frame.hpp"
#include "plan/track/plan.hpp"

namespace vergence::cpu {

/// The windows of the points that one thread follows at a time: of each point the patch and both gradients of its
/// template, and one target that they share.
struct TrackWindows {
  static constexpr int widest = 64;
  static constexpr int most_points = 8;
  /// Distance of a window's rows: whole vectors on every target.
  static constexpr int stride(int side) { return side <= 8 ? 8 : side <= 16 ? 16 : side <= 32 ? 32 : widest; }
  /// While one point waits for its sums or its step, the next ones are worked on; as many as caches hold with ease.
  static constexpr int points(int side) { return side <= 16 ? most_points : side <= 32 ? 4 : 1; }

  alignas(64) std::int16_t samples[4 * widest * widest];
};
static_assert((3 * TrackWindows::points(32) + 1) * 32 * 32 <= 4 * TrackWindows::widest * TrackWindows::widest);

/// What points are followed with, on one thread.
template <class P>
struct LkTask {
  const TrackPlan& plan;
  const TrackPlanes<P>& previous;
  const TrackPlanes<P>& current;
  TrackWindows& windows;
};

/// A row of both gradients.
struct GradientRow {
  const std::int16_t* dx;
  const std::int16_t* dy;
};

class TrackScratch {
 public:
  TrackScratch(const TrackPlan& plan, const Context& context);
  std::size_t bytes() const;

  std::vector<std::unique_ptr<TrackWindows>> windows;  ///< per thread
  static constexpr std::size_t margin = 256;           ///< Around a row filtered down, half of it before.
  std::vector<std::vector<std::uint16_t>> rows;        ///< per thread: a row filtered down
  std::vector<TrackPlane<std::int16_t>> nowhere;       ///< per thread: a row of gradients that do not count
  std::vector<std::vector<std::int32_t>> sums;         ///< per thread: columns of products, for corners
  std::vector<std::vector<double>> scores;             ///< per thread: three rows of scores, and of their best across
  std::vector<std::vector<std::int32_t>> columns;      ///< per thread: peaks of a row
  std::vector<std::vector<backend::Corner>> found;     ///< per thread
  std::vector<double> best;                            ///< per thread: the best score where corners may be
};

/// Pyramid and gradients at once.
template <class P>
void prepare(const TrackPlan& plan, Context& context, TrackScratch& scratch, ImageView<const P> picture,
             TrackPlanes<P>& frame);
/// Copies of a frame from and to the form that all devices know.
template <class P>
void take(Context& context, const TrackFrame<P>& prepared, TrackPlanes<P>& frame);
template <class P>
void give(Context& context, const TrackPlanes<P>& frame, TrackFrame<P>& prepared);
template <class P>
void corners(const TrackPlan& plan, Context& context, TrackScratch& scratch, const TrackPlanes<P>& frame,
             ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners);
template <class P>
void lk(const TrackPlan& plan, Context& context, TrackScratch& scratch, const TrackPlanes<P>& previous,
        const TrackPlanes<P>& current, std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found);

}  // namespace vergence::cpu
