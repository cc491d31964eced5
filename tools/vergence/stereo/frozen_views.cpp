// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat, or come again, while those of the other view go on.
#include "stereo/frozen_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/repeats.hpp"

namespace vergence::cli {
namespace {

constexpr int moves = 256;  // a grey level: less may be noise
constexpr int many = 3;     // four equal frames, which encoders may make of a scene that hardly moves
constexpr std::size_t most_seen = 4096;
constexpr std::array<std::size_t, 2> views{0, 1};
constexpr const char* cure = "check that both cameras run in step";

const char* view_name(std::size_t view) { return view == 0 ? "left" : "right"; }

}  // namespace

void SeenFrames::add(std::uint64_t hash, std::int64_t number) {
  if (hashes_.size() < most_seen) {
    hashes_.push_back(hash);
    numbers_.push_back(number);
    return;
  }
  hashes_[next_] = hash;
  numbers_[next_] = number;
  next_ = (next_ + 1) % most_seen;
}

std::int64_t SeenFrames::number_of(std::uint64_t hash) const {
  const auto found = std::find(hashes_.begin(), hashes_.end(), hash);
  return found == hashes_.end() || hash == 0 ? -1 : numbers_[static_cast<std::size_t>(found - hashes_.begin())];
}

std::string FrozenViews::stall_line(std::size_t view) {
  const std::size_t other = 1 - view;
  const bool goes_on = changes_[0] > 0 && changes_[1] > 0;
  // It stood still for a frame or two amid some in which both move: then it shows another time than the other one.
  if (!told_of_stall_ && stalled_[view] >= moves && goes_on && 2 * changes_[view] >= stalled_[view]) {
    told_of_stall_ = true;
    const bool one = repeats_[view] == 1;
    return fmt::format(
        "the {0} picture of the {1} before is the same as in the one before {2}, while the {3} one moved on: {4} of "
        "two times, as where a camera lost a frame, or all later ones are, too: {5}",
        view_name(view), one ? "frame" : "two frames", one ? "that" : "these", view_name(other),
        one ? "that pair is" : "these pairs are", cure);
  }
  const bool stands = frames_ > 0 && changes_[view] == 0 && changes_[other] > 0;
  repeats_[view] = stands ? repeats_[view] + 1 : 0;
  if (repeats_[view] == 1) {
    stalled_[view] = std::min(last_changes_[0], last_changes_[1]) > 0 ? changes_[other] : 0;
    abrupt_[view] = last_changes_[view] >= moves && 2 * changes_[other] >= last_changes_[other];
  }
  if (!stands) stalled_[view] = 0;
  if (told_of_stop_ || repeats_[view] < many) return {};
  told_of_stop_ = true;
  return fmt::format(
      "the {0} picture has been the same for {1} frames, while the {2} one changes: check that the {0} camera "
      "runs, and that its frames are not one file",
      view_name(view), repeats_[view] + 1, view_name(other));
}

std::string FrozenViews::old_frame_line(std::size_t view, const std::array<std::uint64_t, 2>& hashes) {
  const std::size_t other = 1 - view;
  if (std::min(changes_[0], changes_[1]) < moves) return {};
  const std::int64_t older = seen_[view].number_of(hashes[view]);
  if (older < 0 || seen_[other].number_of(hashes[other]) == older) return {};
  two_times_ = true;
  if (std::exchange(told_of_old_, true)) return {};
  return fmt::format(
      "the {0} picture is that of frame {1} once more, bit for bit, while the {2} one moved on: the pair is of two "
      "times: check the queue or buffer that frames were taken from, and the names of the files",
      view_name(view), older, view_name(other));
}

std::string FrozenViews::look(const StereoFrame& frame) {
  std::array<GreyPicture, 2> now{some_rows(frame.left), some_rows(frame.right)};
  std::string line = frames_ > 0 ? look_at(now) : "";
  number_ = frame.index;
  ++frames_;
  before_ = std::move(now);
  return line;
}

/// What is not seen before another one follows is not hashed: a single pair.
std::string FrozenViews::look_at(const std::array<GreyPicture, 2>& now) {
  const std::array hashes{hash_of_rows(now[0]), hash_of_rows(now[1])};
  last_changes_ = changes_;
  for (const std::size_t view : views) {
    seen_[view].add(frames_ == 1 ? hash_of_rows(before_[view]) : hashes_[view], number_);
    changes_[view] = change_of(before_[view], now[view]);
  }
  two_times_ = false;
  std::string line;
  for (const std::size_t view : views) {
    if (std::string stall = stall_line(view); !stall.empty()) line = std::move(stall);
    if (std::string old = old_frame_line(view, hashes); !old.empty()) line = std::move(old);
  }
  two_times_ = two_times_ || std::max(stalled_[0], stalled_[1]) >= moves;
  hashes_ = hashes;
  return line;
}

std::string FrozenViews::end() const {
  for (const std::size_t view : views) {
    if (told_of_stall_ || told_of_stop_ || stalled_[view] < moves || !abrupt_[view]) continue;
    return fmt::format(
        "frame {}: the {} picture is the same as in the frame before, while the {} one moved on: that pair is of two "
        "times: {}",
        number_, view_name(view), view_name(1 - view), cure);
  }
  return {};
}

}  // namespace vergence::cli
