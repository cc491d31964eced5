// SPDX-License-Identifier: Apache-2.0
// Seeded cases of tracks: one number gives a frame size, options, two frames and points, the same on every machine.
// Shared by the tests and by `verify`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/track.hpp"

namespace vergence {

struct TrackCase {
  std::uint64_t seed = 0;
  Size size;
  TrackOptions options;
};

/// Settings that make_track_plan accepts, frames small enough for the reference to take milliseconds, and no larger
/// than `largest`, which is at least 4x4.
TrackCase make_track_case(std::uint64_t seed, Size largest = {140, 140});

/// The frames of a case: textures that moved, noise, edges, flat parts, the largest gradients. P is uint8_t or
/// uint16_t, as the options' depth says.
template <class P>
struct TrackFrames {
  Image<P> previous, current;
};
template <class P>
TrackFrames<P> make_track_frames(const TrackCase& track_case);

/// Points and where they are guessed: on pixels, between them, at the edges, outside.
struct TrackPoints {
  std::vector<TrackPosition> points, guesses;
};
TrackPoints make_track_points(const TrackCase& track_case);

/// Where corners may be; empty in most cases.
Image<std::uint8_t> make_track_mask(const TrackCase& track_case);

/// "seed 17, 45x30, window 9, ..." for messages.
std::string describe(const TrackCase& track_case);

}  // namespace vergence
