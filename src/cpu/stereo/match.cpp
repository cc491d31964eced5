// SPDX-License-Identifier: Apache-2.0
// The entry point `match` on the CPU: splits the rows into bands, one per thread, and gives each its rows and its sink.
// The work itself is in band-inl.h. Equal to reference/stereo/match.cpp.
#include <algorithm>
#include <type_traits>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/rows.hpp"
#include "cpu/stereo/stages.hpp"
#include "cpu/stereo/texture.hpp"

namespace vergence::cpu {

MatchLayout make_layout(const StereoPlan& plan, int padded) {
  const StereoOptions& o = plan.options;
  const int planes = o.cost == StereoCost::census_5x5 ? 3 : o.cost == StereoCost::census_9x7 ? 8 : 1;
  return {plan.size.width,
          plan.size.height,
          plan.rx,
          plan.ry,
          o.min_disparity,
          o.disparities,
          padded,
          planes,
          o.outside == StereoOutside::skip,
          o.border == StereoBorder::partial};
}

namespace {

/// Puts finished rows into the maps: mirrored back, cut to the region of interest.
template <class P, class S, class T>
class Sink : public RowSink<S> {
 public:
  Sink(const StereoPlan& plan, const MatchMaps<T>& maps, Texture<P>& texture)
      : plan_(plan), maps_(maps), texture_(texture) {}

  void before(int y, std::uint8_t* reject) override {
    if (plan_.options.texture_threshold <= 0) return;
    const int width = plan_.size.width;
    if (!plan_.matches_left()) std::reverse(reject, reject + width);
    texture_.row(y, reject);
    if (!plan_.matches_left()) std::reverse(reject, reject + width);
  }

  void row(int y, const RowResults<S>& results, const void* disparities, const std::uint8_t* confidence) override {
    const T* disparity = static_cast<const T*>(disparities);
    place(maps_.disparity, y, static_cast<T>(plan_.invalid), [&](int x) { return disparity[x]; });
    place(maps_.confidence, y, std::uint8_t{0}, [&](int x) { return confidence[x]; });
    place(maps_.cost, y, no_cost, [&](int x) { return as_cost(results.cost[x]); });
    place(maps_.second_cost, y, no_cost, [&](int x) { return as_cost(results.second[x]); });
    place(maps_.cost_before, y, no_cost, [&](int x) { return as_cost(results.near[x].before); });
    place(maps_.cost_after, y, no_cost, [&](int x) { return as_cost(results.near[x].after); });
  }

 private:
  static std::uint32_t as_cost(S cost) { return cost == none<S> ? no_cost : static_cast<std::uint32_t>(cost); }

  template <class V, class Value>
  void place(ImageView<V> map, int y, V absent, Value value) {
    if (map.empty()) return;
    V* out = map.row(y);
    const Rect& roi = plan_.roi;
    const int width = plan_.size.width, end = roi.x + roi.width;
    std::fill(out, out + roi.x, absent);
    if (plan_.matches_left())
      for (int x = roi.x; x < end; ++x) out[x] = value(x);
    else
      for (int x = roi.x; x < end; ++x) out[x] = value(width - 1 - x);
    std::fill(out + end, out + width, absent);
  }

  const StereoPlan& plan_;
  const MatchMaps<T>& maps_;
  Texture<P>& texture_;
};

template <class P, class F, class E, class S>
struct BandWorker : MatchScratch::Worker {
  BandWorker(const StereoPlan& plan, const MatchLayout& match_layout)
      : layout(match_layout), rows(plan, layout), texture(plan) {}
  std::size_t bytes() const override { return rows.bytes() + scratch.bytes() + texture.bytes(); }

  MatchLayout layout;
  PreparedRows<P, F, E> rows;
  Texture<P> texture;
  BandScratch<S> scratch;
};

template <class T>
void clear_row(const StereoPlan& plan, const MatchMaps<T>& maps, int y) {
  const auto fill = [&](auto map, auto value) {
    if (!map.empty())
      std::fill_n(map.row(y), plan.size.width, static_cast<std::remove_reference_t<decltype(*map.data())>>(value));
  };
  fill(maps.disparity, plan.invalid);
  fill(maps.confidence, 0);
  for (const auto& map : {maps.cost, maps.second_cost, maps.cost_before, maps.cost_after}) fill(map, no_cost);
}

template <class P, class F, class E, class S, class T>
void run(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
         ImageView<const P> right, const MatchMaps<T>& maps) {
  using Worker = BandWorker<P, F, E, S>;
  const StereoOptions& o = plan.options;
  const bool whole_windows = o.border == StereoBorder::invalid;
  const int first = std::max(plan.roi.y, whole_windows ? plan.ry : 0);
  const int last = std::min(plan.roi.y + plan.roi.height, plan.size.height - (whole_windows ? plan.ry : 0));
  for (int y = 0; y < plan.size.height; ++y)
    if (y < first || y >= last) clear_row(plan, maps, y);
  if (first >= last) return;

  const MatchLayout layout = make_layout(plan, padded_candidates<E, S>(context, o.cost, o.disparities));
  scratch.workers.resize(static_cast<std::size_t>(context.threads.count()));
  // A band costs a window's height of extra rows to start with.
  context.threads.rows(last - first, std::max(8, 2 * plan.ry), [&](int from, int to, int index) {
    auto& slot = scratch.workers[static_cast<std::size_t>(index)];
    if (slot == nullptr) slot = std::make_unique<Worker>(plan, layout);
    auto& worker = static_cast<Worker&>(*slot);
    worker.rows.begin(context, left, right);
    if (o.texture_threshold > 0) worker.texture.begin(context, plan.matches_left() ? left : right);
    Sink<P, S, T> sink(plan, maps, worker.texture);
    const bool wants_confidence = !maps.confidence.empty();
    const bool wants_second = wants_confidence || !maps.second_cost.empty();
    const BandJob job{&plan,
                      &context,
                      first + from,
                      first + to,
                      wants_second || o.uniqueness_ratio > 0,
                      !wants_second,
                      wants_confidence,
                      !maps.cost_before.empty() || !maps.cost_after.empty(),
                      sizeof(T) == 2};
    run_band<E, S>(job, worker.layout, worker.rows, worker.scratch, sink);
  });
}

/// Chooses the narrowest sums that hold every window cost and one value more.
template <class P, class F, class E, class T>
void choose_sums(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
                 ImageView<const P> right, const MatchMaps<T>& maps) {
  if constexpr (sizeof(E) == 1) {
    // 16 bits must also hold a column number for the other view.
    if (plan.options.cost != StereoCost::ssd && plan.max_cost < 0xFFFF && plan.size.width < 0x8000)
      return run<P, F, E, std::uint16_t>(plan, context, scratch, left, right, maps);
  }
  if (plan.max_cost < 0x7FFFFFFF) return run<P, F, E, std::uint32_t>(plan, context, scratch, left, right, maps);
  run<P, F, E, std::uint64_t>(plan, context, scratch, left, right, maps);
}

}  // namespace

template <class P, class T>
void match(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
           ImageView<const P> right, const MatchMaps<T>& maps) {
  using Byte = std::uint8_t;
  const bool census = plan.options.cost == StereoCost::census_5x5 || plan.options.cost == StereoCost::census_9x7;
  if (sizeof(P) == 1 || plan.options.prefilter != StereoPrefilter::none)
    choose_sums<P, Byte, Byte>(plan, context, scratch, left, right, maps);
  else if constexpr (sizeof(P) == 2) {
    if (census)
      choose_sums<P, P, Byte>(plan, context, scratch, left, right, maps);
    else
      choose_sums<P, P, P>(plan, context, scratch, left, right, maps);
  }
}

#define VERGENCE_MATCH(P, T)                                                                              \
  template void match(const StereoPlan&, Context&, MatchScratch&, ImageView<const P>, ImageView<const P>, \
                      const MatchMaps<T>&);
VERGENCE_MATCH(std::uint8_t, std::int16_t)
VERGENCE_MATCH(std::uint8_t, std::int32_t)
VERGENCE_MATCH(std::uint16_t, std::int16_t)
VERGENCE_MATCH(std::uint16_t, std::int32_t)
#undef VERGENCE_MATCH

}  // namespace vergence::cpu
