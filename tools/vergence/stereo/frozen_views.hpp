// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat, or come again, while those of the other view go on.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

/// Hashes of the frames of one view, of the last 4096.
class SeenFrames {
 public:
  void add(std::uint64_t hash, std::int64_t number);
  /// Number of the first one that is kept and has this hash; -1 where none has.
  std::int64_t number_of(std::uint64_t hash) const;

 private:
  std::vector<std::uint64_t> hashes_;
  std::vector<std::int64_t> numbers_;
  std::size_t next_ = 0;  ///< Where the next one is kept.
};

/// Compares every eighth row of each view with those of the frame before, and bit for bit with older ones.
class FrozenViews {
 public:
  /// One line where a view has been the same for four frames in a row, stood still for one or two, or shows an older
  /// frame once more, while the other one moved on, each once in a run; else "".
  std::string look(const StereoFrame& frame);
  /// The last frame's views are of two times, whether that is told already or not.
  bool is_of_two_times() const { return two_times_; }
  /// One line where a view stood still in the last frame of all, behind ones in which both moved; else "".
  std::string end() const;

 private:
  std::string look_at(const std::array<GreyPicture, 2>& now);
  std::string stall_line(std::size_t view);
  /// The view shows a frame of before once more, and the other one does not.
  std::string old_frame_line(std::size_t view, const std::array<std::uint64_t, 2>& hashes);

  std::array<GreyPicture, 2> before_;      ///< Every eighth row of both views, in the frame before.
  std::array<std::uint64_t, 2> hashes_{};  ///< Of these, but those of the first frame.
  std::array<SeenFrames, 2> seen_;
  std::array<int, 2> changes_{};       ///< How far each view moved to the last frame,
  std::array<int, 2> last_changes_{};  ///< and to the one before.
  std::array<int, 2> repeats_{};       ///< Frames in a row in which this view is the same and the other one is not.
  std::array<int, 2> stalled_{};  ///< How far the other view moved in the first of these, behind one where both moved.
  std::array<bool, 2>
      abrupt_{};  ///< There this view moved before by a grey level, and the other one goes on as before.
  std::int64_t frames_ = 0, number_ = 0;
  bool two_times_ = false;
  bool told_of_stall_ = false, told_of_stop_ = false, told_of_old_ = false;
};

}  // namespace vergence::cli
