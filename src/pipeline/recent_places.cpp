// SPDX-License-Identifier: Apache-2.0
// Places for results, the one that was used last first.
#include <fmt/format.h>

#include <cstddef>
#include <mutex>

#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {

RecentPlaces::RecentPlaces(int places) {
  if (places < 1)
    throw Error(ErrorCode::invalid_argument, fmt::format("{} places for results: at least 1 is needed", places));
  taken_.assign(static_cast<std::size_t>(places), false);
  for (int place = places; place-- > 0;) free_.push_back(place);
}

int RecentPlaces::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty())
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("all {} places for results are taken: a stream needs as many as it has slots", taken_.size()));
  const int place = free_.back();
  free_.pop_back();
  taken_[static_cast<std::size_t>(place)] = true;
  return place;
}

void RecentPlaces::give_back(int place) {
  const std::lock_guard lock(mutex_);
  if (place < 0 || static_cast<std::size_t>(place) >= taken_.size() || !taken_[static_cast<std::size_t>(place)])
    throw Error(ErrorCode::invalid_argument,
                fmt::format("place {} for results is given back, but was not taken", place));
  taken_[static_cast<std::size_t>(place)] = false;
  free_.push_back(place);  // has room: it had this number before
}

}  // namespace vergence
