// SPDX-License-Identifier: Apache-2.0
// What the page asks for, out of the JSON that it sends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "motion/settings.hpp"
#include "stereo/settings.hpp"
#include "track/settings.hpp"

namespace vergence::cli {

/// Settings and the device that they are to run on.
template <class Settings>
struct ViewChoice {
  std::string device = "cpu";
  std::string preset = "default";
  Settings settings;
};
using ViewMatch = ViewChoice<StereoSettings>;

/// Who asks.
struct ViewCaller {
  std::string client;        ///< Chosen by the page; a newer request of the same client cancels older ones.
  std::uint64_t serial = 0;  ///< Counts up.
};

/// POST /api/stereo and /api/compare.
struct ViewRequest : ViewCaller {
  std::optional<std::int64_t> frame = std::nullopt;
  ViewMatch match, other;  ///< The second is for comparisons.
  bool mask = false, confidence = false;
  bool report = false;  ///< With hash and scores, which take time of their own.
};

/// The request in `body`; of comparisons with members "a" and "b". Throws Error(bad_data) for what is no such JSON, and
/// what stereo_set and stereo_preset throw, with the field's name.
ViewRequest parse_view_request(std::string_view body, bool compares);

/// POST /api/motion: the field of `frame` against the frame before.
struct ViewMotionRequest : ViewCaller {
  std::optional<std::int64_t> frame = std::nullopt;
  ViewChoice<MotionSettings> choice;
  bool pictures = true;  ///< With the compensated picture and the residue.
};
/// POST /api/track: the tracks from the scene's first frame to `frame`.
struct ViewTrackRequest : ViewCaller {
  std::optional<std::int64_t> frame = std::nullopt;
  ViewChoice<TrackSettings> choice;
};
/// As parse_view_request.
ViewMotionRequest parse_motion_request(std::string_view body);
ViewTrackRequest parse_track_request(std::string_view body);

}  // namespace vergence::cli
