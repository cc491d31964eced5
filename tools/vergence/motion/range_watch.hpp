// SPDX-License-Identifier: Apache-2.0
// Vectors that pile up at the edge of the range: is it too small? And what a local search misses.
#pragma once

#include <cstdint>
#include <string>

#include "motion/lane.hpp"
#include "vergence/io.hpp"
#include "vergence/motion.hpp"

namespace vergence::cli {

class MotionRangeWatch {
 public:
  /// The next field, of the frame with this number. A closer look is taken at the 1st, 2nd, 4th, 8th, ... field of
  /// which a tenth of the vectors lie at the edge. In fields that are looked at (is_looked_at), blocks at the edge are
  /// looked for beyond it, and those of local searches elsewhere in it. All until something was found.
  void see(const BlockField& field, const GreyPicture& current, const GreyPicture& reference, MotionOptions options,
           std::int64_t number);
  /// One line, or "".
  const std::string& warning() const { return warning_; }

 private:
  std::int64_t seen_ = 0;      ///< Fields,
  std::int64_t doubtful_ = 0;  ///< and those of which much lies at the edge.
  std::string warning_;
};

}  // namespace vergence::cli
