// SPDX-License-Identifier: Apache-2.0
// Frames that were spoilt where they were made: levels that wrapped, nearly all white, halves that mirror each other,
// planes of colour beside each other, bars that move, a focus that hunts, frames that hold a part of those before.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vergence/inspect_frame.hpp"

namespace vergence::cli {

class FrameLooks {
 public:
  using View = ImageView<const std::uint8_t>;
  /// Each frame, and those before it, the last one first; empty where there are none. `seen` counts frames from 1.
  struct Frames {
    View now, before, earlier, earliest;
  };
  void see(const Frames& frames, std::int64_t seen);
  /// Lines about `video`; blocks of equal pixels come again as details do.
  std::vector<std::string> warnings(const std::string& video, bool has_blocks) const;
  /// What else may be found in such frames is explained.
  bool has_alike_halves() const { return halves_ != AlikeHalves::none; }
  bool has_moving_bars() const;
  bool is_mixed() const;

 private:
  void look_at_one(View now);
  void watch_bars(View now);
  void watch_focus(View now);
  void look_at_mixing(const Frames& frames, std::int64_t seen);
  std::string bar_warning(const std::string& video) const;
  std::string mixing_warning(const std::string& video) const;

  Size size_;
  std::int64_t looks_ = 0, wrapped_ = 0, white_ = 0;  ///< Frames that were looked at; the last ones; those of them.
  int white_percent_ = 100;                           ///< The least of these.
  AlikeHalves halves_ = AlikeHalves::none;            ///< In all of them,
  RepeatedDetails details_;                           ///< and in the first two.
  std::int64_t frames_ = 0;
  DarkBars least_bars_, most_bars_;
  int turns_ = 0, way_ = 0;         ///< How often sharpness fell and rose again; 1 or -1 while it does.
  int low_ = 0, high_ = 0;          ///< Sharpness since it turned,
  int softest_ = 0, sharpest_ = 0;  ///< and of all.
  int mixed_percent_ = 100;
  FadingPixels fading_;
};

}  // namespace vergence::cli
