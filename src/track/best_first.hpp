// SPDX-License-Identifier: Apache-2.0
// Corners from the best one on, put in order no further than they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/track.hpp"

namespace vergence {

/// Corners lie in buckets of neighbouring scores; a bucket is sorted when its first corner is asked for.
class BestFirst {
 public:
  /// Begins with these corners, whose order does not matter.
  void restart(const std::vector<backend::Corner>& corners);
  /// The next one by backend::is_better; null behind the last one.
  const backend::Corner* next();
  std::size_t bytes() const;

 private:
  std::vector<backend::Corner> corners_;  ///< bucket after bucket, the best one first
  std::vector<std::uint32_t> ends_;       ///< of the buckets, in corners_
  std::size_t bucket_ = 0;                ///< of those, how many are in order
  std::size_t at_ = 0;                    ///< in corners_
};

}  // namespace vergence
