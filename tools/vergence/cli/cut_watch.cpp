// SPDX-License-Identifier: Apache-2.0
// Frames at which the scene changes, or its brightness, at once.
#include "cli/cut_watch.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "vergence/inspect_video.hpp"

namespace vergence::cli {

void CutWatch::see(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now, const ChangeFindings& rows,
                   std::int64_t number) {
  constexpr int large = 6 * 256, beside = 3;       // halves; what moves changes about as much from frame to frame
  constexpr int unlike = 82, unlike_at_once = 90;  // where nothing tells how much moves
  constexpr int brighter = 138, darker = 72;       // percent; a lamp that is switched may do less
  constexpr int lifted = 90;                       // of a change: motion makes some places brighter and others darker
  const int last = std::exchange(last_change_, rows.change);
  const bool is_lifted = 100 * std::abs(rows.lift) >= lifted * rows.change;
  if (rows.change < large || (2 * rows.change < beside * last && !is_lifted)) return;
  const CutFindings found = inspect_cut(before, now);
  if (found.unlike_percent >= (last < 0 || is_lifted ? unlike_at_once : unlike)) {
    if (cuts_++ == 0) cut_ = number;
  } else if (found.gain_percent >= brighter || found.gain_percent <= darker) {
    if (jumps_++ == 0) jump_ = number, gain_percent_ = found.gain_percent;
  }
}

std::vector<std::string> CutWatch::warnings(const std::string& video) const {
  const auto more = [](std::int64_t count) { return count > 1 ? fmt::format(" ({} such frames)", count) : ""; };
  std::vector<std::string> lines;
  if (cuts_ > 0)
    lines.push_back(
        fmt::format("frame {} of {} shows another scene than the one before, or the same from elsewhere (a cut, or "
                    "lost frames){}: points that are found there are found by chance: follow each scene by itself "
                    "(--frames {}:)",
                    cut_, video, more(cuts_), cut_));
  if (jumps_ > 0)
    lines.push_back(
        fmt::format("frame {} of {} is {:.2f} times as bright as the one before{}: points are lost there, or move "
                    "without cause: fix the exposure, or follow the frames from there on by themselves (--frames {}:)",
                    jump_, video, gain_percent_ / 100.0, more(jumps_), jump_));
  return lines;
}

}  // namespace vergence::cli
