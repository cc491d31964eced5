// SPDX-License-Identifier: Apache-2.0
// One track case on one device: corners, points, and a short video; and what two such runs differ in. `vergence
// verify`, the fuzz targets and the tests share it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "verify/track_cases.hpp"

namespace vergence {

/// Entries of a few numbers each, under a name such as "points".
struct TrackList {
  std::string name;
  std::vector<std::string> fields;
  std::vector<std::int64_t> values;  ///< entry after entry, fields.size() numbers each
};

struct TrackRun {
  std::vector<TrackList> lists;
  bool intact = true;  ///< the frames, and the memory around them, were not changed
};

/// Corners of the first frame and, beside points and under a mask, of the second; the case's points in the second
/// frame, without and with guesses; then PointTracker on first, second and first again. `padding`: values between the
/// frames' rows.
template <class P>
TrackRun run_track(const Device& device, const TrackCase& track_case, const TrackFrames<P>& frames,
                   const TrackPoints& points, int padding);
/// The same with make_track_frames() and make_track_points().
TrackRun run_track(const Device& device, const TrackCase& track_case, int padding);

/// Empty where `got` holds the numbers of `expected`, else the first difference.
std::string first_difference(const TrackRun& expected, const TrackRun& got);

/// Continues a hash over the numbers of all lists.
std::uint64_t hash_run(const TrackRun& run, std::uint64_t hash);

}  // namespace vergence
