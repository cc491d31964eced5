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

/// Who asks, and of which frame.
struct ViewCaller {
  std::string client;        ///< Chosen by the page; a newer request of the same client cancels older ones.
  std::uint64_t serial = 0;  ///< Counts up.
  std::optional<std::int64_t> frame = std::nullopt;
};

/// POST /api/stereo, and /api/compare, which has two choices.
struct ViewRequest : ViewCaller {
  ViewMatch match, other;
  bool mask = false, confidence = false;
  bool report = false;  ///< With hash and scores, which take time of their own.
  int every = 1;        ///< Gives each so-many-th pixel of each so-many-th row; the whole maps come by POST /api/maps.
};
/// POST /api/motion: the field of `frame` against the frame before. /api/compare/motion: two fields.
struct ViewMotionRequest : ViewCaller {
  ViewChoice<MotionSettings> choice, other;
  bool pictures = true;  ///< With the compensated picture and the residue.
};
/// POST /api/track: the tracks from the scene's first frame to `frame`. /api/compare/track: two sets of them.
struct ViewTrackRequest : ViewCaller {
  ViewChoice<TrackSettings> choice, other;
};

/// POST /api/open: paths below the root; what is not given is empty.
struct ViewOpenRequest {
  std::string left, right, frames, truth, truth_scale, calibration, flow;
};
ViewOpenRequest parse_open_request(std::string_view body);

/// The request in `body`; of comparisons (`compares`) with members "a" and "b". Throws Error(bad_data) for what is no
/// such JSON, and what setting a field and finding a preset throw, with the field's name.
ViewRequest parse_view_request(std::string_view body, bool compares);
ViewMotionRequest parse_motion_request(std::string_view body, bool compares);
ViewTrackRequest parse_track_request(std::string_view body, bool compares);

}  // namespace vergence::cli
