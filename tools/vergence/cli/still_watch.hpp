// SPDX-License-Identifier: Apache-2.0
// What stays in place while the scene moves: patterns of the sensor, parts of the frame that hung. Parts that are
// missing, frames that roll, and rows that begin amid the frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/cut_watch.hpp"
#include "cli/frame_looks.hpp"
#include "vergence/inspect_video.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

class StillWatch {
 public:
  /// Each frame, so far from the one before; `seen` counts them from 1.
  void see(const GreyPicture& picture, const ChangeFindings& change, std::int64_t seen, std::int64_t number);
  /// Behind the last frame: short clips end before there are frames enough. `takes_turns`: their order is doubted.
  void finish(bool takes_turns);
  /// Something stands before the scene; what looks like a pattern of each frame is that.
  bool has_standing() const { return has_standing_; }
  /// What others have told already.
  struct Told {
    bool part = false, noise = false, blocks = false, light = false;
  };
  /// Lines about `video`.
  std::vector<std::string> warnings(const std::string& video, Told is_told) const;
  /// `motion` tells cuts by its vectors, and needs no look of its own.
  void watch_cuts() { watches_cuts_ = true; }
  const CutWatch& cuts() const { return cuts_; }
  /// Frames roll, or their brightness does, or they are noise: their order tells nothing.
  bool rolls() const { return is_displaced() || has_bars() || is_noise(); }
  bool has_salt() const { return spoilt_.has_salt(); }
  /// One is far from those beside it, which tells nothing of their order.
  bool has_odd_frame() const { return spoilt_.has_step_of_light() || flip_ != FrameFlip::none; }
  /// Frames are not where they were.
  bool is_displaced() const {
    return !spoilt_.has_alike_halves() &&
           (rolled_.frames > 0 || rows_.frames >= few_wrapped || columns_.frames >= few_wrapped);
  }

 private:
  using Bytes = Image<std::uint8_t>;
  static constexpr std::int64_t few_wrapped = 2;  ///< A thing may have such an edge.
  void look_for_pattern();
  void look_for_standing(std::int64_t apart);
  std::string standing_warning(const std::string& video) const;
  void look_at_parts(std::int64_t seen, std::int64_t number);
  bool is_unclear() const;
  bool has_pattern() const;
  bool is_noise() const { return looks_ > 0 && noise_ == looks_; }
  bool has_bars() const { return looks_ >= 2 && 4 * bars_ >= 3 * looks_; }
  std::string row_warning(const std::string& video) const;
  std::string block_warning(const std::string& video) const;
  std::string wrap_warning(const std::string& video) const;
  std::string roll_warning(const std::string& video) const;
  void look_for_flip(int change, std::int64_t number);
  std::string flip_warning(const std::string& video) const;

  Bytes first_;                              ///< The frame that later ones are compared with,
  Bytes now_, before_, earlier_, earliest_;  ///< and the last four.
  CutWatch cuts_;
  bool watches_cuts_ = false;
  FrameLooks spoilt_;
  FixedPatternFindings pattern_;
  StuckPixels stuck_;
  FrameMean mean_;             ///< Of the frames of a round, until they are enough,
  StandingFindings standing_;  ///< and what it told.
  bool has_standing_ = false;
  FrameFlip flip_ = FrameFlip::none;  ///< Of the first frame that was flipped,
  std::int64_t flipped_at_ = -1;      ///< and its number.
  int last_change_ = 0;
  Rect frozen_, missing_;
  std::int64_t frozen_at_ = -1, missing_at_ = -1;
  /// Frames whose rows, or columns, begin amid: at which column, or row, since which frame, and how many.
  struct Wrapped {
    int place = 0;
    std::int64_t first = -1, frames = 0;
    void add(int at, std::int64_t number) {
      if (at == 0) return;
      if (frames++ == 0) first = number, place = at;
    }
  };
  Wrapped rows_, columns_;
  /// Frames that lie beside the one before, moved round.
  struct Rolled {
    RolledFrame by;
    std::int64_t first = -1, frames = 0;
  };
  Rolled rolled_;
  std::int64_t looks_ = 0, noise_ = 0;     ///< Frames that were looked at, and those of noise alone.
  std::int64_t row_noise_ = 0, bars_ = 0;  ///< Of `looks_`: those whose rows, or bands of rows, change as a whole.
  RowChanges changes_;                     ///< Of the first such one.
  std::int64_t block_looks_ = 0, block_percent_ = 0, block_excess_ = 0;  ///< The same of BlockSteps, summed.
};

}  // namespace vergence::cli
