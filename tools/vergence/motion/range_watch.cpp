// SPDX-License-Identifier: Apache-2.0
// Vectors that pile up at the edge of the range, and the range that would do.
#include "motion/range_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cli/picture_watch.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence::cli {
namespace {

constexpr int least_percent = 10;

/// Percent of the vectors at the ends of the range.
std::int64_t percent_at_edge(const BlockField& field, const MotionOptions& options) {
  const InnerMotionRange inner(options);
  int at_edge = 0;
  const Image<MotionVector>& vectors = field.vectors;
  for (int y = 0; y < vectors.height(); ++y) {
    const MotionVector* const row = vectors.row(y);
    for (int x = 0; x < vectors.width(); ++x) at_edge += inner.is_left_by(row[x]) ? 1 : 0;
  }
  return std::int64_t{100} * at_edge / std::max<std::int64_t>(std::int64_t{vectors.width()} * vectors.height(), 1);
}

MotionRangeFindings look(const GreyPicture& current, const GreyPicture& reference, const MotionOptions& options) {
  if (current.depth == Depth::u8) return inspect_motion_range(current.u8.view(), reference.u8.view(), options);
  return inspect_motion_range(current.u16.view(), reference.u16.view(), options);
}

MotionEndFindings look_at_ends(const BlockField& field, const GreyPicture& current, const GreyPicture& reference,
                               const MotionOptions& options) {
  const ImageView<const MotionVector> vectors = field.vectors.view();
  if (current.depth == Depth::u8) return inspect_motion_ends(current.u8.view(), reference.u8.view(), vectors, options);
  return inspect_motion_ends(current.u16.view(), reference.u16.view(), vectors, options);
}

MissedMotionFindings look_for_missed(const BlockField& field, const GreyPicture& current, const GreyPicture& reference,
                                     const MotionOptions& options) {
  const ImageView<const MotionVector> vectors = field.vectors.view();
  if (current.depth == Depth::u8)
    return inspect_missed_motion(current.u8.view(), reference.u8.view(), vectors, options);
  return inspect_missed_motion(current.u16.view(), reference.u16.view(), vectors, options);
}

/// Those that go from a place to a better one beside it, until there is none.
bool is_local(MotionSearch search) {
  return search == MotionSearch::step || search == MotionSearch::diamond || search == MotionSearch::hexagon;
}

/// A power of two that is a quarter more than what was found, as the largest motion need not be in this frame.
int likely_range(int reach, const MotionRange& range) {
  constexpr int largest = 512;
  const auto wanted = static_cast<unsigned>(std::max(reach + reach / 4, 1));
  return std::min(static_cast<int>(std::max(std::bit_ceil(wanted), static_cast<unsigned>(range.last))), largest);
}

}  // namespace

void MotionRangeWatch::see(const BlockField& field, const GreyPicture& current, const GreyPicture& reference,
                           MotionOptions options, std::int64_t number) {
  options.block = field.block;  // of several sizes, this one
  ++seen_;
  if (!warning_.empty()) return;
  const std::int64_t percent = percent_at_edge(field, options);
  const auto warn = [&](const auto& found, const char* what, int of) {
    warning_ = fmt::format(
        "the range {} is too small: {} % of the vectors of frame {} lie at its edge, and {} of {} {} were found beyond "
        "it, up to {} px to the side and {} px up or down: give --range {},{}; a scene cut that is told of may be none",
        motion_get(options, "range"), percent, number, found.beyond, of, what, found.reach_x, found.reach_y,
        likely_range(found.reach_x, options.range_x), likely_range(found.reach_y, options.range_y));
  };
  if (percent >= least_percent && std::has_single_bit(static_cast<std::uint64_t>(++doubtful_)))
    if (const MotionRangeFindings found = look(current, reference, options); found.too_small)
      return warn(found, "sample points", found.points);
  constexpr int least_at_ends = 2;  // percent; of fewer inspect_motion_ends() tells nothing
  if (!is_looked_at(seen_)) return;
  if (percent >= least_at_ends)
    if (const MotionEndFindings found = look_at_ends(field, current, reference, options); found.cut)
      return warn(found, "blocks of these", found.looked);
  if (!is_local(options.search)) return;
  if (const MissedMotionFindings found = look_for_missed(field, current, reference, options); found.missed)
    warning_ = fmt::format(
        "search {} misses what moves far: of {} blocks of frame {} that were looked for in all of the range, {} match "
        "far better elsewhere: give --search tz, hierarchical or full",
        motion_get(options, "search"), found.looked, number, found.elsewhere);
}

}  // namespace vergence::cli
