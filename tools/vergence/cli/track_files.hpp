// SPDX-License-Identifier: Apache-2.0
// Reading files of tracks, as `vergence track -o` writes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// A track in one frame.
struct TrackRow {
  std::int64_t frame = 0;
  std::uint64_t id = 0;
  double x = 0;  ///< px
  double y = 0;
  TrackStatus status = TrackStatus::tracked;
  std::uint32_t residual = 0;  ///< As Track::residual; 0 where it was not asked for.
  std::int32_t age = 0;        ///< Likewise.
  std::int64_t place = 0;      ///< In the file: see place_text.
};
/// Which columns a file must have.
enum class TrackColumns {
  positions,  ///< frame, id, x, y, status
  all,        ///< residual and age, too
};

/// What a .json tells besides the tracks.
struct TracksHead {
  std::optional<Size> size;        ///< Of the frames.
  Json settings = Json::object();  ///< Of the run that wrote it.
};

/// Where a row stands in a file: "line 17".
std::string place_text(const std::string& path, std::int64_t place);

/// Gives the rows of each frame in the order of the file, which is that of the frames. Columns are found by their names
/// (.json, other text) or places (.npy). Throws Error(not_found / io / bad_data) naming the file and the row.
TracksHead read_tracks(const std::string& path,
                       const std::function<void(std::int64_t, const std::vector<TrackRow>&)>& take_frame,
                       TrackColumns columns = TrackColumns::positions);

}  // namespace vergence::cli
