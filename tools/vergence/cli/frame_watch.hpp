// SPDX-License-Identifier: Apache-2.0
// Frames that show less than they could, beside each other: few grey levels, noise alone, a part that is missing,
// frames that take turns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

/// All frames use a few of their levels, hold nothing but noise, much of it, or noise in a part.
class LevelWatch {
 public:
  /// The largest possible pixel, where it is not that of the frames.
  void expect(int max_value) { expected_ = max_value; }
  /// Some frames of a video are enough.
  void see(const GreyPicture& picture);
  /// A line about `video`, else "".
  std::string warning(const std::string& video) const;

 private:
  std::string noise_warning(const std::string& video) const;

  int frames_ = 0;
  int highest_ = 0;
  int max_value_ = 0;
  int expected_ = 65535;
  int noisy_ = 0;           ///< Frames in which neighbours are as unlike as any two pixels, and these differ by little.
  int strongly_noisy_ = 0;  ///< Frames whose noise outweighs texture.
  double noise_ = 0;        ///< The least of these, in grey levels of 255.
  std::vector<char> noise_bands_;  ///< Of 16 columns each: those that were noise in all frames.
  int width_ = 0;
  std::vector<int> levels_;  ///< That were seen, until they are many.
};

/// A part of one frame has one grey level, which it has neither in the frame before nor in the next one.
class MissingPart {
 public:
  /// Each frame.
  void see(const GreyPicture& picture, std::int64_t number);
  std::string warning(const std::string& video) const;

 private:
  std::vector<char> before_, last_;   ///< Whether some rows of the last two frames have one level.
  std::int64_t number_ = 0;           ///< Of the last frame.
  std::int64_t found_ = -1;           ///< The frame that lacks a part,
  int first_row_ = 0, last_row_ = 0;  ///< and which.
};

/// Each frame is more like the last but one than like the last one.
class Turns {
 public:
  /// By how much a frame differs from the one before, and from the one before that, in 1/256 grey levels of 255.
  void see(int change, int change_of_two);
  /// Else no more frames need be seen.
  bool may_be() const { return frames_ < 8 || 2 * turns_ >= frames_; }
  std::string warning(const std::string& video) const;
  static std::string text(const std::string& video);

 private:
  int frames_ = 0, turns_ = 0;
};

}  // namespace vergence::cli
