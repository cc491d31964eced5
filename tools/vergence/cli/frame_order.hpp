// SPDX-License-Identifier: Apache-2.0
// Frames in another order than they were taken, and frames that are blended into others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

class FrameDistances;

/// Twelve frames at a time (of the first hundred frames, and of a dozen in every hundred behind them): is there an
/// order in which each is as far from the one before as any other is, and which is shorter than theirs? A steady motion
/// has one; a camera that shakes has none. Or one in which frames, as means of 16x16 px, move away from each other
/// step by step?
class FrameOrder {
 public:
  /// Some rows of each frame.
  void see(const GreyPicture& rows, std::int64_t number);
  /// One line behind the last frame, or "".
  std::string warning(const std::string& video);

 private:
  /// A frame that is the same as a later one, with others between.
  struct Again {
    std::int64_t first = -1, second = -1;
    int times = 0;
  };
  void judge();
  void count_again(const FrameDistances& distances);

  std::vector<GreyPicture> frames_;
  std::vector<GreyPicture> rows_;  ///< The same with all rows that were seen.
  std::vector<std::int64_t> numbers_;
  std::int64_t seen_ = 0;
  std::vector<std::int64_t> told_;  ///< Frames in their likely order; empty where nothing is wrong.
  bool is_even_ = false;            ///< By even steps.
  Again again_;
};

/// Frames that are mixed with those of another scene, more and more of them: a cross-fade. Their pixels change at a
/// steady rate, and so do the means of blocks, which move little where things move.
class Blends {
 public:
  /// Some rows of each frame.
  void see(const GreyPicture& rows, std::int64_t number);
  /// One line behind the last frame, or "".
  std::string warning(const std::string& video) const;

 private:
  struct Seen {
    std::int64_t number = 0;
    GreyPicture rows;
    std::vector<std::int64_t> sums;  ///< Of blocks.
  };
  Seen first_, second_;  ///< Six and three frames ago.
  std::int64_t seen_ = 0;
  std::int64_t begin_ = -1, end_ = -1;
};

}  // namespace vergence::cli
