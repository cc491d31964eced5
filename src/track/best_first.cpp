// SPDX-License-Identifier: Apache-2.0
// Buckets by the logarithm of the score: scores spread over factors, and bits of positive doubles grow with the number.
#include "track/best_first.hpp"

#include <algorithm>
#include <bit>

namespace vergence {
namespace {

constexpr int bucket_bits = 12;

std::uint64_t bits_of(double score) { return score > 0 ? std::bit_cast<std::uint64_t>(score) : 0; }

}  // namespace

void BestFirst::restart(const std::vector<backend::Corner>& corners) {
  bucket_ = at_ = 0;
  std::uint64_t most = 0, least = ~std::uint64_t{0};
  for (const backend::Corner& corner : corners) {
    most = std::max(most, bits_of(corner.score));
    least = std::min(least, bits_of(corner.score));
  }
  const int shift = corners.empty() ? 0 : std::max(0, static_cast<int>(std::bit_width(most - least)) - bucket_bits);
  const auto bucket_of = [=](const backend::Corner& corner) {
    return static_cast<std::size_t>((most - bits_of(corner.score)) >> shift);
  };
  ends_.assign((std::size_t{1} << bucket_bits) + 1, 0);
  for (const backend::Corner& corner : corners) ++ends_[bucket_of(corner) + 1];
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  corners_.resize(corners.size());
  for (const backend::Corner& corner : corners) corners_[ends_[bucket_of(corner)]++] = corner;  // begins become ends
}

const backend::Corner* BestFirst::next() {
  if (at_ == corners_.size()) return nullptr;
  while (bucket_ == 0 || at_ == ends_[bucket_ - 1]) {
    const std::size_t begin = bucket_ == 0 ? 0 : ends_[bucket_ - 1], end = ends_[bucket_];
    std::sort(corners_.begin() + static_cast<std::ptrdiff_t>(begin),
              corners_.begin() + static_cast<std::ptrdiff_t>(end), backend::is_better);
    ++bucket_;
  }
  return &corners_[at_++];
}

std::size_t BestFirst::bytes() const {
  return corners_.capacity() * sizeof(backend::Corner) + ends_.capacity() * sizeof(std::uint32_t);
}

}  // namespace vergence
