// SPDX-License-Identifier: Apache-2.0
// What the page asks for, out of the JSON that it sends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stereo/settings.hpp"

namespace vergence::cli {

/// Settings and the device that they are to run on.
struct ViewMatch {
  std::string device = "cpu";
  std::string preset = "default";
  StereoSettings settings;
};

/// POST /api/stereo and /api/compare.
struct ViewRequest {
  std::string client;        ///< Chosen by the page; a newer request of the same client cancels older ones.
  std::uint64_t serial = 0;  ///< Counts up.
  std::optional<std::int64_t> frame = std::nullopt;
  ViewMatch match, other;  ///< The second is for comparisons.
  bool mask = false, confidence = false;
  bool report = false;  ///< With hash and scores, which take time of their own.
};

/// The request in `body`; of comparisons with members "a" and "b". Throws Error(bad_data) for what is no such JSON, and
/// what stereo_set and stereo_preset throw, with the field's name.
ViewRequest parse_view_request(std::string_view body, bool compares);

}  // namespace vergence::cli
