// SPDX-License-Identifier: Apache-2.0
// Frames that were spoilt where they were made: levels that wrapped, nearly all white, halves that mirror each other,
// planes of colour beside each other, bars that move, a focus that hunts or is lost, light that changes all of a
// sudden, lost pixels and blocks, parts in large pixels, frames that hold a part of those before.
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
  /// `lift`: by how much it is brighter than the one before, in 1/256 grey levels; `number`: that of the frame.
  void see(const Frames& frames, int lift, std::int64_t seen, std::int64_t number);
  /// What other lines explain: blocks of equal pixels, which come again as details do; strong compression, which leaves
  /// blocks of one level; steps of brightness.
  struct Known {
    bool blocks = false, compressed = false, light = false;
  };
  std::vector<std::string> warnings(const std::string& video, Known known) const;
  /// What else may be found in such frames is explained.
  bool has_alike_halves() const { return halves_ != AlikeHalves::none; }
  bool has_moving_bars() const;
  bool is_mixed() const;
  bool has_step_of_light() const { return lifted_at_ >= 0; }
  bool has_salt() const { return looks_ > 0 && salt_permille_ >= Spots::least_salt; }

 private:
  void look_at_one(View now);
  void look_at_bends(View now);
  void watch_bars(View now);
  void watch_focus(const Frames& frames, std::int64_t number);
  void watch_light(const Frames& frames, int lift, std::int64_t number);
  std::vector<std::string> spot_warnings(const std::string& video, bool is_compressed) const;
  std::string blur_warning(const std::string& video) const;
  std::string light_warning(const std::string& video) const;
  void look_at_mixing(const Frames& frames, std::int64_t seen);
  std::string bar_warning(const std::string& video) const;
  std::string padding_warning(const std::string& video) const;
  std::string mixing_warning(const std::string& video) const;

  Size size_;
  std::int64_t looks_ = 0, wrapped_ = 0, white_ = 0;  ///< Frames that were looked at; the last ones; those of them.
  int white_percent_ = 100;                           ///< The least of these.
  AlikeHalves halves_ = AlikeHalves::none;            ///< In all of them,
  RepeatedDetails details_;                           ///< and in the first two.
  LargePixels large_;                                 ///< In all of them: of the last one.
  std::int64_t frames_ = 0;
  DarkBars least_bars_, most_bars_;
  DarkBars padding_;                             ///< Of all frames that were looked at.
  int turns_ = 0, way_ = 0;                      ///< How often sharpness fell and rose again; 1 or -1 while it does.
  int low_ = 0, high_ = 0;                       ///< Sharpness since it turned,
  int softest_ = 0, sharpest_ = 0;               ///< and of all.
  int salt_permille_ = 1000, blocks_ = 1 << 20;  ///< The least that was seen.
  int blocked_ = 0;                              ///< Frames that were looked at and have lost blocks.
  int last_lift_ = 0;                            ///< Of the last frame.
  int lift_ = 0;                                 ///< The first sudden step,
  std::int64_t lifted_at_ = -1;                  ///< and its frame.
  int last_sharpness_ = 0, blur_percent_ = 0;  ///< Of the last frame; by how much that was more before the first step,
  std::int64_t blurred_at_ = -1;               ///< and the frame of that.
  int soft_ = 0;                               ///< Of the first frames that are looked at,
  int agreeing_ = 0, enlarged_ = 1;            ///< and those in a row that were enlarged by so much.
  int mixed_percent_ = 100;
  FadingPixels fading_;
};

}  // namespace vergence::cli
