// SPDX-License-Identifier: Apache-2.0
// The range of disparities that a pair shows, where nobody tells it. Read stereo.hpp first.
#pragma once

#include <cstdint>
#include <optional>

#include "vergence/device.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// Disparities in px, both ends included: options of it are min_disparity = first, disparities = count().
struct DisparityRange {
  int first = 0;
  int last = 0;
  int count() const { return last - first + 1; }
  friend bool operator==(const DisparityRange&, const DisparityRange&) = default;
};

/// Matches a rectified pair coarsely and returns the range of its disparities with a margin. Both pictures are reduced
/// by a whole factor to at most 320 px width and matched semi-globally (census, 4 paths, left-right check, speckle
/// filter) over -1/8 to 1/2 of their width. A disparity counts where it and the next two hold 1/750 of all that are
/// measured; negative ones where they hold 1/50 together, else the range begins at 0 or above. The margin is one
/// reduced pixel and 1/16 of the range at each end. Nothing where fewer than 1/20 of the pixels can be measured, where
/// the end of the search is reached, and in pictures under 32x16: then nobody can tell. Things that are smaller than
/// some reduced pixels are not seen: give the range where it is known.
///
/// Equal pictures give equal ranges on every device. Takes about as long as one frame of 320 px width; allocates.
/// Throws Error(invalid_argument) where sizes differ or a pixel exceeds `max_value`, and what StereoMatcher throws. May
/// be called by any thread.
///
/// ```cpp
/// const Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// const std::optional<DisparityRange> range = find_disparity_range(Device("cpu"), left, right);
/// if (range) StereoMatcher(Device("cpu"), left.size(), {.disparities = range->count(), .min_disparity =
/// range->first});
/// ```
std::optional<DisparityRange> find_disparity_range(const Device& device, ImageView<const std::uint8_t> left,
                                                   ImageView<const std::uint8_t> right);
std::optional<DisparityRange> find_disparity_range(const Device& device, ImageView<const std::uint16_t> left,
                                                   ImageView<const std::uint16_t> right, int max_value = 65535);

}  // namespace vergence
