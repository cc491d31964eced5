// SPDX-License-Identifier: Apache-2.0
// Seeded stereo inputs: a picture pair and valid settings from one number, the same on every machine. Tests, the fuzz
// target and `vergence verify` all draw their cases here, so a seed printed by one can be replayed by the others.
#pragma once

#include <cstdint>
#include <string>

#include "core/random.hpp"
#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

/// A pair and settings that make_stereo_plan(size, options) accepts.
struct StereoCase {
  Size size;
  StereoOptions options;
  std::uint64_t seed = 0;
  /// Filled where options.depth is u8, else empty.
  Image<std::uint8_t> left8, right8;
  /// Filled where options.depth is u16, else empty; no pixel above options.max_value.
  Image<std::uint16_t> left16, right16;
  /// Of one case in four; else empty.
  Image<std::uint8_t> left_mask, right_mask;

  SourceMasks masks() const { return {left_mask, right_mask}; }
};

/// The case of a seed: sizes 1x1 .. `largest`, biased to small and odd ones; every field of StereoOptions varies;
/// pictures are noise, flat, gradients, repeated stripes, shifted copies with noise, or extremes; some pixels have no
/// source. `largest` is part of what the seed means.
StereoCase make_stereo_case(std::uint64_t seed, Size largest = {80, 60});

/// A mask as rectification makes it, or full of holes; 0 or 1.
Image<std::uint8_t> make_source_mask(Random& random, Size size);

/// One line: seed, size and every setting, for a message about a difference.
std::string describe(const StereoCase& stereo_case);

}  // namespace vergence
