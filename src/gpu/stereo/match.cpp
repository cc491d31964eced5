// SPDX-License-Identifier: Apache-2.0
// Launches of the entry point `match`: which kernel serves which settings, and its launch configuration.
#include "gpu/stereo/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/shared/stereo/columns.h"
#include "gpu/stereo/match_paths.hpp"
#include "gpu/stereo/match_rows.hpp"
#include "gpu/stereo/match_settings.hpp"
#include "gpu/stereo/match_strip.hpp"
#include "gpu/stereo/match_warp.hpp"
#include "plan/stereo/match_maps.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {

MatchTuning default_match_tuning(const Properties& properties) {
  MatchTuning tuning;
  tuning.census_tiles = !properties.is_cpu;
  tuning.path_pairs = properties.has_packed_minimum;
  if (properties.is_cpu) {
    tuning = {128, 64, true, 1};
    tuning.bands = true;
  }
  return tuning;
}

namespace {

/// The census words of a cost.
struct Census {
  int width, height;  ///< 0: the cost is no census.
  bool symmetric;
  std::size_t word_bytes;
};
Census census_of(StereoCost cost) {
  switch (cost) {
    case StereoCost::census_5x5:
      return {5, 5, false, 4};
    case StereoCost::census_9x7:
      return {9, 7, false, 8};
    case StereoCost::census_symmetric_9x7:
      return {9, 7, true, 4};
    default:
      return {0, 0, false, 0};
  }
}

constexpr int census_rows = 2;  ///< Of a work-item of census.cl in tiles; it has two columns.
constexpr int census_band = 8;  ///< Rows of a work-item of census_rows.cl.

constexpr int check_rows = 2;  ///< Of a work-item of check.cl.

/// A buffer that a kernel is given where it wants none.
constexpr std::size_t token = 16;

/// The launch configuration of match.cl.
struct Strip {
  int group, tile, rows, split, pack;
  bool local, keeps_sums;
  std::size_t column_bytes, pixel_bytes;  ///< Of a column's sum and a pixel's.
  Range groups;
  std::size_t scratch_bytes;  ///< Columns' sums of all groups, where they do not fit local memory.
};

Strip make_strip(const StereoPlan& plan, const Properties& properties, const MatchTuning& tuning) {
  Strip strip{};
  // Of masks a group keeps a word.
  const std::size_t local_memory =
      properties.local_memory - std::min(properties.local_memory, plan.masks != nullptr ? token : 0);
  strip.group = std::min(tuning.group, static_cast<int>(properties.largest_group));
  // Half the span at least are pixels; wide windows make longer spans than groups, then a work-item takes several
  // columns.
  strip.tile = std::max(strip.group - 2 * plan.rx, strip.group / 2);
  strip.rows = std::max(tuning.rows, 2 * plan.ry);
  const std::uint64_t column_cost = plan.max_tap_cost * static_cast<std::uint64_t>(plan.options.window.height);
  strip.column_bytes = column_cost <= 0xFFFF ? 2 : column_cost <= 0xFFFFFFFF ? 4 : 8;
  const std::size_t bytes = static_cast<std::size_t>(plan.options.disparities) *
                            static_cast<std::size_t>(COLUMNS_SPAN(strip.tile, plan.rx)) * strip.column_bytes;
  strip.local = tuning.local_columns && bytes <= local_memory;
  strip.pixel_bytes = plan.max_cost <= 0xFFFF ? 2 : plan.max_cost < 0xFFFFFFFF ? 4 : 8;
  const std::size_t all_pixels =
      static_cast<std::size_t>(plan.options.disparities) * static_cast<std::size_t>(strip.tile) * strip.pixel_bytes;
  strip.keeps_sums = all_pixels + (strip.local ? bytes : 0) <= local_memory;
  strip.split = strip.keeps_sums ? tuning.split : 1;
  while (static_cast<std::size_t>(strip.group * strip.split) > properties.largest_group) strip.split /= 2;
  // Two 16-bit sums to an integer are added at once.
  strip.pack = strip.keeps_sums && strip.pixel_bytes == 2 && plan.options.disparities % 2 == 0 ? 2 : 1;
  strip.groups = {groups_for(plan.size.width, strip.tile), groups_for(plan.size.height, strip.rows), 1};
  strip.scratch_bytes = strip.local ? token : bytes * strip.groups.x * strip.groups.y;
  return strip;
}

}  // namespace

struct Match::Impl {
  Impl(const StereoPlan& stereo_plan, Programs& programs, const MatchWants& match_wants, const MatchTuning& tuning,
       const Shared& shared)
      : plan(stereo_plan),
        wants(match_wants),
        masks(shared.masks),
        device(programs.device()),
        grid(plan.size, device.properties()),
        strip(make_strip(plan, device.properties(), tuning)) {
    make_preparation(programs, tuning.census_tiles);
    if (plan.sums_paths())
      paths = std::make_unique<MatchPaths>(plan, programs, wants, tuning, word_bytes, shared.volumes);
    else
      make_views(programs, tuning);
    const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    none = device.allocate(token);
    scratch = device.allocate(plan.sums_paths() ? token : strip.scratch_bytes);
    winner = device.allocate(4 * pixels);
    if (plan.options.left_right >= 0) {
      other_winner = device.allocate(keys_from_warps() ? token : 4 * pixels);
      make_check(programs);
    }
  }

  void make_preparation(Programs& programs, bool tiles) {
    const StereoOptions& o = plan.options;
    const std::size_t pixels = static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height);
    const char* const pixel = o.depth == Depth::u8 ? "uchar" : "ushort";
    prepared_bytes = compares_bytes(plan) ? 1 : 2;
    const auto defines = [&](int kind, std::size_t bytes) {
      return grid.defines()
          .set("PIXEL", pixel)
          .set("PREPARED", unsigned_type(bytes))
          .set("SOBEL", kind)
          .set("CAP", o.prefilter_cap);
    };
    const int filter = o.prefilter == StereoPrefilter::none     ? SOBEL_NONE
                       : o.prefilter == StereoPrefilter::xsobel ? SOBEL_PLAIN
                                                                : SOBEL_OPENCV;
    if (filter != SOBEL_NONE) {
      prepare = &programs.kernel("stereo/prepare.cl", defines(filter, 1), "prepare");
      for (auto& buffer : prepared) buffer = device.allocate(pixels);
    }
    if (const Census words_are = census_of(o.cost); words_are.width > 0) {
      word_bytes = words_are.word_bytes;
      make_census(programs, words_are, tiles && prepared_bytes == 1);
      for (auto& buffer : words) buffer = device.allocate(pixels * word_bytes);
    } else {
      word_bytes = prepared_bytes;
    }
    if (o.texture_threshold > 0) {
      sobel = &programs.kernel("stereo/prepare.cl", defines(filter == SOBEL_OPENCV ? SOBEL_OPENCV : SOBEL_PLAIN, 1),
                               "prepare");
      const Defines texture = grid.defines()
                                  .set("CAP", o.prefilter_cap)
                                  .set("RX", plan.rx)
                                  .set("RY", plan.ry)
                                  .set("THRESHOLD", o.texture_threshold);
      texture_rows = &programs.kernel("stereo/texture.cl", texture, "texture_rows");
      texture_columns = &programs.kernel("stereo/texture.cl", texture, "texture_columns");
      derivative = device.allocate(pixels);
      row_sums = device.allocate(4 * pixels);
      textureless = device.allocate(pixels);
    }
  }

  void make_census(Programs& programs, const Census& words_are, bool tiled) {
    census_in_rows = device.properties().is_cpu && !tiled;
    census_pixels = tiled ? 2 * census_rows : 1;
    Defines defines = grid.defines()
                          .set("PREPARED", unsigned_type(prepared_bytes))
                          .set("WORD", unsigned_type(word_bytes))
                          .set("CENSUS_W", words_are.width)
                          .set("CENSUS_H", words_are.height)
                          .set("SYMMETRIC", words_are.symmetric ? 1 : 0);
    if (census_in_rows) {
      defines.set("PIXELS", sixteen_of(prepared_bytes)).set("WORDS", sixteen_of(word_bytes)).set("BAND", census_band);
      census = &programs.kernel("stereo/census_rows.cl", defines, "census_rows");
    } else {
      defines.set("TILED", tiled ? 1 : 0).set("DOWN", census_rows);
      census = &programs.kernel("stereo/census.cl", defines, "census");
    }
  }

  Defines match_defines(bool matches_left, bool winner_only, int rows) const {
    Defines defines = match_settings(plan, wants, matches_left, winner_only);
    defines.set("WORD", unsigned_type(word_bytes))
        .set("COLUMN", unsigned_type(strip.column_bytes * static_cast<std::size_t>(strip.pack)))
        .set("SUM", plan.max_cost < 0xFFFFFFFF ? "uint" : "uint64")
        .set("GROUP", strip.group)
        .set("TILE", strip.tile)
        .set("SPLIT", strip.split)
        .set("KEEPS_SUMS", strip.keeps_sums ? 1 : 0)
        .set("PACK", strip.pack)
        .set("PIXEL_SUM", unsigned_type(strip.pixel_bytes * static_cast<std::size_t>(strip.pack)))
        .set("PRODUCT", plan.max_cost <= 0xFFFFFFFF / static_cast<std::uint64_t>(2 * plan.rx + 1) ? "uint" : "uint64")
        .set("ROWS", rows)
        .set("LOCAL_COLUMNS", strip.local ? 1 : 0);
    return defines;
  }

  /// A view's matcher: one of the four, or match_strip.cl for the columns within and another for those at the sides. Of
  /// a plan with masks, match.cl then serves the pixels that these concern.
  struct View {
    const Kernel* kernel = nullptr;
    const Kernel* masked = nullptr;
    Columns inner;        ///< Those within, in the working orientation.
    int group_rows = 16;  ///< Of `kernel`.
    bool left = true;     ///< It matches the left picture.
    std::unique_ptr<MatchStrip> strip;
    std::unique_ptr<MatchWarp> warp;
    std::unique_ptr<MatchRows> rows;
  };

  View make_view(Programs& programs, const MatchTuning& tuning, bool matches_left, bool winner_only) const {
    View view;
    view.left = matches_left;
    view.group_rows = strip.rows;
    if (plan.masks != nullptr)
      view.masked = &programs.kernel("stereo/match.cl",
                                     match_defines(matches_left, winner_only, strip.rows).set("SOURCES", 1), "match");
    const bool many_wishes = asks_full(plan, wants, winner_only) || (!winner_only && plan.options.left_right >= 0);
    const Columns columns = MatchStrip::columns(plan);
    const bool serves_all = columns.end - columns.first == plan.size.width;
    const bool strips = tuning.strips && (serves_all || tuning.sides) &&
                        MatchStrip::serves(plan, device.properties(), wants, winner_only);
    const bool warps = MatchWarp::serves(plan, device.properties(), tuning, winner_only);
    if (strips && (!many_wishes || !warps)) {
      view.strip = std::make_unique<MatchStrip>(plan, programs, wants, tuning, matches_left, winner_only);
      if (serves_all) return view;
      view.inner = columns;
      // Few strips are divided among many groups.
      if (strip.local) view.group_rows = std::max(strip.rows / 2, 2 * plan.ry);
    }
    if (warps)
      view.warp = std::make_unique<MatchWarp>(plan, programs, wants, tuning, matches_left, winner_only, view.inner);
    else if (tuning.bands && MatchRows::serves(plan, device.properties()))
      view.rows = std::make_unique<MatchRows>(
          plan, programs, tuning, match_defines(matches_left, winner_only, strip.rows), word_bytes, winner_only);
    else
      view.kernel =
          &programs.kernel("stereo/match.cl", match_defines(matches_left, winner_only, view.group_rows), "match");
    return view;
  }

  void make_views(Programs& programs, const MatchTuning& tuning) {
    match = make_view(programs, tuning, plan.matches_left(), false);
    if (plan.options.left_right >= 0 && !finds_both_views())
      other_match = make_view(programs, tuning, !plan.matches_left(), true);
  }

  bool keys_from_warps() const { return match.warp != nullptr && match.warp->both_views(); }
  bool finds_both_views() const { return keys_from_warps() || (match.rows != nullptr && match.rows->both_views()); }

  void make_check(Programs& programs) {
    const StereoOptions& o = plan.options;
    Defines defines = match_settings(plan, wants, plan.matches_left(), false);
    defines.add(grid.defines())
        .set("DOWN", check_rows)
        .set("GREY", o.left_right_unit == StereoCheckUnit::grey ? 1 : 0)
        .set("THRESHOLD", o.left_right)
        .set("KEYS_OF_WARP", keys_from_warps() ? 1 : 0);
    if (keys_from_warps()) defines = match.warp->add_to(defines);
    if (paths != nullptr) defines = paths->add_to(defines);
    check = &programs.kernel("stereo/check.cl", defines, "check");
  }

  /// The buffers that taps read of two pictures.
  struct Words {
    const Buffer &mine, &theirs;
  };
  Words words_of(Queue& queue, const Buffer& mine, const Buffer& theirs) {
    std::array<const Buffer*, 2> current{&mine, &theirs};
    if (prepare != nullptr)
      for (std::size_t i = 0; i < 2; ++i) {
        grid.run(queue, *prepare, {*current[i], *prepared[i]});
        current[i] = prepared[i].get();
      }
    if (census == nullptr) return {*current[0], *current[1]};
    const std::vector<Argument> arguments{*current[0], *words[0], *current[1], *words[1], grid.picture()};
    if (census_in_rows)
      queue.launch(*census, {groups_for(plan.size.height, census_band), 2, 1}, {1, 1, 1}, arguments);
    else
      grid.launch(queue, *census, arguments, census_pixels, 2);
    return {*words[0], *words[1]};
  }

  void find_texture(Queue& queue, const Buffer& picture) {
    if (sobel == nullptr) return;
    grid.run(queue, *sobel, {picture, *derivative});
    grid.run(queue, *texture_rows, {*derivative, *row_sums});
    grid.run(queue, *texture_columns, {*row_sums, *textureless});
  }

  void match_view(Queue& queue, const View& view, const Buffer& mine, const Buffer& theirs, Buffer& disparity,
                  Buffer& winners, Buffer& confidences, Buffer& costs) {
    const Buffer& no_texture = textureless != nullptr ? *textureless : *none;
    const MatchOutputs outputs{disparity, winners, confidences, costs};
    if (view.warp != nullptr) view.warp->run(queue, mine, theirs, no_texture, outputs);
    if (view.strip != nullptr) view.strip->run(queue, mine, theirs, no_texture, outputs);
    if (view.rows != nullptr)
      view.rows->run(queue, mine, theirs, no_texture, outputs, view.rows->both_views() ? *other_winner : *none);
    for (const Kernel* const kernel : {view.kernel, view.masked}) {
      if (kernel == nullptr) continue;
      const Columns inner = kernel == view.kernel ? inner_of(view) : Columns{};
      const std::array<Argument, 11> arguments{mine,
                                               theirs,
                                               *scratch,
                                               no_texture,
                                               disparity,
                                               winners,
                                               confidences,
                                               costs,
                                               mask_of(view.left ? StereoView::left : StereoView::right),
                                               mask_of(view.left ? StereoView::right : StereoView::left),
                                               match_arguments(plan.size, plan.roi, inner)};
      const int rows = kernel == view.kernel ? view.group_rows : strip.rows;
      const Range groups{groups_for(inner.first, strip.tile) + groups_for(plan.size.width - inner.end, strip.tile),
                         groups_for(plan.size.height, rows), 1};
      queue.launch(*kernel, groups, {static_cast<std::size_t>(strip.group * strip.split), 1, 1}, arguments);
    }
  }

  /// The columns that match_strip.cl serves, in the picture's orientation, which match.cl has.
  Columns inner_of(const View& view) const {
    const int width = plan.size.width;
    return view.left || view.inner.end == 0 ? view.inner : Columns{width - view.inner.end, width - view.inner.first};
  }

  /// Of a plan without masks any buffer.
  const Buffer& mask_of(StereoView view) const { return masks != nullptr ? masks->of(view) : *none; }

  /// The maps before the left-right check, and the other view's winners where that is asked for.
  void match_paths(Queue& queue, const Buffer& left, const Buffer& right, const MatchOutputs& outputs) {
    const bool sums_left = plan.sums_view == StereoView::left;
    const Buffer& guide = sums_left ? left : right;
    const Words of_pair = words_of(queue, guide, sums_left ? right : left);
    Buffer& others = other_winner != nullptr ? *other_winner : *none;
    const MatchPaths::Masks both{mask_of(StereoView::left), mask_of(StereoView::right)};
    paths->sum(queue, {of_pair.mine, of_pair.theirs, guide}, both, others);
    paths->find(queue, textureless != nullptr ? *textureless : *none, both, outputs, others);
  }

  StereoPlan plan;
  MatchWants wants;
  std::shared_ptr<const SourceBuffers> masks;
  Device& device;
  Grid grid;
  Strip strip;
  std::size_t prepared_bytes = 1, word_bytes = 1;
  int census_pixels = 1;  ///< Of a work-item of census.cl.
  bool census_in_rows = false;
  const Kernel *prepare = nullptr, *census = nullptr, *sobel = nullptr, *texture_rows = nullptr,
               *texture_columns = nullptr;
  const Kernel* check = nullptr;
  View match, other_match;
  std::unique_ptr<MatchPaths> paths;  ///< Instead of these.
  std::array<std::unique_ptr<Buffer>, 2> prepared, words;
  std::unique_ptr<Buffer> derivative, row_sums, textureless, none, scratch, winner, other_winner;
};

Match::Match(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
             const Shared& shared)
    : impl_(std::make_unique<Impl>(plan, programs, wants, tuning, shared)) {}
Match::~Match() = default;

void Match::run(Queue& queue, const Buffer& left, const Buffer& right, Buffer& disparity, Buffer& confidences,
                Buffer& costs) {
  Impl& m = *impl_;
  const bool matches_left = m.plan.matches_left();
  m.find_texture(queue, matches_left ? left : right);
  if (m.paths != nullptr) {
    m.match_paths(queue, left, right, {disparity, *m.winner, confidences, costs});
  } else {
    const auto [mine, theirs] = m.words_of(queue, matches_left ? left : right, matches_left ? right : left);
    m.match_view(queue, m.match, mine, theirs, disparity, *m.winner, confidences, costs);
    if (m.check != nullptr && !m.finds_both_views())
      m.match_view(queue, m.other_match, theirs, mine, *m.none, *m.other_winner, *m.none, *m.none);
  }
  if (m.check == nullptr) return;
  const bool from_warps = m.keys_from_warps();
  m.grid.launch(queue, *m.check,
                {*m.winner, from_warps ? m.match.warp->keys() : *m.other_winner,
                 from_warps ? m.match.warp->last_costs() : *m.none, disparity, confidences, m.grid.picture()},
                check_rows);
}

}  // namespace vergence::gpu
