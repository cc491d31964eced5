// SPDX-License-Identifier: Apache-2.0
// The entry point `match` on the CPU: splits the rows into bands, one per thread, and takes each row from the pictures
// through band-inl.h, where the work is, to the maps. Equal to reference/stereo/match.cpp.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/rows.hpp"
#include "cpu/stereo/stages.hpp"
#include "cpu/stereo/texture.hpp"

namespace vergence::cpu {

namespace {

/// Candidates are padded to whole vectors of the target and the kind of sums.
MatchLayout make_layout(const StereoPlan& plan, int padded) {
  const StereoOptions& o = plan.options;
  return {.width = plan.size.width,
          .height = plan.size.height,
          .rx = plan.rx,
          .ry = plan.ry,
          .dmin = o.min_disparity,
          .count = o.disparities,
          .padded = padded,
          .planes = o.cost == StereoCost::census_5x5   ? 3
                    : o.cost == StereoCost::census_9x7 ? 8
                                                       : 1,
          .skip = o.outside == StereoOutside::skip,
          .partial = o.border == StereoBorder::partial};
}

/// Puts finished rows into the maps: mirrored back, outside the region of interest invalid.
template <class S, class T>
class Output {
 public:
  Output(const StereoPlan& plan, const MatchMaps<T>& maps) : plan_(plan), maps_(maps) {}

  void put(int y, const MatchedRow<S>& row) const {
    const RowResults<S>& results = row.results;
    const T* disparity = static_cast<const T*>(row.disparity);
    place(maps_.disparity, y, static_cast<T>(plan_.invalid), [&](int x) { return disparity[x]; });
    place(maps_.confidence, y, std::uint8_t{0}, [&](int x) { return row.confidence[x]; });
    place(maps_.cost, y, no_cost, [&](int x) { return as_cost(results.cost[x]); });
    place(maps_.second_cost, y, no_cost, [&](int x) { return as_cost(results.second[x]); });
    place(maps_.cost_before, y, no_cost, [&](int x) { return as_cost(results.near[x].before); });
    place(maps_.cost_after, y, no_cost, [&](int x) { return as_cost(results.near[x].after); });
  }

 private:
  static std::uint32_t as_cost(S cost) { return cost == none<S> ? no_cost : static_cast<std::uint32_t>(cost); }

  template <class V, class Value>
  void place(ImageView<V> map, int y, V absent, Value value) const {
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
};

/// What one thread needs for its bands.
template <class P, class F, class E, class S>
class BandWorker : public MatchScratch::Worker {
 public:
  BandWorker(const StereoPlan& plan, const Context& context, const MatchLayout& layout)
      : plan_(plan),
        layout_(layout),
        rows_(plan, layout_),
        texture_(plan),
        matcher_(make_row_matcher<E, S>(plan, context, layout_)) {}

  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right) {
    rows_.begin(context, left, right);
    if (plan_.options.texture_threshold <= 0) return;
    texture_.begin(context, plan_.matches_left() ? left : right);
    weak_.resize(static_cast<std::size_t>(plan_.size.width));
  }

  /// Rows [first, last) of the picture.
  template <class T>
  void match(int first, int last, const MatchWants& wants, const Output<S, T>& output) {
    const int ry = layout_.ry;
    matcher_->begin(wants, rows_.inside());
    for (int y = first - ry; y < first + ry; ++y) matcher_->enter(rows_.row(y), rows_.zeros());
    for (int y = first; y < last; ++y) {
      const RowPair<E> added = rows_.row(y + ry);
      const RowPair<E> removed = y == first ? rows_.zeros() : rows_.row(y - ry - 1);
      output.put(y, matcher_->row(added, removed, without_texture(y)));
    }
  }

  std::size_t bytes() const override { return rows_.bytes() + texture_.bytes() + weak_.capacity() + matcher_->bytes(); }

 private:
  /// Not 0 at pixels without enough texture, in the working orientation; null where texture does not count.
  const std::uint8_t* without_texture(int y) {
    if (plan_.options.texture_threshold <= 0) return nullptr;
    std::fill(weak_.begin(), weak_.end(), std::uint8_t{0});
    texture_.row(y, weak_.data());
    if (!plan_.matches_left()) std::reverse(weak_.begin(), weak_.end());
    return weak_.data();
  }

  const StereoPlan& plan_;
  const MatchLayout layout_;
  PreparedRows<P, F, E> rows_;
  Texture<P> texture_;
  std::vector<std::uint8_t> weak_;  ///< Of a row: not 0 at pixels with too little texture.
  std::unique_ptr<RowMatcher<E, S>> matcher_;
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

  const MatchLayout layout = make_layout(plan, padded_candidates<S>(context, o.disparities));
  const bool shows_second = !maps.confidence.empty() || !maps.second_cost.empty();
  const MatchWants wants{.second = shows_second || o.uniqueness_ratio > 0,
                         .only_uniqueness = !shows_second,
                         .confidence = !maps.confidence.empty(),
                         .neighbours = !maps.cost_before.empty() || !maps.cost_after.empty(),
                         .narrow_disparities = sizeof(T) == 2};
  const Output<S, T> output(plan, maps);
  scratch.workers.resize(static_cast<std::size_t>(context.threads.count()));
  // A band costs a window's height of extra rows to start with.
  context.threads.rows(last - first, std::max(8, 2 * plan.ry), [&](int from, int to, int index) {
    auto& slot = scratch.workers[static_cast<std::size_t>(index)];
    if (slot == nullptr) slot = std::make_unique<Worker>(plan, context, layout);
    auto& worker = static_cast<Worker&>(*slot);
    worker.begin(context, left, right);
    worker.match(first + from, first + to, wants, output);
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
