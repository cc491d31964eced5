// SPDX-License-Identifier: Apache-2.0
// Frames in orders that programs make: that in which video is decoded, and that of names sorted as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

class KnownOrders {
 public:
  /// Some rows of each frame.
  void see(const GreyPicture& rows, std::int64_t number);
  /// One line behind the last frame, or "".
  std::string warning(const std::string& video) const;

  /// By how much frames differ; each is found when it is asked for.
  class Distances {
   public:
    explicit Distances(const std::vector<GreyPicture>& frames) : frames_(frames) {}
    int operator()(std::size_t a, std::size_t b);

   private:
    const std::vector<GreyPicture>& frames_;
    std::map<std::pair<std::size_t, std::size_t>, int> known_;
  };

 private:
  std::string decoded(const std::string& video, Distances& distances) const;
  std::string sorted_as_text(const std::string& video, Distances& distances) const;

  std::vector<GreyPicture> frames_;  ///< The first two dozen.
  std::vector<std::int64_t> numbers_;
  std::int64_t seen_ = 0;
};

}  // namespace vergence::cli
