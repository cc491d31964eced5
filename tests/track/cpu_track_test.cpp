// SPDX-License-Identifier: Apache-2.0
// Tracks on the device cpu give the points and corners of the reference.
#include "stage/cpu_track.hpp"
#define SUITE CpuTrack
#define SUITE_OF_SEEDS CpuTrackSeeds
#include "stage/track.hpp"

namespace vergence {
namespace {

TEST_F(CpuTrack, CasesAreOfAllKinds) {
  int counts[7] = {}, corners = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const TrackCase one = make_track_case(seed);
    if (one.options.depth != Depth::u8) continue;
    const Found found = find(Device("cpu"), one, make_track_frames<std::uint8_t>(one));
    for (const TrackedPoint& point : found.points) ++counts[static_cast<int>(point.status)];
    corners += static_cast<int>(found.corners.size());
  }
  for (const TrackStatus status : {TrackStatus::tracked, TrackStatus::outside, TrackStatus::small_determinant,
                                   TrackStatus::not_converged, TrackStatus::residual, TrackStatus::forward_backward})
    EXPECT_GT(counts[static_cast<int>(status)], 20) << to_text(status);
  EXPECT_GT(corners, 500);
}

/// Windows are cut into vectors in other ways depending on their side.
TEST_F(CpuTrack, EveryWindow) {
  for (int side = 3; side <= 63; ++side) {
    if (side % 2 == 0 && side != 8 && side != 16 && side != 32 && side != 48) continue;
    TrackCase one;
    one.seed = static_cast<std::uint64_t>(side);
    one.size = {72, 68};
    one.options.window = side;
    one.options.levels = 0;
    one.options.iterations = 3;
    one.options.gain_offset = side % 4 == 1;
    check_entry_points(one, make_track_frames<std::uint8_t>(one));
    one.options.gain_offset = !one.options.gain_offset;
    one.options.depth = Depth::u16;
    one.options.max_value = 4095;
    check_entry_points(one, make_track_frames<std::uint16_t>(one));
    if (HasFailure()) return;
  }
}

TEST_F(CpuTrack, MemoryIsCounted) {
  const PointFlow flow(Device("cpu"), {320, 240});
  EXPECT_GE(flow.memory(), std::size_t{2 * 5 * 320 * 240});
}

}  // namespace
}  // namespace vergence
