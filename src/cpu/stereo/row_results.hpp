// SPDX-License-Identifier: Apache-2.0
// What the matcher knows of a row of pixels before it decides which disparities to keep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace vergence::cpu {

/// "No cost": larger than every window cost, as the plan sees to it.
template <class S>
inline constexpr S none = std::numeric_limits<S>::max();

/// Costs from the candidate before the winner on, as they lie side by side in a slab: one load and one store take them
/// all.
template <class S>
struct NearCosts {
  S before;  ///< Costs of candidate - 1 and + 1; none where they do not count.
  S at;
  S after;
  S beyond;  ///< Not used; completes a whole load.
};

/// One entry per pixel, from some pixel of a row on.
template <class S>
struct RowResults {
  std::int32_t* candidate;  ///< Winner.
  std::int32_t* far_end;    ///< The other end of the candidates that cost as little; only set where it was asked for.
  S* cost;                  ///< Its cost; none where the pixel has no candidate.
  NearCosts<S>* near;       ///< And those beside it.
  S* second;                ///< Best cost more than one candidate away; none where there is none.
  std::int32_t* taps;       ///< Columns summed in cost and in second: only set where the pixel is not interior.
  std::int32_t* second_taps;

  RowResults from(int x) const {
    return {candidate + x, far_end + x, cost + x, near + x, second + x, taps + x, second_taps + x};
  }
};

/// Memory for RowResults.
template <class S>
class RowResultsBuffer {
 public:
  void resize(int width) {
    const auto n = (static_cast<std::size_t>(width) + 127) / 64 * 64;  // whole chunks are written, from any pixel on
    for (auto* v : {&cost_, &second_}) v->resize(n);
    for (auto* v : {&candidate_, &far_end_, &taps_, &second_taps_}) v->resize(n);
    near_.resize(n);
  }
  RowResults<S> get() {
    return {candidate_.data(), far_end_.data(), cost_.data(),       near_.data(),
            second_.data(),    taps_.data(),    second_taps_.data()};
  }
  std::size_t bytes() const { return cost_.capacity() * (6 * sizeof(S) + 4 * sizeof(std::int32_t)); }

 private:
  std::vector<S> cost_, second_;
  std::vector<NearCosts<S>> near_;
  std::vector<std::int32_t> candidate_, far_end_, taps_, second_taps_;
};

/// Bits of the comparison with the minimum; zero where no vector writes.
class MatchBitsBuffer {
 public:
  /// For as many bytes, and vectors to a pixel.
  std::uint8_t* get(std::size_t bytes, int vectors) {
    if (vectors != vectors_) bits_.assign(bytes, 0);
    vectors_ = vectors;
    return bits_.data();
  }
  std::size_t bytes() const { return bits_.capacity(); }

 private:
  std::vector<std::uint8_t> bits_;
  int vectors_ = 0;
};

}  // namespace vergence::cpu
