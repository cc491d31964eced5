// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat while those of the other view go on.
#include "stereo/frozen_views.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/repeats.hpp"

namespace vergence::cli {
namespace {

constexpr int moves = 256;  // a grey level: less may be noise

const char* view_name(std::size_t view) { return view == 0 ? "left" : "right"; }

}  // namespace

std::string FrozenViews::look(const StereoFrame& frame) {
  constexpr int many = 3;  // four equal frames, which encoders may make of a scene that hardly moves
  std::array<GreyPicture, 2> now{some_rows(frame.left), some_rows(frame.right)};
  std::array<int, 2> changes{};
  std::array<bool, 2> same{};
  for (const std::size_t view : {std::size_t{0}, std::size_t{1}}) {
    if (frames_ > 0) changes[view] = change_of(before_[view], now[view]);
    same[view] = frames_ > 0 && changes[view] == 0;
  }
  std::string line;
  for (const std::size_t view : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t other = 1 - view;
    const bool stalls = same[view] && !same[other];
    // It stood still for one frame amid some in which both move: then it shows another time than the other one.
    if (!told_of_stall_ && stalled_[view] >= moves && !same[0] && !same[1] && 2 * changes[view] >= stalled_[view]) {
      told_of_stall_ = true;
      line = fmt::format(
          "the {0} picture of the frame before is the same as in the one before that, while the {1} one moved on: that "
          "pair is of two times, as where a camera lost a frame, or all later ones are, too: check that both cameras "
          "run in step",
          view_name(view), view_name(other));
    }
    stalled_[view] = stalls && moved_[0] && moved_[1] ? changes[other] : 0;
    repeats_[view] = stalls ? repeats_[view] + 1 : 0;
    if (!told_of_stop_ && repeats_[view] >= many) {
      told_of_stop_ = true;
      line = fmt::format(
          "the {0} picture has been the same for {1} frames, while the {2} one changes: check that the {0} camera "
          "runs, and that its frames are not one file",
          view_name(view), repeats_[view] + 1, view_name(other));
    }
  }
  moved_ = {frames_ > 0 && !same[0], frames_ > 0 && !same[1]};
  ++frames_;
  before_ = std::move(now);
  return line;
}

}  // namespace vergence::cli
