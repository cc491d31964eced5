// SPDX-License-Identifier: Apache-2.0
// Launches of match_strip.cl: which settings it serves, and its launch configuration.
#include "gpu/stereo/match_strip.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gpu/grid.hpp"
#include "gpu/shared/stereo/strip.h"
#include "gpu/stereo/group_rows.hpp"
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {
namespace {

constexpr int lanes = 32;
constexpr int most_threads = 512;                           ///< Of a group; each may then have 128 registers.
constexpr std::size_t local_of_multiprocessor = 200 << 10;  ///< Of compute capability 9.0 on, and some to spare.
constexpr int squares_group = 256, squares_rows = 16;
constexpr std::uint64_t half_sums_end = 2048;    ///< Columns' sums below it: see packed.h.
constexpr std::uint64_t short_costs_end = 8191;  ///< Costs below it leave 3 bits of 16 to a key.

/// How the candidates are split.
struct Split {
  int of_warp = 8, warps = 1;
  int candidates() const { return of_warp * warps; }
  int order_bits() const { return static_cast<int>(std::bit_width(static_cast<unsigned>(candidates() - 1))); }
};
Split split_for(const StereoPlan& plan, int of_warp) {
  if (plan.options.cost == StereoCost::ssd) of_warp = 8;  // sums_ssd.h takes no other
  const int warps = (plan.options.disparities + of_warp - 1) / of_warp;
  if (lanes * warps > most_threads && of_warp < 16 && plan.options.cost == StereoCost::sad) return split_for(plan, 16);
  return {of_warp, warps};
}
std::uint64_t column_cost(const StereoPlan& plan) {
  return plan.max_tap_cost * static_cast<std::uint64_t>(plan.options.window.height);
}
bool short_keys(const StereoPlan& plan) {
  return plan.options.cost == StereoCost::sad && plan.rx <= 4 && plan.max_cost < short_costs_end &&
         column_cost(plan) < half_sums_end;
}
/// Whether all pixels are served: candidates sum equally many taps everywhere, and SSD's windows are whole, whose sums
/// of squares have columns outside.
bool serves_all(const StereoPlan& plan) {
  const StereoOptions& o = plan.options;
  return o.border == StereoBorder::invalid || (o.cost == StereoCost::sad && o.outside != StereoOutside::skip);
}
int step_for(int rx, int own) { return STRIP_STEP(rx, own); }

/// Of a group; the compiler may need some for alignment.
std::size_t local_bytes(const StereoPlan& plan, const Split& split, int own, int chunks, int chunk, bool full) {
  constexpr std::size_t alignment = 64;
  const int cost = plan.options.cost == StereoCost::sad ? COST_SAD : COST_SSD;
  return 4 * static_cast<std::size_t>(STRIP_LOCAL_WORDS(cost, full, plan.ry, own, split.candidates(), chunks, chunk)) +
         alignment;
}

/// Rows of a chunk of several that fit local memory; 0 where none do.
int chunk_for(const StereoPlan& plan, const Properties& properties, const Split& split, int own, bool full) {
  for (const int chunk : {4, 2, 1})
    if (local_bytes(plan, split, own, 2, chunk, full) <= properties.local_memory) return chunk;
  return 0;
}

}  // namespace

Columns MatchStrip::columns(const StereoPlan& plan) {
  const int width = plan.size.width, first_disparity = plan.options.min_disparity;
  if (serves_all(plan)) return {0, width};
  Columns inner{plan.rx, width - plan.rx};
  if (plan.options.outside == StereoOutside::skip)
    inner = {(plan.rx + std::max(plan.last_disparity(), 0) + 3) / 4 * 4,  // at a word
             width - plan.rx + std::min(first_disparity, 0)};
  return inner.end - inner.first >= std::max(width / 2, 1) ? inner : Columns{};
}

bool MatchStrip::serves(const StereoPlan& plan, const Properties& properties, const MatchWants& wants,
                        bool winner_only) {
  const StereoOptions& o = plan.options;
  if (!properties.is_nvidia || !compares_bytes(plan) || columns(plan).end == 0 || plan.rx > 15 ||
      properties.largest_group < most_threads)
    return false;
  const Split split = split_for(plan, 16);
  if (lanes * split.warps > most_threads) return false;
  const int free_bits = 31 - split.order_bits();
  if (o.cost == StereoCost::sad) {
    // Sums of 8 columns fit 16 bits, and cost and order 31.
    if (8 * column_cost(plan) >= 65536 || plan.max_cost >= 1ULL << free_bits) return false;
  } else if (o.cost == StereoCost::ssd) {
    // Keys go down to the negative of the largest sum of squares.
    const auto area = static_cast<std::uint64_t>(o.window.width) * static_cast<std::uint64_t>(o.window.height);
    if (255 * 255 * area >= 1ULL << std::min(free_bits, 27)) return false;
  } else {
    return false;
  }
  return chunk_for(plan, properties, split, 8, asks_full(plan, wants, winner_only)) > 0;
}

MatchStrip::MatchStrip(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
                       bool matches_left, bool winner_only)
    : size_(plan.size), roi_(plan.roi), served_(columns(plan)), rx_(plan.rx) {
  const Properties& properties = programs.device().properties();
  full_ = asks_full(plan, wants, winner_only);
  // Small pictures want many small groups.
  const bool small = static_cast<std::int64_t>(plan.size.width) * plan.size.height < 300'000;
  own_ = plan.options.cost == StereoCost::ssd ? 8
         : tuning.strip_own > 0               ? tuning.strip_own
         : small                              ? 4
                                              : 8;  // SSD takes 8
  const Split split = split_for(plan, tuning.strip_candidates > 0 ? tuning.strip_candidates : 16);
  of_warp_ = split.of_warp;
  warps_ = split.warps;
  order_bits_ = split.order_bits();
  // Of SSD with 96 two groups of 9 or 10 warps fit a multiprocessor, with 128 one.
  const bool many_warps = plan.options.cost == StereoCost::ssd && (warps_ == 9 || warps_ == 10);
  registers_ = tuning.strip_registers > 0 ? tuning.strip_registers : own_ != 8 ? 104 : many_warps ? 96 : 128;
  const int groups = groups_of(lanes * warps_, registers_);
  const bool packs_keys = short_keys(plan) && !full_;
  // Two of a small picture's groups on a multiprocessor, with more rows, take less time than four that start windows.
  rows_ = tuning.strip_rows > 0
              ? tuning.strip_rows
              : rows_for({served_.end - served_.first, plan.size.height}, step_for(rx_, own_), 0.5 * plan.ry + 2, 0,
                         small && packs_keys ? std::min(groups, 2) : groups, properties);
  chunk_ = chunk_for(plan, properties, split, own_, full_);
  // All rows at once, where as many groups as registers allow have memory for them: nothing is waited for between rows.
  const std::size_t bytes = local_bytes(plan, split, own_, 1, rows_, full_);
  if (packs_keys && properties.has_packed_minimum && bytes <= properties.local_memory &&
      static_cast<std::size_t>(groups) * bytes <= local_of_multiprocessor)
    chunks_ = 1, chunk_ = rows_;
  kernel_ = &programs.kernel("stereo/match_strip.cl", defines(plan, wants, matches_left, winner_only), "match_strip");
  if (plan.options.cost == StereoCost::ssd) {
    theirs_.left = -(plan.last_disparity());
    theirs_.width = plan.size.width + plan.options.disparities - 1;
    make_squares(plan, programs, matches_left, theirs_);
    if (full_) {
      mine_.width = plan.size.width;
      make_squares(plan, programs, matches_left, mine_);
    }
  }
  if (theirs_.sums == nullptr) theirs_.sums = programs.device().allocate(16);
  if (mine_.sums == nullptr) mine_.sums = programs.device().allocate(16);
}

void MatchStrip::make_squares(const StereoPlan& plan, Programs& programs, bool matches_left, Squares& squares) const {
  squares.kernel = &programs.kernel("stereo/squares.cl",
                                    Defines()
                                        .set("RX", plan.rx)
                                        .set("RY", plan.ry)
                                        .set("CLAMP", plan.options.outside == StereoOutside::clamp ? 1 : 0)
                                        .set("MATCHES_LEFT", matches_left ? 1 : 0)
                                        .set("GROUP", squares_group)
                                        .set("ROWS", squares_rows),
                                    "squares");
  squares.sums = programs.device().allocate(4 * static_cast<std::size_t>(squares.width) *
                                            static_cast<std::size_t>(plan.size.height));
}

Defines MatchStrip::defines(const StereoPlan& plan, const MatchWants& wants, bool matches_left,
                            bool winner_only) const {
  Defines defines = match_settings(plan, wants, matches_left, winner_only);
  defines.set("TAPS_DIFFER", 0)
      .set("SHORT_KEYS", short_keys(plan) && !full_ ? 1 : 0)
      .set("HALF_SUMS", column_cost(plan) < half_sums_end ? 1 : 0)
      .set("ORDER_BITS", order_bits_)
      .set("OWN", own_)
      .set("OF_WARP", of_warp_)
      .set("WARPS", warps_)
      .set("ROWS", rows_)
      .set("CHUNK", chunk_)
      .set("CHUNKS", chunks_)
      .set("SMALL_COSTS", plan.options.cost == StereoCost::sad && plan.max_cost < 65536 ? 1 : 0)
      .set("INNER", serves_all(plan) ? 0 : 1)
      .set("FULL", full_ ? 1 : 0);
  if (registers_ > 0) defines.registers(registers_);
  return defines;
}

void MatchStrip::sum_squares(Queue& queue, const Buffer& picture, const Squares& squares) const {
  if (squares.kernel == nullptr) return;
  const std::array<Argument, 3> arguments{
      picture, *squares.sums,
      shared::SquaresArguments{
          .width = size_.width, .height = size_.height, .left = squares.left, .out_width = squares.width}};
  queue.launch(*squares.kernel,
               {groups_for(squares.width, SQUARES_STEP(squares_group, rx_)), groups_for(size_.height, squares_rows), 1},
               {squares_group, 1, 1}, arguments);
}

void MatchStrip::run(Queue& queue, const Buffer& mine, const Buffer& theirs, const Buffer& textureless,
                     const MatchOutputs& outputs) const {
  sum_squares(queue, theirs, theirs_);
  sum_squares(queue, mine, mine_);
  const std::array<Argument, 10> arguments{mine,
                                           theirs,
                                           *mine_.sums,
                                           *theirs_.sums,
                                           textureless,
                                           outputs.disparity,
                                           outputs.winner,
                                           outputs.confidences,
                                           outputs.costs,
                                           shared::MatchStripArguments{.match = match_arguments(size_, roi_, served_),
                                                                       .squares_left = theirs_.left,
                                                                       .squares_width = theirs_.width,
                                                                       .scale = STRIP_SHORT_SCALE}};
  queue.launch(*kernel_,
               {groups_for(served_.end - served_.first, step_for(rx_, own_)), groups_for(size_.height, rows_), 1},
               {static_cast<std::size_t>(lanes * warps_), 1, 1}, arguments);
}

}  // namespace vergence::gpu
