// SPDX-License-Identifier: Apache-2.0
// Reading files of tracks, as `vergence track -o` writes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vergence/track.hpp"

namespace vergence::cli {

/// A track in one frame.
struct TrackRow {
  std::int64_t frame = 0;
  std::uint64_t id = 0;
  double x = 0;  ///< px
  double y = 0;
  TrackStatus status = TrackStatus::tracked;
};

/// Gives the rows of each frame in the order of the file, which is that of the frames. Columns are found by their names
/// (.csv, .json) or places (.npy). Returns the frames' size where the file tells it. Throws Error(not_found / io /
/// bad_data) naming the file and the row.
std::optional<Size> read_tracks(const std::string& path,
                                const std::function<void(std::int64_t, const std::vector<TrackRow>&)>& take_frame);

}  // namespace vergence::cli
