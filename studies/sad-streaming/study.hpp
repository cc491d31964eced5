// SPDX-License-Identifier: Apache-2.0
// The study sad-streaming: where a SAD matcher's pixels come from, and who brings them.
#pragma once

#include "common/bench.hpp"
#include "common/study.hpp"
#include "sad-streaming/shape.hpp"

namespace vergence::studies::sad_streaming {

Study study();

/// A padded picture of 8- or 32-bit pixels for every variant, and the map that all have to give.
struct Pair {
  Pair(const Problem& problem, const Image<std::uint8_t>& left, const Image<std::uint8_t>& right);
  std::vector<std::int32_t> left_words, right_words;
  std::vector<std::uint8_t> left_bytes, right_bytes;
  Image<std::int32_t> expected;
};

/// The plainest form of what all kernels compute, on pictures without padding: smallest SAD, lowest disparity on ties,
/// right picture as reference, zeros right of the left picture's edge; 0 where the window is not whole.
Image<std::int32_t> reference(const Problem& problem, const Image<std::uint8_t>& left,
                              const Image<std::uint8_t>& right);

/// The variants that the settings choose, in the order of the table. `largest_group` ends the list that `auto` means.
std::vector<Variant> choose_variants(const Settings& settings, std::size_t largest_group);

/// Compiles, checks and measures one variant. With `traffic`, counts what the kernel reads and writes instead of
/// timing.
Cell run_variant(Bench& bench, const Problem& problem, const Pair& pair, const Variant& variant, int runs,
                 Traffic* traffic = nullptr);

}  // namespace vergence::studies::sad_streaming
