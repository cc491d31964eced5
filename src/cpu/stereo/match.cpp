// SPDX-License-Identifier: Apache-2.0
// The entry point `match` on the CPU: splits the rows into bands, one per thread, and takes each row from the pictures
// through band-inl.h, where the work is, to the maps. Equal to reference/stereo/match.cpp.
#include <algorithm>
#include <memory>
#include <type_traits>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/masked_row.hpp"
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
          .planes = census_planes(o.cost),
          .skip = o.outside == StereoOutside::skip,
          .partial = o.border == StereoBorder::partial};
}

/// What one thread needs for its bands.
template <class P, class F, class E, class S>
class BandWorker : public MatchScratch::Worker {
 public:
  BandWorker(const StereoPlan& plan, const Context& context, const MatchLayout& layout)
      : plan_(plan),
        layout_(layout),
        rows_(plan, layout_),
        texture_(plan),
        masks_(plan),
        matcher_(make_row_matcher<E, S>(plan, context, layout_)) {}

  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right) {
    rows_.begin(context, left, right);
    texture_.begin(context, plan_.matches_left() ? left : right);
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
      output.put(y, matcher_->row(added, removed, masks_.notes(y, without_texture(y))));
    }
  }

  std::size_t bytes() const override { return rows_.bytes() + texture_.bytes() + masks_.bytes() + matcher_->bytes(); }

 private:
  /// See TextureRows. Rows that are matched after x-Sobel are not filtered again.
  const std::uint8_t* without_texture(int y) {
    if constexpr (std::is_same_v<F, E> && sizeof(E) == 1) {
      if (plan_.options.prefilter != StereoPrefilter::none && layout_.planes == 1)
        return texture_.without(y, [&](int v) { return rows_.row(v).ref; });
    }
    return texture_.without(y);
  }

  const StereoPlan& plan_;
  const MatchLayout layout_;
  PreparedRows<P, F, E> rows_;
  TextureRows<P> texture_;
  MaskRows masks_;
  std::unique_ptr<RowMatcher<E, S>> matcher_;
};

template <class P, class F, class E, class S, class T>
void run(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
         ImageView<const P> right, const MatchMaps<T>& maps) {
  using Worker = BandWorker<P, F, E, S>;
  const StereoOptions& o = plan.options;
  clear_other_rows(plan, maps);
  const Rect shown = shown_pixels(plan);
  if (shown.height == 0) return;

  const MatchLayout layout = make_layout(plan, padded_candidates<S>(context, o.disparities));
  const MatchWants wants = wants_of(plan, maps);
  const Output<S, T> output(plan, maps);
  scratch.workers.resize(static_cast<std::size_t>(context.threads.count()));
  // A band costs a window's height of extra rows to start with.
  context.threads.rows(shown.height, std::max(8, 2 * plan.ry), [&](int from, int to, int index) {
    auto& slot = scratch.workers[static_cast<std::size_t>(index)];
    if (slot == nullptr) slot = std::make_unique<Worker>(plan, context, layout);
    auto& worker = static_cast<Worker&>(*slot);
    worker.begin(context, left, right);
    worker.match(shown.y + from, shown.y + to, wants, output);
  });
}

/// Chooses the narrowest sums that hold every window cost and one value more.
template <class P, class F, class E, class T>
void choose_sums(const StereoPlan& plan, Context& context, MatchScratch& scratch, ImageView<const P> left,
                 ImageView<const P> right, const MatchMaps<T>& maps) {
  if (plan.sums_paths()) return match_paths<P, F, E>(plan, context, scratch, left, right, maps);
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
  const bool census = census_planes(plan.options.cost) > 1;
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
