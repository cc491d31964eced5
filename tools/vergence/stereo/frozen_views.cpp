// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat while those of the other view go on.
#include "stereo/frozen_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vergence::cli {
namespace {

constexpr std::int64_t moves = 256;  // a grey level: less may be noise

const char* view_name(std::size_t view) { return view == 0 ? "left" : "right"; }

}  // namespace

void FrozenViews::copy_some_rows(const GreyPicture& picture, Rows& rows) {
  constexpr int step = 8;
  rows.sample_bytes = picture.depth == Depth::u8 ? 1 : 2;
  rows.max_value = picture.max_value;
  const auto row = static_cast<std::size_t>(picture.width() * rows.sample_bytes);
  rows.bytes.resize(row * static_cast<std::size_t>((picture.height() + step - 1) / step));
  std::uint8_t* at = rows.bytes.data();
  for (int y = 0; y < picture.height(); y += step, at += row) {
    const void* const from = picture.depth == Depth::u8 ? static_cast<const void*>(picture.u8.row(y))
                                                        : static_cast<const void*>(picture.u16.row(y));
    std::memcpy(at, from, row);
  }
}

std::int64_t FrozenViews::change(const Rows& before, const Rows& now) {
  if (before.bytes.size() != now.bytes.size() || now.bytes.empty()) return 0;
  const auto sample = [](const Rows& rows, std::size_t i) {
    if (rows.sample_bytes == 1) return int{rows.bytes[i]};
    std::uint16_t word = 0;
    std::memcpy(&word, &rows.bytes[2 * i], sizeof(word));
    return int{word};
  };
  const std::size_t count = now.bytes.size() / static_cast<std::size_t>(now.sample_bytes);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::abs(sample(before, i) - sample(now, i));
  return sum * 255 * 256 / (static_cast<std::int64_t>(count) * now.max_value);
}

std::string FrozenViews::look(const StereoFrame& frame) {
  constexpr int many = 3;  // four equal frames, which encoders may make of a scene that hardly moves
  copy_some_rows(frame.left, now_[0]);
  copy_some_rows(frame.right, now_[1]);
  std::array<bool, 2> same{};
  for (const std::size_t view : {std::size_t{0}, std::size_t{1}})
    same[view] = frames_ > 0 && now_[view].bytes == before_[view].bytes;
  std::string line;
  for (const std::size_t view : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t other = 1 - view;
    const bool stalls = same[view] && !same[other];
    // It stood still for one frame amid some in which both move: then it shows another time than the other one.
    if (stalled_[view] >= moves && !same[0] && !same[1] && 2 * change(before_[view], now_[view]) >= stalled_[view])
      line = fmt::format(
          "the {0} picture of the frame before is the same as in the one before that, while the {1} one moved on: that "
          "pair is of two times, as where a camera lost a frame, or all later ones are, too: check that both cameras "
          "run in step",
          view_name(view), view_name(other));
    stalled_[view] = stalls && moved_[0] && moved_[1] ? change(before_[other], now_[other]) : 0;
    repeats_[view] = stalls ? repeats_[view] + 1 : 0;
    if (repeats_[view] >= many)
      line = fmt::format(
          "the {0} picture has been the same for {1} frames, while the {2} one changes: check that the {0} camera "
          "runs, and that its frames are not one file",
          view_name(view), repeats_[view] + 1, view_name(other));
  }
  moved_ = {frames_ > 0 && !same[0], frames_ > 0 && !same[1]};
  ++frames_;
  before_.swap(now_);
  return line;
}

}  // namespace vergence::cli
