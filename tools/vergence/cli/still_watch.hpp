// SPDX-License-Identifier: Apache-2.0
// What stays in place while the scene moves: patterns of the sensor, parts of the frame that hung. And rows that begin
// amid the frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/inspect_video.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

class StillWatch {
 public:
  /// Each frame; `seen` counts them from 1.
  void see(const GreyPicture& picture, std::int64_t seen, std::int64_t number);
  /// Lines about `video`.
  std::vector<std::string> warnings(const std::string& video) const;

 private:
  void look_for_pattern(const GreyPicture& picture);
  bool is_unclear() const;
  bool has_pattern() const;

  GreyPicture first_;   ///< The frame that later ones are compared with,
  GreyPicture before_;  ///< and the one before that which is looked at next.
  FixedPatternFindings pattern_;
  Rect frozen_;
  std::int64_t frozen_at_ = -1;
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
};

}  // namespace vergence::cli
