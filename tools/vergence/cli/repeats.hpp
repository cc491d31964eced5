// SPDX-License-Identifier: Apache-2.0
// Frames that come again amid frames that move: a camera that hung, or a rate that was raised by repeating frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/frame_order.hpp"
#include "cli/frame_watch.hpp"
#include "cli/known_orders.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Every eighth row, or that of another step.
GreyPicture some_rows(const GreyPicture& picture, int step = 8);
/// Frames that are equal bit for bit have equal ones, and no others but by chance; 0 of those of one level.
std::uint64_t hash_of_rows(const GreyPicture& rows);
/// Of frames of one size: in the mean, in 1/256 grey levels of 255; 0 where all pixels are equal.
int change_of(const GreyPicture& before, const GreyPicture& now);

/// Which frames repeat, and which fade. Compares every eighth row of each frame (of 512 rows and
/// more every sixteenth) with those of the frame before.
class Repeats {
 public:
  void see(const GreyPicture& picture, std::int64_t number);
  /// One line behind the last frame, or "".
  std::string warning(const std::string& video) const;
  /// Frames that become darker or brighter as a whole, one after the other; else "".
  std::string fade_warning(const std::string& video) const;
  /// A frame that is unlike both beside it; else "".
  std::string odd_warning(const std::string& video) const;
  /// A frame that shows an earlier one once more, bit for bit, where all others move on; else "".
  std::string copy_warning(const std::string& video) const;
  /// Fields repeat, which explains frames of two times, and such as come again.
  bool is_telecine() const;
  const Turns& turns() const { return turns_; }
  FrameOrder& order() { return order_; }
  const KnownOrders& known_orders() const { return known_orders_; }
  const Blends& blends() const { return blends_; }
  /// How far the last frame is from the one before; 0 of the first one.
  const ChangeFindings& last() const { return last_; }

 private:
  bool may_be_odd() const;

  GreyPicture rows_;                ///< Of the frame before,
  GreyPicture last_rows_;           ///< and of the one before that.
  std::vector<std::int64_t> sums_;  ///< Of parts of `rows_`.
  ChangeFindings last_;
  Turns turns_;
  FrameOrder order_;
  KnownOrders known_orders_;
  Blends blends_;
  std::int64_t first_ = 0;  ///< Number of the first frame.
  /// How much each frame but the first differs from the one before: in the mean, in 1/256 grey levels of 255, at least
  /// 1 where any pixel does.
  std::vector<std::uint16_t> changes_;
  std::vector<bool> lifts_;                    ///< Of these: all becomes brighter, or darker, which is no motion.
  std::int64_t faded_ = 0, longest_fade_ = 0;  ///< Frames in a row until now, and at most.
  std::int64_t odd_ = -1;                      ///< A frame that is unlike both beside it,
  GreyPicture odd_rows_;                       ///< what is kept of it, by how much it differs from these,
  int odd_change_ = 0;
  int least_to_odd_ = 0;  ///< and by how much from the later frame that it is most like.
  std::int64_t like_odd_ = -1;
  std::vector<std::uint64_t> hashes_;     ///< Of each frame's rows; 0 of those of one level.
  std::int64_t field_ = -1, fields_ = 0;  ///< Frames of which one field repeats: the first one, and how many.
  std::int64_t fade_begin_ = 0;           ///< Before the first frame of the longest one.
};

}  // namespace vergence::cli
